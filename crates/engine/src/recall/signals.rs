macro_rules! signals {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $words:literal;)*) => {
        /// Something that speaks for or against a message. Each has a name in the ranking table, and words that say what it
        /// means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(usize)]
        pub enum Signal {
            $($(#[$doc])* #[doc = $words] $variant,)*
        }

        impl Signal {
            /// Every signal, in the order of its value in [`Signals`].
            pub const ALL: &'static [Signal] = &[$(Signal::$variant,)*];

            /// Its name in the ranking table.
            pub const fn name(self) -> &'static str {
                match self { $(Signal::$variant => $name,)* }
            }

            /// What it means, in words.
            pub const fn words(self) -> &'static str {
                match self { $(Signal::$variant => $words,)* }
            }
        }
    };
}

signals! {
    Turn = "turn", "shares words with the message";
    TurnBest = "turn.best", "shares words, against the one that shares most";
    TurnRank = "turn.rank", "is among those that share most words";
    TurnStands = "turn.stands", "stands out by its words";
    Pair = "pair", "shares words together with the turn before";
    PairBest = "pair.best", "shares words with the turn before, against the best";
    PairRank = "pair.rank", "is among the best together with the turn before";
    PairStands = "pair.stands", "stands out together with the turn before";
    Window = "window", "shares words together with the turns around";
    WindowBest = "window.best", "shares words with the turns around, against the best";
    WindowRank = "window.rank", "is among the best together with the turns around";
    WindowStands = "window.stands", "stands out together with the turns around";
    Session = "session", "belongs to a session that shares words";
    SessionBest = "session.best", "belongs to a session that shares words, against the best";
    SessionRank = "session.rank", "belongs to one of the best sessions";
    SessionStands = "session.stands", "belongs to a session that stands out";
    Before = "before", "the turn before shares words";
    After = "after", "the turn after shares words";
    Coverage = "coverage", "holds much of what is asked for";
    Known = "known", "the words of the message occur in the talk";
    CoverageNear = "coverage.near", "it or a turn beside it holds much of what is asked for";
    Near = "near", "means something alike";
    NearBest = "near.best", "means something alike, against the nearest";
    NearRank = "near.rank", "is among the nearest in meaning";
    NearStands = "near.stands", "stands out by its meaning";
    NearBefore = "near.before", "the turn before means something alike";
    NearAfter = "near.after", "the turn after means something alike";
    SessionNear = "session_near", "belongs to a session about something alike";
    SessionNearBest = "session_near.best", "belongs to a session about something alike, against the best";
    SessionNearRank = "session_near.rank", "belongs to one of the sessions nearest in meaning";
    SessionNearStands = "session_near.stands", "belongs to a session that stands out by its meaning";
    Speaker = "speaker", "is said by the one who is asked about";
    SpeakerTurn = "speaker.turn", "shares words and is said by the one who is asked about";
    SpeakerNear = "speaker.near", "means something alike and is said by the one who is asked about";
    Assistant = "assistant", "is said by the assistant";
    OwnWords = "own_words", "is said by the user, who asks about themselves";
    TheirWords = "their_words", "is said by the assistant, who is asked about";
    Length = "length", "is longer than is usual for its speaker";
    Brief = "brief", "has hardly a word";
    InTime = "in_time", "was said at the time that is asked about";
    InLongTime = "in_long_time", "was said within the long time that is asked about";
    NearTime = "near_time", "was said near the time that is asked about";
    Recent = "recent", "was said lately";
    TalkTurn = "talk.turn", "shares words with the talk that led to the message";
    TalkRank = "talk.rank", "is among those that share most words with the talk that led to the message";
    TalkNear = "talk.near", "means something alike to the talk that led to the message";
    TalkNearRank = "talk.near.rank", "is among the nearest in meaning to the talk that led to the message";
    TalkNearStands = "talk.near.stands", "stands out by its meaning against the talk that led to the message";
    AskedTurn = "asked.turn", "shares words with the sentence that asks";
    AskedRank = "asked.rank", "is among those that share most words with the sentence that asks";
    AskedNear = "asked.near", "means something alike to the sentence that asks";
    FusedWords = "fused.words", "is found by words in several ways of asking";
    FusedNear = "fused.near", "is found by meaning in several ways of asking";
    Question = "question", "is a question itself";
    Dated = "dated", "names a time, and a time is asked for";
    Counted = "counted", "names a number, and a number is asked for";
    Adjacent = "adjacent", "has words of the message side by side";
    Sentence = "sentence", "has a sentence that holds much of what is asked for";
    Named = "named", "names somebody or something that the message names";
    LookedUp = "looked_up", "holds the words that are looked up";
}

/// The value of every signal for one message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals([f32; Signal::ALL.len()]);

impl Default for Signals {
    fn default() -> Self {
        Signals([0.0; Signal::ALL.len()])
    }
}

impl Signals {
    /// The value of one.
    pub fn get(&self, signal: Signal) -> f32 {
        self.0[signal as usize]
    }

    pub(crate) fn set(&mut self, signal: Signal, value: f32) {
        self.0[signal as usize] = if value.is_finite() { value } else { 0.0 };
    }

    /// The values in the order of [`Signal::ALL`].
    pub fn values(&self) -> &[f32] {
        &self.0
    }
}
