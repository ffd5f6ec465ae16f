use rust_stemmers::{Algorithm, Stemmer};

use crate::stop;

/// How many words a thread remembers. People use few words, again and again.
const SLOTS: usize = 2048;

/// What the analysis has to know about an English word, with a memory: a stem costs half a microsecond and several
/// allocations, a remembered one costs neither.
#[derive(Default)]
pub(crate) struct Stems {
    slots: Vec<Slot>,
}

#[derive(Clone, Default)]
struct Slot {
    word: String,
    stem: String,
    stop: bool,
}

impl Stems {
    /// The stem of a word, and whether it is a function word. A function word keeps its form: `does` is no `doe`.
    /// Words that are not plain ASCII have no known language and stay as they are.
    pub(crate) fn of<'t>(&'t mut self, word: &'t str) -> (&'t str, bool) {
        if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return (word, false);
        }
        self.slots.resize(SLOTS, Slot::default());
        let slot = &mut self.slots[hash(word) % SLOTS];
        if slot.word != word {
            slot.word.clear();
            slot.word.push_str(word);
            slot.stop = stop::is_english(word);
            slot.stem.clear();
            if slot.stop || word.len() <= 2 {
                slot.stem.push_str(word);
            } else {
                slot.stem.push_str(&Stemmer::create(Algorithm::English).stem(word));
            }
        }
        (&slot.stem, slot.stop)
    }
}

fn hash(word: &str) -> usize {
    let hash = word.bytes().fold(0_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 16)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_takes_the_slot_of_another_gets_its_own_stem() {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut stems = Stems::default();
        let letters = |last| 'a'..=last;
        let words: Vec<String> = letters('z')
            .flat_map(|a| letters('z').flat_map(move |b| letters('d').map(move |c| format!("{a}{b}{c}ings"))))
            .collect();
        assert!(words.len() > SLOTS);
        for word in words.iter().chain(&words) {
            assert_eq!(stems.of(word), (stemmer.stem(word).as_ref(), false));
        }
    }
}
