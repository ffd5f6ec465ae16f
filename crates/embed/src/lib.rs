//! Embedders: from texts to vectors, by a model that runs here or by a server that speaks OpenAI's protocol.
//!
//! # Rerankers
//!
//! A vector is made without knowing the question. A [`Reranker`] reads a question and a text together, which tells better
//! whether one answers the other and costs a run of the model for each text: it puts the few texts that a search has found
//! into order. Nothing needs one. [`LocalReranker`] runs a cross-encoder from a folder, as `transformers` saves a
//! `BertForSequenceClassification` or an `XLMRobertaForSequenceClassification` of one label; [`RemoteReranker`] asks a server
//! that has `/rerank` as Jina and Cohere, vLLM, SiliconFlow, llama.cpp and Text Embeddings Inference have it.

mod error;
mod generation;
mod hub;
mod length;
mod local;
mod remote;
mod score;
mod thresholds;

use async_trait::async_trait;

pub use error::EmbedError;
pub use generation::{Pooling, Recipe};
pub use hub::{Hub, Progress, PullError, SUGGESTED};
use length::normalise;
pub use local::{CrossEncoder, Level, LocalEmbedder, LocalModel, LocalOptions, LocalReranker, Precision};
pub use remote::{RemoteEmbedder, RemoteOptions, RemoteReranker, RerankerOptions};
use score::sigmoid;
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

/// From a question and texts to how well each text answers it.
#[async_trait]
pub trait Reranker: Send + Sync + 'static {
    /// What it is called.
    fn name(&self) -> &str;

    /// One score from 0 to 1 for each text, in their order; more is better. Scores of different rerankers are never
    /// compared. A text that nothing can be said about has 0.
    async fn rank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>, EmbedError>;
}
