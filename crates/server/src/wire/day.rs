use memoir_engine::DayView;
use memoir_model::SessionLine;
use schemars::JsonSchema;
use serde::Serialize;

use super::summary::{MessageIds, SummaryView};

/// A day.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DayReply {
    /// The day, on the space's own clock.
    date: String,
    /// Whether something was said.
    spoken: bool,
    /// Whether it is not over yet.
    goes_on: bool,
    /// Whether its summary was there already; `false` for one that was put together just now.
    ready: bool,
    /// Its summary; null when nothing or too little was said.
    summary: Option<SummaryView>,
    /// What each of its sessions was about, in the order in which they began.
    sessions: Vec<SessionLineView>,
}

impl DayReply {
    pub(crate) fn new(mut day: DayView, ids: &MessageIds) -> Self {
        let sessions = day.summary.as_mut().map(|summary| std::mem::take(&mut summary.talks));
        DayReply {
            date: day.date.to_string(),
            spoken: day.spoken,
            goes_on: day.goes_on,
            ready: day.was_ready,
            sessions: sessions.into_iter().flatten().map(SessionLineView::from).collect(),
            summary: day.summary.map(|summary| SummaryView::with_lines(summary, ids)),
        }
    }
}

/// What a session of a day was about.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionLineView {
    /// The id of the session.
    session: String,
    /// In one line.
    text: String,
    /// How many of its messages were said that day.
    messages: u32,
}

impl From<SessionLine> for SessionLineView {
    fn from(line: SessionLine) -> Self {
        SessionLineView { session: line.session.to_string(), text: line.text, messages: line.messages }
    }
}
