use memoir_index::{Places, SpaceIndex, Survey, Talk, Turn};
use memoir_model::Speaker;

use super::admitted::Admitted;
use super::candidates::{Inquiry, PER_LIST, SHORT_DAYS};
use super::fuse::fuse;
use super::lengths::Lengths;
use super::nearness::{Compared, Nearness};
use super::queries::{Purpose, Wanted};
use super::signals::{Signal, Signals};
use super::spread::{Spread, ranks, worth_of_rank};

/// A turn of fewer words says little.
const BRIEF_WORDS: f32 = 8.0;
const DAY: f32 = 86_400_000_000.0;

/// What the words of the message and its other ways of asking, its meaning, its speaker and its times say of every row.
pub(crate) struct Evidence<'a> {
    talk: &'a Talk,
    admitted: &'a Admitted<'a>,
    inquiry: &'a Inquiry<'a>,
    survey: Survey,
    turn: List,
    pair: List,
    window: List,
    session: List,
    near: Option<Near>,
    lengths: Lengths,
    others: Vec<Other>,
}

/// How the scores of a list lie, and the ranks of the candidates in it.
#[derive(Default)]
struct List {
    spread: Spread,
    ranks: Vec<u16>,
}

/// How near the rows and their sessions are in meaning.
struct Near {
    rows: Vec<f32>,
    /// By the place of the session.
    sessions: Vec<f32>,
    row: List,
    session: List,
}

/// What another way of asking says of the rows it finds.
struct Other {
    purpose: Purpose,
    /// The places that it finds by words, the best first, and the share of the best score.
    order: Vec<u32>,
    shares: Vec<f32>,
    /// Of each candidate.
    ranks: Vec<u16>,
    near: Option<(Vec<f32>, List)>,
}

impl From<Spread> for List {
    fn from(spread: Spread) -> Self {
        List { spread, ranks: Vec::new() }
    }
}

impl List {
    fn rank(&mut self, places: &Places) {
        self.ranks = self.spread.ranks(places);
    }
}

impl Other {
    /// The nth of the other ways that a survey looked at.
    fn new(purpose: Purpose, survey: &Survey, nth: usize, admitted: &Admitted<'_>) -> Self {
        let found =
            survey.best_of(nth, PER_LIST, |place| admitted.is_everything() || admitted.contains(place));
        let best = found.first().map_or(1.0, |(_, score)| *score).max(f32::MIN_POSITIVE);
        Other {
            purpose,
            order: found.iter().map(|(place, _)| *place).collect(),
            shares: found.iter().map(|(_, score)| score / best).collect(),
            ranks: Vec::new(),
            near: None,
        }
    }

    fn tops(&self) -> impl Iterator<Item = &[u32]> {
        std::iter::once(self.order.as_slice()).chain(self.near.as_ref().map(|(_, list)| list.spread.top()))
    }

    fn rank(&mut self, places: &Places) {
        self.ranks = ranks(&self.order, places);
        if let Some((_, list)) = &mut self.near {
            list.rank(places);
        }
    }

    /// The rank of a candidate by meaning.
    fn near_rank(&self, slot: usize) -> u16 {
        self.near.as_ref().map_or(0, |(_, list)| list.ranks[slot])
    }

    fn words_worth(&self, slot: usize) -> f32 {
        let rank = usize::from(self.ranks[slot]);
        rank.checked_sub(1).map_or(0.0, |nth| self.shares[nth])
    }
}

impl<'a> Evidence<'a> {
    /// What the words say, of the message and of its other ways of asking.
    pub(crate) fn of_words(
        index: &'a SpaceIndex,
        admitted: &'a Admitted<'a>,
        inquiry: &'a Inquiry<'a>,
        (message, further): (&Wanted, &[Wanted]),
    ) -> Self {
        let talk = index.talk();
        let others: Vec<_> = further.iter().map(|query| &query.words).collect();
        let survey = index.survey(&message.words, &others);
        let by_words = |scores: &[f32]| Spread::of_some(&survey.places, scores, admitted).into();
        let turns = admitted.by_session();
        let other = |(nth, query): (usize, &Wanted)| Other::new(query.purpose, &survey, nth, admitted);
        Evidence {
            turn: by_words(&survey.turn),
            pair: by_words(&survey.pair),
            window: by_words(&survey.window),
            session: Spread::of_sessions(talk, &survey.session, admitted, &turns).into(),
            near: None,
            lengths: Lengths::of(talk, admitted),
            others: further.iter().enumerate().map(other).collect(),
            talk,
            admitted,
            inquiry,
            survey,
        }
    }

