use super::{Voices, is_quoted, quotations};
use crate::verb::{self, Third};

/// Words before a subject pronoun that make the sentence a question or the subject plural.
const INVERTED: &[&str] = &[
    "am", "are", "can", "could", "did", "do", "does", "don't", "have", "may", "might", "must", "should",
    "was", "were", "will", "would",
];

/// Replaces the pronouns of the first and second person outside quotation marks and lets the verbs agree. `None` where
/// the verb is not known or the sentence is a question. `We` stays: who belongs to it is not known.
pub(super) fn third(text: &str, voices: Voices<'_>) -> Option<String> {
    let words = words(text);
    let quotations = quotations(text);
    let spoken = |word: &&Word<'_>| !is_quoted(&quotations, word.at);
    let has = |person: Person| {
        words.iter().filter(spoken).any(|word| Pronoun::of(&word.lower).is_some_and(|p| p.person == person))
    };
    // With both in one sentence `they` would be either.
    let alone = !(has(Person::First) && has(Person::Second));
    let mut writer = Writer { out: String::with_capacity(text.len() + 32), done: 0, text };
    let mut named = false;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let Some(pronoun) = Pronoun::of(&word.lower).filter(|_| spoken(&word)) else {
            at += 1;
            continue;
        };
        let name = match pronoun.person {
            Person::First => voices.speaker,
            Person::Second => voices.addressee?,
        };
        let again = named && alone;
        named = true;
        let subject =
            pronoun.case == Case::Subject || (pronoun.case == Case::Either && is_subject(&words, at));
        if subject {
            at = writer.subject(&words, at, pronoun, name, again)?;
            continue;
        }
        let written = match (pronoun.case, again) {
            (Case::Possessive, false) => format!("{name}'s"),
            (Case::Possessive, true) => "their".to_owned(),
            (Case::Standing, false) => format!("{name}'s"),
            (Case::Standing, true) => "theirs".to_owned(),
            (Case::Reflexive, _) => "themselves".to_owned(),
            (_, false) => name.to_owned(),
            (_, true) => "them".to_owned(),
        };
        writer.replace(word, word.text.len(), &written);
        at += 1;
    }
    Some(writer.finish())
}

struct Word<'t> {
    at: usize,
    text: &'t str,
    lower: String,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match start {
            None if c.is_alphanumeric() => start = Some(at),
            Some(from) if !is_inner(c) => {
                let word = text.get(from..at).unwrap_or_default().trim_end_matches(['\'', '’']);
                words.push(Word { at: from, text: word, lower: word.to_lowercase().replace('’', "'") });
                start = None;
            }
            _ => {}
        }
    }
    words
}

#[derive(Clone, Copy, PartialEq)]
enum Person {
    First,
    Second,
}

#[derive(Clone, Copy, PartialEq)]
enum Case {
    Subject,
    Object,
    /// `you`
    Either,
    Possessive,
    Standing,
    Reflexive,
}

#[derive(Clone, Copy)]
struct Pronoun {
    person: Person,
    case: Case,
    /// The verb grown to it: `'m` of `I'm`.
    verb: &'static str,
}

impl Pronoun {
    fn of(lower: &str) -> Option<Pronoun> {
        use {Case::*, Person::*};
        let (person, case, verb) = match lower {
            "i" => (First, Subject, ""),
            "i'm" => (First, Subject, "'m"),
            "i've" => (First, Subject, "'ve"),
            "i'll" => (First, Subject, "'ll"),
            "i'd" => (First, Subject, "'d"),
            "me" => (First, Object, ""),
            "my" => (First, Possessive, ""),
            "mine" => (First, Standing, ""),
            "myself" => (First, Reflexive, ""),
            "you" => (Second, Either, ""),
            "you're" => (Second, Subject, "'re"),
            "you've" => (Second, Subject, "'ve"),
            "you'll" => (Second, Subject, "'ll"),
            "you'd" => (Second, Subject, "'d"),
            "your" => (Second, Possessive, ""),
            "yours" => (Second, Standing, ""),
            "yourself" => (Second, Reflexive, ""),
            _ => return None,
        };
        Some(Pronoun { person, case, verb })
    }
}

