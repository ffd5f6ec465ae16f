//! The durable analysis of one row.

use std::cell::Cell;

use memoir_text::{ANALYSER_VERSION, Form};

use crate::postings::Positions;
use crate::term::TermHash;
use crate::varint;

/// Units left free between two fields of a row, so that no phrase crosses from one into the next.
const FIELD_GAP: u32 = 8;

/// A row with more places than this gives its buffer back rather than keep it for the thread.
const KEPT_PLACES: usize = 1 << 14;

thread_local! {
    /// Reused by [`Terms::of`], which runs once for every row written.
    static PLACES: Cell<Vec<(TermHash, u32)>> = const { Cell::new(Vec::new()) };
}

/// The terms of one row: which, how often and where.
///
/// It is held as the blob that is stored beside the row:
///
/// | bytes | what |
/// | --- | --- |
/// | 1 | analyser version |
/// | varint | words, the length that BM25 counts |
/// | varint | distinct terms |
/// | for each term, by ascending hash | hash (6, little endian), frequency (varint), positions (delta varints) |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    blob: Vec<u8>,
    words: u32,
    distinct: u32,
    /// Where the first term starts in the blob.
    entries: usize,
}

/// Why bytes are not the blob of a [`Terms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The blob ends before what it announces.
    #[error("the terms blob is cut short")]
    Truncated,
    /// Terms are not in strictly ascending order of hash.
    #[error("the terms blob is not sorted")]
    Unsorted,
    /// A term has no place, two equal places, or one beyond the range of positions.
    #[error("the terms blob has a term with impossible positions")]
    Positions,
    /// Bytes follow the last term.
    #[error("the terms blob has bytes after its last term")]
    Trailing,
}

/// One term of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) hash: TermHash,
    pub(crate) frequency: u32,
    /// Delta varints, as a posting holds them too.
    pub(crate) positions: &'a [u8],
}

impl Terms {
    /// Analyses the fields of a row: what was said, then, say, the captions of its attachments.
    pub fn of(texts: &[&str]) -> Self {
        let mut places = PLACES.take();
        places.clear();
        let mut words = 0u32;
        let mut base = 0u32;
        for text in texts {
            let mut end = base;
            memoir_text::tokens(text, |token| {
                let position = base.saturating_add(token.position);
                places.push((TermHash::of(token.form, token.text), position));
                end = end.max(position.saturating_add(token.units.max(1)));
                words = words.saturating_add(u32::from(token.form == Form::Word));
            });
            if end > base {
                base = end.saturating_add(FIELD_GAP);
            }
        }
        // As one number a place is compared in one step.
        places.sort_unstable_by_key(|&(hash, position)| u128::from(hash.get()) << 32 | u128::from(position));
        // A Han word of one character may come as a word and as a character; it was said once.
        places.dedup();
        let terms = Self::encode(words, &places);
        if places.capacity() <= KEPT_PLACES {
            PLACES.set(places);
        }
        terms
    }

    fn encode(words: u32, places: &[(TermHash, u32)]) -> Self {
        let groups = || places.chunk_by(|left, right| left.0 == right.0);
        let distinct = groups().count() as u32;
        let mut blob = Vec::with_capacity(12 + distinct as usize * (TermHash::LEN + 1) + places.len() * 2);
        blob.push(ANALYSER_VERSION);
        varint::push(&mut blob, words);
        varint::push(&mut blob, distinct);
        let entries = blob.len();
        for group in groups() {
            blob.extend_from_slice(&group[0].0.to_bytes());
            varint::push(&mut blob, group.len() as u32);
            let mut last = 0;
            for &(_, position) in group {
                varint::push(&mut blob, position - last);
                last = position;
            }
        }
        Self { blob, words, distinct, entries }
    }

    /// Takes up a stored blob. Whatever the bytes are, this neither panics nor allocates more than they take.
    ///
    /// A blob of another analyser version is good: ask [`Terms::analyser_version`] and analyse again if need be.
    pub fn from_blob(blob: &[u8]) -> Result<Self, BlobError> {
        let (_, mut rest) = blob.split_first().ok_or(BlobError::Truncated)?;
        let words = varint::read(&mut rest).ok_or(BlobError::Truncated)?;
        let distinct = varint::read(&mut rest).ok_or(BlobError::Truncated)?;
        let entries = blob.len() - rest.len();
        let mut terms = Entries { rest };
        let mut last = None;
        for _ in 0..distinct {
            let entry = terms.next().ok_or(BlobError::Truncated)?;
            if last.is_some_and(|last| last >= entry.hash) {
                return Err(BlobError::Unsorted);
            }
            last = Some(entry.hash);
            let ascending = Positions::new(entry.positions).is_sorted_by(|left, right| left < right);
            let whole = Positions::new(entry.positions).count() == entry.frequency as usize;
            if entry.frequency == 0 || !ascending || !whole {
                return Err(BlobError::Positions);
            }
        }
        if !terms.rest.is_empty() {
            return Err(BlobError::Trailing);
        }
        Ok(Self { blob: blob.to_vec(), words, distinct, entries })
    }

