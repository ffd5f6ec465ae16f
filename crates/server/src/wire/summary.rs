use memoir_engine::Made;
use memoir_model::{MessageId, Summary, SummaryLine};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// The ids of messages by their numbers.
pub(crate) type MessageIds = HashMap<u64, MessageId>;

/// What a session, a day, a week or a month came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SummaryView {
    /// `session`, `day`, `week` or `month`.
    level: &'static str,
    /// The id of the session, or the first day.
    period: String,
    /// The first day, of what is made of whole days.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// The last day, of what is made of whole days.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// The text.
    text: String,
    /// What it was about, in one line.
    headline: String,
    /// Key topics.
    topics: Vec<String>,
    /// How many sessions went into it.
    sessions: u32,
    /// How many messages went into it.
    messages: u32,
    /// The range of messages that it was made from; absent when there is none left.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<SourceRange>,
    /// What made it: the name of a model, or `rules`.
    made_by: String,
    /// When it was made; RFC 3339.
    made_at: String,
    /// On whose clock its days were counted.
    zone: String,
    /// Something that it tells of has changed since; it will be made again.
    stale: bool,
    /// The text sentence by sentence, each with what it rests on; only where one day is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<SummaryLineView>>,
}

/// From which message to which something reaches.
#[derive(Debug, Serialize, JsonSchema)]
struct SourceRange {
    /// The number of the first message.
    first_seq: u64,
    /// The number of the last message.
    last_seq: u64,
}

impl From<Summary> for SummaryView {
    fn from(summary: Summary) -> Self {
        let days = summary.period.days();
        SummaryView {
            level: summary.period.level().as_str(),
            period: summary.period.key(),
            from: days.map(|(first, _)| first.to_string()),
            to: days.map(|(_, last)| last.to_string()),
            text: summary.text,
            headline: summary.headline,
            topics: summary.topics,
            sessions: summary.sessions,
            messages: summary.messages,
            sources: summary.sources.map(|(first_seq, last_seq)| SourceRange { first_seq, last_seq }),
            made_by: summary.made_by,
            made_at: summary.made_at.to_string(),
            zone: summary.zone.to_string(),
            stale: summary.stale,
            lines: None,
        }
    }
}

impl SummaryView {
    /// The summary with its lines.
    pub(crate) fn with_lines(mut summary: Summary, ids: &MessageIds) -> Self {
        let lines = std::mem::take(&mut summary.lines);
        SummaryView { lines: Some(SummaryLineView::all(lines, ids)), ..summary.into() }
    }
}

/// A sentence with what it rests on.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SummaryLineView {
    /// The day it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// The sentence.
    text: String,
    /// The ids of the messages it rests on.
    sources: Vec<String>,
}

impl SummaryLineView {
    pub(crate) fn all(lines: Vec<SummaryLine>, ids: &MessageIds) -> Vec<Self> {
        let view = |line: SummaryLine| SummaryLineView {
            date: line.date.map(|date| date.to_string()),
            sources: line.sources.iter().filter_map(|seq| ids.get(seq)).map(MessageId::to_string).collect(),
            text: line.text,
        };
        lines.into_iter().map(view).collect()
    }
}

/// The numbers of the messages that lines rest on.
pub(crate) fn sources<'a>(lines: impl IntoIterator<Item = &'a SummaryLine>) -> BTreeSet<u64> {
    lines.into_iter().flat_map(|line| line.sources.iter().copied()).collect()
}

/// What came of summing a session up.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SummarizeReply {
    /// The summary; null when there is none.
    summary: Option<SummaryView>,
    /// Why there is none: `too_little_talk`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// Whether it was made now; `false` for the one that was there and still fits.
    made: bool,
}

impl From<Made> for SummarizeReply {
    fn from(made: Made) -> Self {
        SummarizeReply {
            reason: matches!(made, Made::TooLittle).then_some("too_little_talk"),
            made: matches!(made, Made::New(_)),
            summary: made.into_summary().map(SummaryView::from),
        }
    }
}
