use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{GeneratedId, SpaceId, TenantId};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditAction {
    /// A space was created or its settings changed.
    SpaceChanged,
    /// A space and everything in it is gone.
    SpaceErased,
    /// A message got new words.
    MessageEdited,
    /// A message was withdrawn.
    MessageRecalled,
    /// A message's words are gone for good.
    MessageErased,
    /// A session was ended by a call.
    SessionEnded,
    /// A key was made.
    KeyCreated,
    /// A key works no more.
    KeyRevoked,
    /// A tenant was created.
    TenantCreated,
    /// A dead job was given another chance.
    JobRetried,
    /// A space was read out whole.
    SpaceExported,
}

/// One line of the audit log: who did what to which thing, never what it said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its id; later entries have higher ones.
    pub id: GeneratedId,
    /// In which tenant.
    pub tenant: TenantId,
    /// When (server's clock).
    pub at: Timestamp,
    /// Who: a key's id, `loopback` or `command line`.
    pub actor: String,
    /// What.
    pub action: AuditAction,
    /// In which space.
    pub space: Option<SpaceId>,
    /// To which message, session, key or job.
    pub target: Option<String>,
}
