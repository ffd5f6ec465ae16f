use memoir_engine::{Edit, MessageDetail, NewMessage, Receipt};
use memoir_model::{
    Attachment, Author, Error, Message, MessageId, MessageState, MessageVersion, Metadata, Result, SessionId,
    Thread,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Page, SummaryView, local_time};
use crate::body::part;
use crate::failure::ErrorView;
use crate::object::Object;
use crate::params::{moment, number};

/// One message, or many.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the body in the documentation; messages are judged one by one")]
pub(crate) enum RememberRequest {
    /// Up to 1,000 messages for any spaces of the tenant.
    Many {
        /// The messages.
        messages: Vec<WireMessage>,
    },
    /// A single message.
    One(Box<WireMessage>),
}

/// A message as a product sends it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireMessage {
    /// Whose memory it belongs to: `user:alice`, `group:eng`, `agent:coach`. Created when new.
    space: String,
    /// The product's own id; repeating a message with the same id is safe.
    id: Option<String>,
    /// The product's own session; without it messages are put into sessions by the flow of talk.
    session: Option<String>,
    /// A strand of talk inside the space.
    thread: Option<String>,
    /// Who said it; usually the space's owner or the assistant.
    author: Option<String>,
    /// `user` (usual), `assistant`, `system` or `tool`.
    role: Option<String>,
    /// Word for word; at most 64 KiB.
    #[serde(default)]
    content: String,
    /// RFC 3339; now when absent.
    said_at: Option<String>,
    /// The id of the message it answers; that one may arrive later.
    reply_to: Option<String>,
    /// Who is addressed in it.
    #[serde(default)]
    mentions: Vec<String>,
    /// What was sent along.
    #[serde(default)]
    #[schemars(with = "Vec<WireAttachment>")]
    attachments: Vec<Object<WireAttachment>>,
    /// Anything the product wants back with it; at most 16 KiB.
    #[serde(default)]
    metadata: Metadata,
}

/// Something sent along with a message; its bytes stay with the product.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireAttachment {
    /// A URL or an id by which the product finds the bytes.
    #[serde(rename = "ref")]
    reference: String,
    /// Such as `image/png`.
    media_type: String,
    /// What it shows, in words; searched and shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<String>,
}

impl From<Object<WireAttachment>> for Attachment {
    fn from(Object(wire): Object<WireAttachment>) -> Self {
        Attachment { reference: wire.reference, media_type: wire.media_type, caption: wire.caption }
    }
}

impl From<Attachment> for WireAttachment {
    fn from(attachment: Attachment) -> Self {
        WireAttachment {
            reference: attachment.reference,
            media_type: attachment.media_type,
            caption: attachment.caption,
        }
    }
}

fn authors(field: &str, names: Vec<String>) -> Result<Vec<Author>> {
    let author = |(i, name)| Author::new(name).map_err(|e: Error| e.at(format!("{field}[{i}]")));
    names.into_iter().enumerate().map(author).collect()
}

/// A message in the form in which `POST /v1/messages` takes it.
pub fn message_from_json(value: serde_json::Value) -> Result<NewMessage> {
    part::<WireMessage>(value).and_then(NewMessage::try_from)
}

impl TryFrom<WireMessage> for NewMessage {
    type Error = Error;

    fn try_from(wire: WireMessage) -> Result<Self> {
        let message_id = |field: &str, id: String| MessageId::new(id).map_err(|e| e.at(field));
        Ok(NewMessage {
            space: wire.space.parse()?,
            id: wire.id.map(|id| message_id("id", id)).transpose()?,
            session: wire.session.map(|id| SessionId::new(id).map_err(|e| e.at("session"))).transpose()?,
            thread: wire.thread.map(Thread::new).transpose()?.unwrap_or_default(),
            author: wire.author.map(|name| Author::new(name).map_err(|e| e.at("author"))).transpose()?,
            role: wire.role.map(|role| role.parse()).transpose()?.unwrap_or_default(),
            content: wire.content,
            said_at: wire.said_at.map(|text| moment("said_at", &text)).transpose()?,
            reply_to: wire.reply_to.map(|id| message_id("reply_to", id)).transpose()?,
            mentions: authors("mentions", wire.mentions)?,
            attachments: wire.attachments.into_iter().map(Attachment::from).collect(),
            metadata: wire.metadata,
        })
    }
}

/// What became of the messages, in their order.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RememberReply {
    /// One receipt per message.
    pub(crate) results: Vec<ReceiptView>,
}

/// What became of one message.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReceiptView {
    /// `created`, `exists`, `conflict`, `invalid` or `failed`.
    pub(crate) status: &'static str,
    /// In which space.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<String>,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Its number in the space.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    /// The session it was put into.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Why it was not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorView>,
}

impl From<Receipt> for ReceiptView {
    fn from(receipt: Receipt) -> Self {
        ReceiptView {
            status: receipt.status.as_str(),
            space: receipt.space.map(|space| space.to_string()),
            id: receipt.id.map(|id| id.to_string()),
            seq: receipt.seq,
            session: receipt.session.map(|session| session.to_string()),
            error: receipt.error.as_ref().map(ErrorView::from),
        }
    }
}

