//! From which cosine on two texts belong together. Every model has its own scale: what is near for one is far for another.

/// What the cosine of two vectors means for one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// From here on two texts are about the same matter (0.6 with the model that the requirements were written for).
    pub related: f32,
    /// From here on they may say the same (0.85 with that model).
    pub same: f32,
}

/// By the beginning of the model's name; of several the longest counts. The first two were measured as
/// [`Thresholds::measured`] does it, on some 1,300 pairs of public sentences each; the others are rules of thumb, to be
/// replaced by what `memoir models calibrate` finds.
const KNOWN: &[(&str, Thresholds)] = &[
    ("all-minilm", Thresholds { related: 0.30, same: 0.68 }),
    ("m3e", Thresholds { related: 0.84, same: 0.90 }),
    ("paraphrase-multilingual-minilm", Thresholds { related: 0.45, same: 0.85 }),
    ("multilingual-e5", Thresholds { related: 0.82, same: 0.93 }),
    ("e5-", Thresholds { related: 0.80, same: 0.92 }),
    ("bge-m3", Thresholds { related: 0.55, same: 0.85 }),
    ("bge-", Thresholds { related: 0.60, same: 0.88 }),
    ("text-embedding-3", Thresholds { related: 0.40, same: 0.80 }),
    ("text-embedding-ada", Thresholds { related: 0.82, same: 0.93 }),
    ("qwen3-embedding", Thresholds { related: 0.50, same: 0.82 }),
];

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { related: 0.6, same: 0.85 }
    }
}

impl Thresholds {
    /// Those of a model; the default ones for a model that nobody has measured.
    pub fn of_model(model: &str) -> Self {
        let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
        let known = KNOWN.iter().filter(|(start, _)| name.starts_with(start));
        known.max_by_key(|(start, _)| start.len()).map_or_else(Self::default, |(_, thresholds)| *thresholds)
    }

    /// Measured: from the cosines of pairs that have nothing to do with each other, and of pairs that say the same.
    /// `None` when there are too few to tell.
    pub fn measured(unrelated: &mut [f32], same: &mut [f32]) -> Option<Self> {
        const FEWEST: (usize, usize) = (200, 20);
        if unrelated.len() < FEWEST.0 || same.len() < FEWEST.1 {
            return None;
        }
        unrelated.sort_unstable_by(f32::total_cmp);
        same.sort_unstable_by(f32::total_cmp);
        // One unrelated pair in a hundred may pass for related; one of ten that say the same may be missed.
        let related = unrelated[unrelated.len() * 99 / 100];
        let same = same[same.len() / 10].max(related);
        Some(Thresholds { related, same })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_the_scale_of_its_family() {
        assert_eq!(Thresholds::of_model("intfloat/multilingual-e5-small").related, 0.82);
        assert_eq!(Thresholds::of_model("BAAI/bge-m3").related, 0.55);
        assert_eq!(Thresholds::of_model("bge-small-zh-v1.5").related, 0.60);
        assert_eq!(Thresholds::of_model("something"), Thresholds::default());
    }

    #[test]
    fn what_is_measured_separates_the_two_kinds() {
        let mut unrelated: Vec<f32> = (0..1000).map(|n| n as f32 / 2000.0).collect();
        let mut same: Vec<f32> = (0..100).map(|n| 0.9 + n as f32 / 1000.0).collect();
        let measured = Thresholds::measured(&mut unrelated, &mut same).unwrap();
        assert!((measured.related - 0.495).abs() < 1e-3 && (measured.same - 0.91).abs() < 1e-3);
        assert_eq!(Thresholds::measured(&mut unrelated, &mut same[..5]), None);
        // Models that see no difference still get a sensible order.
        let mut low = vec![0.1; 20];
        let odd = Thresholds::measured(&mut unrelated, &mut low).unwrap();
        assert!(odd.same >= odd.related);
    }
}
