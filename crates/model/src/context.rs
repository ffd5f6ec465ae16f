use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{GeneratedId, SpaceId};

/// What is handed to the model for one reply. The part that changes least comes first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// By which feedback refers to it.
    pub id: GeneratedId,
    /// The parts, in the order in which they are rendered.
    pub blocks: Vec<Block>,
    /// Nothing that was found deserves its tokens.
    pub nothing_relevant: bool,
}

/// What the lines of a block are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    /// How to use the rest.
    Instruction,
    /// The standing view.
    Profile,
    /// Durable statements.
    Memories,
    /// Days, weeks, months, sessions.
    Summaries,
    /// Verbatim talk from before.
    Messages,
    /// The end of the talk that is going on.
    Window,
}

/// One part of a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What its lines are.
    pub kind: BlockKind,
    /// Whose they are.
    pub space: SpaceId,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line of a context, with where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The words.
    pub text: String,
    /// The ids of what it was taken from.
    pub sources: Vec<String>,
    /// When that was said or learned.
    pub at: Option<Timestamp>,
    /// How well it fits.
    pub score: f64,
}
