use memoir_engine::{
    ExplainedLine, Occasion, QueryRank, Recall, RecallHit, RecallMode, RecallRequest, SignalShare, Stages,
    Unavailable,
};
use memoir_model::{Author, Error, Result, SpaceId};
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::MessageView;
use super::turn::{Turn, TurnShape, words};
use crate::params::moment;

/// How many messages a recall gives when nobody says.
const USUAL: usize = 10;

/// What to look for in a space.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecallBody {
    /// Whose memory: `user:alice`, `group:eng`, `agent:coach`.
    space: String,
    /// What was said or asked; at most 64 KiB. `query` is another name for it.
    #[serde(alias = "query")]
    message: String,
    /// The last turns before it, oldest first; at most 64.
    #[serde(default)]
    #[schemars(with = "Vec<TurnShape>")]
    turns: Vec<Turn>,
    /// Who says it; then "my" and "我的" mean theirs.
    speaker: Option<String>,
    /// When it is said, RFC 3339, so that "yesterday" is known; now when absent.
    now: Option<String>,
    /// Only what was said before this moment; RFC 3339.
    as_of: Option<String>,
    /// Only what had reached the server before this moment; RFC 3339.
    known_at: Option<String>,
    /// `full`, by everything that is known, or `keyword`, by the words alone; `recall.mode` when absent.
    mode: Option<Mode>,
    /// Whether a model may be asked for further ways of asking, if one is configured.
    #[serde(default)]
    model: bool,
    /// Whether to say why each message is there.
    #[serde(default)]
    explain: bool,
    /// How many at most; 1 to 200, usually 10.
    limit: Option<usize>,
}

impl RecallBody {
    /// Where to look, and for what.
    pub(crate) fn into_request(self) -> Result<(SpaceId, RecallRequest)> {
        if self.message.trim().is_empty() {
            return Err(Error::invalid("message", "must not be empty"));
        }
        let request = RecallRequest {
            message: self.message,
            turns: words(self.turns)?,
            speaker: speaker(self.speaker)?,
            now: instant("now", self.now.as_deref())?,
            as_of: instant("as_of", self.as_of.as_deref())?,
            known_at: instant("known_at", self.known_at.as_deref())?,
            mode: self.mode.map(RecallMode::from),
            ask_model: self.model,
            explain: self.explain,
            limit: self.limit.unwrap_or(USUAL),
        };
        Ok((self.space.parse()?, request))
    }
}

/// Who speaks.
pub(super) fn speaker(name: Option<String>) -> Result<Option<Author>> {
    name.map(|name| Author::new(name).map_err(|e| e.at("speaker"))).transpose()
}

/// A moment that may be left out.
pub(super) fn instant(field: &str, text: Option<&str>) -> Result<Option<jiff::Timestamp>> {
    text.map(|text| moment(field, text)).transpose()
}

/// How to rank.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Mode {
    /// By everything that is known.
    Full,
    /// By the words alone.
    Keyword,
}

impl From<Mode> for RecallMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Full => RecallMode::Full,
            Mode::Keyword => RecallMode::Keyword,
        }
    }
}

/// What a recall found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RecallView {
    /// The messages, the best first.
    items: Vec<RecalledView>,
    /// None of them is likely to matter.
    nothing_relevant: bool,
    /// The occasion by which it was ranked: `people`, `companion`, `review`, `work` or `notes`; null when the space is empty
    /// or ranked by words alone.
    occasion: Option<&'static str>,
    /// Why meaning was not compared: `no_embedder`, `no_vectors`, `other_model`, `embedder_failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<&'static str>,
    /// The space is so large that only its newest messages were looked at (`index.max_rows`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    /// How long each stage took, in milliseconds.
    timings_ms: Timings,
    /// Why each message is there, in the order of the items; only when that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Vec<ExplanationView>>,
}

