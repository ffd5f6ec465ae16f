use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{Error, Result};

/// Which vectors may be compared with each other: the model, its revision, its prefixes, its pooling and its dimension,
/// written as one short text. Two embedders with the same generation make the same vectors.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GenerationId(String);

impl GenerationId {
    /// The longest, in bytes.
    pub const LONGEST: usize = 200;

    /// Checks its length and that it can be printed.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        if text.is_empty() || text.len() > Self::LONGEST || text.chars().any(char::is_control) {
            return Err(Error::invalid("generation", "must be 1 to 200 bytes without control characters"));
        }
        Ok(GenerationId(text))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GenerationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for GenerationId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        GenerationId::new(text)
    }
}

impl From<GenerationId> for String {
    fn from(id: GenerationId) -> Self {
        id.0
    }
}

/// The vectors of one generation in one space, and how far they have come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// Its number in the space, from 1.
    pub no: u32,
    /// What made them.
    pub id: GenerationId,
    /// How many numbers each has.
    pub dimension: u32,
    /// Every message up to this one was looked at.
    pub cursor: u64,
    /// Whether recall uses them. At most one generation of a space serves.
    pub serves: bool,
}