/// Whether `you` at `at` has a verb after it.
fn is_subject(words: &[Word<'_>], at: usize) -> bool {
    let verb = words.iter().skip(at + 1).find(|word| !verb::is_adverb(&word.lower));
    let several = |word: &str| matches!(word, "both" | "all" | "guys" | "two");
    verb.is_some_and(|word| several(&word.lower) || verb::third(&word.lower) != Third::Unknown)
}

/// Whether the subject before `and I` is somebody's of the speaker: `my friend and I`.
fn my_before(words: &[Word<'_>], at: usize) -> bool {
    (2..=4).any(|back| {
        at.checked_sub(back + 1).and_then(|i| words.get(i)).is_some_and(|word| word.lower == "my")
    })
}

/// Whether a name stands before `and I`: `Alice and I`.
fn name_before(words: &[Word<'_>], at: usize) -> bool {
    at.checked_sub(2).and_then(|i| words.get(i)).is_some_and(|word| word.text.starts_with(char::is_uppercase))
}

struct Writer<'t> {
    out: String,
    done: usize,
    text: &'t str,
}

impl Writer<'_> {
    /// Writes `name` for the pronoun at `at` and lets its verb agree. Gives the word to go on with.
    fn subject(
        &mut self,
        words: &[Word<'_>],
        at: usize,
        pronoun: Pronoun,
        name: &str,
        again: bool,
    ) -> Option<usize> {
        let word = words.get(at)?;
        let before = at.checked_sub(1).and_then(|i| words.get(i)).map_or("", |before| before.lower.as_str());
        let adjacent = !self.text.get(..word.at)?.trim_end().ends_with([',', ';', ':', '.', '!', '?']);
        if adjacent && INVERTED.contains(&before) {
            return None;
        }
        // `my friend and I`, not `I swim and I sing`.
        let plural = adjacent && before == "and" && (my_before(words, at) || name_before(words, at));
        let again = again && !plural;
        let who = if again { "they" } else { name };
        let capital = word.at == 0 && again;
        let who = if capital { "They" } else { who };
        if !pronoun.verb.is_empty() {
            let grown = match (pronoun.verb, again || plural) {
                ("'m" | "'re", true) => " are",
                ("'m" | "'re", false) => " is",
                ("'ve", true) => " have",
                ("'ve", false) => " has",
                ("'ll", _) => " will",
                // `I'd been` and `I'd better` are `had`, `I'd like` is `would`.
                _ if words.get(at + 1).is_some_and(|next| {
                    next.lower.ends_with("ed") || matches!(next.lower.as_str(), "been" | "better" | "had")
                }) =>
                {
                    " had"
                }
                _ => " would",
            };
            self.replace(word, word.text.len(), &format!("{who}{grown}"));
            return Some(at + 1);
        }
        let mut next = at + 1;
        while words.get(next).is_some_and(|word| verb::is_adverb(&word.lower)) {
            next += 1;
        }
        let verb = words.get(next)?;
        // `you both`, `you guys`: more than the one who is known.
        if matches!(verb.lower.as_str(), "both" | "all" | "guys" | "two") {
            return None;
        }
        let third = match pronoun.person {
            Person::First => verb::third_of_any(&verb.lower),
            Person::Second => verb::third(&verb.lower),
        };
        if third == Third::Unknown {
            return None;
        }
        self.replace(word, word.text.len(), who);
        if plural || again {
            let agreed = match verb.lower.as_str() {
                "am" => "are",
                "was" => "were",
                _ => verb.text,
            };
            self.replace(verb, verb.text.len(), agreed);
        } else if let Third::Form(form) = third {
            self.replace(verb, verb.text.len(), &form);
        }
        Some(next + 1)
    }

    fn replace(&mut self, word: &Word<'_>, length: usize, by: &str) {
        self.out.push_str(self.text.get(self.done..word.at).unwrap_or_default());
        let begins = self.out.trim().is_empty();
        let mut chars = by.chars();
        match chars.next() {
            Some(first) if begins => {
                self.out.extend(first.to_uppercase());
                self.out.push_str(chars.as_str());
            }
            _ => self.out.push_str(by),
        }
        self.done = word.at + length;
    }

    fn finish(mut self) -> String {
        self.out.push_str(self.text.get(self.done..).unwrap_or_default());
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Option<String> {
        third(text, Voices { speaker: "Emily", addressee: Some("the assistant") })
    }

    #[test]
    fn pronouns_become_names_and_verbs_agree() {
        let cases = [
            ("I like tea.", "Emily likes tea."),
            (
                "I really enjoy painting and I play the piano.",
                "Emily really enjoys painting and they play the piano.",
            ),
            ("I'm tired because I was up late.", "Emily is tired because they were up late."),
            ("I don't eat meat.", "Emily doesn't eat meat."),
            ("I've been to Rome.", "Emily has been to Rome."),
            ("My cat loves me.", "Emily's cat loves them."),
            ("Today I went to a museum with my friend.", "Today Emily went to a museum with their friend."),
            ("My friend and I went home.", "Emily's friend and Emily went home."),
            ("I watched the movie you recommended.", "Emily watched the movie the assistant recommended."),
            ("She said \"I am fine\" and I left.", "She said \"I am fine\" and Emily left."),
            ("It is late and I want tea.", "It is late and Emily wants tea."),
            ("Alice and I want tea.", "Alice and Emily want tea."),
            ("I usually pair it with rice.", "Emily usually pairs it with rice."),
            ("I will call mom.", "Emily will call mom."),
        ];
        for (text, expected) in cases {
            assert_eq!(user(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn unsure_sentences_stay() {
        assert_eq!(user("Can I ask something?"), None);
        assert_eq!(user("I, with others, swim."), None);
        assert_eq!(third("I like you.", Voices { speaker: "Bo", addressee: None }), None);
    }
}
