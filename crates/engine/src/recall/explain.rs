use memoir_model::{MessageId, SpaceId};

use super::queries::Wanted;
use super::ranking::Table;
use super::search::{Ranked, RecallHit};
use super::signals::Signal;

/// How many signals make the reason.
const REASONS: usize = 3;

/// Why a line is where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedLine {
    /// The space it is from.
    pub space: SpaceId,
    /// The message.
    pub id: MessageId,
    /// What all signals together say; comparable within one recall.
    pub score: f32,
    /// How likely it is to matter; 0 to 1.
    pub confidence: f32,
    /// Its rank in each query, by words and by meaning.
    pub ranks: Vec<QueryRank>,
    /// Every signal that counts, the heaviest first.
    pub signals: Vec<SignalShare>,
    /// The reason in words.
    pub reason: String,
}

/// Where a line stands in the list of one query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRank {
    /// Which way of asking.
    pub query: &'static str,
    /// Its words.
    pub text: String,
    /// From 1; none if it is not among the first.
    pub by_words: Option<u16>,
    /// From 1; none if it is not among the first, or meaning was not compared.
    pub by_meaning: Option<u16>,
}

/// What one signal contributes.
#[derive(Debug, Clone, PartialEq)]
pub struct SignalShare {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f32,
    /// What it weighs.
    pub weight: f32,
    /// What it means.
    pub words: &'static str,
}

/// Explains a message that was found.
pub(crate) fn explain(space: &SpaceId, ranked: &Ranked, queries: &[Wanted], table: &Table) -> ExplainedLine {
    let (RecallHit { message, score, confidence, signals }, ranks) = ranked;
    let mut shares: Vec<SignalShare> = Signal::ALL
        .iter()
        .map(|&signal| SignalShare {
            name: signal.name(),
            value: signals.get(signal),
            weight: table.weight(signal),
            words: signal.words(),
        })
        .filter(|share| share.value != 0.0 && share.weight != 0.0)
        // It is half when nobody is asked about, and then it tells nobody from another.
        .filter(|share| share.name != Signal::Speaker.name() || share.value != 0.5)
        .collect();
    shares.sort_by(|a, b| (b.value * b.weight).abs().total_cmp(&(a.value * a.weight).abs()));
    let reasons = shares.iter().filter(|share| share.value * share.weight > 0.0).take(REASONS);
    let reason = reasons.map(|share| share.words).collect::<Vec<_>>().join("; ");
    let ranks = queries.iter().zip(ranks).map(|(query, (by_words, by_meaning))| QueryRank {
        query: query.purpose.as_str(),
        text: query.text.clone(),
        by_words: *by_words,
        by_meaning: *by_meaning,
    });
    ExplainedLine {
        space: space.clone(),
        id: message.id.clone(),
        score: *score,
        confidence: *confidence,
        ranks: ranks.collect(),
        signals: shares,
        reason,
    }
}
