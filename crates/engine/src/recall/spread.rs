use memoir_index::{Places, Talk};

use super::admitted::Admitted;

/// How many of the best have a rank of their own.
const RANKED: usize = 200;
/// So that the second of a list is not worth half of the first.
const RANK_OFFSET: f32 = 5.0;
/// Scores that stray less than this are all the same.
const LEAST_DEVIATION: f32 = 1e-6;
/// How many scores are looked at together: one bit of a number for each.
const CHUNK: usize = u64::BITS as usize;
/// How many sums run side by side.
const LANES: usize = 16;

/// How the scores of one question lie, so that a score can be compared with those of others.
#[derive(Debug, Default)]
pub(crate) struct Spread {
    mean: f32,
    /// What one is of the best and of how far scores stray; 0 where there is nothing to compare with.
    per_best: f32,
    per_deviation: f32,
    /// The places of the best, the best first.
    top: Vec<u32>,
}

impl Spread {
    /// Looks at a score for every place.
    pub(crate) fn of(scores: &[f32], admitted: &Admitted<'_>) -> Self {
        let scores = admitted.scores(scores);
        Self::new(&scores, admitted.len(), best(&scores, |nth| admitted.place(nth)))
    }

    /// Looks at the scores of some places; all others have none.
    pub(crate) fn of_some(places: &Places, scores: &[f32], admitted: &Admitted<'_>) -> Self {
        let places = places.as_slice();
        if admitted.is_everything() {
            return Self::new(scores, admitted.len(), best(scores, |nth| places[nth]));
        }
        let scored = places.iter().copied().zip(scores.iter().copied());
        let seen = scored.filter(|(place, _)| admitted.contains(*place as usize));
        let (places, scores): (Vec<u32>, Vec<f32>) = seen.unzip();
        Self::new(&scores, admitted.len(), best(&scores, |nth| places[nth]))
    }

    /// Looks at scores of whole sessions, each of them that of every turn in it.
    pub(crate) fn of_sessions(talk: &Talk, scores: &[f32], admitted: &Admitted<'_>, turns: &[usize]) -> Self {
        let count = admitted.len().max(1) as f32;
        let sum = |of: &dyn Fn(f32) -> f32| {
            scores.iter().zip(turns).map(|(score, turns)| of(*score) * *turns as f32).sum::<f32>()
        };
        let mean = sum(&|score| score) / count;
        let variance = sum(&|score| (score - mean).powi(2)) / count;
        let mut order: Vec<(f32, u32)> = (0..)
            .zip(scores)
            .filter(|(session, score)| **score > 0.0 && turns[*session as usize] > 0)
            .map(|(session, score)| (*score, session))
            .collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let (mut seen, mut last) = (0, 0.0);
        let first = order.iter().take_while(|(score, session)| {
            let goes_on = seen < RANKED || *score == last;
            (seen, last) = (seen + turns[*session as usize], *score);
            goes_on
        });
        let turns = first.flat_map(|(score, session)| {
            let turns = talk.session(*session).iter();
            let turns = turns.filter(|place| admitted.is_everything() || admitted.contains(**place as usize));
            turns.map(|place| (*place, *score))
        });
        let (places, scores): (Vec<u32>, Vec<f32>) = turns.unzip();
        Self::ranked(best(&scores, |nth| places[nth])).around(mean, variance.sqrt())
    }

    fn new(scores: &[f32], count: usize, best: Vec<(u32, f32)>) -> Self {
        let (without, count) = ((count - scores.len()) as f32, count.max(1) as f32);
        let mean = sum(scores, |score| score) / count;
        let squares = sum(scores, |score| (score - mean) * (score - mean)) + without * mean * mean;
        Self::ranked(best).around(mean, (squares / count).sqrt())
    }

    fn ranked(best: Vec<(u32, f32)>) -> Self {
        let per_best = best.first().map_or(0.0, |(_, score)| 1.0 / score.max(f32::MIN_POSITIVE));
        Spread { per_best, top: best.into_iter().map(|(place, _)| place).collect(), ..Spread::default() }
    }

    fn around(self, mean: f32, deviation: f32) -> Self {
        let per_deviation = if deviation > LEAST_DEVIATION { 1.0 / deviation } else { 0.0 };
        Spread { mean, per_deviation, ..self }
    }

    /// The places of the best, the best first.
    pub(crate) fn top(&self) -> &[u32] {
        &self.top
    }

    /// A score against the best.
    pub(crate) fn against_best(&self, score: f32) -> f32 {
        score * self.per_best
    }

    /// How far a score stands out.
    pub(crate) fn stands_out(&self, score: f32) -> f32 {
        (score - self.mean) * self.per_deviation
    }

    /// The ranks of some places, from 1; 0 beyond [`RANKED`].
    pub(crate) fn ranks(&self, places: &Places) -> Vec<u16> {
        ranks(&self.top, places)
    }
}

