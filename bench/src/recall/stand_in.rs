//! An embedder that costs next to nothing, so that what is measured is not the model.

use async_trait::async_trait;
use memoir_embed::{EmbedError, Embedder, Pooling, Purpose, Recipe};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

const DIMENSION: usize = 384;

/// Gives every word a direction of its own; a text points where its words do.
pub(super) struct StandIn {
    recipe: Recipe,
}

impl StandIn {
    pub(super) fn new() -> Self {
        let recipe = Recipe {
            model: "stand-in".into(),
            revision: "1".into(),
            query_prefix: String::new(),
            document_prefix: String::new(),
            pooling: Pooling::Mean,
            dimension: DIMENSION,
        };
        StandIn { recipe }
    }

    /// The vector of a text.
    pub(super) fn vector(text: &str) -> Vec<f32> {
        let mut vector = vec![0.01f32; DIMENSION];
        memoir_text::tokens(text, |token| {
            let seed = BuildHasherDefault::<DefaultHasher>::default().hash_one(token.text);
            let mut dice = StdRng::seed_from_u64(seed);
            // A few numbers of it are enough to tell words apart.
            for _ in 0..16 {
                let place = dice.random_range(0..DIMENSION);
                vector[place] += dice.random_range(-1.0..1.0);
            }
        });
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|number| *number /= length);
        vector
    }
}

#[async_trait]
impl Embedder for StandIn {
    fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| Self::vector(text)).collect())
    }
}
