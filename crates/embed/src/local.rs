//! A sentence model that runs in this process: any that is shaped like BERT, from a folder as `sentence-transformers` saves
//! it.

mod config;
mod embedder;
mod encoder;
mod files;
mod linear;
mod model;
mod name;
mod options;
mod prefixes;
mod queue;
mod safetensors;
mod tokens;
mod weights;
mod words;
mod workers;

pub use embedder::LocalEmbedder;
pub use memoir_kernels::Level;
pub use model::LocalModel;
pub use options::{LocalOptions, Precision};