/// The ranks of some places in a list that has the best first, from 1; 0 for what is not in it.
pub(crate) fn ranks(list: &[u32], places: &Places) -> Vec<u16> {
    let mut ranks = vec![0; places.len()];
    for (rank, &place) in (1..).zip(list) {
        if let Some(slot) = places.slot(place as usize) {
            ranks[slot] = rank;
        }
    }
    ranks
}

/// What a rank, from 1, is worth; nothing, if there is none.
pub(crate) fn worth_of_rank(rank: u16) -> f32 {
    const WORTHS: [f32; RANKED + 1] = {
        let mut worths = [0.0; RANKED + 1];
        let mut rank = 1;
        while rank <= RANKED {
            worths[rank] = 1.0 / (rank as f32 + RANK_OFFSET);
            rank += 1;
        }
        worths
    };
    WORTHS.get(usize::from(rank)).copied().unwrap_or_default()
}

/// The best of those that have a score at all, the best first and of equals the newer one, as everywhere. `place` says where
/// each of them is.
fn best(scores: &[f32], place: impl Fn(usize) -> u32) -> Vec<(u32, f32)> {
    // A score above zero is ordered as its bits are.
    let key = |score: f32, place: u32| u64::from(score.to_bits()) << 32 | u64::from(place);
    let score_of = |key: u64| f32::from_bits((key >> 32) as u32);
    let mut kept: Vec<u64> = Vec::with_capacity(3 * RANKED + CHUNK);
    let mut least = f32::from_bits(1);
    for (nth, chunk) in scores.chunks(CHUNK).enumerate() {
        // Most have nothing, and those that have something are found without a guess at each of them.
        let mut reaching = 0u64;
        for (lane, score) in chunk.iter().enumerate() {
            reaching |= u64::from(*score >= least) << lane;
        }
        while reaching != 0 {
            let lane = reaching.trailing_zeros() as usize;
            kept.push(key(chunk[lane], place(nth * CHUNK + lane)));
            reaching &= reaching - 1;
        }
        if kept.len() >= 3 * RANKED {
            // Nothing that is below these can be among the best any more.
            least = score_of(*kept.select_nth_unstable_by(RANKED - 1, |a, b| b.cmp(a)).1);
            kept.truncate(RANKED);
        }
    }
    kept.sort_unstable_by(|a, b| b.cmp(a));
    kept.truncate(RANKED);
    kept.into_iter().map(|key| (key as u32, score_of(key))).collect()
}

/// The greatest of those that are numbers, in a way of which a processor can take many at once.
pub(crate) fn greatest(scores: &[f32]) -> f32 {
    let mut greatest = [f32::MIN; LANES];
    let mut chunks = scores.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (greatest, score) in greatest.iter_mut().zip(chunk) {
            *greatest = if *score > *greatest { *score } else { *greatest };
        }
    }
    let rest = chunks.remainder().iter().copied();
    greatest.into_iter().chain(rest).fold(f32::MIN, f32::max)
}

/// The sum of what is made of each score; in a fixed order, of which a processor can take many at once.
pub(crate) fn sum(scores: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0f32; LANES];
    let mut chunks = scores.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (sum, score) in sums.iter_mut().zip(chunk) {
            *sum += of(*score);
        }
    }
    sums.iter().sum::<f32>() + chunks.remainder().iter().map(|score| of(*score)).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_those_that_a_sorted_list_begins_with(scores in prop::collection::vec(-20..200i16, 0..1500)) {
            let scores: Vec<(u32, f32)> = (0..).zip(scores.iter().map(|score| f32::from(*score) / 7.0)).collect();
            let mut sorted: Vec<(u32, f32)> = scores.iter().copied().filter(|(_, score)| *score > 0.0).collect();
            sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
            sorted.truncate(RANKED);
            let values: Vec<f32> = scores.iter().map(|(_, score)| *score).collect();
            prop_assert_eq!(best(&values, |nth| scores[nth].0), sorted);
        }

        #[test]
        fn scores_that_are_not_there_count_as_zero(scores in prop::collection::vec(0..50u8, 1..200), without in 0..100usize) {
            let scores: Vec<f32> = scores.iter().map(|score| f32::from(*score)).collect();
            let whole: Vec<f32> = scores.iter().copied().chain(std::iter::repeat_n(0.0, without)).collect();
            let some = Spread::new(&scores, whole.len(), Vec::new());
            let all = Spread::new(&whole, whole.len(), Vec::new());
            prop_assert!((some.mean - all.mean).abs() < 1e-3, "{} {}", some.mean, all.mean);
            prop_assert!((some.per_deviation - all.per_deviation).abs() < 1e-3, "{} {}", some.per_deviation, all.per_deviation);
        }
    }
}
