//! The name of a term in every blob and posting list.

use std::hash::{BuildHasherDefault, Hasher};

use memoir_text::Form;
use xxhash_rust::xxh3::xxh3_64;

/// The 48-bit hash of a term's text.
///
/// A word, a sub-word and a character of the same text are the same term: 猫 alone finds the 猫 of 熊猫. The
/// unstemmed form of a word has a namespace of its own, so that "running" is not counted as another "run".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermHash(u64);

impl TermHash {
    /// Bytes of a hash in a blob.
    pub(crate) const LEN: usize = 6;

    pub(crate) fn of(form: Form, text: &str) -> Self {
        match form {
            Form::Exact => Self(exact(text) >> 16),
            Form::Word | Form::SubWord | Form::Character => Self(xxh3_64(text.as_bytes()) >> 16),
        }
    }

    /// The hash as a number below 2^48.
    pub fn get(self) -> u64 {
        self.0
    }

    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let [a, b, c, d, e, f, ..] = self.0.to_le_bytes();
        [a, b, c, d, e, f]
    }

    #[inline]
    pub(crate) fn from_bytes([a, b, c, d, e, f]: [u8; Self::LEN]) -> Self {
        Self(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
    }
}

fn exact(text: &str) -> u64 {
    // Words are short; the stack saves an allocation for each on the write path.
    let mut buffer = [b'='; 64];
    match buffer.get_mut(1..=text.len()) {
        Some(place) => {
            place.copy_from_slice(text.as_bytes());
            xxh3_64(&buffer[..=text.len()])
        }
        None => xxh3_64(format!("={text}").as_bytes()),
    }
}

/// For maps keyed by [`TermHash`]: the key is a hash already and only needs its bits spread to the top.
pub(crate) type BuildTermHasher = BuildHasherDefault<TermHasher>;

#[derive(Default)]
pub(crate) struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        // The table takes its tag from the top bits, which are empty in 48, and its bucket from the low ones.
        self.0 = hash ^ hash << 16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_word_is_another_term_than_the_stem_of_the_same_text() {
        assert_ne!(TermHash::of(Form::Word, "run"), TermHash::of(Form::Exact, "run"));
        assert_eq!(TermHash::of(Form::Word, "猫"), TermHash::of(Form::Character, "猫"));
        assert_eq!(TermHash::of(Form::Exact, "run"), TermHash::of(Form::Word, "=run"));
    }

    #[test]
    fn a_long_exact_word_hashes_as_a_short_one_does() {
        for len in [62, 63, 64, 65, 200] {
            let word = "x".repeat(len);
            assert_eq!(TermHash::of(Form::Exact, &word), TermHash::of(Form::Word, &format!("={word}")));
        }
    }

    #[test]
    fn a_hash_survives_its_six_bytes() {
        let hash = TermHash::of(Form::Word, "miso");
        assert_eq!(TermHash::from_bytes(hash.to_bytes()), hash);
        assert!(hash.get() < 1 << 48);
    }
}
