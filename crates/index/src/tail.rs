//! The rows of a space that no segment holds: the newest, and those that changed since they were sealed.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::part::Part;
use crate::postings::{Head, Postings};
use crate::row::RowMeta;
use crate::term::{BuildTermHasher, TermHash};
use crate::terms::Terms;

/// Dead rows beyond the live ones that are left before the lists are written anew.
const DEAD_SLACK: usize = 64;
/// Bytes of a list that need no allocation. Most terms stand in one row or two, and this is what fits into
/// the room that a `Vec` takes anyway.
const INLINE: usize = 15;

/// A mutable inverted index in memory.
///
/// A row keeps its place; replacing it kills the place and takes a new one. Dead places are swept when they
/// are more than the live ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tail {
    rows: Vec<TailRow>,
    live: Bits,
    places: HashMap<u64, u32>,
    lists: HashMap<TermHash, List, BuildTermHasher>,
    /// What the lists that outgrew their place take.
    list_bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct TailRow {
    seq: u64,
    words: u32,
    meta: RowMeta,
}

impl Tail {
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn contains(&self, seq: u64) -> bool {
        self.places.contains_key(&seq)
    }

    /// What a row can be filtered by, if it is there.
    pub(crate) fn meta_of(&self, seq: u64) -> Option<RowMeta> {
        Some(self.rows.get(*self.places.get(&seq)? as usize)?.meta)
    }

    /// Adds or replaces a row; returns the words of the one replaced.
    pub(crate) fn upsert(&mut self, seq: u64, meta: RowMeta, terms: &Terms) -> Option<u32> {
        let replaced = self.remove(seq);
        let place = self.rows.len() as u32;
        self.rows.push(TailRow { seq, words: terms.words(), meta });
        self.live.insert(place as usize);
        self.places.insert(seq, place);
        for entry in terms.entries() {
            let list = self.lists.entry(entry.hash).or_default();
            self.list_bytes += list.push(place, entry.frequency, entry.positions);
        }
        replaced
    }

    /// Removes a row; returns its words if it was there.
    pub(crate) fn remove(&mut self, seq: u64) -> Option<u32> {
        let place = self.places.remove(&seq)? as usize;
        self.live.remove(place);
        let words = self.rows.get(place).map(|row| row.words);
        if self.dead() > self.len() + DEAD_SLACK {
            self.sweep();
        }
        words
    }

    fn dead(&self) -> usize {
        self.rows.len() - self.places.len()
    }

    /// Writes everything anew without the dead.
    fn sweep(&mut self) {
        let old = std::mem::take(self);
        let mut moved = vec![None; old.rows.len()];
        for (place, row) in old.rows.iter().enumerate().filter(|(place, _)| old.live.contains(*place)) {
            let new = self.rows.len() as u32;
            moved[place] = Some(new);
            self.rows.push(*row);
            self.live.insert(new as usize);
            self.places.insert(row.seq, new);
        }
        for (term, list) in old.lists {
            let mut kept = List::default();
            for posting in list.postings() {
                if let Some(&Some(place)) = moved.get(posting.row as usize) {
                    self.list_bytes += kept.push(place, posting.frequency, posting.positions);
                }
            }
            if kept.count > 0 {
                self.lists.insert(term, kept);
            }
        }
    }

    /// The memory it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        // A hash table keeps one byte beside each slot and at least an eighth of them free.
        let table = |capacity: usize, entry: usize| (capacity * 8 / 7) * (entry + 1);
        self.rows.capacity() * size_of::<TailRow>()
            + self.live.bytes()
            + table(self.places.capacity(), size_of::<(u64, u32)>())
            + table(self.lists.capacity(), size_of::<(TermHash, List)>())
            + self.list_bytes
    }
}

impl Part for Tail {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn live(&self) -> &Bits {
        &self.live
    }

    fn all_live(&self) -> bool {
        self.dead() == 0
    }

    fn postings(&self, term: TermHash) -> Option<Postings<'_>> {
        self.lists.get(&term).map(List::postings)
    }

    fn seq(&self, row: usize) -> u64 {
        self.rows[row].seq
    }

    #[inline]
    fn words(&self, row: usize) -> u32 {
        self.rows[row].words
    }

    fn meta(&self, row: usize) -> RowMeta {
        self.rows[row].meta
    }
}

