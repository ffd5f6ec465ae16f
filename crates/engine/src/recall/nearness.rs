use memoir_index::{Survey, Talk, Vectors};
use std::sync::Arc;

use super::admitted::Admitted;
use super::spread::{Spread, sum};

/// How many turns of a session stand for it.
const SESSION_TOP: usize = 3;
/// So that a model for which everything is alike does not blow up what little differs.
const LEAST_WHOLE: f32 = 0.05;

/// The question how close every row is to each query that has a vector.
pub(crate) struct Comparison<'a> {
    talk: &'a Talk,
    vectors: &'a Vectors,
    meanings: &'a [Option<Arc<[f32]>>],
}

impl<'a> Comparison<'a> {
    /// Nothing, where there is no vector to compare.
    pub(crate) fn new(
        talk: &'a Talk,
        vectors: Option<&'a Vectors>,
        meanings: &'a [Option<Arc<[f32]>>],
    ) -> Option<Self> {
        let vectors = vectors.filter(|_| meanings.iter().any(Option::is_some))?;
        Some(Comparison { talk, vectors, meanings })
    }

    /// How many numbers have to be read.
    pub(crate) fn numbers(&self) -> usize {
        self.vectors.len() * self.vectors.dimension()
    }

    /// What came of it for each query; nothing for one that has no vector.
    pub(crate) fn run(&self, admitted: &Admitted<'_>) -> Vec<Option<Compared>> {
        let known: Vec<&[f32]> = self.meanings.iter().filter_map(Option::as_deref).collect();
        let mut close = vec![vec![f32::NAN; self.talk.len()]; known.len()];
        self.vectors.closeness(&known, |nth, seqs, scores| {
            for (seq, score) in seqs.iter().zip(scores) {
                if let Some(place) = self.talk.place(*seq) {
                    close[nth][place] = *score;
                }
            }
        });
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
        if close.iter().any(|score| score.is_nan()) {
            return Compared::Some(close);
        }
        match Usual::of(&admitted.scores(&close)) {
            Some(usual) => Compared::All(usual.nearness(close, admitted, |_| 0.0)),
            None => Compared::Some(close),
        }
    }

    /// A row that has no vector yet is taken to be as near as the share of the message that it holds lets expect: what was
    /// said just now must not fall behind. Nothing, if no row has a vector.
    pub(crate) fn nearness(self, admitted: &Admitted<'_>, survey: &Survey) -> Option<Nearness> {
        match self {
            Compared::All(nearness) => Some(nearness),
            Compared::Some(close) => {
                let usual = Usual::of(&admitted.scores(&close))?;
                let held = |place: usize| survey.at(&survey.coverage, place).min(1.0);
                Some(usual.nearness(close, admitted, held))
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
        // Of two the greater one, or that which is a number.
        let best = known.iter().copied().fold(f32::MIN, f32::max);
        (count > 0.0).then_some(Usual { mean, best })
    }

    /// `held` is the share of the message that a row without a vector holds.
    fn nearness(
        &self,
        mut close: Vec<f32>,
        admitted: &Admitted<'_>,
        held: impl Fn(usize) -> f32,
    ) -> Nearness {
        let whole = (1.0 - self.mean).max(LEAST_WHOLE);
        for (place, score) in close.iter_mut().enumerate() {
            let near = match score.is_nan() {
                true => (self.best - self.mean) * held(place),
                false => *score - self.mean,
            };
            *score = near / whole;
        }
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
                    if score > *kept {
                        std::mem::swap(kept, &mut score);
                    }
                }
            }
            let count = turns.len().min(SESSION_TOP);
            if count == 0 { 0.0 } else { best[..count].iter().sum::<f32>() / count as f32 }
        };
        (0..talk.sessions() as u32).map(session).collect()
    }
}
