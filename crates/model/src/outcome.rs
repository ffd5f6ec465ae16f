use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How somebody felt when a task was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mood {
    /// Proud of it.
    Proud,
    /// Glad that it is over.
    Relieved,
    /// Content.
    Satisfied,
    /// Neither way.
    Neutral,
}

/// How hard a task felt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// Easier than it usually is.
    EasierThanUsual,
    /// As always.
    Normal,
    /// Harder than it usually is.
    HarderThanUsual,
}

/// A finished task (B13).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What was done.
    pub task: String,
    /// How it felt at the end.
    pub completion_mood: Option<Mood>,
    /// How hard it felt.
    pub difficulty_perception: Option<Difficulty>,
    /// Whether there was a reluctance to overcome.
    pub overcame_resistance: bool,
    /// How long it took.
    pub actual_duration_minutes: Option<u32>,
    /// Whether it was a personal best when it was done.
    pub personal_best: bool,
    /// When it was done.
    pub completed_at: Timestamp,
}
