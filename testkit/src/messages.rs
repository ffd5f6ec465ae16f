use memoir_engine::{Caller, NewMessage};
use memoir_model::{MessageId, TenantId};

/// Somebody who may do everything in the default tenant.
pub fn caller() -> Caller {
    Caller::local(TenantId::default_tenant(), "test")
}

/// A message of a person.
pub fn message(space: &str, id: &str, content: &str) -> NewMessage {
    let id = (!id.is_empty()).then(|| MessageId::new(id).expect("a message id"));
    NewMessage { id, ..NewMessage::text(space.parse().expect("a space"), content) }
}

/// The same message, said at that RFC 3339 time.
pub fn at(message: NewMessage, time: &str) -> NewMessage {
    NewMessage { said_at: Some(time.parse().expect("an RFC 3339 time")), ..message }
}
