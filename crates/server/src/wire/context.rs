use memoir_engine::{ContextReply, ContextRequest, RecallMode, Tongue};
use memoir_model::{Block, BlockKind, Error, Line, Result, SessionId, SpaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::HistoryView;
use super::recall::{ExplanationView, Mode, Timings, instant, speaker};
use super::turn::{Turn, TurnShape, words};

/// What a product asks before it replies.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextBody {
    /// Whose memory: `user:alice`, `group:eng`, `agent:coach`.
    space: String,
    /// Other spaces that may be drawn from, each with its share of the budget; at most 7.
    #[serde(default)]
    further: Vec<String>,
    /// What was said just now; at most 64 KiB.
    #[serde(default)]
    message: String,
    /// The last turns before it, oldest first; at most 64.
    #[serde(default)]
    #[schemars(with = "Vec<TurnShape>")]
    turns: Vec<Turn>,
    /// What the session is about: what is looked for as long as nothing was said.
    task: Option<String>,
    /// Who says it; then "my" and "我的" mean theirs.
    speaker: Option<String>,
    /// The session that goes on; the one that messages without a session go to when absent.
    session: Option<String>,
    /// When it is said, RFC 3339, so that "yesterday" is known; now when absent.
    now: Option<String>,
    /// How many tokens the text may have; 64 to 200000, `recall.budget` when absent.
    budget: Option<usize>,
    /// Which blocks; all when none is named.
    #[serde(default)]
    include: Vec<Part>,
    /// Only what was said before this moment; RFC 3339.
    as_of: Option<String>,
    /// Only what had reached the server before this moment; RFC 3339.
    known_at: Option<String>,
    /// `full`, by everything that is known, or `keyword`, by the words alone; `recall.mode` when absent.
    mode: Option<Mode>,
    /// Whether a model may be asked for further ways of asking, if one is configured.
    #[serde(default)]
    model: bool,
    /// Whether to say why each line is there.
    #[serde(default)]
    explain: bool,
    /// In which language to put it, `zh` or `en`; that of the message when absent.
    language: Option<PutIn>,
}

/// A block of a context.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Part {
    /// The end of the talk that is going on.
    Window,
    /// Durable statements.
    Memories,
    /// Verbatim talk from before.
    Messages,
    /// Days, weeks, months, sessions.
    Summaries,
    /// The standing view.
    Profile,
    /// How to use the rest.
    Instruction,
}

impl From<Part> for BlockKind {
    fn from(part: Part) -> Self {
        match part {
            Part::Window => BlockKind::Window,
            Part::Memories => BlockKind::Memories,
            Part::Messages => BlockKind::Messages,
            Part::Summaries => BlockKind::Summaries,
            Part::Profile => BlockKind::Profile,
            Part::Instruction => BlockKind::Instruction,
        }
    }
}

/// The language that a context is put in.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum PutIn {
    /// 中文
    Zh,
    /// English
    En,
}

impl From<PutIn> for Tongue {
    fn from(language: PutIn) -> Self {
        match language {
            PutIn::Zh => Tongue::Zh,
            PutIn::En => Tongue::En,
        }
    }
}

impl TryFrom<ContextBody> for ContextRequest {
    type Error = Error;

    fn try_from(wire: ContextBody) -> Result<Self> {
        let further = wire
            .further
            .iter()
            .enumerate()
            .map(|(nth, space)| space.parse::<SpaceId>().map_err(|e| e.at(format!("further[{nth}]"))));
        Ok(ContextRequest {
            space: Some(wire.space.parse()?),
            further: further.collect::<Result<_>>()?,
            message: wire.message,
            turns: words(wire.turns)?,
            task: wire.task,
            speaker: speaker(wire.speaker)?,
            session: wire.session.map(|id| SessionId::new(id).map_err(|e| e.at("session"))).transpose()?,
            now: instant("now", wire.now.as_deref())?,
            budget: wire.budget,
            include: wire.include.into_iter().map(BlockKind::from).collect(),
            as_of: instant("as_of", wire.as_of.as_deref())?,
            known_at: instant("known_at", wire.known_at.as_deref())?,
            mode: wire.mode.map(RecallMode::from),
            ask_model: wire.model,
            explain: wire.explain,
            tongue: wire.language.map(Tongue::from),
        })
    }
}

/// What the model should know for one reply.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ContextView {
    /// Its id.
    id: String,
    /// The parts, what changes least first, so that prompt caches hit.
    blocks: Vec<BlockView>,
    /// All of it, fenced as data, ready for a system prompt; empty when there is nothing to say.
    text: String,
    /// About how many tokens the text has.
    tokens: usize,
    /// Nothing that was found is likely to matter.
    nothing_relevant: bool,
    /// It was made before and is still true.
    cached: bool,
    /// What could not be used: `no_embedder`, `no_vectors`, `other_model`, `embedder_failed`, `partial`.
    notes: Vec<&'static str>,
    /// What came of a question about past talk; absent when the message is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<HistoryView>,
    /// How long each stage took, in milliseconds.
    timings_ms: Timings,
    /// Why each message that was found is there, those that did not fit included; only when that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Vec<ExplanationView>>,
}

impl ContextView {
    /// The reply; `explain` says whether an explanation was asked for.
    pub(crate) fn new(reply: ContextReply, explain: bool) -> Self {
        ContextView {
            id: reply.context.id.to_string(),
            blocks: reply.context.blocks.into_iter().map(BlockView::from).collect(),
            text: reply.text,
            tokens: reply.tokens,
            nothing_relevant: reply.context.nothing_relevant,
            cached: reply.cached,
            notes: reply.notes,
            history: reply.history.map(HistoryView::from),
            timings_ms: Timings::of(&reply.stages),
            explanation: explain.then(|| ExplanationView::all(reply.explained)),
        }
    }
}

/// One part of a context.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BlockView {
    /// `instruction`, `profile`, `memories`, `summaries`, `messages` or `window`.
    kind: &'static str,
    /// Whose it is.
    space: String,
    /// The lines, in the order of time.
    lines: Vec<LineView>,
}

impl From<Block> for BlockView {
    fn from(block: Block) -> Self {
        BlockView {
            kind: match block.kind {
                BlockKind::Instruction => "instruction",
                BlockKind::Profile => "profile",
                BlockKind::Memories => "memories",
                BlockKind::Summaries => "summaries",
                BlockKind::Messages => "messages",
                BlockKind::Window => "window",
            },
            space: block.space.to_string(),
            lines: block.lines.into_iter().map(LineView::from).collect(),
        }
    }
}

/// One line of a context.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LineView {
    /// The words as they stand in the text, with the day and the time on the space's own clock.
    text: String,
    /// The ids of what it was taken from.
    sources: Vec<String>,
    /// When that was said; RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// How likely it is to matter; 0 to 1.
    score: f64,
}

impl From<Line> for LineView {
    fn from(line: Line) -> Self {
        LineView {
            text: line.text,
            sources: line.sources,
            at: line.at.map(|at| at.to_string()),
            score: line.score,
        }
    }
}
