use memoir_index::{Survey, Talk, Vectors};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::admitted::Admitted;
use super::spread::{Spread, greatest, sum};

/// How many turns of a session stand for it.
const SESSION_TOP: usize = 3;
/// How many rows a thread takes at a time.
const PART: usize = 512;
/// So that a model for which everything is alike does not blow up what little differs.
const LEAST_WHOLE: f32 = 0.05;

/// The question how close every row is to each query that has a vector. Threads that work at it each take the next part until
/// nothing is left.
pub(crate) struct Comparison<'a> {
    talk: &'a Talk,
    vectors: &'a Vectors,
    meanings: &'a [Option<Arc<[f32]>>],
    /// The row that the next part begins with.
    next: AtomicUsize,
}

/// What one thread found: for each query with a vector how close the rows are, by place. A row that it did not look at has
/// no number.
pub(crate) struct Share(Vec<Vec<f32>>);

impl<'a> Comparison<'a> {
    /// Nothing, where there is no vector to compare.
    pub(crate) fn new(
        talk: &'a Talk,
        vectors: Option<&'a Vectors>,
        meanings: &'a [Option<Arc<[f32]>>],
    ) -> Option<Self> {
        let vectors = vectors.filter(|_| meanings.iter().any(Option::is_some))?;
        Some(Comparison { talk, vectors, meanings, next: AtomicUsize::new(0) })
    }

    /// How many numbers have to be read.
    pub(crate) fn numbers(&self) -> usize {
        self.vectors.len() * self.vectors.dimension()
    }

    /// Compares what nobody else has taken yet.
    pub(crate) fn share(&self) -> Share {
        let known: Vec<&[f32]> = self.meanings.iter().filter_map(Option::as_deref).collect();
        let mut close = vec![vec![f32::NAN; self.talk.len()]; known.len()];
        loop {
            let first = self.next.fetch_add(PART, Ordering::Relaxed);
            if first >= self.vectors.len() {
                return Share(close);
            }
            self.vectors.closeness(&known, first..first + PART, |nth, seqs, scores| {
                for (seq, score) in seqs.iter().zip(scores) {
                    if let Some(place) = self.talk.place(*seq) {
                        close[nth][place] = *score;
                    }
                }
            });
        }
    }

    /// What came of it for each query, once every part is in a share; nothing for one that has no vector.
    pub(crate) fn join(
        &self,
        shares: impl IntoIterator<Item = Share>,
        admitted: &Admitted<'_>,
    ) -> Vec<Option<Compared>> {
        let mut shares = shares.into_iter();
        let Share(mut close) = shares.next().unwrap_or(Share(Vec::new()));
        for Share(other) in shares {
            for (all, other) in close.iter_mut().zip(&other) {
                for (all, other) in all.iter_mut().zip(other) {
                    *all = if all.is_nan() { *other } else { *all };
                }
            }
        }
        let mut close = close.into_iter().map(|close| Compared::new(close, admitted));
        self.meanings.iter().map(|meaning| meaning.as_ref().and_then(|_| close.next())).collect()
    }
}

/// How close every row is, by place.
pub(crate) enum Compared {
    /// Each has a vector.
    All(Nearness),
    /// Some have none, and no number.
    Some(Vec<f32>),
}

impl Compared {
    fn new(close: Vec<f32>, admitted: &Admitted<'_>) -> Self {
        if close.iter().fold(false, |any, score| any | score.is_nan()) {
            return Compared::Some(close);
        }
        match Usual::of(&admitted.scores(&close)) {
            Some(usual) => Compared::All(usual.nearness(close, admitted)),
            None => Compared::Some(close),
        }
    }

    /// A row that has no vector yet is taken to be as near as the share of the message that it holds lets expect: what was
    /// said just now must not fall behind. Nothing, if no row has a vector.
    pub(crate) fn nearness(self, admitted: &Admitted<'_>, survey: &Survey) -> Option<Nearness> {
        match self {
            Compared::All(nearness) => Some(nearness),
            Compared::Some(mut close) => {
                let usual = Usual::of(&admitted.scores(&close))?;
                let unknown = close.iter_mut().enumerate().filter(|(_, score)| score.is_nan());
                for (place, score) in unknown {
                    *score = usual.expected(survey.at(&survey.coverage, place).min(1.0));
                }
                Some(usual.nearness(close, admitted))
            }
        }
    }
}

