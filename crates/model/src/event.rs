use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{EndReason, SessionId};

/// Something that happened in a space. Capabilities turn events into jobs in the same commit, so that neither can be
/// there without the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Messages were stored, `first` to `last` without a gap.
    MessagesAppended {
        /// The first new number.
        first: u64,
        /// The last new number.
        last: u64,
    },
    /// A message has new words.
    MessageEdited {
        /// Which.
        seq: u64,
    },
    /// A message was withdrawn.
    MessageRecalled {
        /// Which.
        seq: u64,
    },
    /// A message's words are gone for good.
    MessageErased {
        /// Which.
        seq: u64,
    },
    /// A session began.
    SessionOpened {
        /// Which.
        session: SessionId,
    },
    /// A session has grown so much that it is summed up while it goes on.
    SessionGrown {
        /// Which.
        session: SessionId,
    },
    /// Something was said, changed or withdrawn on a day.
    DayTouched {
        /// Which, on the space's own clock.
        day: Date,
    },
    /// A session is over.
    SessionEnded {
        /// Which.
        session: SessionId,
        /// Why.
        reason: EndReason,
    },
    /// A message came to, changed in or went from a session that had ended before.
    SessionStale {
        /// Which.
        session: SessionId,
    },
}
