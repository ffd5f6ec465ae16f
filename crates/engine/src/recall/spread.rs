/// How many of the best have a rank of their own.
const RANKED: usize = 200;
/// So that the second of a list is not worth half of the first.
const RANK_OFFSET: f32 = 5.0;

/// How the scores of one question lie, so that a score can be compared with those of others.
#[derive(Debug, Default)]
pub(crate) struct Spread {
    best: f32,
    mean: f32,
    deviation: f32,
    /// The places of the best, the best first.
    top: Vec<u32>,
    /// Ranks by place, from 1; 0 beyond [`RANKED`].
    ranks: Vec<u16>,
}

impl Spread {
    /// Looks at the scores of those places that may be found.
    pub(crate) fn of(scores: &[f32], admitted: &[u32]) -> Self {
        let count = admitted.len().max(1) as f32;
        let score = |place: &u32| scores[*place as usize];
        let mean = admitted.iter().map(score).sum::<f32>() / count;
        let variance = admitted.iter().map(|place| (score(place) - mean).powi(2)).sum::<f32>() / count;
        let mut top: Vec<u32> = admitted.iter().copied().filter(|place| score(place) > 0.0).collect();
        // Of equals the newer one, as everywhere.
        let order = |a: &u32, b: &u32| score(b).total_cmp(&score(a)).then(b.cmp(a));
        if top.len() > RANKED {
            top.select_nth_unstable_by(RANKED, order);
            top.truncate(RANKED);
        }
        top.sort_unstable_by(order);
        let mut ranks = vec![0; scores.len()];
        for (rank, &place) in top.iter().enumerate() {
            ranks[place as usize] = rank as u16 + 1;
        }
        let best = top.first().map_or(0.0, score);
        Spread { best, mean, deviation: variance.sqrt(), top, ranks }
    }

    /// The places of the best, the best first.
    pub(crate) fn top(&self) -> &[u32] {
        &self.top
    }

    /// A score against the best.
    pub(crate) fn against_best(&self, score: f32) -> f32 {
        if self.best > 0.0 { score / self.best } else { 0.0 }
    }

    /// How far a score stands out.
    pub(crate) fn stands_out(&self, score: f32) -> f32 {
        if self.deviation > 1e-6 { (score - self.mean) / self.deviation } else { 0.0 }
    }

    /// What the rank of a place is worth.
    pub(crate) fn rank_worth(&self, place: usize) -> f32 {
        self.rank(place).map_or(0.0, worth_of_rank)
    }

    /// The rank of a place, from 1.
    pub(crate) fn rank(&self, place: usize) -> Option<u16> {
        Some(self.ranks[place]).filter(|rank| *rank > 0)
    }
}

/// What a rank, from 1, is worth.
pub(crate) fn worth_of_rank(rank: u16) -> f32 {
    1.0 / (f32::from(rank) + RANK_OFFSET)
}
