use async_trait::async_trait;
use memoir_embed::{EmbedError, Embedder, Pooling, Purpose, Recipe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// An embedder that needs no model: texts that share words lie near to each other, and the words of the first line count
/// twice as much as those of the others. It does what a test tells it to.
pub struct WordEmbedder {
    recipe: Recipe,
    mood: Mutex<Mood>,
    asked: AtomicUsize,
    documents: Mutex<Vec<String>>,
}

/// What a [`WordEmbedder`] does when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Answers.
    Willing,
    /// Is away.
    Away,
    /// Refuses texts with this word.
    Dainty(&'static str),
    /// Answers with vectors that are one number too long.
    Clumsy,
    /// Stumbles over texts with this word.
    Stumbling(&'static str),
    /// Never answers.
    Silent,
}

impl WordEmbedder {
    /// An embedder; its name and dimension make its generation.
    pub fn new(name: &str, dimension: usize) -> Arc<Self> {
        let recipe = Recipe {
            model: name.to_owned(),
            revision: "1".to_owned(),
            query_prefix: String::new(),
            document_prefix: String::new(),
            pooling: Pooling::Mean,
            dimension,
        };
        Arc::new(WordEmbedder {
            recipe,
            mood: Mutex::new(Mood::Willing),
            asked: AtomicUsize::new(0),
            documents: Mutex::default(),
        })
    }

    /// From now on it behaves like this.
    pub fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// How many texts it was given so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// The documents that it made vectors of since this was last called, in the order they came.
    pub fn take_documents(&self) -> Vec<String> {
        std::mem::take(&mut *self.documents.lock().unwrap())
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![1e-3; self.recipe.dimension];
        for (line, weight) in text.lines().zip(std::iter::once(1.0).chain(std::iter::repeat(0.5))) {
            let line = line.to_lowercase();
            for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                let hash = word.bytes().fold(self.recipe.model.len(), |hash, byte| {
                    hash.wrapping_mul(0x0100_0193).wrapping_add(usize::from(byte))
                });
                vector[hash % self.recipe.dimension] += weight;
            }
        }
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        vector.into_iter().map(|number| number / length).collect()
    }
}

#[async_trait]
impl Embedder for WordEmbedder {
    fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.asked.fetch_add(texts.len(), Ordering::Relaxed);
        let mood = *self.mood.lock().unwrap();
        match mood {
            Mood::Away => Err(EmbedError::Unreachable("it is away".into())),
            Mood::Silent => std::future::pending().await,
            Mood::Dainty(word) if texts.iter().any(|text| text.contains(word)) => {
                Err(EmbedError::Refused { status: 400, reason: "dainty".into() })
            }
            Mood::Stumbling(word) if texts.iter().any(|text| text.contains(word)) => {
                Err(EmbedError::Unfit("it stumbled".into()))
            }
            Mood::Clumsy => Ok(texts.iter().map(|text| [self.vector(text), vec![0.0]].concat()).collect()),
            Mood::Willing | Mood::Dainty(_) | Mood::Stumbling(_) => {
                if purpose == Purpose::Document {
                    self.documents.lock().unwrap().extend_from_slice(texts);
                }
                Ok(texts.iter().map(|text| self.vector(text)).collect())
            }
        }
    }
}
