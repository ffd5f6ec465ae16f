use memoir_index::Near;
use memoir_model::{Error, Message, MessageState, Result, SpaceId};

use super::meaning::Meanings;
use crate::access::{Access, Caller};
use crate::engine::Engine;
use crate::search::SearchRequest;

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
        let hot = self.inner.hot.at(self.inner.store.as_ref(), &space).await?;
        let meanings = match self.meanings(&hot, &space, &[&request.query]).await? {
            Ok(meanings) => meanings,
            Err(why) => return Ok(NearPage::without(why)),
        };
        let (near, vectors) = tokio::task::spawn_blocking(move || {
            let Meanings { generation, vectors } = meanings;
            let question = vectors.first().map_or(&[][..], |vector| vector);
            hot.nearest(&generation, question, &filter, deepest)
        })
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
