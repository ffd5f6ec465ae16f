//! What the index knows of a row besides its terms.

use crate::terms::Terms;

/// Rows that one sealed piece covers: piece `n` holds the rows numbered `n * 4096 .. (n + 1) * 4096`.
pub const PIECE_ROWS: u64 = 4096;

/// The piece that a row belongs to.
pub fn piece_of(seq: u64) -> u64 {
    seq / PIECE_ROWS
}

/// What a row can be filtered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowMeta {
    /// When it was said, in microseconds since 1970.
    pub said_at: i64,
    /// A hash of its author's id.
    pub author: u64,
    /// The caller's number for user, assistant, tool and so on.
    pub role: u8,
    /// The session it was said in.
    pub session: u64,
}

/// A row to seal in a segment.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its number in the space.
    pub seq: u64,
    /// What it can be filtered by.
    pub meta: RowMeta,
    /// What it can be found by.
    pub terms: &'a Terms,
}
