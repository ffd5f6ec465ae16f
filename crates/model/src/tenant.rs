use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{Error, Result};

/// One product using this server. Lower-case letters, digits, `-` and `_`, 1 to 64 of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TenantId(Box<str>);

impl TenantId {
    /// Checks the rules above.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        let fits = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
        if fits {
            Ok(TenantId(text.into()))
        } else {
            Err(Error::invalid("tenant", "must be 1 to 64 lower-case letters, digits, '-' or '_'"))
        }
    }

    /// The tenant that a server without keys serves, and whose admin keys may manage other tenants.
    pub fn default_tenant() -> Self {
        TenantId("default".into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for TenantId {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        TenantId::new(text)
    }
}

impl From<TenantId> for String {
    fn from(id: TenantId) -> String {
        id.0.into()
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A tenant as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tenant {
    /// Its id.
    pub id: TenantId,
    /// What people call it.
    pub label: String,
    /// When it was created.
    pub created_at: Timestamp,
}
