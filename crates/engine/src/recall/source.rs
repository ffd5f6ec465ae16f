use async_trait::async_trait;
use jiff::Timestamp;
use memoir_index::Filter;
use memoir_model::{BlockKind, Result, SessionId, Space};

use super::context::ContextRequest;
use super::excerpt::Sought;
use super::explain::ExplainedLine;
use super::pack::{Piece, Unit};
use super::render::Tongue;
use super::stages::Stages;
use crate::engine::Engine;
use crate::layers::Past;

/// For whom and for what a context is made, in one of its spaces.
pub(crate) struct Scene<'a> {
    pub(crate) space: &'a Space,
    /// Whether it is the one that the context is about.
    pub(crate) is_primary: bool,
    pub(crate) request: &'a ContextRequest,
    /// What is asked: the message, or the task when nothing was said yet.
    pub(crate) message: &'a str,
    /// Its words, for which long turns are shown in parts.
    pub(crate) sought: &'a Sought,
    pub(crate) now: Timestamp,
    pub(crate) tongue: Tongue,
    /// The session that goes on.
    pub(crate) session: Option<&'a SessionId>,
    /// What the summaries have to say.
    pub(crate) past: &'a Past,
    /// Which messages may be seen.
    pub(crate) filter: &'a Filter,
    /// How many tokens it may take at most.
    pub(crate) budget: usize,
}

/// What a source has to offer; each made when there is room for it.
pub(crate) enum Offered<'a> {
    /// Turns that were found, the best first.
    Ranked(Box<dyn Iterator<Item = Unit> + Send + 'a>),
    /// Turns of which the last ones count, the last first.
    Last(Box<dyn Iterator<Item = Piece> + Send + 'a>),
}

/// What came of asking a source.
pub(crate) struct Offer<'a> {
    pub(crate) offered: Offered<'a>,
    /// Whether it looked and found nothing that deserves its tokens.
    pub(crate) nothing_relevant: Option<bool>,
    pub(crate) explained: Vec<ExplainedLine>,
    /// What could not be used, in words for the caller.
    pub(crate) notes: Vec<&'static str>,
}

impl<'a> Offer<'a> {
    /// Turns that were found, the best first.
    pub(crate) fn ranked(units: impl Iterator<Item = Unit> + Send + 'a) -> Self {
        Self::of(Offered::Ranked(Box::new(units)))
    }

    /// Turns of which the last ones count, the last first.
    pub(crate) fn last(turns: impl Iterator<Item = Piece> + Send + 'a) -> Self {
        Self::of(Offered::Last(Box::new(turns)))
    }

    /// Nothing.
    pub(crate) fn nothing() -> Self {
        Self::ranked(std::iter::empty())
    }

    fn of(offered: Offered<'a>) -> Self {
        Offer { offered, nothing_relevant: None, explained: Vec::new(), notes: Vec::new() }
    }
}

/// Where the lines of a block come from. A capability that has something to say in a context is one more of these.
#[async_trait]
pub(crate) trait Source: Send + Sync {
    /// The block its lines stand in.
    fn kind(&self) -> BlockKind;

    /// The share of what is left of the budget that it may take.
    fn share(&self) -> f32;

    /// What it has for a message.
    async fn offer<'s>(
        &self,
        engine: &Engine,
        scene: &'s Scene<'_>,
        stages: &mut Stages,
    ) -> Result<Offer<'s>>;
}
