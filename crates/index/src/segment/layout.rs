//! Where things stand in the bytes of a segment. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | `mseg` |
//! | 1, 1 | format version, analyser version |
//! | 2 | rows (r): places up to the last present one |
//! | 8 | piece |
//! | 4, 4 | terms (t), bytes of postings (p) |
//! | r/8 rounded up | a bit for each present row |
//! | 4r, 8r, 8r, 8r, r | words, said at, author, session, role |
//! | 6t | hashes, strictly ascending |
//! | 4(t+1) | where each term's list starts and the last ends |
//! | p | for each term the number of rows (varint), then its postings |
//! | 8 | XXH3 of all the above |

use xxhash_rust::xxh3::xxh3_64;

use crate::row::PIECE_ROWS;
use crate::term::TermHash;

pub(super) const MAGIC: [u8; 4] = *b"mseg";
pub(super) const FORMAT_VERSION: u8 = 1;
const HEADER_LEN: usize = 24;
pub(super) const CHECKSUM_LEN: usize = 8;

/// Why bytes are not a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// The bytes do not begin as a segment does.
    #[error("these bytes are no segment")]
    NotASegment,
    /// The segment was written by another version of the format.
    #[error("the segment has format version {0}, which is not known here")]
    Version(u8),
    /// The bytes are not those that were written.
    #[error("the segment's checksum does not match its bytes")]
    Checksum,
    /// The bytes contradict themselves.
    #[error("the segment is malformed: {0}")]
    Malformed(&'static str),
}

/// The counts of a segment, and where its columns start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) analyser_version: u8,
    pub(super) rows: usize,
    pub(super) piece: u64,
    pub(super) terms: usize,
    pub(super) present: usize,
    pub(super) words: usize,
    pub(super) said_at: usize,
    pub(super) authors: usize,
    pub(super) sessions: usize,
    pub(super) roles: usize,
    pub(super) hashes: usize,
    pub(super) offsets: usize,
    pub(super) postings: usize,
    /// Where the checksum stands, which is where the rest ends.
    pub(super) end: usize,
}

impl Layout {
    /// The layout for these counts, unless it is larger than memory can be.
    pub(super) fn new(
        analyser_version: u8,
        piece: u64,
        rows: u16,
        terms: u32,
        postings: u32,
    ) -> Option<Self> {
        let (row_count, term_count) = (usize::from(rows), usize::try_from(terms).ok()?);
        let mut end = HEADER_LEN;
        let mut column = |count: usize, width: usize| {
            let start = end;
            end = end.checked_add(count.checked_mul(width)?)?;
            Some(start)
        };
        Some(Self {
            analyser_version,
            rows: row_count,
            piece,
            terms: term_count,
            present: column(row_count.div_ceil(8), 1)?,
            words: column(row_count, 4)?,
            said_at: column(row_count, 8)?,
            authors: column(row_count, 8)?,
            sessions: column(row_count, 8)?,
            roles: column(row_count, 1)?,
            hashes: column(term_count, TermHash::LEN)?,
            offsets: column(term_count.checked_add(1)?, 4)?,
            postings: column(usize::try_from(postings).ok()?, 1)?,
            end,
        })
    }

    /// Checks everything that reading relies on.
    pub(super) fn check(bytes: &[u8]) -> Result<Self, SegmentError> {
        if !bytes.starts_with(&MAGIC) || bytes.len() < HEADER_LEN + CHECKSUM_LEN {
            return Err(SegmentError::NotASegment);
        }
        let [version, analyser_version] = cell(bytes, 4, 0);
        if version != FORMAT_VERSION {
            return Err(SegmentError::Version(version));
        }
        let (body, checksum) = bytes.split_last_chunk().ok_or(SegmentError::NotASegment)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(SegmentError::Checksum);
        }
        let rows = u16::from_le_bytes(cell(bytes, 6, 0));
        let piece = u64::from_le_bytes(cell(bytes, 8, 0));
        let terms = u32::from_le_bytes(cell(bytes, 16, 0));
        let postings = u32::from_le_bytes(cell(bytes, 20, 0));
        if u64::from(rows) > PIECE_ROWS || piece > u64::MAX / PIECE_ROWS {
            return Err(SegmentError::Malformed("rows beyond the piece"));
        }
        let layout = Self::new(analyser_version, piece, rows, terms, postings)
            .filter(|layout| layout.end == body.len())
            .ok_or(SegmentError::Malformed("another length than announced"))?;
        layout.check_terms(bytes, postings)?;
        Ok(layout)
    }

    fn check_terms(&self, bytes: &[u8], postings: u32) -> Result<(), SegmentError> {
        let hash = |at| TermHash::from_bytes(cell(bytes, self.hashes, at));
        let offset = |at| u32::from_le_bytes(cell(bytes, self.offsets, at));
        if !(1..self.terms).all(|at| hash(at - 1) < hash(at)) {
            return Err(SegmentError::Malformed("terms out of order"));
        }
        let ascending = (1..=self.terms).all(|at| offset(at - 1) <= offset(at));
        if offset(0) != 0 || !ascending || offset(self.terms) != postings {
            return Err(SegmentError::Malformed("posting lists out of order"));
        }
        Ok(())
    }
}

/// The value at a place of a column of values of `N` bytes; zeros if there is none.
#[inline]
pub(super) fn cell<const N: usize>(bytes: &[u8], column: usize, at: usize) -> [u8; N] {
    bytes.get(column + at * N..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}
