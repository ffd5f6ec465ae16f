//! English verbs, as far as the change from first to third person needs them.

use crate::stop;

/// Base forms after which a third person has an `s`. Sorted.
#[rustfmt::skip]
const BASE: &[&str] = &[
    "accept", "admire", "adore", "agree", "appreciate", "ask", "attend", "avoid", "bake", "believe",
    "belong", "bike", "blame", "buy", "call", "care", "check", "choose", "clean", "collect", "come",
    "commute", "consider", "cook", "create", "cry", "dance", "decide", "dislike", "do", "doubt", "draw",
    "dream", "drink", "drive", "earn", "eat", "enjoy", "envy", "exercise", "expect", "fear", "feel", "find",
    "focus", "follow", "forget", "get", "give", "go", "grow", "guess", "hate", "have", "hear", "help",
    "hike", "hope", "imagine", "intend", "jog", "keep", "know", "lack", "learn", "like", "listen", "live",
    "look", "lose", "love", "make", "mean", "meet", "miss", "need", "notice", "order", "own", "paint",
    "pay", "plan", "play", "practice", "prefer", "promise", "realize", "recommend", "regret", "remember",
    "rent", "require", "respect", "run", "save", "say", "see", "seem", "sell", "send", "share", "sing",
    "skip", "sleep", "smoke", "speak", "spend", "start", "stay", "struggle", "study", "suffer", "suggest",
    "support", "suppose", "swim", "take", "talk", "teach", "tend", "think", "train", "travel", "treat",
    "trust", "try", "understand", "use", "value", "visit", "volunteer", "wait", "wake", "walk",
    "want", "watch", "wear", "wish", "wonder", "work", "worry", "write",
];

/// Forms that are the same in every person: modals and irregular pasts. Sorted.
#[rustfmt::skip]
const FIXED: &[&str] = &[
    "arose", "ate", "awoke", "beat", "became", "began", "bent", "bet", "bit", "bled", "blew", "bought", "bound",
    "bred", "broke", "brought", "built", "burnt", "burst", "came", "can", "can't", "cannot", "caught", "chose",
    "cost", "could", "couldn't", "crept", "cut", "dealt", "did", "didn't", "drank", "dreamt", "drew", "drove",
    "dug", "fed", "fell", "felt", "fled", "flew", "forbade", "forgave", "forgot", "fought", "found", "froze",
    "gave", "got", "grew", "ground", "had", "hadn't", "heard", "held", "hid", "hit", "hung", "hurt", "kept",
    "knelt", "knew", "laid", "lay", "leapt", "learnt", "led", "left", "lent", "let", "lit", "lost", "made",
    "may", "meant", "met", "might", "mistook", "must", "overcame", "paid", "put", "quit", "ran", "rang", "read",
    "rid", "rode", "rose", "said", "sang", "sank", "sat", "saw", "sent", "set", "shall", "shook", "shot",
    "should", "shouldn't", "shut", "slept", "sold", "sought", "spat", "spelt", "spent", "spilt", "split",
    "spoke", "sprang", "spread", "stole", "stood", "struck", "stuck", "stung", "swam", "swept", "swore",
    "swung", "taught", "thought", "threw", "told", "took", "tore", "understood", "upset", "used", "went",
    "wept", "were", "will", "withdrew", "woke", "won", "won't", "wore", "would", "wouldn't", "wound", "wrote",
];

/// Adverbs that stand between a pronoun and its verb, beside those in `ly`.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "almost", "also", "always", "ever", "even", "first", "just", "never", "now", "often", "once", "quite",
    "rather", "sometimes", "still", "then", "too",
];

/// What the third person makes of a verb.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Third {
    /// It stays as it is.
    Same,
    /// It takes this form.
    Form(String),
    /// Not a verb that is known.
    Unknown,
}

/// The third person singular of a verb of the first or second, in lower case.
pub(crate) fn third(verb: &str) -> Third {
    let irregular = match verb {
        "am" | "are" => "is",
        "'m" | "'re" => "is",
        "was" | "were" => "was",
        "have" => "has",
        "do" => "does",
        "don't" => "doesn't",
        "haven't" => "hasn't",
        "aren't" => "isn't",
        "weren't" => "wasn't",
        _ => "",
    };
    if !irregular.is_empty() {
        return Third::Form(irregular.to_owned());
    }
    if FIXED.contains(&verb) || (verb.len() > 3 && verb.ends_with("ed") && !verb.ends_with("eed")) {
        return Third::Same;
    }
    if BASE.binary_search(&verb).is_err() {
        return Third::Unknown;
    }
    Third::Form(with_s(verb))
}

/// The same for a word that can only be a verb, after `I` and its adverbs: one that is no known past is a present.
pub(crate) fn third_of_any(verb: &str) -> Third {
    let known = third(verb);
    let plain = verb.len() > 2 && verb.bytes().all(|byte| byte.is_ascii_lowercase());
    if known != Third::Unknown || !plain || verb.ends_with("ing") || stop::is_english(verb) {
        return known;
    }
    Third::Form(with_s(verb))
}

/// Whether the word may stand between a pronoun and its verb.
pub(crate) fn is_adverb(word: &str) -> bool {
    BETWEEN.contains(&word) || (word.len() > 4 && word.ends_with("ly"))
}

fn with_s(verb: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| verb.ends_with(ending));
    match verb.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh", "o"]) => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_take_their_third_person() {
        let cases =
            [("like", "likes"), ("try", "tries"), ("watch", "watches"), ("go", "goes"), ("play", "plays")];
        for (verb, expected) in cases {
            assert_eq!(third(verb), Third::Form(expected.to_owned()));
        }
        assert_eq!(third("went"), Third::Same);
        assert_eq!(third("wanted"), Third::Same);
        assert_eq!(third("table"), Third::Unknown);
        assert_eq!(third_of_any("zorble"), Third::Form("zorbles".to_owned()));
        assert_eq!(third_of_any("with"), Third::Unknown);
        assert!(BASE.is_sorted());
    }
}
