use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;

use super::cross_encoder::CrossEncoder;
use super::options::LocalOptions;
use super::workers::Workers;
use crate::{EmbedError, Purpose, Reranker, sigmoid};

/// A [`CrossEncoder`] on threads of its own. Dropping it ends the threads.
pub struct LocalReranker {
    model: Arc<CrossEncoder>,
    workers: Workers<Pair, f32>,
}

/// A text and the question that it shall answer.
struct Pair {
    question: Arc<str>,
    text: String,
}

impl LocalReranker {
    /// Reads a model and starts its threads. Reading takes a while: not for a thread that serves others.
    pub fn open(folder: &Path, options: &LocalOptions) -> Result<Self, EmbedError> {
        let model = Arc::new(CrossEncoder::open(folder, options)?);
        let computing = Arc::clone(&model);
        let size = |pair: &Pair| pair.text.len();
        let workers = Workers::start("rerank", options.threads, size, move |pairs: &[Pair]| {
            let pairs: Vec<_> = pairs.iter().map(|pair| (&*pair.question, pair.text.as_str())).collect();
            computing.logits(&pairs)
        })?;
        Ok(Self { model, workers })
    }
}

#[async_trait]
impl Reranker for LocalReranker {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn rank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>, EmbedError> {
        let question: Arc<str> = question.into();
        let pair = |text: &String| Pair { question: Arc::clone(&question), text: text.clone() };
        let logits = self.workers.run(texts.iter().map(pair).collect(), Purpose::Query).await?;
        Ok(logits.into_iter().map(sigmoid).collect())
    }
}
