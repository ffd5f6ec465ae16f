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

    /// Whether vectors of that generation can be asked.
    pub(crate) fn knows(&self, generation: &GenerationId) -> bool {
        self.known.iter().any(|(id, _)| id == generation)
    }

    /// The vector of a question, for vectors of that generation. Asked again, it is remembered. `None` when no embedder
    /// here makes such vectors.
    pub(crate) async fn question(
        &self,
        generation: &GenerationId,
        text: &str,
    ) -> Result<Option<Arc<[f32]>>, EmbedError> {
        let Some(place) = self.known.iter().position(|(id, _)| id == generation) else { return Ok(None) };
        let key = (place, text.to_owned());
        if let Some(vector) = self.remembered.lock().get(&key) {
            metrics::counter!("memoir_query_vectors_total", "found" => "remembered").increment(1);
            return Ok(Some(vector.clone()));
        }
        let embedder = &self.known[place].1;
        let vectors = embedder.embed(std::slice::from_ref(&key.1), Purpose::Query).await?;
        let vector: Arc<[f32]> = fit(embedder.as_ref(), vectors, 1)?.swap_remove(0).into();
        metrics::counter!("memoir_query_vectors_total", "found" => "made").increment(1);
        let bytes = vector.len() * 4 + key.1.len() + 128;
        self.remembered.lock().insert(key, vector.clone(), bytes);
        Ok(Some(vector))
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
