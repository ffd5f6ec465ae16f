use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::named;
use crate::{Error, Result, SpaceId, TenantId};

named!(
    /// The public part of an API key.
    KeyId
);

/// What a key may do. Each role may do what the ones before it in [`Role::ALL`] may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads the one space it is bound to, and nothing else.
    #[serde(rename = "self")]
    Own,
    /// Reads every space of the tenant.
    Read,
    /// Writes too.
    Write,
    /// Manages keys, sees the audit log and the jobs.
    Admin,
}

impl Role {
    /// Every role, the weakest first.
    pub const ALL: [Role; 4] = [Role::Own, Role::Read, Role::Write, Role::Admin];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Own => "self",
            Role::Read => "read",
            Role::Write => "write",
            Role::Admin => "admin",
        }
    }
}

impl std::str::FromStr for Role {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Role::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| Error::invalid("role", "must be one of admin, write, read, self"))
    }
}

/// An API key as the store keeps it: the secret itself is never stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// The public part.
    pub id: KeyId,
    /// Whose key it is.
    pub tenant: TenantId,
    /// What it may do.
    pub role: Role,
    /// The one space a `self` key reads.
    pub space: Option<SpaceId>,
    /// What people call it.
    pub label: String,
    /// SHA-256 of the secret part.
    pub secret_sha256: [u8; 32],
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked; it works no more.
    pub revoked_at: Option<Timestamp>,
}

impl ApiKey {
    /// A `self` key has a space, and no other key has one.
    pub fn check_binding(role: Role, space: Option<&SpaceId>) -> Result<()> {
        match (role, space) {
            (Role::Own, None) => {
                Err(Error::invalid("space", "a key of role self needs the space it is bound to"))
            }
            (Role::Read | Role::Write | Role::Admin, Some(_)) => {
                Err(Error::invalid("space", "only a key of role self is bound to a space"))
            }
            _ => Ok(()),
        }
    }
}
