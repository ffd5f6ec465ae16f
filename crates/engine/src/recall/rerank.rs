use std::time::Duration;

use super::search::{Ranked, sort};
use crate::engine::Engine;

/// How many of the best are looked at again.
const LOOKED_AT: usize = 32;
/// How long that may take before it goes without.
const PATIENCE: Duration = Duration::from_secs(3);
/// How much of a message is looked at.
const LONGEST_TEXT: usize = 4 * 1024;

impl Engine {
    /// Has the best looked at again by the reranker, if one is configured, and put in its order. Without an answer they
    /// stay as they are.
    pub(super) async fn rerank(&self, message: &str, hits: &mut [Ranked]) {
        let Some(reranker) = &self.inner.reranker else { return };
        let most = hits.len().min(LOOKED_AT);
        let first = &mut hits[..most];
        if first.len() < 2 {
            return;
        }
        let texts: Vec<String> = first
            .iter()
            .map(|(hit, _)| {
                let mut text = hit.message.searchable().join(
                    "
",
                );
                text.truncate(text.floor_char_boundary(LONGEST_TEXT));
                text
            })
            .collect();
        let scores = match tokio::time::timeout(PATIENCE, reranker.rank(message, &texts)).await {
            Ok(Ok(scores)) if scores.len() == first.len() => scores,
            Ok(Ok(_)) => {
                return tracing::warn!("a reranker gave another number of scores than it was asked for");
            }
            Ok(Err(error)) => return tracing::warn!("a recall goes without its reranker: {error}"),
            Err(_) => {
                return tracing::warn!(
                    "a recall goes without its reranker: it took longer than {PATIENCE:?}"
                );
            }
        };
        // Above everything that was not looked at.
        let best = first.iter().map(|(hit, _)| hit.score).fold(f32::MIN, f32::max);
        for ((hit, _), score) in first.iter_mut().zip(&scores) {
            hit.score = best + score;
            hit.confidence = *score;
        }
        sort(first);
        metrics::counter!("memoir_reranked_total").increment(most as u64);
    }
}
