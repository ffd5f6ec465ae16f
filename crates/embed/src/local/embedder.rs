use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;

use super::model::LocalModel;
use super::options::LocalOptions;
use super::workers::Workers;
use crate::{EmbedError, Embedder, Purpose, Recipe};

/// A [`LocalModel`] on threads of its own. Questions overtake documents. Dropping it ends the threads.
pub struct LocalEmbedder {
    model: Arc<LocalModel>,
    workers: Workers<String, Vec<f32>>,
}

impl LocalEmbedder {
    /// Reads a model and starts its threads. Reading takes a while: not for a thread that serves others.
    pub fn open(folder: &Path, options: &LocalOptions) -> Result<Self, EmbedError> {
        let model = Arc::new(LocalModel::open(folder, options)?);
        let computing = Arc::clone(&model);
        let workers = Workers::start("embed", options.threads, String::len, move |texts: &[String]| {
            computing.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        })?;
        Ok(Self { model, workers })
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn recipe(&self) -> &Recipe {
        self.model.recipe()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let recipe = self.model.recipe();
        let prefix = match purpose {
            Purpose::Query => &recipe.query_prefix,
            Purpose::Document => &recipe.document_prefix,
        };
        let texts = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        self.workers.run(texts, purpose).await
    }
}
