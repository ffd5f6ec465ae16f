//! Vectors from a server that speaks OpenAI's protocol.

use async_trait::async_trait;
use memoir_egress::{Client, Response, Url};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::endpoint::{Endpoint, below};
use super::refusal::{Refusal, accepted};
use crate::{EmbedError, Embedder, Pooling, Purpose, Recipe, normalise};

/// The most bytes that an answer may have: a batch of long vectors, written out.
const LARGEST_ANSWER: usize = 64 << 20;

/// A server, and how it is spoken to.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// Where it is, up to and including the version: `https://api.openai.com/v1`.
    pub base_url: Url,
    /// Which of its models.
    pub model: String,
    /// What it is shown.
    pub key: Option<SecretString>,
    /// How many numbers a vector has; `None` for what the model is known to give.
    pub dimension: Option<usize>,
    /// How long a request may take.
    pub timeout: Duration,
    /// How many texts go into one request.
    pub batch: usize,
    /// What is put before a question.
    pub query_prefix: String,
    /// What is put before a document.
    pub document_prefix: String,
}

/// An embedder on the other side of the network.
#[derive(Debug)]
pub struct RemoteEmbedder {
    endpoint: Endpoint,
    options: RemoteOptions,
    recipe: Recipe,
    /// Whether the server is told how many numbers a vector shall have. Some refuse to be told.
    names_dimension: AtomicBool,
}

/// How many numbers the vectors of well-known models have.
const DIMENSIONS: &[(&str, usize)] = &[
    ("text-embedding-3-small", 1536),
    ("text-embedding-3-large", 3072),
    ("text-embedding-ada-002", 1536),
    ("text-embedding-v3", 1024),
    ("text-embedding-v4", 1024),
    ("embedding-2", 1024),
    ("embedding-3", 2048),
    ("bge-m3", 1024),
    ("bge-large-zh-v1.5", 1024),
    ("bge-large-en-v1.5", 1024),
    ("bge-small-zh-v1.5", 512),
    ("qwen3-embedding-0.6b", 1024),
    ("qwen3-embedding-4b", 2560),
    ("qwen3-embedding-8b", 4096),
    ("multilingual-e5-small", 384),
    ("multilingual-e5-large", 1024),
    ("nomic-embed-text", 768),
    ("mxbai-embed-large", 1024),
    ("all-minilm", 384),
];

/// The dimension of a model, whoever serves it and however its name is dressed up.
fn known_dimension(model: &str) -> Option<usize> {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let name = name.split(':').next().unwrap_or(&name);
    DIMENSIONS.iter().find(|(known, _)| *known == name).map(|(_, dimension)| *dimension)
}

#[derive(Serialize)]
struct Asked<'a> {
    model: &'a str,
    input: &'a [String],
    encoding_format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl RemoteEmbedder {
    /// Speaks to a server. Where neither the caller nor the table knows the model's dimension, the server is asked once.
    pub async fn connect(client: Client, options: RemoteOptions) -> Result<Self, EmbedError> {
        let endpoint = Endpoint {
            client,
            url: below(&options.base_url, "embeddings"),
            key: options.key.clone(),
            timeout: options.timeout,
            limit: LARGEST_ANSWER,
        };
        let known = options.dimension.or_else(|| known_dimension(&options.model));
        let recipe = Recipe {
            model: options.model.clone(),
            revision: options.base_url.host_str().unwrap_or_default().to_owned(),
            query_prefix: options.query_prefix.clone(),
            document_prefix: options.document_prefix.clone(),
            pooling: Pooling::Remote,
            dimension: known.unwrap_or_default(),
        };
        let names_dimension = AtomicBool::new(options.dimension.is_some());
        let mut embedder = RemoteEmbedder { endpoint, options, recipe, names_dimension };
        if known.is_none() {
            let answer = embedder.ask(&["dimension".to_owned()]).await?;
            embedder.recipe.dimension = answer.first().map_or(0, Vec::len);
            if embedder.recipe.dimension == 0 {
                return Err(EmbedError::Unfit("an empty vector".into()));
            }
        }
        Ok(embedder)
    }

    /// One request. Learns from a refusal whether the dimension may be named.
    async fn ask(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let names = self.names_dimension.load(Ordering::Relaxed);
        let response = self.send(texts, names).await?;
        if names && response.status == 400 && Refusal::of(&response).is_of_dimension() {
            self.names_dimension.store(false, Ordering::Relaxed);
            return read(&self.send(texts, false).await?, texts.len());
        }
        read(&response, texts.len())
    }

    async fn send(&self, texts: &[String], names_dimension: bool) -> Result<Response, EmbedError> {
        let body = Asked {
            model: &self.options.model,
            input: texts,
            encoding_format: "float",
            dimensions: self.options.dimension.filter(|_| names_dimension),
        };
        self.endpoint.post(&body).await
    }

    /// Every vector has the dimension of the recipe and becomes of length 1.
    fn checked(&self, mut vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let dimension = self.recipe.dimension;
        for vector in &mut vectors {
            if vector.len() != dimension {
                let found = vector.len();
                return Err(EmbedError::Unfit(format!("{found} numbers where {dimension} are expected")));
            }
            if !normalise(vector) {
                return Err(EmbedError::Unfit("a vector without length".into()));
            }
        }
        Ok(vectors)
    }
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = match purpose {
            Purpose::Query => &self.recipe.query_prefix,
            Purpose::Document => &self.recipe.document_prefix,
        };
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.options.batch.max(1)) {
            // No server takes an empty text.
            let blank = |text: &String| {
                if text.trim().is_empty() { " .".to_owned() } else { format!("{prefix}{text}") }
            };
            let prepared: Vec<String> = batch.iter().map(blank).collect();
            vectors.extend(self.checked(self.ask(&prepared).await?)?);
        }
        Ok(vectors)
    }
}

/// The vectors of an answer, in the order of the texts.
fn read(response: &Response, count: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
    let answer: Answer = serde_json::from_slice(accepted(response)?)
        .map_err(|_| EmbedError::Unfit("not the JSON of an embedding".into()))?;
    if answer.data.len() != count {
        return Err(EmbedError::Unfit(format!("{} vectors for {count} texts", answer.data.len())));
    }
    let mut placed: Vec<Option<Vec<f32>>> = vec![None; count];
    for (place, entry) in answer.data.into_iter().enumerate() {
        let slot = placed.get_mut(entry.index.unwrap_or(place));
        slot.ok_or_else(|| EmbedError::Unfit("a vector of no text".into()))?.replace(entry.embedding);
    }
    placed
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| EmbedError::Unfit("a text without a vector".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_known_under_any_roof() {
        for name in ["BAAI/bge-m3", "bge-m3", "Pro/BAAI/bge-m3", "bge-m3:latest"] {
            assert_eq!(known_dimension(name), Some(1024), "{name}");
        }
        assert_eq!(known_dimension("my-own"), None);
    }
}
