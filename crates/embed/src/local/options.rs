use memoir_kernels::Level;
use std::num::NonZeroUsize;

/// How exactly a model computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// With floats of 32 bits.
    #[default]
    F32,
    /// With weights and activations of 8 bits: several times faster, in a quarter of the memory, and nearly the same vectors.
    Int8,
}

/// How a model in a folder is run.
#[derive(Debug, Clone)]
pub struct LocalOptions {
    /// How exactly it computes.
    pub precision: Precision,
    /// Which instructions it uses.
    pub level: Level,
    /// How many threads an embedder or a reranker has.
    pub threads: NonZeroUsize,
    /// What an embedder puts before a question, instead of what the model's family wants.
    pub query_prefix: Option<String>,
    /// What an embedder puts before a document, instead of what the model's family wants.
    pub document_prefix: Option<String>,
}

impl LocalOptions {
    /// More threads than this gain little for texts as short as messages, and others need processors too.
    const MOST_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(3);
}

impl Default for LocalOptions {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            precision: Precision::default(),
            level: Level::best(),
            threads: processors.min(Self::MOST_THREADS),
            query_prefix: None,
            document_prefix: None,
        }
    }
}
