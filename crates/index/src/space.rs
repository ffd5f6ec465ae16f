//! The index of one space.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::bm25::Bm25;
use crate::filter::Filter;
use crate::found::Found;
use crate::part::Part;
use crate::postings::Postings;
use crate::query::Query;
use crate::row::{RowMeta, piece_of};
use crate::search::Search;
use crate::segment::Segment;
use crate::survey::Collect;
use crate::tail::Tail;
use crate::talk::Talk;
use crate::term::TermHash;
use crate::terms::Terms;

/// Everything that can be found in one space: its sealed segments, and the tail of rows that are in none.
///
/// **What a search finds, and in which order, follows from the live rows alone**, not from how they are split
/// into segments and tail, nor from the dead rows that a segment still holds.
#[derive(Debug, Clone, Default)]
pub struct SpaceIndex {
    /// By piece.
    sealed: BTreeMap<u64, Sealed>,
    tail: Tail,
    talk: Talk,
    rows: usize,
    /// The words of all live rows.
    words: u64,
}

/// A segment, and which of its rows are still as it has them.
#[derive(Debug, Clone)]
struct Sealed {
    segment: Segment,
    live: Bits,
    live_rows: usize,
    dead_rows: usize,
}

impl SpaceIndex {
    /// An index without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a segment, as the state of its piece when it was built.
    ///
    /// It replaces an older segment of the piece and the tail's copies of the rows that it holds. A row that
    /// was edited or erased after the segment was built must be given to [`SpaceIndex::upsert`] or
    /// [`SpaceIndex::remove`] after this.
    pub fn add_segment(&mut self, segment: Segment) {
        if let Some(old) = self.sealed.remove(&segment.piece()) {
            for row in (0..old.segment.rows()).filter(|&row| old.live.contains(row)) {
                self.forget(old.segment.words(row));
                self.talk.remove(old.segment.seq(row));
            }
        }
        for seq in segment.seqs() {
            self.remove_from_tail(seq);
        }
        let live = segment.present();
        let present = || (0..segment.rows()).filter(|&row| live.contains(row));
        let live_rows = present().count();
        self.rows += live_rows;
        self.words += present().map(|row| u64::from(segment.words(row))).sum::<u64>();
        for row in present() {
            self.talk.insert(segment.seq(row), segment.meta(row), segment.words(row));
        }
        self.sealed.insert(segment.piece(), Sealed { segment, live, live_rows, dead_rows: 0 });
    }

    /// Adds a row, or replaces the one of the same number.
    pub fn upsert(&mut self, seq: u64, meta: RowMeta, terms: &Terms) {
        self.bury(seq);
        if let Some(words) = self.tail.upsert(seq, meta, terms) {
            self.forget(words);
        }
        self.rows += 1;
        self.words += u64::from(terms.words());
        self.talk.insert(seq, meta, terms.words());
    }

    /// Removes a row. Returns whether it was there.
    pub fn remove(&mut self, seq: u64) -> bool {
        self.talk.remove(seq);
        // A row is live in one place at most.
        self.bury(seq) || self.remove_from_tail(seq)
    }

    /// Its rows in the order they were said.
    pub fn talk(&self) -> &Talk {
        &self.talk
    }

    /// The words of all live rows.
    pub(crate) fn words(&self) -> u64 {
        self.words
    }

    /// Hands every part over, sealed ones first.
    pub(crate) fn each_part(&self, collect: &mut Collect<'_>) {
        self.sealed.values().for_each(|sealed| collect.visit(sealed));
        collect.visit(&self.tail);
    }

    /// How many live rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no live row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Whether the row is there and live.
    pub fn contains(&self, seq: u64) -> bool {
        let sealed = self.sealed.get(&piece_of(seq));
        sealed.is_some_and(|sealed| sealed.place(seq).is_some()) || self.tail.contains(seq)
    }

    /// What a live row can be filtered by.
    pub fn meta(&self, seq: u64) -> Option<RowMeta> {
        let sealed = self.sealed.get(&piece_of(seq));
        sealed.and_then(|sealed| Some(sealed.meta(sealed.place(seq)?))).or_else(|| self.tail.meta_of(seq))
    }

    /// The pieces that are sealed, ascending.
    pub fn pieces(&self) -> impl Iterator<Item = u64> + '_ {
        self.sealed.keys().copied()
    }

    /// How many rows are in no segment: when a piece's worth of them has gathered, it is time to seal.
    pub fn tail_len(&self) -> usize {
        self.tail.len()
    }

    /// The memory it takes, about.
    pub fn bytes(&self) -> usize {
        let sealed = self.sealed.values().map(|sealed| sealed.segment.bytes() + sealed.live.bytes());
        size_of::<Self>() + sealed.sum::<usize>() + self.tail.bytes() + self.talk.bytes()
    }

    /// Finds the rows that match best, best first.
    ///
    /// If any row matches strongly, rows that only share a stop word or a single character with the query
    /// are left out. A query without terms finds nothing.
    pub fn search(&self, query: &Query, filter: &Filter, limit: usize) -> Found {
        let mut search = Search::new(query, filter, limit);
        if query.is_empty() {
            return search.finish();
        }
        for sealed in self.sealed.values() {
            search.count(sealed);
        }
        search.count(&self.tail);
        let bm25 = Bm25::new(self.rows as u64, self.words);
        for sealed in self.sealed.values() {
            search.rank(bm25, sealed);
            search.segment_done();
        }
        search.rank(bm25, &self.tail);
        search.finish()
    }

    /// Marks a row dead in its segment. Returns whether it was live there.
    fn bury(&mut self, seq: u64) -> bool {
        let piece = piece_of(seq);
        let Some(sealed) = self.sealed.get_mut(&piece) else { return false };
        let Some(row) = sealed.place(seq) else { return false };
        sealed.live.remove(row);
        sealed.live_rows -= 1;
        sealed.dead_rows += 1;
        let words = sealed.segment.words(row);
        if sealed.live_rows == 0 {
            self.sealed.remove(&piece);
        }
        self.forget(words);
        true
    }

    fn remove_from_tail(&mut self, seq: u64) -> bool {
        let words = self.tail.remove(seq);
        if let Some(words) = words {
            self.forget(words);
        }
        words.is_some()
    }

    fn forget(&mut self, words: u32) {
        self.rows -= 1;
        self.words -= u64::from(words);
    }
}

impl Sealed {
    /// The place of a row that is live here.
    fn place(&self, seq: u64) -> Option<usize> {
        self.segment.place(seq).filter(|&row| self.live.contains(row))
    }
}

impl Part for Sealed {
    fn rows(&self) -> usize {
        self.segment.rows()
    }

    fn live(&self) -> &Bits {
        &self.live
    }

    fn all_live(&self) -> bool {
        self.dead_rows == 0
    }

    fn postings(&self, term: TermHash) -> Option<Postings<'_>> {
        self.segment.postings(term)
    }

    fn seq(&self, row: usize) -> u64 {
        self.segment.seq(row)
    }

    #[inline]
    fn words(&self, row: usize) -> u32 {
        self.segment.words(row)
    }

    fn meta(&self, row: usize) -> RowMeta {
        self.segment.meta(row)
    }
}
