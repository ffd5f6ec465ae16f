//! Words that must follow one another.

use crate::bits::Bits;
use crate::part::Part;
use crate::postings::{Positions, Posting};
use crate::term::TermHash;
use crate::work::Work;

/// Terms at fixed distances from a common start.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    pub(crate) units: Vec<Unit>,
}

/// A term, and how far after the start of the phrase it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    pub(crate) hash: TermHash,
    pub(crate) offset: u32,
}

/// Where a phrase may start, as far as the units looked at so far allow.
type Start = (u32, u32);

impl Phrase {
    /// The rows of a part that hold the phrase, dead ones among them.
    pub(crate) fn rows(&self, part: &impl Part, work: &mut Work) -> Bits {
        let mut rows = Bits::with_rows(part.rows());
        let lists: Option<Vec<_>> =
            self.units.iter().map(|unit| Some((unit.offset, part.postings(unit.hash)?))).collect();
        let Some(mut lists) = lists else { return rows };
        // The rarest first: it leaves the fewest starts to carry along.
        lists.sort_by_key(|(_, postings)| postings.rows());
        let mut lists = lists.into_iter().map(|(offset, postings)| {
            work.postings += postings.rows() as usize;
            (offset, postings)
        });
        let Some((offset, postings)) = lists.next() else { return rows };
        let mut starts: Vec<Start> = postings.flat_map(|posting| starts_of(posting, offset)).collect();
        for (offset, postings) in lists {
            if starts.is_empty() {
                break;
            }
            keep_common(&mut starts, postings.flat_map(|posting| starts_of(posting, offset)));
        }
        for (row, _) in starts {
            if (row as usize) < part.rows() {
                rows.insert(row as usize);
            }
        }
        rows
    }
}

fn starts_of(posting: Posting<'_>, offset: u32) -> impl Iterator<Item = Start> {
    Positions::new(posting.positions).filter_map(move |place| Some((posting.row, place.checked_sub(offset)?)))
}

/// Keeps of `starts` what is in `others` too; both ascend.
fn keep_common(starts: &mut Vec<Start>, mut others: impl Iterator<Item = Start>) {
    let mut other = others.next();
    starts.retain(|start| {
        while other.is_some_and(|other| other < *start) {
            other = others.next();
        }
        other == Some(*start)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_common_starts_are_kept() {
        let mut starts = vec![(0, 1), (0, 4), (2, 0), (7, 9)];
        keep_common(&mut starts, [(0, 4), (1, 1), (2, 1), (7, 9), (8, 0)].into_iter());
        assert_eq!(starts, [(0, 4), (7, 9)]);
        keep_common(&mut starts, std::iter::empty());
        assert_eq!(starts, []);
    }
}
