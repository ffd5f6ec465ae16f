use jiff::Timestamp;
use memoir_model::{Message, Space, Summary};

use super::clock;

/// What somebody may see of the past: everything, or what had been said or had reached us by a moment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct View {
    pub(crate) as_of: Option<Timestamp>,
    pub(crate) known_at: Option<Timestamp>,
}

impl View {
    pub(crate) fn sees(&self, message: &Message) -> bool {
        self.as_of.is_none_or(|as_of| message.said_at < as_of)
            && self.known_at.is_none_or(|known_at| message.recorded_at <= known_at)
    }

    /// Whether a summary tells of nothing that is not to be seen.
    pub(crate) fn sees_summary(&self, space: &Space, summary: &Summary) -> bool {
        let last = summary.period.days().map(|(_, last)| last).or(summary.through);
        self.known_at.is_none_or(|known_at| summary.made_at <= known_at)
            && self.as_of.is_none_or(|as_of| last.is_some_and(|last| clock::is_over(space, last, as_of)))
    }
}
