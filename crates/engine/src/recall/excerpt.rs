use memoir_text::{Form, estimate_tokens, sentences, tokens};
use std::collections::HashSet;
use std::ops::Range;

use crate::search::{Words, word_hash};

/// Stands between sentences that do not follow each other.
const GAP: &str = " … ";

/// The content words of a question, by their hashes.
pub(crate) struct Sought {
    words: HashSet<u64>,
}

impl Sought {
    pub(crate) fn of(question: &str) -> Self {
        let mut words = HashSet::new();
        tokens(question, |token| {
            if token.form == Form::Word && !token.stop {
                words.insert(word_hash(token.text));
            }
        });
        Sought { words }
    }

    /// The sentences of a text that hold most of the question, in their order, within so many tokens. Where not even one
    /// sentence fits, its beginning. `known` are the words of the text, if somebody has found them already.
    pub(crate) fn excerpt(&self, text: &str, known: Option<&Words>, most_tokens: usize) -> String {
        let ranges = sentences(text);
        let read;
        let words = match known.filter(|_| Words::hold_all_of(text)) {
            Some(known) => known,
            None => {
                read = Words::in_text(text);
                &read
            }
        };
        let mut order: Vec<(usize, usize)> = self.held(words, ranges.len()).into_iter().zip(0..).collect();
        // Of equals the earlier one: a text says first what it is about.
        order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut chosen: Vec<usize> = Vec::new();
        for (_, nth) in order {
            let mut with = chosen.clone();
            with.push(nth);
            with.sort_unstable();
            if estimate_tokens(&joined(text, &ranges, &with)) <= most_tokens {
                chosen = with;
            } else if !chosen.is_empty() {
                break;
            }
        }
        if chosen.is_empty() { beginning(text, most_tokens) } else { joined(text, &ranges, &chosen) }
    }

    /// How many of the words each of so many sentences holds.
    fn held(&self, words: &Words, sentences: usize) -> Vec<usize> {
        let mut held = vec![0; sentences];
        let mut seen: HashSet<(u64, usize)> = HashSet::new();
        for (hash, sentence) in words.each() {
            if sentence < sentences && self.words.contains(&hash) && seen.insert((hash, sentence)) {
                held[sentence] += 1;
            }
        }
        held
    }
}

fn joined(text: &str, ranges: &[Range<usize>], chosen: &[usize]) -> String {
    let mut joined = String::new();
    let mut last: Option<usize> = None;
    for &nth in chosen {
        match last {
            Some(last) if last + 1 == nth => joined.push(' '),
            None if nth == 0 => {}
            _ => joined.push_str(GAP),
        }
        joined.push_str(&text[ranges[nth].clone()]);
        last = Some(nth);
    }
    if last.is_some_and(|last| last + 1 < ranges.len()) {
        joined.push_str(GAP.trim_end());
    }
    joined.trim_start().to_owned()
}

fn beginning(text: &str, most_tokens: usize) -> String {
    let cut = |characters: usize| format!("{}…", text.chars().take(characters).collect::<String>());
    let (mut least, mut most) = (0, text.chars().count());
    while least < most {
        let middle = (least + most).div_ceil(2);
        if estimate_tokens(&cut(middle)) <= most_tokens { least = middle } else { most = middle - 1 }
    }
    if least == 0 { String::new() } else { cut(least) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn excerpt(text: &str, question: &str, most_tokens: usize) -> String {
        Sought::of(question).excerpt(text, None, most_tokens)
    }

    const TEXT: &str =
        "I like tea. My cat Miso is ill. We went to the vet on Monday. It rained. The vet gave Miso pills.";

    #[test]
    fn the_sentences_that_hold_the_question_are_kept_in_their_order() {
        assert_eq!(excerpt(TEXT, "what did the vet give Miso?", 9), "… The vet gave Miso pills.");
        assert_eq!(
            excerpt(TEXT, "what did the vet give Miso?", 20),
            "… My cat Miso is ill. … The vet gave Miso pills."
        );
        assert_eq!(excerpt(TEXT, "anything", 1000), TEXT);
    }

    #[test]
    fn a_sentence_far_down_in_a_long_text_is_found() {
        let text = format!("{}The vet gave Miso pills.", "It rained all day. ".repeat(2_000));
        let known = Words::in_text("It rained all day.");
        for known in [None, Some(&known)] {
            let found = Sought::of("what did the vet give Miso?").excerpt(&text, known, 12);
            assert!(found.ends_with("The vet gave Miso pills."), "{found}");
        }
    }

    #[test]
    fn of_a_text_without_an_end_the_beginning_is_kept() {
        let text = "猫".repeat(500);
        let short = excerpt(&text, "狗", 20);
        assert!(short.ends_with('…') && short.chars().count() > 10, "{short}");
    }

    proptest! {
        #[test]
        fn an_excerpt_never_exceeds_its_tokens(text in "(我喜欢猫。|The cat sat\\. |x{1,40} |\n){0,40}", most in 0..60usize) {
            prop_assert!(estimate_tokens(&excerpt(&text, "cat 猫", most)) <= most);
        }
    }
}
