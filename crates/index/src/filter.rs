//! Which rows may be found at all.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::row::RowMeta;

/// Narrows a search. What is `None` lets every row pass, and the default lets all.
///
/// A filter chooses among the hits; it does not change how they are ranked, because the rarity of a term is
/// counted over the whole space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Said at this time or later (microseconds since 1970).
    pub from: Option<i64>,
    /// Said before this time.
    pub until: Option<i64>,
    /// By one of these authors.
    pub authors: Option<BTreeSet<u64>>,
    /// In one of these roles.
    pub roles: Option<BTreeSet<u8>>,
    /// In one of these sessions.
    pub sessions: Option<BTreeSet<u64>>,
    /// With a row number in this range.
    pub seqs: Option<Range<u64>>,
}

impl Filter {
    /// Whether the row passes.
    pub fn admits(&self, seq: u64, meta: &RowMeta) -> bool {
        self.from.is_none_or(|from| meta.said_at >= from)
            && self.until.is_none_or(|until| meta.said_at < until)
            && self.seqs.as_ref().is_none_or(|seqs| seqs.contains(&seq))
            && self.roles.as_ref().is_none_or(|roles| roles.contains(&meta.role))
            && self.authors.as_ref().is_none_or(|authors| authors.contains(&meta.author))
            && self.sessions.as_ref().is_none_or(|sessions| sessions.contains(&meta.session))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const META: RowMeta = RowMeta { said_at: 1000, author: 7, role: 1, session: 3 };

    #[test]
    fn the_start_of_a_time_range_is_in_it_and_the_end_is_not() {
        assert!(Filter { from: Some(1000), until: Some(1001), ..Filter::default() }.admits(5, &META));
        assert!(!Filter { until: Some(1000), ..Filter::default() }.admits(5, &META));
        assert!(!Filter { from: Some(1001), ..Filter::default() }.admits(5, &META));
    }

    #[test]
    fn every_set_must_hold_the_row() {
        let all = Filter {
            authors: Some([7, 8].into()),
            roles: Some([1].into()),
            sessions: Some([3].into()),
            seqs: Some(5..6),
            ..Filter::default()
        };
        assert!(all.admits(5, &META));
        assert!(!all.admits(6, &META));
        assert!(!Filter { authors: Some([8].into()), ..all.clone() }.admits(5, &META));
        assert!(!Filter { roles: Some([0].into()), ..all.clone() }.admits(5, &META));
        assert!(!Filter { sessions: Some([].into()), ..all }.admits(5, &META));
    }
}
