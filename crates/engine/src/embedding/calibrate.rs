use memoir_embed::{Purpose, Thresholds};
use memoir_model::{Error, MessageState, Result};
use memoir_store::{MessageQuery, Order, SpaceRange};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::HashSet;

use super::embedders::fit;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// How many spaces are looked at, how many of the newest messages of each, and how many texts in all.
const SPACES: usize = 100;
const MESSAGES: usize = 200;
const TEXTS: usize = 1_200;
/// The shortest text that says something.
const SHORTEST: usize = 8;
/// How many pairs of unrelated texts are compared.
const PAIRS: usize = 20_000;
/// From here on two texts say the same, by their words alone (B4).
const SAME_WORDS: f32 = 0.75;

/// What was measured of an embedder.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// How many texts were looked at.
    pub texts: usize,
    /// How many pairs say the same by their words.
    pub same_pairs: usize,
    /// What follows; `None` when there is too little to tell.
    pub thresholds: Option<Thresholds>,
}

/// A text and where it was said.
struct Sample {
    text: String,
    session: (usize, String),
}

impl Engine {
    /// Measures the scale of the current embedder on the tenant's own messages: how near unrelated texts lie, and how near
    /// those that say the same.
    pub async fn calibrate(&self, caller: &Caller) -> Result<Calibration> {
        caller.check(Access::Administer)?;
        let Some((_, embedder)) = self.inner.embedders.current() else {
            return Err(Error::invalid("embedder", "none is configured here; set embedder.kind"));
        };
        let samples = self.samples(caller).await?;
        let texts: Vec<String> = samples.iter().map(|sample| sample.text.clone()).collect();
        let vectors = embedder
            .embed(&texts, Purpose::Document)
            .await
            .and_then(|vectors| fit(embedder.as_ref(), vectors, texts.len()))
            .map_err(|error| Error::internal(error.to_string()))?;
        tokio::task::spawn_blocking(move || measure(&samples, &vectors))
            .await
            .map_err(|_| Error::internal("the measurement was cut short"))
    }

    /// Different texts of many spaces, the newest first.
    async fn samples(&self, caller: &Caller) -> Result<Vec<Sample>> {
        let (mut samples, mut known) = (Vec::new(), HashSet::new());
        let spaces = SpaceRange { after: None, limit: SPACES };
        for (place, space) in self.inner.store.spaces(&caller.tenant, spaces).await?.iter().enumerate() {
            let newest =
                MessageQuery { order: Order::Newest, active_only: true, ..MessageQuery::all(MESSAGES) };
            for message in self.inner.store.messages(&space.key(), &newest).await? {
                let long =
                    message.content.chars().count() >= SHORTEST && message.state == MessageState::Active;
                if long && samples.len() < TEXTS && known.insert(message.content.clone()) {
                    let session = (place, message.session.to_string());
                    samples.push(Sample { text: message.content, session });
                }
            }
        }
        Ok(samples)
    }
}

fn measure(samples: &[Sample], vectors: &[Vec<f32>]) -> Calibration {
    let cosine = |a: usize, b: usize| memoir_index::cosine(&vectors[a], &vectors[b]);
    let mut same = Vec::new();
    for a in 0..samples.len() {
        for b in a + 1..samples.len() {
            if memoir_text::similarity(&samples[a].text, &samples[b].text) >= SAME_WORDS {
                same.push(cosine(a, b));
            }
        }
    }
    let mut unrelated = Vec::new();
    if samples.len() > 1 {
        // The same messages give the same figures.
        let mut random = StdRng::seed_from_u64(samples.len() as u64);
        for _ in 0..PAIRS {
            let (a, b) = (random.random_range(0..samples.len()), random.random_range(0..samples.len()));
            if samples[a].session != samples[b].session {
                unrelated.push(cosine(a, b));
            }
        }
    }
    let same_pairs = same.len();
    Calibration {
        texts: samples.len(),
        same_pairs,
        thresholds: Thresholds::measured(&mut unrelated, &mut same),
    }
}
