use rust_stemmers::{Algorithm, Stemmer};

/// How many stems a thread remembers. People use few words, again and again.
const SLOTS: usize = 512;

/// The English stemmer with a memory: a stem costs half a microsecond and several allocations, a remembered one
/// costs neither.
#[derive(Default)]
pub(crate) struct Stems {
    slots: Vec<Slot>,
}

#[derive(Clone, Default)]
struct Slot {
    word: String,
    stem: String,
}

impl Stems {
    /// The stem of an ASCII word. Other words have no known language and stay as they are.
    pub(crate) fn of<'t>(&'t mut self, word: &'t str) -> &'t str {
        if word.len() <= 2 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return word;
        }
        self.slots.resize(SLOTS, Slot::default());
        let slot = &mut self.slots[hash(word) % SLOTS];
        if slot.word != word {
            slot.word.clear();
            slot.word.push_str(word);
            slot.stem.clear();
            slot.stem.push_str(&Stemmer::create(Algorithm::English).stem(word));
        }
        &slot.stem
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
        let words: Vec<String> =
            ('a'..='z').flat_map(|a| ('a'..='z').map(move |b| format!("{a}{b}ings"))).collect();
        assert!(words.len() > SLOTS);
        for word in words.iter().chain(&words) {
            assert_eq!(stems.of(word), stemmer.stem(word));
        }
    }
}
