use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::named;
use crate::{Error, Metadata, Name, Result};

named!(
    /// A session's id: the caller's own, or a generated one. Unique in its space.
    SessionId
);

/// A strand of talk inside a space; most products have one and never name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Thread(Option<Name>);

impl Thread {
    /// The strand with that name.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        Name::new(text).map(|name| Thread(Some(name))).map_err(|e| e.at("thread"))
    }

    /// Its name; empty for the unnamed strand.
    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or("", Name::as_str)
    }

    /// Whether it is the unnamed strand.
    pub fn is_unnamed(&self) -> bool {
        self.0.is_none()
    }
}

/// Why a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// Somebody said so.
    Call,
    /// The chat connection was closed.
    Disconnect,
    /// Nothing was said for `session.idle_minutes`.
    Idle,
}

impl EndReason {
    /// The number in a store.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The reason with that number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(EndReason::Call),
            1 => Some(EndReason::Disconnect),
            2 => Some(EndReason::Idle),
            _ => None,
        }
    }

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Call => "call",
            EndReason::Disconnect => "disconnect",
            EndReason::Idle => "idle",
        }
    }
}

impl std::str::FromStr for EndReason {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        [EndReason::Call, EndReason::Disconnect, EndReason::Idle]
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or_else(|| Error::invalid("reason", "must be one of call, disconnect, idle"))
    }
}

/// One run of messages in a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Its number in the space; messages refer to it.
    pub no: u64,
    /// Its id.
    pub id: SessionId,
    /// The strand of talk it runs in.
    pub thread: Thread,
    /// Whether the caller named it. An unnamed one is made and ended by the flow of messages.
    pub explicit: bool,
    /// What the talk is for (B2); drives recall before anything is said.
    pub task: Option<String>,
    /// When the earliest of its messages was said, or it was opened.
    pub first_said_at: Timestamp,
    /// When the latest of its messages was said, or it was opened.
    pub last_said_at: Timestamp,
    /// When the last message reached us (server's clock): live idleness counts from here.
    pub active_at: Timestamp,
    /// When it ended, and why; `None` while it is open.
    pub ended: Option<(Timestamp, EndReason)>,
    /// How many messages it has.
    pub messages: u64,
    /// A message came, changed or went after the session had ended: what was derived from it is out of date.
    pub stale: bool,
    /// What the caller attached.
    pub metadata: Metadata,
}

impl Session {
    /// The longest task, in bytes.
    pub const TASK_BYTES: usize = 4 * 1024;

    /// Whether it still takes live messages.
    pub fn is_open(&self) -> bool {
        self.ended.is_none()
    }

    /// Checks a task and metadata that a caller wants to give to a session.
    pub fn check_limits(task: Option<&str>, metadata: &Metadata) -> Result<()> {
        if task.is_some_and(|task| task.len() > Self::TASK_BYTES || task.contains('\0')) {
            return Err(Error::invalid("task", "must be at most 4096 bytes without NUL"));
        }
        crate::message::check_metadata(metadata)
    }
}
