//! What a sealed segment and the tail have in common for a search.

use crate::bits::Bits;
use crate::postings::Postings;
use crate::row::RowMeta;
use crate::term::TermHash;

/// A part of a space: rows at places `0 .. rows()`, some of them dead, and the postings over them.
pub(crate) trait Part {
    /// How many places there are.
    fn rows(&self) -> usize;
    /// The places whose row is live.
    fn live(&self) -> &Bits;
    /// Whether no posting leads to a dead row.
    fn all_live(&self) -> bool;
    /// The places that hold the term.
    fn postings(&self, term: TermHash) -> Option<Postings<'_>>;
    /// The row number at a place.
    fn seq(&self, row: usize) -> u64;
    /// The length in words at a place.
    fn words(&self, row: usize) -> u32;
    /// What the row at a place can be filtered by.
    fn meta(&self, row: usize) -> RowMeta;
}
