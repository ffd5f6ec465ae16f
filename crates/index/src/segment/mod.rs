//! A sealed piece of a space: 4,096 row numbers, inverted.

mod build;
mod layout;

use crate::bits::Bits;
use crate::postings::Postings;
use crate::row::{PIECE_ROWS, RowMeta};
use crate::term::TermHash;
use crate::varint;

pub use build::BuildError;
use layout::Layout;
pub use layout::SegmentError;

/// An immutable inverted piece of a space, searched as the bytes that are stored.
///
/// The rows are those of one piece ([`PIECE_ROWS`]); numbers may be missing, because rows were erased or
/// never came. Which rows have been edited or erased since is not the segment's but the
/// [`SpaceIndex`](crate::SpaceIndex)'s to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    buffer: Vec<u8>,
    layout: Layout,
}

impl Segment {
    /// Takes up stored bytes. The checksum, the version and the structure are checked.
    ///
    /// Posting lists are not walked here: reading them is total, so that even a forged list cannot do more
    /// than end early.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, SegmentError> {
        let layout = Layout::check(&bytes)?;
        Ok(Self { buffer: bytes, layout })
    }

    /// The bytes to store.
    pub fn as_bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// The bytes to store, copied.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.buffer.clone()
    }

    /// Which piece of the space this is.
    pub fn piece(&self) -> u64 {
        self.layout.piece
    }

    /// The version of the analyser that read the rows; of several, the lowest.
    pub fn analyser_version(&self) -> u8 {
        self.layout.analyser_version
    }

    /// The numbers of the rows in it, ascending.
    pub fn seqs(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.rows()).filter(|&row| self.contains(row)).map(|row| self.seq(row))
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.buffer.capacity()
    }

    /// How many places it has, present or not.
    pub(crate) fn rows(&self) -> usize {
        self.layout.rows
    }

    /// The place of a row of the same piece, if it is present.
    pub(crate) fn place(&self, seq: u64) -> Option<usize> {
        let row = seq.checked_sub(self.seq(0)).and_then(|row| usize::try_from(row).ok())?;
        self.contains(row).then_some(row)
    }

    pub(crate) fn present(&self) -> Bits {
        let mut bits = Bits::with_rows(self.rows());
        (0..self.rows()).filter(|&row| self.contains(row)).for_each(|row| bits.insert(row));
        bits
    }

    pub(crate) fn seq(&self, row: usize) -> u64 {
        self.layout.piece * PIECE_ROWS + row as u64
    }

    #[inline]
    pub(crate) fn words(&self, row: usize) -> u32 {
        u32::from_le_bytes(self.cell(self.layout.words, row))
    }

    pub(crate) fn meta(&self, row: usize) -> RowMeta {
        let [role] = self.cell(self.layout.roles, row);
        RowMeta {
            said_at: i64::from_le_bytes(self.cell(self.layout.said_at, row)),
            author: u64::from_le_bytes(self.cell(self.layout.authors, row)),
            role,
            session: u64::from_le_bytes(self.cell(self.layout.sessions, row)),
        }
    }

    /// The rows that hold a term.
    pub(crate) fn postings(&self, term: TermHash) -> Option<Postings<'_>> {
        let at = self.find(term)?;
        let [start, end] =
            [at, at + 1].map(|at| u32::from_le_bytes(self.cell(self.layout.offsets, at)) as usize);
        let mut list = self.buffer.get(self.layout.postings + start..self.layout.postings + end)?;
        let count = varint::read(&mut list)?;
        Some(Postings::new(count, list))
    }

    fn find(&self, term: TermHash) -> Option<usize> {
        let (mut low, mut high) = (0, self.layout.terms);
        while low < high {
            let middle = low + (high - low) / 2;
            let hash = TermHash::from_bytes(self.cell(self.layout.hashes, middle));
            match hash.cmp(&term) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn contains(&self, row: usize) -> bool {
        let [byte] = self.cell(self.layout.present, row / 8);
        row < self.rows() && byte >> (row % 8) & 1 == 1
    }

    #[inline]
    fn cell<const N: usize>(&self, column: usize, at: usize) -> [u8; N] {
        layout::cell(&self.buffer, column, at)
    }
}

#[cfg(test)]
mod tests;