impl RecallView {
    /// The reply; `explain` says whether an explanation was asked for.
    pub(crate) fn new(recall: Recall, explain: bool) -> Self {
        RecallView {
            items: recall.hits.into_iter().map(RecalledView::from).collect(),
            nothing_relevant: recall.nothing_relevant,
            occasion: recall.occasion.map(Occasion::name),
            unavailable: recall.unavailable.map(Unavailable::as_str),
            partial: recall.partial,
            timings_ms: Timings::of(&recall.stages),
            explanation: explain.then(|| ExplanationView::all(recall.explained)),
        }
    }
}

/// A message that may matter.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RecalledView {
    /// The message.
    message: MessageView,
    /// How well it fits; comparable within one recall only.
    score: f32,
    /// How likely it is to matter; 0 to 1, comparable across recalls. Where words alone were ranked, the share of the best.
    confidence: f32,
}

impl From<RecallHit> for RecalledView {
    fn from(hit: RecallHit) -> Self {
        RecalledView {
            score: hit.score,
            confidence: hit.confidence,
            message: Arc::unwrap_or_clone(hit.message).into(),
        }
    }
}

/// Why a message is where it is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExplanationView {
    /// The space it is from.
    space: String,
    /// The id of the message.
    message: String,
    /// What all signals together say.
    score: f32,
    /// How likely it is to matter; 0 to 1.
    confidence: f32,
    /// The reason in words.
    reason: String,
    /// Where it stands for each way of asking.
    ranks: Vec<RankView>,
    /// What counts, the heaviest first.
    signals: Vec<SignalView>,
}

impl ExplanationView {
    pub(super) fn all(lines: Vec<ExplainedLine>) -> Vec<Self> {
        let view = |line: ExplainedLine| ExplanationView {
            space: line.space.to_string(),
            message: line.id.to_string(),
            score: line.score,
            confidence: line.confidence,
            reason: line.reason,
            ranks: line.ranks.into_iter().map(RankView::from).collect(),
            signals: line.signals.into_iter().map(SignalView::from).collect(),
        };
        lines.into_iter().map(view).collect()
    }
}

/// Where a message stands for one way of asking.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RankView {
    /// Which: `message`, `talk`, `question`, `key_phrases`, `named`, `timeless`, `asked`.
    query: &'static str,
    /// Its words.
    text: String,
    /// Its rank by words, from 1; null when it is not among the first.
    by_words: Option<u16>,
    /// Its rank by meaning, from 1; null when it is not among the first or meaning was not compared.
    by_meaning: Option<u16>,
}

impl From<QueryRank> for RankView {
    fn from(rank: QueryRank) -> Self {
        let QueryRank { query, text, by_words, by_meaning } = rank;
        RankView { query, text, by_words, by_meaning }
    }
}

/// What one signal contributes: its value times its weight.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SignalView {
    /// Its name in the ranking table.
    name: &'static str,
    /// Its value.
    value: f32,
    /// What it weighs.
    weight: f32,
    /// What it means.
    words: &'static str,
}

impl From<SignalShare> for SignalView {
    fn from(share: SignalShare) -> Self {
        let SignalShare { name, value, weight, words } = share;
        SignalView { name, value, weight, words }
    }
}

/// How long each stage took, in milliseconds, in their order.
#[derive(Debug, JsonSchema)]
#[schemars(inline, transparent)]
pub(crate) struct Timings(#[schemars(with = "BTreeMap<String, f64>")] Vec<(&'static str, f64)>);

impl Timings {
    pub(super) fn of(stages: &Stages) -> Self {
        let rounded = |milliseconds: f64| (milliseconds * 1e3).round() / 1e3;
        Timings(
            stages
                .spent()
                .iter()
                .map(|(stage, spent)| (*stage, rounded(spent.as_secs_f64() * 1e3)))
                .collect(),
        )
    }
}

impl Serialize for Timings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (stage, milliseconds) in &self.0 {
            map.serialize_entry(stage, milliseconds)?;
        }
        map.end()
    }
}
