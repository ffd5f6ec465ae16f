//! Models that run in this process: any that is shaped like BERT, from a folder as `sentence-transformers` saves it.

mod classifier;
mod config;
mod cross_encoder;
mod embedder;
mod encoder;
mod files;
mod input;
mod linear;
mod model;
mod name;
mod options;
mod pooling;
mod prefixes;
mod queue;
mod reranker;
mod safetensors;
mod tokens;
mod weights;
mod words;
mod workers;

pub use cross_encoder::CrossEncoder;
pub use embedder::LocalEmbedder;
pub use memoir_kernels::Level;
pub use model::LocalModel;
pub use options::{LocalOptions, Precision};
pub use reranker::LocalReranker;