/// A part of a list of messages.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MessagePage {
    #[serde(flatten)]
    pub(crate) page: Page<MessageView>,
    /// What the session came to so far; only where the messages of one session are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<SummaryView>,
}

/// A message.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MessageView {
    /// Its id in the space.
    id: String,
    /// Its number in the space, in the order of arrival.
    seq: u64,
    /// The session it belongs to.
    session: String,
    /// The strand of talk.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<String>,
    /// Who said it.
    author: String,
    /// In which part.
    role: &'static str,
    /// Word for word; empty when it was recalled or erased.
    content: String,
    /// When it was said, on the space's own clock.
    said_at: String,
    /// When it reached the server.
    recorded_at: String,
    /// The day it was said on, on the space's own clock.
    local_date: String,
    /// The message it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_to: Option<String>,
    /// Who is addressed in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<String>,
    /// What was sent along.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<WireAttachment>,
    /// What the product attached.
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    metadata: Metadata,
    /// 1, and one more with every change.
    version: u32,
    /// `active`, `recalled` or `erased`.
    state: &'static str,
}

impl From<Message> for MessageView {
    fn from(message: Message) -> Self {
        MessageView {
            id: message.id.to_string(),
            seq: message.seq,
            session: message.session.to_string(),
            thread: (!message.thread.is_unnamed()).then(|| message.thread.as_str().to_owned()),
            author: message.author.to_string(),
            role: message.role.as_str(),
            content: message.content,
            said_at: local_time(message.said_at, message.local.offset_seconds),
            recorded_at: message.recorded_at.to_string(),
            local_date: message.local.date.to_string(),
            reply_to: message.reply_to.map(|id| id.to_string()),
            mentions: message.mentions.iter().map(ToString::to_string).collect(),
            attachments: message.attachments.into_iter().map(WireAttachment::from).collect(),
            metadata: message.metadata,
            version: message.version,
            state: match message.state {
                MessageState::Active => "active",
                MessageState::Recalled => "recalled",
                MessageState::Erased => "erased",
            },
        }
    }
}

/// A message with what surrounds it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MessageDetailView {
    /// The message.
    #[serde(flatten)]
    message: MessageView,
    /// The message it answers, when that one is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    answered: Option<Box<MessageView>>,
    /// Its earlier wordings, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    versions: Vec<VersionView>,
}

/// An earlier wording of a message.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VersionView {
    /// Which version it was.
    version: u32,
    /// Its words.
    content: String,
    /// When it was replaced.
    replaced_at: String,
}

impl From<MessageVersion> for VersionView {
    fn from(version: MessageVersion) -> Self {
        VersionView {
            version: version.version,
            content: version.content,
            replaced_at: version.replaced_at.to_string(),
        }
    }
}

impl From<MessageDetail> for MessageDetailView {
    fn from(detail: MessageDetail) -> Self {
        MessageDetailView {
            message: detail.message.into(),
            answered: detail.answered.map(|message| Box::new(message.into())),
            versions: detail.versions.into_iter().map(VersionView::from).collect(),
        }
    }
}

/// New words for a message, or its withdrawal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessagePatch {
    /// The new words.
    content: Option<String>,
    /// What is sent along now.
    #[schemars(with = "Option<Vec<WireAttachment>>")]
    attachments: Option<Vec<Object<WireAttachment>>>,
    /// Who is addressed now.
    mentions: Option<Vec<String>>,
    /// What the product attaches now.
    metadata: Option<Metadata>,
    /// `recalled` withdraws the message.
    state: Option<String>,
}

impl MessagePatch {
    /// The edit; `None` when the message is to be withdrawn.
    pub(crate) fn edit(self) -> Result<Option<Edit>> {
        let edit = Edit {
            content: self.content,
            attachments: self.attachments.map(|list| list.into_iter().map(Attachment::from).collect()),
            mentions: self.mentions.map(|names| authors("mentions", names)).transpose()?,
            metadata: self.metadata,
        };
        let empty = edit.content.is_none()
            && edit.attachments.is_none()
            && edit.mentions.is_none()
            && edit.metadata.is_none();
        match (self.state.as_deref(), empty) {
            (None, false) => Ok(Some(edit)),
            (Some("recalled"), true) => Ok(None),
            (None, true) => Err(Error::invalid(
                "content",
                "say what changes: content, attachments, mentions, metadata or state",
            )),
            (Some("recalled"), false) => {
                Err(Error::invalid("state", "a message is either edited or recalled, not both"))
            }
            (Some(_), _) => Err(Error::invalid("state", "can only be set to recalled; use DELETE to erase")),
        }
    }
}

/// Which messages to list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessagesQuery {
    /// Only of this session.
    pub(crate) session: Option<String>,
    /// Said at or after; RFC 3339.
    pub(crate) from: Option<String>,
    /// Said before; RFC 3339.
    pub(crate) until: Option<String>,
    /// Only by this author.
    pub(crate) author: Option<String>,
    /// Only in this part.
    pub(crate) role: Option<String>,
    /// `oldest` (usual) or `newest` first.
    pub(crate) order: Option<String>,
    /// How many at most; 1 to 500, usually 50.
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}
