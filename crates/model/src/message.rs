use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::name::named;
use crate::{Error, ErrorCode, LocalMoment, Metadata, Name, Result, SessionId, Thread};

named!(
    /// A message's id: the caller's own, or a generated one. Unique in its space.
    MessageId
);

/// The limits of one message. The body of a request has its own (`server.max_body_bytes`).
pub mod limits {
    /// The longest content, in bytes of UTF-8.
    pub const CONTENT_BYTES: usize = 64 * 1024;
    /// How many attachments one message may have.
    pub const ATTACHMENTS: usize = 32;
    /// The longest caption of an attachment, in bytes.
    pub const CAPTION_BYTES: usize = 8 * 1024;
    /// How many people one message may mention.
    pub const MENTIONS: usize = 256;
    /// The largest metadata object, in bytes of JSON.
    pub const METADATA_BYTES: usize = 16 * 1024;
    /// How many messages one request may bring.
    pub const BATCH: usize = 1_000;
}

/// In which part somebody speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// A person.
    #[default]
    User,
    /// The product's model.
    Assistant,
    /// Instructions; left out of summaries and extraction.
    System,
    /// The result of a tool.
    Tool,
}

impl Speaker {
    /// Every part, in the order of their codes.
    pub const ALL: [Speaker; 4] = [Speaker::User, Speaker::Assistant, Speaker::System, Speaker::Tool];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
            Speaker::System => "system",
            Speaker::Tool => "tool",
        }
    }

    /// The number in a store; its position in [`Speaker::ALL`].
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The part with that number.
    pub fn from_code(code: u8) -> Option<Self> {
        Speaker::ALL.get(usize::from(code)).copied()
    }
}

impl std::str::FromStr for Speaker {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Speaker::ALL
            .into_iter()
            .find(|speaker| speaker.as_str() == text)
            .ok_or_else(|| Error::invalid("role", "must be one of user, assistant, system, tool"))
    }
}

/// Who said it: the caller's id of a person or an agent.
pub type Author = Name;

/// Something sent along: the bytes stay with the product, we keep where they are and what they show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// A URL or an id by which the product finds the bytes.
    #[serde(rename = "ref")]
    pub reference: String,
    /// `image/png`, `application/pdf`, …
    pub media_type: String,
    /// What it shows, in words; searched and shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageState {
    /// As it was said, or as last edited.
    #[default]
    Active,
    /// Withdrawn by its product: kept, but shown and found nowhere.
    Recalled,
    /// Its words are gone for good; only the fact remains.
    Erased,
}

impl MessageState {
    /// The number in a store.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The state with that number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(MessageState::Active),
            1 => Some(MessageState::Recalled),
            2 => Some(MessageState::Erased),
            _ => None,
        }
    }
}

/// What was said, by whom, when. Never changed by us; an edit by its owner is a new version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Its id in the space.
    pub id: MessageId,
    /// Its number in the space, in the order of arrival.
    pub seq: u64,
    /// The session it belongs to.
    pub session: SessionId,
    /// The strand of talk inside the space (a channel, a topic), if the product has such.
    pub thread: Thread,
    /// Who said it.
    pub author: Author,
    /// In which part.
    pub role: Speaker,
    /// Word for word.
    pub content: String,
    /// When it was said (caller's clock).
    pub said_at: Timestamp,
    /// When it reached us (server's clock).
    pub recorded_at: Timestamp,
    /// The day on the space's own clock.
    pub local: LocalMoment,
    /// The message it answers; that one may arrive later.
    pub reply_to: Option<MessageId>,
    /// Who is addressed in it.
    pub mentions: Vec<Author>,
    /// What was sent along.
    pub attachments: Vec<Attachment>,
    /// What the caller attached.
    pub metadata: Metadata,
    /// 1, and one more with every edit.
    pub version: u32,
    /// What became of it.
    pub state: MessageState,
}

impl Message {
    /// The texts that are searched: what was said, then what the attachments show.
    pub fn searchable(&self) -> Vec<&str> {
        if self.state != MessageState::Active {
            return Vec::new();
        }
        let captions = self.attachments.iter().filter_map(|attachment| attachment.caption.as_deref());
        std::iter::once(self.content.as_str()).chain(captions).collect()
    }

    /// The local day it was said on.
    pub fn local_date(&self) -> Date {
        self.local.date
    }

    /// The message with its words taken out, as a reader sees one that was recalled or erased.
    #[must_use]
    pub fn without_words(mut self) -> Self {
        self.content.clear();
        self.attachments.clear();
        self.mentions.clear();
        self.metadata.clear();
        self
    }
}