    /// The bytes to store beside the row.
    pub fn to_blob(&self) -> Vec<u8> {
        self.blob.clone()
    }

    /// The bytes to store beside the row, without a copy.
    pub fn into_blob(self) -> Vec<u8> {
        self.blob
    }

    /// The version of the analyser that cut the text into terms.
    pub fn analyser_version(&self) -> u8 {
        self.blob.first().copied().unwrap_or_default()
    }

    /// The number of words, which is the row's length in BM25.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// The number of distinct terms.
    pub fn distinct(&self) -> u32 {
        self.distinct
    }

    /// The distinct terms, ascending.
    pub fn hashes(&self) -> impl Iterator<Item = TermHash> + '_ {
        self.entries().map(|entry| entry.hash)
    }

    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries { rest: self.blob.get(self.entries..).unwrap_or_default() }
    }
}

/// The terms of a blob, in order.
pub(crate) struct Entries<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let (hash, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        let frequency = varint::read(&mut self.rest)?;
        let positions = varint::take(&mut self.rest, frequency)?;
        Some(Entry { hash: TermHash::from_bytes(*hash), frequency, positions })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places(terms: &Terms, text: &str) -> Vec<u32> {
        let hash = TermHash::of(Form::Word, text);
        let mut entries = terms.entries();
        entries
            .find(|entry| entry.hash == hash)
            .map_or_else(Vec::new, |entry| Positions::new(entry.positions).collect())
    }

    #[test]
    fn the_blob_opens_with_version_length_and_count() {
        let terms = Terms::of(&["cat cat hat"]);
        let blob = terms.to_blob();
        assert_eq!(blob[..3], [ANALYSER_VERSION, 3, 2]);
        assert_eq!(blob.len(), 3 + 2 * (TermHash::LEN + 1) + 3);
        assert_eq!((terms.words(), terms.distinct(), terms.analyser_version()), (3, 2, ANALYSER_VERSION));
    }

    #[test]
    fn positions_of_a_second_field_start_eight_units_later() {
        let terms = Terms::of(&["cat hat", "", "cat"]);
        assert_eq!(places(&terms, "cat"), [0, 10]);
        assert_eq!(places(&terms, "hat"), [1]);
    }

    #[test]
    fn a_character_that_is_also_a_word_is_said_once() {
        assert_eq!(places(&Terms::of(&["猫"]), "猫"), [0]);
    }

    #[test]
    fn a_row_without_text_has_no_terms() {
        let terms = Terms::of(&["", "…"]);
        assert_eq!((terms.words(), terms.distinct()), (0, 0));
        assert_eq!(Terms::from_blob(&terms.to_blob()), Ok(terms));
    }

    #[test]
    fn a_damaged_blob_says_what_is_wrong() {
        let blob = Terms::of(&["cat hat"]).to_blob();
        assert_eq!(Terms::from_blob(&[]), Err(BlobError::Truncated));
        assert_eq!(Terms::from_blob(&blob[..blob.len() - 1]), Err(BlobError::Truncated));
        assert_eq!(Terms::from_blob(&[&blob[..], &[0]].concat()), Err(BlobError::Trailing));
        let (head, terms) = blob.split_at(3);
        let (first, second) = terms.split_at(8);
        assert_eq!(Terms::from_blob(&[head, second, first].concat()), Err(BlobError::Unsorted));
        let mut never = blob.clone();
        never[9] = 0;
        never.remove(10);
        assert_eq!(Terms::from_blob(&never), Err(BlobError::Positions));
        // A count that no memory could hold is only a blob that ends early.
        assert_eq!(Terms::from_blob(&[1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]), Err(BlobError::Truncated));
    }

    proptest! {
        #[test]
        fn any_text_survives_its_blob(texts in prop::collection::vec(".{0,80}", 0..4)) {
            let fields: Vec<&str> = texts.iter().map(String::as_str).collect();
            let terms = Terms::of(&fields);
            prop_assert_eq!(Terms::from_blob(&terms.to_blob()), Ok(terms));
        }

        #[test]
        fn no_bytes_make_reading_a_blob_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(terms) = Terms::from_blob(&bytes) {
                prop_assert_eq!(terms.hashes().count(), terms.distinct() as usize);
                prop_assert_eq!(terms.to_blob(), bytes);
            }
        }

        #[test]
        fn a_blob_with_one_byte_changed_never_panics(at in 0usize..200, byte in any::<u8>()) {
            let mut blob = Terms::of(&["my cat is called Miso, 我的猫叫 Miso, Miso"]).to_blob();
            let at = at % blob.len();
            blob[at] = byte;
            if let Ok(terms) = Terms::from_blob(&blob) {
                prop_assert_eq!(terms.hashes().count(), terms.distinct() as usize);
            }
        }
    }
}
