//! Models on the other side of the network.

mod embedder;
mod endpoint;
mod ranking;
mod refusal;
mod reranker;

pub use embedder::{RemoteEmbedder, RemoteOptions};
pub use reranker::{RemoteReranker, RerankerOptions};
