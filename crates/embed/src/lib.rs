//! Embedders: from texts to vectors, by a model that runs here or by a server that speaks OpenAI's protocol.

mod error;
mod generation;
mod hub;
mod length;
mod local;
mod remote;
mod thresholds;

use async_trait::async_trait;

pub use error::EmbedError;
pub use generation::{Pooling, Recipe};
pub use hub::{Hub, Progress, PullError, SUGGESTED};
use length::normalise;
pub use local::{Level, LocalEmbedder, LocalModel, LocalOptions, Precision};
pub use remote::{RemoteEmbedder, RemoteOptions};
pub use thresholds::Thresholds;

/// What a text is to a model that treats questions and documents differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// What is looked for.
    Query,
    /// What is looked through.
    Document,
}

/// From texts to vectors of length 1.
#[async_trait]
pub trait Embedder: Send + Sync + 'static {
    /// How its vectors are made. Vectors of different recipes are never compared.
    fn recipe(&self) -> &Recipe;

    /// One vector for each text, in their order, each of the recipe's dimension and of length 1. An empty text has a
    /// vector too.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError>;
}
