//! What a search gives back.

use crate::work::Work;

/// One row that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The row's number in the space.
    pub seq: u64,
    /// Its BM25 score, above zero.
    pub score: f32,
    /// Whether it matched more than stop words and single characters, where the query has more to offer.
    pub strong: bool,
    /// How many distinct terms of the query it holds.
    pub matched: u16,
}

/// The best rows, best first; of equal scores the newer row is first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// At most as many as were asked for, and all strong or all weak.
    pub hits: Vec<Hit>,
    /// How many rows there are of the kind in `hits`, whatever the limit.
    pub total: usize,
    /// What it cost.
    pub work: Work,
}
