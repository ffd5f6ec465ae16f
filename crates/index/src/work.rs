//! What a search cost.

/// Counts of what one search read, for metrics and for tests of the cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Sealed segments looked into.
    pub segments: usize,
    /// Postings read.
    pub postings: usize,
    /// Rows that matched a term and were weighed.
    pub rows: usize,
}
