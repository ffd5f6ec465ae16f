//! Keeps the best hits of a search.

use std::cmp::Ordering;

use crate::found::{Found, Hit};
use crate::top::Top;
use crate::work::Work;

/// The best strong hits and, as long as there is no strong one, the best weak hits.
#[derive(Debug)]
pub(crate) struct Ranking {
    strong: Top<Ranked>,
    weak: Top<Ranked>,
}

impl Ranking {
    pub(crate) fn new(limit: usize) -> Self {
        Self { strong: Top::new(limit), weak: Top::new(limit) }
    }

    pub(crate) fn push(&mut self, hit: Hit) {
        if hit.strong {
            self.strong.push(Ranked(hit));
        } else if self.strong.seen() == 0 {
            self.weak.push(Ranked(hit));
        }
    }

    pub(crate) fn finish(self, work: Work) -> Found {
        let top = if self.strong.seen() > 0 { self.strong } else { self.weak };
        Found { total: top.seen(), hits: top.greatest_first().map(|Ranked(hit)| hit).collect(), work }
    }
}

/// A hit that is greater when it ranks higher.
#[derive(Debug)]
struct Ranked(Hit);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.score.total_cmp(&other.0.score).then(self.0.seq.cmp(&other.0.seq))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(seq: u64, score: f32, strong: bool) -> Hit {
        Hit { seq, score, strong, matched: 1 }
    }

    fn seqs(limit: usize, hits: &[Hit]) -> (Vec<u64>, usize) {
        let mut ranking = Ranking::new(limit);
        hits.iter().for_each(|&hit| ranking.push(hit));
        let found = ranking.finish(Work::default());
        (found.hits.iter().map(|hit| hit.seq).collect(), found.total)
    }

    #[test]
    fn the_best_come_first_and_of_equals_the_newer() {
        let hits = [hit(1, 1.0, true), hit(2, 3.0, true), hit(3, 1.0, true), hit(4, 0.5, true)];
        assert_eq!(seqs(10, &hits), (vec![2, 3, 1, 4], 4));
        assert_eq!(seqs(2, &hits), (vec![2, 3], 4));
        assert_eq!(seqs(0, &hits), (vec![], 4));
    }

    #[test]
    fn weak_hits_show_only_where_no_strong_one_exists() {
        let weak = [hit(1, 9.0, false), hit(2, 8.0, false)];
        assert_eq!(seqs(10, &weak), (vec![1, 2], 2));
        assert_eq!(seqs(10, &[weak[0], hit(3, 0.1, true), weak[1]]), (vec![3], 1));
    }
}