/// The postings of one term, growing at the end.
#[derive(Debug, Clone, Default)]
struct List {
    bytes: ListBytes,
    count: u32,
    last: u32,
}

#[derive(Debug, Clone)]
enum ListBytes {
    Few { len: u8, bytes: [u8; INLINE] },
    Many(Vec<u8>),
}

impl Default for ListBytes {
    fn default() -> Self {
        Self::Few { len: 0, bytes: [0; INLINE] }
    }
}

impl List {
    /// Appends a posting; returns by how much the allocated memory grew.
    fn push(&mut self, row: u32, frequency: u32, positions: &[u8]) -> usize {
        let head = Head::new(row - self.last, frequency, positions);
        self.last = row;
        self.count += 1;
        self.bytes.append(head.as_bytes()) + self.bytes.append(positions)
    }

    fn postings(&self) -> Postings<'_> {
        Postings::new(self.count, self.bytes.as_slice())
    }
}

impl ListBytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Few { len, bytes } => &bytes[..usize::from(*len)],
            Self::Many(bytes) => bytes,
        }
    }

    fn append(&mut self, more: &[u8]) -> usize {
        match self {
            Self::Few { len, bytes } => {
                let start = usize::from(*len);
                match bytes.get_mut(start..start + more.len()) {
                    Some(room) => {
                        room.copy_from_slice(more);
                        *len += more.len() as u8;
                        0
                    }
                    None => {
                        let mut many = Vec::with_capacity((start + more.len()).max(2 * INLINE));
                        many.extend_from_slice(&bytes[..start]);
                        many.extend_from_slice(more);
                        let grown = many.capacity();
                        *self = Self::Many(many);
                        grown
                    }
                }
            }
            Self::Many(bytes) => {
                let before = bytes.capacity();
                bytes.extend_from_slice(more);
                bytes.capacity() - before
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use memoir_text::Form;

    use super::*;

    const META: RowMeta = RowMeta { said_at: 0, author: 0, role: 0, session: 0 };

    fn holders(tail: &Tail, word: &str) -> Vec<u64> {
        let postings = tail.postings(TermHash::of(Form::Word, word));
        let rows = postings.into_iter().flatten().map(|posting| posting.row as usize);
        rows.filter(|&row| tail.live.contains(row)).map(|row| tail.seq(row)).collect()
    }

    #[test]
    fn a_list_takes_no_more_room_than_a_vec_would() {
        assert_eq!(size_of::<ListBytes>(), size_of::<Vec<u8>>());
    }

    #[test]
    fn a_replaced_row_is_found_by_its_new_words_only() {
        let mut tail = Tail::default();
        assert_eq!(tail.upsert(5, META, &Terms::of(&["cat hat"])), None);
        assert_eq!(tail.upsert(5, META, &Terms::of(&["dog"])), Some(2));
        assert_eq!((holders(&tail, "cat"), holders(&tail, "dog"), tail.len()), (vec![], vec![5], 1));
        assert_eq!((tail.remove(5), tail.remove(5), tail.len()), (Some(1), None, 0));
    }

    #[test]
    fn dead_rows_are_swept_before_they_outnumber_the_live() {
        let mut tail = Tail::default();
        let terms = Terms::of(&["cat hat"]);
        for round in 0..50 {
            for seq in 0..10 {
                tail.upsert(
                    seq,
                    META,
                    &if round == 49 && seq == 3 { Terms::of(&["dog"]) } else { terms.clone() },
                );
            }
        }
        assert_eq!(tail.len(), 10);
        assert!(tail.rows() <= 2 * 10 + DEAD_SLACK + 1, "{}", tail.rows());
        let mut cats = holders(&tail, "cat");
        cats.sort_unstable();
        assert_eq!((cats, holders(&tail, "dog")), (vec![0, 1, 2, 4, 5, 6, 7, 8, 9], vec![3]));
    }

    #[test]
    fn a_tail_emptied_row_by_row_gives_its_memory_back() {
        let mut tail = Tail::default();
        for seq in 0..2000 {
            tail.upsert(seq, META, &Terms::of(&[&format!("cat number {seq} with a hat")]));
        }
        let full = tail.bytes();
        (0..2000).for_each(|seq| _ = tail.remove(seq));
        assert!(tail.bytes() < full / 10, "{} of {full}", tail.bytes());
    }
}
