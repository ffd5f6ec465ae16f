use memoir_index::Near;
use memoir_model::{Error, Message, MessageState, Result, SpaceId};
use std::time::Duration;

use crate::access::{Access, Caller};
use crate::engine::Engine;
use crate::search::SearchRequest;

/// How long a search by meaning waits for the vector of its question before it goes without.
const PATIENCE: Duration = Duration::from_secs(3);

/// A message whose vector lies near.
#[derive(Debug, Clone)]
pub struct NearHit {
    /// The message.
    pub message: Message,
    /// The cosine of the angle between the vectors; what counts as near depends on the model.
    pub score: f32,
}

/// Why a space cannot be searched by meaning just now. Words find everything all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unavailable {
    /// No embedder is configured.
    NoEmbedder,
    /// The space has no vectors yet.
    NoVectors,
    /// The space's vectors are of a model that is not loaded here.
    OtherModel,
    /// The embedder did not answer, or not in time.
    EmbedderFailed,
}

impl Unavailable {
    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Unavailable::NoEmbedder => "no_embedder",
            Unavailable::NoVectors => "no_vectors",
            Unavailable::OtherModel => "other_model",
            Unavailable::EmbedderFailed => "embedder_failed",
        }
    }
}

/// The messages whose vectors lie nearest to a question.
#[derive(Debug, Clone)]
pub struct NearPage {
    /// The hits, the nearest first.
    pub hits: Vec<NearHit>,
    /// How many messages have a vector.
    pub vectors: usize,
    /// Why there are none, if there are none.
    pub unavailable: Option<Unavailable>,
}

impl NearPage {
    fn without(why: Unavailable) -> Self {
        NearPage { hits: Vec::new(), vectors: 0, unavailable: Some(why) }
    }
}

impl Engine {
    /// The messages of a space that mean most nearly what the query says, whatever their words.
    pub async fn nearest_messages(
        &self,
        caller: &Caller,
        space: &SpaceId,
        request: SearchRequest,
    ) -> Result<NearPage> {
        let deepest = request.deepest()?;
        let space = self.open_space(caller, Access::Read, space).await?;
        let filter = self.filter(&space, &request).await?;
        if self.inner.embedders.current().is_none() {
            return Ok(NearPage::without(Unavailable::NoEmbedder));
        }
        let hot = self.inner.hot.at(self.inner.store.as_ref(), &space).await?;
        let Some(generation) = self.inner.hot.with_vectors(&hot, self.inner.store.as_ref(), &space).await?
        else {
            return Ok(NearPage::without(Unavailable::NoVectors));
        };
        if !self.inner.embedders.knows(&generation.id) {
            return Ok(NearPage::without(Unavailable::OtherModel));
        }
        let asked = self.inner.embedders.question(&generation.id, &request.query);
        let question = match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(Some(question))) => question,
            Ok(Ok(None)) => return Ok(NearPage::without(Unavailable::OtherModel)),
            Ok(Err(error)) => {
                tracing::warn!("a question has no vector: {error}");
                return Ok(NearPage::without(Unavailable::EmbedderFailed));
            }
            Err(_) => {
                tracing::warn!("a question has no vector: the embedder took longer than {PATIENCE:?}");
                return Ok(NearPage::without(Unavailable::EmbedderFailed));
            }
        };
        let (near, vectors) =
            tokio::task::spawn_blocking(move || hot.nearest(&generation, &question, &filter, deepest))
                .await
                .map_err(|_| Error::internal("the search was cut short"))?;
        let near: Vec<Near> = near.into_iter().skip(request.offset).collect();
        let seqs: Vec<u64> = near.iter().map(|near| near.seq).collect();
        let messages = self.inner.store.messages_at(&space.key(), &seqs).await?;
        let hits =
            messages.into_iter().filter(|message| message.state == MessageState::Active).map(|message| {
                let score = near.iter().find(|near| near.seq == message.seq).map_or(0.0, |near| near.score);
                NearHit { message, score }
            });
        Ok(NearPage { hits: hits.collect(), vectors, unavailable: None })
    }
}
