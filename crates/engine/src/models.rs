use memoir_embed::Reranker;
use memoir_llm::{ModelName, Registry};
use memoir_model::Result;
use std::sync::Arc;

use crate::access::{Access, Caller};
use crate::embedding::Embedders;
use crate::engine::Engine;

/// The models that the engine may use. It needs none of them.
pub struct Models {
    /// What finds by meaning.
    pub embedders: Embedders,
    /// What writes and judges; `None` for rules alone.
    pub registry: Option<Registry>,
    /// What looks again at the best of a recall; `None` for not at all.
    pub reranker: Option<Arc<dyn Reranker>>,
}

impl Models {
    /// Rules and words.
    pub fn none() -> Self {
        Models { embedders: Embedders::none(), registry: None, reranker: None }
    }
}

impl From<Embedders> for Models {
    fn from(embedders: Embedders) -> Self {
        Models { embedders, registry: None, reranker: None }
    }
}

impl Engine {
    /// The models that people may choose from. Those that only work behind the scenes are not among them.
    pub fn public_models(&self, caller: &Caller) -> Result<Vec<ModelName>> {
        caller.check(Access::Read)?;
        Ok(self.inner.registry.as_ref().map(Registry::public_models).unwrap_or_default())
    }
}
