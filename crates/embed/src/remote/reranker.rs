//! Scores from a server that speaks the protocol of Jina and Cohere.

use async_trait::async_trait;
use memoir_egress::{Client, Response, StatusCode, Url};
use secrecy::SecretString;
use serde::Serialize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::endpoint::{Endpoint, below};
use super::ranking;
use super::refusal::accepted;
use crate::{EmbedError, Reranker, sigmoid};

/// The most bytes that an answer may have: most servers send the texts back.
const LARGEST_ANSWER: usize = 16 << 20;
/// Scores that are not logits, and what rounding adds.
const UNIT: RangeInclusive<f32> = -0.001..=1.001;

/// A server that ranks, and how it is spoken to.
#[derive(Debug, Clone)]
pub struct RerankerOptions {
    /// Where it is, up to but not including `/rerank`: `https://api.jina.ai/v1`.
    pub base_url: Url,
    /// Which of its models.
    pub model: String,
    /// What it is shown.
    pub key: Option<SecretString>,
    /// How long a request may take.
    pub timeout: Duration,
    /// How many texts go into one request.
    pub batch: usize,
}

/// A reranker on the other side of the network.
#[derive(Debug)]
pub struct RemoteReranker {
    endpoint: Endpoint,
    model: String,
    batch: usize,
    /// Whether the server is one of those that call the documents `texts`.
    says_texts: AtomicBool,
    /// Whether the server was seen to give logits.
    gives_logits: AtomicBool,
}

/// What Jina, Cohere, vLLM, SiliconFlow and most others want.
#[derive(Serialize)]
struct Asked<'a> {
    model: &'a str,
    query: &'a str,
    documents: &'a [&'a str],
    top_n: usize,
}

/// What Text Embeddings Inference wants.
#[derive(Serialize)]
struct AskedTexts<'a> {
    query: &'a str,
    texts: &'a [&'a str],
    truncate: bool,
}

impl RemoteReranker {
    /// Speaks to a server, which is not asked before there is something to rank.
    pub fn new(client: Client, options: RerankerOptions) -> Self {
        let RerankerOptions { base_url, model, key, timeout, batch } = options;
        let url = below(&base_url, "rerank");
        RemoteReranker {
            endpoint: Endpoint { client, url, key, timeout, limit: LARGEST_ANSWER },
            model,
            batch: batch.max(1),
            says_texts: AtomicBool::new(false),
            gives_logits: AtomicBool::new(false),
        }
    }

    /// One request. Learns from a refusal what the server calls the documents.
    async fn ask(&self, question: &str, texts: &[&str]) -> Result<Vec<Option<f32>>, EmbedError> {
        let says_texts = self.says_texts.load(Ordering::Relaxed);
        let mut response = self.send(question, texts, says_texts).await?;
        if !says_texts && misses_texts(&response) {
            response = self.send(question, texts, true).await?;
            self.says_texts.store(response.status.is_success(), Ordering::Relaxed);
        }
        ranking::read(accepted(&response)?, texts.len())
    }

    async fn send(&self, question: &str, texts: &[&str], says_texts: bool) -> Result<Response, EmbedError> {
        if says_texts {
            return self.endpoint.post(&AskedTexts { query: question, texts, truncate: true }).await;
        }
        let (model, top_n) = (self.model.as_str(), texts.len());
        self.endpoint.post(&Asked { model, query: question, documents: texts, top_n }).await
    }

    /// Scores from 0 to 1. A server that gave one beyond that gives logits, whatever it gives later.
    fn scaled(&self, scores: &[Option<f32>]) -> Vec<f32> {
        if scores.iter().flatten().any(|score| !UNIT.contains(score)) {
            self.gives_logits.store(true, Ordering::Relaxed);
        }
        let logits = self.gives_logits.load(Ordering::Relaxed);
        let scale = |score: f32| if logits { sigmoid(score) } else { score.clamp(0.0, 1.0) };
        scores.iter().map(|score| score.map_or(0.0, scale)).collect()
    }
}

#[async_trait]
impl Reranker for RemoteReranker {
    fn name(&self) -> &str {
        &self.model
    }

    async fn rank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>, EmbedError> {
        let mut scores = vec![None; texts.len()];
        // No server takes an empty text, and there is nothing to say about one.
        let blank = |text: &str| text.trim().is_empty();
        let filled = (0..texts.len()).filter(|&place| !blank(question) && !blank(&texts[place]));
        for places in filled.collect::<Vec<_>>().chunks(self.batch) {
            let batch: Vec<&str> = places.iter().map(|&place| texts[place].as_str()).collect();
            for (&place, score) in places.iter().zip(self.ask(question, &batch).await?) {
                scores[place] = score;
            }
        }
        Ok(self.scaled(&scores))
    }
}

/// Whether a request was refused because it has no field `texts`.
fn misses_texts(response: &Response) -> bool {
    let refused = [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY].contains(&response.status);
    refused && String::from_utf8_lossy(&response.body).contains("missing field `texts`")
}
