use memoir_model::{Generation, Result, Space};
use std::sync::Arc;
use std::time::Duration;

use super::nearest::Unavailable;
use crate::engine::Engine;
use crate::search::HotSpace;

/// How long a search by meaning waits for the vectors of its questions before it goes without.
const PATIENCE: Duration = Duration::from_secs(3);

/// What questions mean, fit for comparing with the vectors of one space.
pub(crate) struct Meanings {
    /// The vectors they can be compared with.
    pub(crate) generation: Generation,
    /// One for each question.
    pub(crate) vectors: Vec<Arc<[f32]>>,
}

impl Engine {
    /// The vectors of questions, made by whatever made the vectors of the space, which are brought up to date. Or why
    /// there are none.
    pub(crate) async fn meanings(
        &self,
        hot: &Arc<HotSpace>,
        space: &Space,
        questions: &[&str],
    ) -> Result<Result<Meanings, Unavailable>> {
        let embedders = &self.inner.embedders;
        if embedders.current().is_none() {
            return Ok(Err(Unavailable::NoEmbedder));
        }
        let Some(generation) = self.inner.hot.with_vectors(hot, self.inner.store.as_ref(), space).await?
        else {
            return Ok(Err(Unavailable::NoVectors));
        };
        let asked = embedders.questions(&generation.id, questions);
        Ok(match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(Some(vectors))) => Ok(Meanings { generation, vectors }),
            Ok(Ok(None)) => Err(Unavailable::OtherModel),
            Ok(Err(error)) => {
                tracing::warn!("a question has no vector: {error}");
                Err(Unavailable::EmbedderFailed)
            }
            Err(_) => {
                tracing::warn!("a question has no vector: the embedder took longer than {PATIENCE:?}");
                Err(Unavailable::EmbedderFailed)
            }
        })
    }
}