/// An earlier wording of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageVersion {
    /// Which version it was.
    pub version: u32,
    /// Its words.
    pub content: String,
    /// What was sent along.
    pub attachments: Vec<Attachment>,
    /// When it was replaced (server's clock).
    pub replaced_at: Timestamp,
}

/// Checks the content of a message against [`limits`].
pub(crate) fn check_content(content: &str) -> Result<()> {
    if content.len() > limits::CONTENT_BYTES {
        let message =
            format!("is {} bytes long; at most {} are allowed", content.len(), limits::CONTENT_BYTES);
        return Err(Error::new(ErrorCode::MessageTooLarge, message).at("content"));
    }
    if content.contains('\0') {
        return Err(Error::invalid("content", "must not contain NUL bytes"));
    }
    Ok(())
}

impl Attachment {
    fn check(&self) -> Result<()> {
        if self.reference.is_empty() || self.reference.len() > 2048 {
            return Err(Error::invalid("ref", "must be 1 to 2048 bytes"));
        }
        if self.media_type.is_empty() || self.media_type.len() > 128 {
            return Err(Error::invalid("media_type", "must be 1 to 128 bytes, such as image/png"));
        }
        let caption = self.caption.as_deref().unwrap_or_default();
        if caption.len() > limits::CAPTION_BYTES {
            return Err(Error::new(ErrorCode::MessageTooLarge, "is longer than 8192 bytes").at("caption"));
        }
        let texts =
            [("ref", self.reference.as_str()), ("media_type", &self.media_type), ("caption", caption)];
        match texts.into_iter().find(|(_, text)| text.contains('\0')) {
            Some((field, _)) => Err(Error::invalid(field, "must not contain NUL bytes")),
            None => Ok(()),
        }
    }
}

impl Message {
    /// Checks the words, attachments, mentions and metadata against [`limits`]; the error names the field.
    pub fn check_limits(
        content: &str,
        attachments: &[Attachment],
        mentions: &[Author],
        metadata: &Metadata,
    ) -> Result<()> {
        check_content(content)?;
        if content.trim().is_empty() && attachments.is_empty() {
            return Err(Error::invalid("content", "must not be empty unless there is an attachment"));
        }
        if attachments.len() > limits::ATTACHMENTS {
            return Err(Error::invalid("attachments", "must be at most 32"));
        }
        for (i, attachment) in attachments.iter().enumerate() {
            attachment.check().map_err(|e| e.inside(&format!("attachments[{i}]")))?;
        }
        if mentions.len() > limits::MENTIONS {
            return Err(Error::invalid("mentions", "must be at most 256"));
        }
        check_metadata(metadata)
    }
}

/// Checks that a caller's metadata is not larger than we want to carry with every row.
pub(crate) fn check_metadata(metadata: &Metadata) -> Result<()> {
    let bytes =
        if metadata.is_empty() { 0 } else { serde_json::to_vec(metadata).map_or(usize::MAX, |v| v.len()) };
    if bytes > limits::METADATA_BYTES {
        return Err(Error::invalid("metadata", "must be at most 16384 bytes of JSON"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str) -> Result<()> {
        Message::check_limits(content, &[], &[], &Metadata::new())
    }

    #[test]
    fn content_is_limited_and_the_error_names_it() {
        assert!(check("你好").is_ok());
        assert!(check(&"x".repeat(64 * 1024)).is_ok());
        let error = check(&"x".repeat(64 * 1024 + 1)).unwrap_err();
        assert_eq!((error.code(), error.field()), (ErrorCode::MessageTooLarge, Some("content")));
        assert_eq!(check("a\0b").unwrap_err().field(), Some("content"));
        assert_eq!(check(" \n").unwrap_err().field(), Some("content"));
    }

    #[test]
    fn a_picture_without_words_is_a_message() {
        let picture = Attachment { reference: "img-1".into(), media_type: "image/png".into(), caption: None };
        assert!(Message::check_limits("", &[picture], &[], &Metadata::new()).is_ok());
    }

    #[test]
    fn speakers_and_states_survive_their_codes() {
        for speaker in Speaker::ALL {
            assert_eq!(Speaker::from_code(speaker.code()), Some(speaker));
        }
        for state in [MessageState::Active, MessageState::Recalled, MessageState::Erased] {
            assert_eq!(MessageState::from_code(state.code()), Some(state));
        }
        assert_eq!(MessageState::from_code(9), None);
    }
}
