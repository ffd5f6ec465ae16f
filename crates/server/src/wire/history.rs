use memoir_engine::{DetailReason, History};
use schemars::JsonSchema;
use serde::Serialize;

/// What a question about past talk came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HistoryView {
    /// The first day that it asks about; absent when it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// The last day that it asks about.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// The words that name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// By what it is answered: `ready` summaries; summaries that were `made` at once; `messages` alone; `nothing`, because
    /// nothing was said then.
    found: &'static str,
    /// The summaries do not tell what is asked: the messages themselves stand beside them.
    needs_detail: bool,
    /// Why they do not: `asks_for_particulars`, `not_in_summary`, `part_of_a_day` or `too_little_to_sum_up`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

impl From<History> for HistoryView {
    fn from(history: History) -> Self {
        HistoryView {
            from: history.days.map(|(first, _)| first.to_string()),
            to: history.days.map(|(_, last)| last.to_string()),
            words: history.words,
            found: history.found.as_str(),
            needs_detail: history.needs_detail.is_some(),
            reason: history.needs_detail.map(DetailReason::as_str),
        }
    }
}
