use memoir_model::Portrait;
use schemars::JsonSchema;
use serde::Serialize;

use super::summary::{MessageIds, SummaryLineView};

/// What is known of somebody, each line with what it rests on.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PortraitView {
    /// What went on, the newest first.
    situation: Vec<SummaryLineView>,
    /// Everything so far, in short.
    background: Vec<SummaryLineView>,
    /// Needs and preferences.
    topics: Vec<SummaryLineView>,
    /// Habits and ways of deciding.
    principles: Vec<SummaryLineView>,
}

impl PortraitView {
    pub(crate) fn new(portrait: Portrait, ids: &MessageIds) -> Self {
        PortraitView {
            situation: SummaryLineView::all(portrait.situation, ids),
            background: SummaryLineView::all(portrait.background, ids),
            topics: SummaryLineView::all(portrait.topics, ids),
            principles: SummaryLineView::all(portrait.principles, ids),
        }
    }
}
