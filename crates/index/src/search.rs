//! Ranks the rows of the parts of a space, one term after another.

use crate::bits::Bits;
use crate::bm25::Bm25;
use crate::filter::Filter;
use crate::found::{Found, Hit};
use crate::part::Part;
use crate::query::Query;
use crate::ranking::Ranking;
use crate::work::Work;

/// A search on its way through the parts: first [`Search::count`] for each, then [`Search::rank`] for each.
pub(crate) struct Search<'q> {
    query: &'q Query,
    filter: &'q Filter,
    /// By term of the query: how many live rows hold it.
    frequencies: Vec<u64>,
    ranking: Ranking,
    work: Work,
    /// Reused from part to part.
    scores: Vec<Score>,
}

/// What one row has gathered so far.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    sum: f32,
    matched: u16,
    strong: bool,
}

impl<'q> Search<'q> {
    pub(crate) fn new(query: &'q Query, filter: &'q Filter, limit: usize) -> Self {
        Self {
            query,
            filter,
            frequencies: vec![0; query.terms().len()],
            ranking: Ranking::new(limit),
            work: Work::default(),
            scores: Vec::new(),
        }
    }

    /// Counts the live rows of a part that hold each term.
    pub(crate) fn count(&mut self, part: &impl Part) {
        for (term, frequency) in self.query.terms().iter().zip(&mut self.frequencies) {
            let Some(postings) = part.postings(term.hash) else { continue };
            if part.all_live() {
                *frequency += u64::from(postings.rows());
                continue;
            }
            self.work.postings += postings.rows() as usize;
            let live = postings.filter(|posting| part.live().contains(posting.row as usize));
            *frequency += live.count() as u64;
        }
    }

    /// Ranks the rows of a part. All parts must have been counted.
    pub(crate) fn rank(&mut self, bm25: Bm25, part: &impl Part) {
        let allowed = match self.rows_with_phrases(part) {
            Some(rows) if rows.is_empty() => return,
            allowed => allowed,
        };
        self.scores.clear();
        self.scores.resize(part.rows(), Score::default());
        // The order of the terms is the query's: floats must add up alike whatever part a row is in.
        for (term, &frequency) in self.query.terms().iter().zip(&self.frequencies) {
            let weight = term.weight * bm25.idf(frequency);
            let Some(postings) = part.postings(term.hash) else { continue };
            self.work.postings += postings.rows() as usize;
            for posting in postings {
                let row = posting.row as usize;
                let Some(score) = self.scores.get_mut(row) else { continue };
                if allowed.as_ref().is_none_or(|rows| rows.contains(row)) {
                    score.sum += weight * bm25.gain(posting.frequency, part.words(row));
                    // Saturating, because a forged list may name a row as often as it likes.
                    score.matched = score.matched.saturating_add(1);
                    score.strong |= term.strong;
                }
            }
        }
        let open = *self.filter == Filter::default();
        for (row, score) in self.scores.iter().enumerate().filter(|(_, score)| score.matched > 0) {
            if !part.live().contains(row) {
                continue;
            }
            self.work.rows += 1;
            let seq = part.seq(row);
            if open || self.filter.admits(seq, &part.meta(row)) {
                self.ranking.push(Hit {
                    seq,
                    score: score.sum,
                    strong: score.strong,
                    matched: score.matched,
                });
            }
        }
    }

    pub(crate) fn segment_done(&mut self) {
        self.work.segments += 1;
    }

    pub(crate) fn finish(self) -> Found {
        self.ranking.finish(self.work)
    }

    /// The rows that hold every phrase of the query; none if it has no phrase.
    fn rows_with_phrases(&mut self, part: &impl Part) -> Option<Bits> {
        let mut phrases = self.query.phrases().iter();
        let mut rows = phrases.next()?.rows(part, &mut self.work);
        for phrase in phrases {
            if rows.is_empty() {
                break;
            }
            rows.keep_common(&phrase.rows(part, &mut self.work));
        }
        Some(rows)
    }
}
