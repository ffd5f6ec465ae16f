use memoir_model::{Error, MessageId, SessionId, SpaceId};

/// What became of one message of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReceiptStatus {
    /// It is stored, durably.
    Created,
    /// It was stored before, with the same words.
    Exists,
    /// Its id belongs to a message with other words; nothing was stored.
    Conflict,
    /// It breaks a rule; nothing was stored.
    Invalid,
    /// The store could not take it now; nothing was stored, and it may be sent again.
    Failed,
}

impl ReceiptStatus {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReceiptStatus::Created => "created",
            ReceiptStatus::Exists => "exists",
            ReceiptStatus::Conflict => "conflict",
            ReceiptStatus::Invalid => "invalid",
            ReceiptStatus::Failed => "failed",
        }
    }
}

/// The answer to one message of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// What became of it.
    pub status: ReceiptStatus,
    /// In which space.
    pub space: Option<SpaceId>,
    /// Its id.
    pub id: Option<MessageId>,
    /// Its number in the space.
    pub seq: Option<u64>,
    /// The session it was put into.
    pub session: Option<SessionId>,
    /// Why it was not stored.
    pub error: Option<Error>,
}

impl Receipt {
    /// A message that was not stored because of an error of its own or of the store.
    pub(crate) fn refused(
        status: ReceiptStatus,
        space: Option<SpaceId>,
        id: Option<MessageId>,
        error: Error,
    ) -> Self {
        Receipt { status, space, id, seq: None, session: None, error: Some(error) }
    }
}
