//! What gives a question about past talk away.

use super::Reason;

/// Words that say something when all of them are there.
pub(super) struct Cue {
    /// One of each list must occur.
    pub(super) all: &'static [&'static [&'static str]],
    /// None of any may.
    pub(super) none: &'static [&'static [&'static str]],
    /// How much it says, for or against.
    pub(super) weight: f32,
    /// Whether it says so only in a question.
    pub(super) question: bool,
    pub(super) reason: Reason,
}

pub(super) const fn cue(
    all: &'static [&'static [&'static str]],
    none: &'static [&'static [&'static str]],
    weight: f32,
    question: bool,
    reason: Reason,
) -> Cue {
    Cue { all, none, weight, question, reason }
}
