/// A sentence that is looked through for hundreds of words, of which it has a few.
pub(super) struct Subject<'t> {
    text: &'t str,
    /// A bit for each pair of bytes that follow each other in it.
    pairs: [u64; PAIRS / 64],
}

const PAIRS: usize = 1 << 16;

impl<'t> Subject<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut pairs = [0; PAIRS / 64];
        for (word, bit) in bits(text) {
            pairs[word] |= bit;
        }
        Subject { text, pairs }
    }

    pub(super) fn as_str(&self) -> &'t str {
        self.text
    }

    /// Whether it has these words; `…` stands for anything in between, in that order.
    pub(super) fn has(&self, words: &str) -> bool {
        let mut rest = self.text;
        words.split('…').all(|part| {
            let found = if self.may_have(part) { rest.find(part) } else { None };
            found.is_some_and(|at| {
                rest = &rest[at + part.len()..];
                true
            })
        })
    }

    pub(super) fn has_any(&self, of: &[&str]) -> bool {
        of.iter().any(|words| self.has(words))
    }

    /// Nearly all words have a pair that it has not, and that is seen at a glance.
    fn may_have(&self, part: &str) -> bool {
        bits(part).all(|(word, bit)| self.pairs[word] & bit != 0)
    }
}

/// Where the bit of each pair of a text is.
fn bits(text: &str) -> impl Iterator<Item = (usize, u64)> {
    text.as_bytes().windows(2).map(|pair| {
        let nth = usize::from(pair[0]) << 8 | usize::from(pair[1]);
        (nth / 64, 1 << (nth % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_stands_in_between_does_not_matter() {
        let subject = Subject::of("昨天我们聊了什么?");
        assert!(subject.has("昨天") && subject.has("我们…什么") && subject.has("?"));
        assert!(!subject.has("什么…我们") && !subject.has("今天") && !subject.has("聊…聊"));
        assert!(subject.has_any(&["今天", "聊"]) && !subject.has_any(&[]));
    }

    proptest! {
        #[test]
        fn a_word_is_found_wherever_it_stands(text in "[a-c我你 ]{0,20}", word in "[a-c我你 ]{1,4}") {
            prop_assert_eq!(Subject::of(&text).has(&word), text.contains(&word));
        }
    }
}
