use std::sync::LazyLock;

use crate::{stop, variant};

const FIRST: u32 = 0x3400;
const LAST: u32 = 0x9FFF;

const STOP: u32 = 1 << 16;
const STOP_HEAD: u32 = 1 << 17;

/// Every character of the main block and Extension A with its simplified form and its stop marks, so that folding a
/// Han character is one load. Built once from `fast2s`, which itself hashes several times per character.
pub(crate) struct Simplifier {
    entries: Box<[u32]>,
}

/// What the table knows of one character.
#[derive(Clone, Copy)]
pub(crate) struct Simplified(u32);

impl Simplified {
    pub(crate) fn c(self) -> char {
        // Only simplified characters of the basic plane are ever stored, none of which is a surrogate.
        char::from_u32(self.0 & 0xFFFF).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Whether either mark below is set: false for most characters.
    pub(crate) fn is_marked(self) -> bool {
        self.0 & (STOP | STOP_HEAD) != 0
    }

    /// The character is a function word.
    pub(crate) fn stop(self) -> bool {
        self.0 & STOP != 0
    }

    /// Some longer function word begins with the character.
    pub(crate) fn stop_head(self) -> bool {
        self.0 & STOP_HEAD != 0
    }
}

static SIMPLIFIER: LazyLock<Simplifier> = LazyLock::new(Simplifier::build);

/// The table, built at first use.
pub(crate) fn load() -> &'static Simplifier {
    &SIMPLIFIER
}

impl Simplifier {
    /// The simplified form of a character of the table, `None` outside it.
    #[inline]
    pub(crate) fn get(&self, c: char) -> Option<Simplified> {
        let index = (c as u32).wrapping_sub(FIRST) as usize;
        self.entries.get(index).map(|&entry| Simplified(entry))
    }

    fn build() -> Simplifier {
        let mut buffer = [0; 4];
        let entries = (FIRST..=LAST)
            .map(|code| {
                let Some(c) = char::from_u32(code) else { return code };
                let simplified = variant::simplified(c).unwrap_or_else(|| {
                    // One character at a time: `fast2s` looks at neighbours for a few words, and a fold that depends
                    // on neighbours would make a query of one word differ from the sentence that holds it.
                    fast2s::convert(c.encode_utf8(&mut buffer)).chars().next().unwrap_or(c)
                });
                simplified as u32 | marks(simplified)
            })
            .collect();
        Simplifier { entries }
    }
}

fn marks(c: char) -> u32 {
    let mut marks = 0;
    for word in stop::CHINESE {
        let mut chars = word.chars();
        if chars.next() == Some(c) {
            marks |= if chars.next().is_none() { STOP } else { STOP_HEAD };
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplifying_twice_is_simplifying_once() {
        for code in FIRST..=LAST {
            let once = load().get(char::from_u32(code).unwrap()).unwrap().c();
            assert_eq!(load().get(once).unwrap().c(), once, "U+{code:04X}");
        }
    }
}
