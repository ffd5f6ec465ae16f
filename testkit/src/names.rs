use memoir_model::{Author, MessageId, SessionId, SpaceId, TenantId, Thread};

/// A space from `user:alice`.
pub fn space(text: &str) -> SpaceId {
    text.parse().expect("a space")
}

/// A message's id.
pub fn message_id(text: &str) -> MessageId {
    MessageId::new(text).expect("a message id")
}

/// A session's id.
pub fn session_id(text: &str) -> SessionId {
    SessionId::new(text).expect("a session id")
}

/// A strand of talk.
pub fn thread(text: &str) -> Thread {
    Thread::new(text).expect("a thread")
}

/// Somebody who speaks.
pub fn author(text: &str) -> Author {
    Author::new(text).expect("an author")
}

/// A tenant.
pub fn tenant(text: &str) -> TenantId {
    TenantId::new(text).expect("a tenant")
}
