use memoir_engine::NewSession;
use memoir_model::{Error, Metadata, Result, Session, SessionId, Summary, Thread};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MessageView, SummaryView};
use crate::params::number;

/// A session to open.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionRequest {
    /// The product's own id; one is made when absent.
    id: Option<String>,
    /// The strand of talk.
    thread: Option<String>,
    /// What the talk is for.
    task: Option<String>,
    /// Anything the product wants back with it.
    #[serde(default)]
    metadata: Metadata,
}

impl TryFrom<SessionRequest> for NewSession {
    type Error = Error;

    fn try_from(wire: SessionRequest) -> Result<Self> {
        Ok(NewSession {
            id: wire.id.map(|id| SessionId::new(id).map_err(|e| e.at("id"))).transpose()?,
            thread: wire.thread.map(Thread::new).transpose()?.unwrap_or_default(),
            task: wire.task,
            metadata: wire.metadata,
        })
    }
}

/// How a session ends.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndRequest {
    /// `call` (usual) or `disconnect`.
    pub(crate) reason: Option<String>,
}

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionView {
    /// Its id.
    id: String,
    /// The strand of talk.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<String>,
    /// `open` or `ended`.
    state: &'static str,
    /// Whether the product named it.
    explicit: bool,
    /// What the talk is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    /// When its first message was said, or it was opened.
    started_at: String,
    /// When its last message was said.
    last_said_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    /// Why it ended: `call`, `disconnect` or `idle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_reason: Option<&'static str>,
    /// How many messages it has.
    messages: u64,
    /// Something in it changed after it had ended.
    stale: bool,
    /// What the product attached.
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    metadata: Metadata,
    /// What it came to so far; only where one session is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryView>,
}

impl SessionView {
    pub(crate) fn with_summary(session: Session, summary: Option<Summary>) -> Self {
        SessionView { summary: summary.map(SummaryView::from), ..session.into() }
    }
}

impl From<Session> for SessionView {
    fn from(session: Session) -> Self {
        SessionView {
            id: session.id.to_string(),
            thread: (!session.thread.is_unnamed()).then(|| session.thread.as_str().to_owned()),
            state: if session.is_open() { "open" } else { "ended" },
            explicit: session.explicit,
            task: session.task,
            started_at: session.first_said_at.to_string(),
            last_said_at: session.last_said_at.to_string(),
            ended_at: session.ended.map(|(at, _)| at.to_string()),
            end_reason: session.ended.map(|(_, reason)| reason.as_str()),
            messages: session.messages,
            stale: session.stale,
            metadata: session.metadata,
            summary: None,
        }
    }
}

/// How much of a session's end.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowQuery {
    /// How many messages at most; 1 to 200, usually 31 (preset `reading`: 10).
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
}

/// The end of a session.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WindowReply {
    /// The last messages, in the order in which they were said.
    pub(crate) items: Vec<MessageView>,
    /// What the session came to so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<SummaryView>,
}
