use memoir_embed::{EmbedError, Embedder, Purpose};
use memoir_model::{GenerationId, Result};
use parking_lot::Mutex;
use std::sync::Arc;

use crate::cache::ByteCache;

/// What tells vectors of messages in their context from those of their words alone, which earlier versions made.
const IN_CONTEXT: &str = " in context";
/// How much memory the vectors of recent questions may take.
const REMEMBERED_BYTES: usize = 8 << 20;

/// The embedder that new vectors are made with, and those that made the vectors of spaces which it has not reached yet.
pub struct Embedders {
    /// The first one is the current one. Each is there twice, for two kinds of vectors that it may have made.
    known: Vec<(GenerationId, Arc<dyn Embedder>)>,
    remembered: Mutex<Questions>,
}

/// Vectors of recent questions, by the place of their embedder and their words.
type Questions = ByteCache<(usize, String), Arc<[f32]>>;

impl Embedders {
    /// No embedder: everything is found by its words.
    pub fn none() -> Self {
        Embedders { known: Vec::new(), remembered: Mutex::new(ByteCache::new(REMEMBERED_BYTES)) }
    }

    /// An embedder, and earlier ones that still answer for the vectors they made.
    pub fn new(current: Arc<dyn Embedder>, earlier: Vec<Arc<dyn Embedder>>) -> Result<Self> {
        let mut known = Vec::new();
        for embedder in std::iter::once(current).chain(earlier) {
            let alone = embedder.recipe().generation()?;
            let in_context = GenerationId::new(format!("{alone}{IN_CONTEXT}"))?;
            // A question is the same for both.
            known.extend([(in_context, embedder.clone()), (alone, embedder)]);
        }
        Ok(Embedders { known, ..Self::none() })
    }

    /// The one that makes new vectors, and what they are.
    pub fn current(&self) -> Option<(&GenerationId, &Arc<dyn Embedder>)> {
        self.known.first().map(|(id, embedder)| (id, embedder))
    }

    /// The vectors of questions, for vectors of that generation. Asked again, they are remembered; those that are new go to
    /// the embedder together. `None` when no embedder here makes such vectors.
    pub(crate) async fn questions(
        &self,
        generation: &GenerationId,
        texts: &[&str],
    ) -> Result<Option<Vec<Arc<[f32]>>>, EmbedError> {
        let Some(place) = self.known.iter().position(|(id, _)| id == generation) else { return Ok(None) };
        let mut vectors: Vec<Option<Arc<[f32]>>> = {
            let mut remembered = self.remembered.lock();
            texts.iter().map(|text| remembered.get(&(place, (*text).to_owned())).cloned()).collect()
        };
        let mut new: Vec<String> = Vec::new();
        for (text, _) in texts.iter().zip(&vectors).filter(|(_, vector)| vector.is_none()) {
            if !new.iter().any(|known| known == text) {
                new.push((*text).to_owned());
            }
        }
        let count = |found: &'static str, many: usize| {
            metrics::counter!("memoir_query_vectors_total", "found" => found).increment(many as u64);
        };
        count("remembered", texts.len() - new.len());
        if !new.is_empty() {
            let embedder = &self.known[place].1;
            let made = embedder.embed(&new, Purpose::Query).await?;
            let made = fit(embedder.as_ref(), made, new.len())?;
            count("made", made.len());
            let mut remembered = self.remembered.lock();
            for (text, vector) in new.into_iter().zip(made) {
                let vector: Arc<[f32]> = vector.into();
                for (slot, _) in vectors.iter_mut().zip(texts).filter(|(_, asked)| **asked == text) {
                    *slot = Some(vector.clone());
                }
                let bytes = vector.len() * 4 + text.len() + 128;
                remembered.insert((place, text), vector, bytes);
            }
        }
        Ok(Some(vectors.into_iter().flatten().collect()))
    }
}

/// What an embedder answered, if it is what was asked for: so many vectors, each of its dimension, all numbers.
pub(crate) fn fit(
    embedder: &dyn Embedder,
    vectors: Vec<Vec<f32>>,
    count: usize,
) -> Result<Vec<Vec<f32>>, EmbedError> {
    let dimension = embedder.recipe().dimension;
    if vectors.len() != count {
        return Err(EmbedError::Unfit(format!("{} vectors for {count} texts", vectors.len())));
    }
    if let Some(other) = vectors.iter().find(|vector| vector.len() != dimension) {
        return Err(EmbedError::Unfit(format!("{} numbers where {dimension} are expected", other.len())));
    }
    if vectors.iter().flatten().any(|number| !number.is_finite()) {
        return Err(EmbedError::Unfit("a vector has something that is no number".into()));
    }
    Ok(vectors)
}