/// How close the rows of a talk usually are, and the closest of them.
struct Usual {
    mean: f32,
    best: f32,
}

impl Usual {
    /// Nothing, if no row has a vector.
    fn of(known: &[f32]) -> Option<Self> {
        let count = sum(known, |score| f32::from(u8::from(!score.is_nan())));
        let mean = sum(known, |score| if score.is_nan() { 0.0 } else { score }) / count;
        let best = greatest(known);
        (count > 0.0).then_some(Usual { mean, best })
    }

    /// How close a row without a vector is taken to be, by the share of the message that it holds.
    fn expected(&self, held: f32) -> f32 {
        self.mean + (self.best - self.mean) * held
    }

    fn nearness(&self, mut close: Vec<f32>, admitted: &Admitted<'_>) -> Nearness {
        let whole = (1.0 - self.mean).max(LEAST_WHOLE);
        close.iter_mut().for_each(|score| *score = (*score - self.mean) / whole);
        let spread = Spread::of(&close, admitted);
        Nearness { rows: close, spread }
    }
}

/// How near every row is in meaning.
pub(crate) struct Nearness {
    /// By place: 0 for what is as near as is usual in this talk, 1 for the same. Every model has its own scale, and this is
    /// comparable.
    pub(crate) rows: Vec<f32>,
    pub(crate) spread: Spread,
}

impl Nearness {
    /// How near each session is: the mean of its nearest turns.
    pub(crate) fn sessions(&self, talk: &Talk) -> Vec<f32> {
        let session = |session: u32| {
            let mut best = [f32::MIN; SESSION_TOP];
            let turns = talk.session(session);
            for &place in turns {
                let mut score = self.rows[place as usize];
                for kept in &mut best {
                    (*kept, score) = if score > *kept { (score, *kept) } else { (*kept, score) };
                }
            }
            let count = turns.len().min(SESSION_TOP);
            if count == 0 { 0.0 } else { best[..count].iter().sum::<f32>() / count as f32 }
        };
        (0..talk.sessions() as u32).map(session).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memoir_index::{Filter, RowMeta, SpaceIndex, Terms};

    const ROWS: u64 = 1_700;

    fn vector(seed: u64) -> Arc<[f32]> {
        (0..3).map(|nth| ((seed * 37 + nth * 11) % 23) as f32 / 23.0).collect()
    }

    /// A talk of which one row in `without` has no vector.
    fn talk(without: u64) -> (SpaceIndex, Vectors) {
        let (mut index, mut vectors) = (SpaceIndex::new(), Vectors::new(3));
        for seq in 1..=ROWS {
            let meta = RowMeta { said_at: seq as i64, author: 1, role: 0, session: seq / 40 };
            index.upsert(seq, meta, &Terms::of(&["tea"]));
            if !seq.is_multiple_of(without) {
                vectors.upsert(seq, &vector(seq)).unwrap();
            }
        }
        (index, vectors)
    }

    fn rows(compared: Vec<Option<Compared>>) -> Vec<Option<Vec<u32>>> {
        let bits = |scores: Vec<f32>| scores.into_iter().map(f32::to_bits).collect();
        let rows = |compared: Compared| match compared {
            Compared::All(nearness) => bits(nearness.rows),
            Compared::Some(close) => bits(close),
        };
        compared.into_iter().map(|compared| compared.map(rows)).collect()
    }

    #[test]
    fn two_threads_find_together_what_one_finds() {
        let filter = Filter::default();
        let meanings = [Some(vector(5)), None, Some(vector(9))];
        for without in [7, ROWS + 1] {
            let (index, vectors) = talk(without);
            let admitted = Admitted::new(index.talk(), &filter);
            let compare = || Comparison::new(index.talk(), Some(&vectors), &meanings).unwrap();
            let one = compare();
            let alone = rows(one.join([one.share()], &admitted));
            assert!(alone[0].is_some() && alone[1].is_none() && alone[2].is_some());

            let two = compare();
            let shares = std::thread::scope(|scope| {
                let other = scope.spawn(|| two.share());
                [two.share(), other.join().unwrap()]
            });
            assert_eq!(rows(two.join(shares, &admitted)), alone);
        }
    }
}
