use memoir_index::{Talk, Turn};
use memoir_model::Speaker;

use super::admitted::Admitted;

/// How long turns usually are, by the part they are spoken in: people and models differ.
pub(crate) struct Lengths {
    /// The mean of the logarithm of the words, and how far it usually strays.
    by_role: [(f32, f32); Speaker::ALL.len()],
}

impl Lengths {
    pub(crate) fn of(talk: &Talk, admitted: &Admitted<'_>) -> Self {
        if admitted.is_everything() {
            return Self::counted(talk.lengths());
        }
        let turns = admitted.places().filter_map(|place| talk.turn(place as usize));
        Self::counted(turns.map(|turn| (turn.meta.role, turn.words, 1)))
    }

    /// From how many turns there are of a role and a length.
    fn counted(lengths: impl Iterator<Item = (u8, u32, u32)>) -> Self {
        let mut sums = [(0.0f64, 0.0f64, 0.0f64); Speaker::ALL.len()];
        for (role, words, turns) in lengths {
            if let Some((count, sum, squares)) = sums.get_mut(usize::from(role)) {
                let (length, turns) = (f64::from(logarithm(words)), f64::from(turns));
                *count += turns;
                *sum += turns * length;
                *squares += turns * length * length;
            }
        }
        let by_role = sums.map(|(count, sum, squares)| {
            let mean = sum / count.max(1.0);
            (mean as f32, (squares / count.max(1.0) - mean * mean).max(0.0).sqrt() as f32)
        });
        Lengths { by_role }
    }

    /// How far a turn is longer than is usual.
    pub(crate) fn against_usual(&self, turn: &Turn) -> f32 {
        let (mean, strays) = self.by_role.get(usize::from(turn.meta.role)).copied().unwrap_or_default();
        if strays > 1e-3 { ((logarithm(turn.words) - mean) / strays).clamp(-3.0, 3.0) } else { 0.0 }
    }
}

fn logarithm(words: u32) -> f32 {
    (1.0 + words as f32).ln()
}