    /// What meaning says besides: how close every row is, to the message and to each other way of asking that has one.
    pub(crate) fn add_meaning(&mut self, compared: Vec<Option<Compared>>) {
        let mut near = compared.into_iter().map(|compared| compared?.nearness(self.admitted, &self.survey));
        self.near = near.next().flatten().map(|near| {
            let (sessions, turns) = (near.sessions(self.talk), self.admitted.by_session());
            let session = Spread::of_sessions(self.talk, &sessions, self.admitted, &turns).into();
            Near { rows: near.rows, row: near.spread.into(), sessions, session }
        });
        for (other, near) in self.others.iter_mut().zip(near) {
            other.near = near.map(|Nearness { rows, spread }| (rows, spread.into()));
        }
    }

    /// What the words say of every row.
    pub(crate) fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Whether meaning was compared.
    pub(crate) fn by_meaning(&self) -> bool {
        self.near.is_some()
    }

    /// The lists by which rows are found, the best of each first.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &[u32]> {
        let own = [&self.turn, &self.pair, &self.window]
            .into_iter()
            .chain(self.near.as_ref().map(|near| &near.row));
        own.map(|list| list.spread.top()).chain(self.others.iter().flat_map(Other::tops))
    }

    /// Sees where the candidates stand in every list. From now on a candidate is known by its slot among them.
    pub(crate) fn rank(&mut self, places: &Places) {
        let own = [&mut self.turn, &mut self.pair, &mut self.window, &mut self.session];
        let near = self.near.as_mut().map(|near| [&mut near.row, &mut near.session]);
        own.into_iter().chain(near.into_iter().flatten()).for_each(|list| list.rank(places));
        self.others.iter_mut().for_each(|other| other.rank(places));
    }

    /// For each query the rank of a candidate by words and by meaning.
    pub(crate) fn ranks(&self, slot: usize) -> Vec<(Option<u16>, Option<u16>)> {
        let known = |rank: u16| (rank > 0).then_some(rank);
        let near = self.near.as_ref().map_or(0, |near| near.row.ranks[slot]);
        let own = (known(self.turn.ranks[slot]), known(near));
        let others = self.others.iter().map(|other| (known(other.ranks[slot]), known(other.near_rank(slot))));
        std::iter::once(own).chain(others).collect()
    }

    /// What speaks for and against a candidate.
    pub(crate) fn signals(&self, slot: usize, place: usize) -> Signals {
        let mut signals = Signals::default();
        let Some(turn) = self.talk.turn(place) else { return signals };
        let beside = [self.talk.before(place), self.talk.after(place)];
        self.words(slot, place, turn.session as usize, beside, &mut signals);
        self.meaning(slot, place, turn.session as usize, beside, &mut signals);
        self.speaker(turn, &mut signals);
        self.time(turn, &mut signals);
        self.other_ways(slot, place, &mut signals);
        signals
    }

    fn words(
        &self,
        slot: usize,
        place: usize,
        session: usize,
        beside: [Option<usize>; 2],
        signals: &mut Signals,
    ) {
        let Survey { turn, pair, window, coverage, .. } = &self.survey;
        // Of a message that has nothing but small words nothing can be held.
        let per_ideal = if self.survey.ideal > 0.0 { 1.0 / self.survey.ideal } else { 0.0 };
        let known = self.survey.places.slot(place);
        let score = |scores: &[f32], known: Option<usize>| known.map_or(0.0, |known| scores[known]);
        let groups = [
            (
                score(turn, known),
                &self.turn,
                [Signal::Turn, Signal::TurnBest, Signal::TurnRank, Signal::TurnStands],
            ),
            (
                score(pair, known),
                &self.pair,
                [Signal::Pair, Signal::PairBest, Signal::PairRank, Signal::PairStands],
            ),
            (
                score(window, known),
                &self.window,
                [Signal::Window, Signal::WindowBest, Signal::WindowRank, Signal::WindowStands],
            ),
            (
                self.survey.session[session],
                &self.session,
                [Signal::Session, Signal::SessionBest, Signal::SessionRank, Signal::SessionStands],
            ),
        ];
        for (score, list, [plain, best, rank, stands]) in groups {
            signals.set(plain, score * per_ideal);
            signals.set(best, list.spread.against_best(score));
            signals.set(rank, worth_of_rank(list.ranks[slot]));
            signals.set(stands, list.spread.stands_out(score));
        }
        let held = score(coverage, known);
        let mut held_near = held;
        for (beside, signal) in beside.into_iter().zip([Signal::Before, Signal::After]) {
            let known = beside.and_then(|place| self.survey.places.slot(place));
            signals.set(signal, score(turn, known) * per_ideal);
            held_near = held_near.max(score(coverage, known));
        }
        signals.set(Signal::Known, self.survey.known);
        signals.set(Signal::Coverage, held);
        signals.set(Signal::CoverageNear, held_near);
        signals.set(Signal::LookedUp, if self.inquiry.understanding.looks_up { held } else { 0.0 });
    }

    fn meaning(
        &self,
        slot: usize,
        place: usize,
        session: usize,
        beside: [Option<usize>; 2],
        signals: &mut Signals,
    ) {
        let Some(near) = &self.near else { return };
        let groups = [
            (
                near.rows[place],
                &near.row,
                [Signal::Near, Signal::NearBest, Signal::NearRank, Signal::NearStands],
            ),
            (
                near.sessions[session],
                &near.session,
                [
                    Signal::SessionNear,
                    Signal::SessionNearBest,
                    Signal::SessionNearRank,
                    Signal::SessionNearStands,
                ],
            ),
        ];
        for (score, list, [plain, best, rank, stands]) in groups {
            signals.set(plain, score);
            signals.set(best, list.spread.against_best(score));
            signals.set(rank, worth_of_rank(list.ranks[slot]));
            signals.set(stands, list.spread.stands_out(score));
        }
        for (beside, signal) in beside.into_iter().zip([Signal::NearBefore, Signal::NearAfter]) {
            signals.set(signal, beside.map_or(0.0, |place| near.rows[place]));
        }
    }

    fn speaker(&self, turn: &Turn, signals: &mut Signals) {
        let Inquiry { about, understanding, .. } = self.inquiry;
        let agrees = match about {
            [] => 0.5,
            about => f32::from(u8::from(about.contains(&turn.meta.author))),
        };
        signals.set(Signal::Speaker, agrees);
        signals.set(Signal::SpeakerTurn, agrees * signals.get(Signal::Turn));
        signals.set(Signal::SpeakerNear, agrees * signals.get(Signal::Near));
        let is = |role: Speaker| turn.meta.role == role.code();
        let one = |holds: bool| f32::from(u8::from(holds));
        signals.set(Signal::Assistant, one(is(Speaker::Assistant)));
        signals.set(Signal::OwnWords, one(is(Speaker::User) && understanding.of_speaker));
        signals.set(Signal::TheirWords, one(is(Speaker::Assistant) && understanding.of_listener));
        signals.set(Signal::Length, self.lengths.against_usual(turn));
        signals.set(Signal::Brief, (1.0 - turn.words as f32 / BRIEF_WORDS).max(0.0));
    }

    fn time(&self, turn: &Turn, signals: &mut Signals) {
        let moment = turn.meta.said_at;
        for time in &self.inquiry.understanding.times {
            let (distance, days) = (time.distance_days(moment), time.days());
            if distance <= 0.0 {
                signals.set(if days <= SHORT_DAYS { Signal::InTime } else { Signal::InLongTime }, 1.0);
            }
            let near = (-distance / (3.0 + 0.25 * days)).exp();
            signals.set(Signal::NearTime, signals.get(Signal::NearTime).max(near));
        }
        let age = self.inquiry.now.abs_diff(moment) as f32 / DAY;
        signals.set(Signal::Recent, 1.0 / (1.0 + age / 7.0));
    }

    fn other_ways(&self, slot: usize, place: usize, signals: &mut Signals) {
        signals.set(Signal::FusedWords, fuse(self.others.iter().map(|other| other.ranks[slot])));
        signals.set(Signal::FusedNear, fuse(self.others.iter().map(|other| other.near_rank(slot))));
        let of = |purpose: Purpose| self.others.iter().find(|other| other.purpose == purpose);
        if let Some(talk) = of(Purpose::Talk) {
            signals.set(Signal::TalkTurn, talk.words_worth(slot));
            signals.set(Signal::TalkRank, worth_of_rank(talk.ranks[slot]));
            if let Some((near, list)) = &talk.near {
                signals.set(Signal::TalkNear, near[place]);
                signals.set(Signal::TalkNearRank, worth_of_rank(list.ranks[slot]));
                signals.set(Signal::TalkNearStands, list.spread.stands_out(near[place]));
            }
        }
        let asked = match of(Purpose::Question) {
            Some(question) => [
                question.words_worth(slot),
                worth_of_rank(question.ranks[slot]),
                question.near.as_ref().map_or(0.0, |(near, _)| near[place]),
            ],
            None => [Signal::TurnBest, Signal::TurnRank, Signal::Near].map(|signal| signals.get(signal)),
        };
        for (signal, value) in
            [Signal::AskedTurn, Signal::AskedRank, Signal::AskedNear].into_iter().zip(asked)
        {
            signals.set(signal, value);
        }
    }
}
