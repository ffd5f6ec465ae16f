//! What every backend keeps as JSON text in a column, so that all write and read it alike.

use memoir_model::{Attachment, Author, Error, ErrorCode, Message, Metadata, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A row whose columns do not fit our types.
pub fn unreadable(what: &str) -> Error {
    Error::new(ErrorCode::Corrupt, format!("a stored {what} cannot be read"))
}

/// A value as JSON text.
pub fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|_| unreadable("value"))
}

/// The value behind JSON text; `what` it is, for the error.
pub fn from_json<T: DeserializeOwned>(text: &str, what: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|_| unreadable(what))
}

/// Metadata as a column. Empty metadata takes no room.
pub fn metadata_column(metadata: &Metadata) -> Result<Option<String>> {
    if metadata.is_empty() { Ok(None) } else { json(metadata).map(Some) }
}

/// The metadata behind a column.
pub fn metadata(column: Option<&str>) -> Result<Metadata> {
    column.map_or_else(|| Ok(Metadata::new()), |text| from_json(text, "metadata"))
}

/// The parts of a message that most messages do not have, in one column.
#[derive(Debug, Serialize, Deserialize, Default)]
pub struct Extra {
    /// Who is addressed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Author>,
    /// What was sent along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// What the product attached.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
}

impl Extra {
    /// The column of a message.
    pub fn column(message: &Message) -> Result<Option<String>> {
        if message.mentions.is_empty() && message.attachments.is_empty() && message.metadata.is_empty() {
            return Ok(None);
        }
        json(&Extra {
            mentions: message.mentions.clone(),
            attachments: message.attachments.clone(),
            metadata: message.metadata.clone(),
        })
        .map(Some)
    }

    /// What a column says.
    pub fn read(column: Option<&str>) -> Result<Self> {
        column.map_or_else(|| Ok(Extra::default()), |text| from_json(text, "message"))
    }
}
