use memoir_egress::EgressError;
use serde::{Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// Why one provider gave no answer. Never carries a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It took too long.
    Timeout,
    /// No connection.
    Unreachable,
    /// The connection broke, or the answer is not in the protocol.
    Broken,
    /// It was asked too often.
    RateLimited {
        /// When it wants to be asked again.
        retry_after: Option<Duration>,
    },
    /// It failed, with this status.
    ServerError(u16),
    /// It turned the request down, with this status.
    Rejected(u16),
    /// Its answer is too large.
    TooLarge,
    /// Its answer is empty.
    Empty,
    /// Its answer is shorter than asked for.
    TooShort,
    /// Its answer is longer than asked for.
    TooLong,
    /// Its answer ran into the limit before it made sense.
    Truncated,
    /// Its answer is not the JSON that was asked for.
    Invalid,
    /// It declined, or a filter did.
    Refused,
    /// All of its places were taken until time was up.
    Busy,
    /// It has no tokens left this minute.
    OverTokens,
    /// It failed so often that it is left alone for a while.
    BreakerOpen,
    /// It has no key.
    NoKey,
}

impl Reason {
    /// Its name in logs and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Unreachable => "unreachable",
            Reason::Broken => "broken",
            Reason::RateLimited { .. } => "rate_limited",
            Reason::ServerError(_) => "server_error",
            Reason::Rejected(_) => "rejected",
            Reason::TooLarge => "too_large",
            Reason::Empty => "empty",
            Reason::TooShort => "too_short",
            Reason::TooLong => "too_long",
            Reason::Truncated => "truncated",
            Reason::Invalid => "invalid",
            Reason::Refused => "refused",
            Reason::Busy => "busy",
            Reason::OverTokens => "over_tokens",
            Reason::BreakerOpen => "breaker_open",
            Reason::NoKey => "no_key",
        }
    }

    /// Whether the provider itself is in trouble, whatever it is asked.
    pub(crate) fn is_outage(self) -> bool {
        match self {
            Reason::Timeout
            | Reason::Unreachable
            | Reason::Broken
            | Reason::RateLimited { .. }
            | Reason::ServerError(_) => true,
            Reason::Rejected(status) => matches!(status, 401..=403),
            _ => false,
        }
    }

    /// Why there is no answer when the server answers with this status.
    pub(crate) fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            429 => Reason::RateLimited { retry_after },
            408 | 504 => Reason::Timeout,
            500.. => Reason::ServerError(status),
            _ => Reason::Rejected(status),
        }
    }
}

impl From<EgressError> for Reason {
    fn from(error: EgressError) -> Self {
        match error {
            EgressError::Deadline { .. } => Reason::Timeout,
            EgressError::Unreachable { .. } | EgressError::Forbidden { .. } | EgressError::BadUrl(_) => {
                Reason::Unreachable
            }
            EgressError::TooLarge { .. } => Reason::TooLarge,
            _ => Reason::Broken,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::ServerError(status) | Reason::Rejected(status) => {
                write!(f, "{} {status}", self.as_str())
            }
            _ => f.write_str(self.as_str()),
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
