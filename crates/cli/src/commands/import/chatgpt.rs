use anyhow::Context;
use jiff::Timestamp;
use memoir_engine::NewMessage;
use memoir_model::{Attachment, MessageId, SessionId, SpaceId, Speaker};
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};

use super::checkpoint::Reached;
use super::lines::BYTE_ORDER_MARK;
use super::sink::Sink;

/// How many conversations are read ahead of the store.
const AHEAD: usize = 4;

/// Reads ChatGPT's `conversations.json` one conversation at a time, however large the file is. Of a conversation that
/// was branched by edits, the branch that was left standing is taken.
pub(crate) async fn import(file: File, space: &SpaceId, sink: &mut Sink) -> anyhow::Result<()> {
    let length = file.metadata()?.len();
    let (send, mut conversations) = tokio::sync::mpsc::channel::<Value>(AHEAD);
    let reading = tokio::task::spawn_blocking(move || -> anyhow::Result<()> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        if reader.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
            reader.consume(BYTE_ORDER_MARK.len());
        }
        let mut parser = serde_json::Deserializer::from_reader(reader);
        Ok(parser.deserialize_seq(Each { send })?)
    });
    let start = sink.start();
    let mut entries = 0;
    while let Some(conversation) = conversations.recv().await {
        entries += 1;
        if entries <= start.entries {
            continue;
        }
        let taken = serde_json::from_value(conversation).context("not a conversation");
        if let Err(error) = taken.and_then(|conversation| take(entries, &conversation, space, sink)) {
            sink.refuse(entries, format_args!("{error:#}"));
        }
        sink.passed(Reached { bytes: start.bytes, entries }).await?;
    }
    reading.await?.context("the file is not a ChatGPT export (a JSON list of conversations)")?;
    sink.passed(Reached { bytes: length, entries }).await
}

/// Hands the elements of a list on, one by one.
struct Each {
    send: tokio::sync::mpsc::Sender<Value>,
}

impl<'de> Visitor<'de> for Each {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of conversations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(conversation) = list.next_element()? {
            if self.send.blocking_send(conversation).is_err() {
                break;
            }
        }
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct Conversation {
    // An export has both of these, an older one only the second.
    conversation_id: Option<String>,
    id: Option<String>,
    title: Option<String>,
    create_time: Option<f64>,
    current_node: Option<String>,
    #[serde(default)]
    mapping: HashMap<String, Node>,
}

#[derive(serde::Deserialize)]
struct Node {
    parent: Option<String>,
    message: Option<Said>,
}

#[derive(serde::Deserialize)]
struct Said {
    id: String,
    author: SaidBy,
    create_time: Option<f64>,
    #[serde(default)]
    content: Value,
}

#[derive(serde::Deserialize)]
struct SaidBy {
    role: String,
}

fn take(entry: u64, conversation: &Conversation, space: &SpaceId, sink: &mut Sink) -> anyhow::Result<()> {
    let session = match conversation.conversation_id.as_ref().or(conversation.id.as_ref()) {
        Some(id) => SessionId::new(id.clone())?,
        None => SessionId::new(format!("chatgpt-{entry}"))?,
    };
    let branch = branch(conversation);
    // A message without a time was said with the one before it, the first one when the conversation began.
    let known = conversation.create_time.or_else(|| branch.iter().find_map(|said| said.create_time));
    let mut last = known.unwrap_or_default();
    for said in branch {
        last = said.create_time.unwrap_or(last);
        let role: Speaker = match said.author.role.parse() {
            Ok(role) => role,
            Err(_) => continue,
        };
        let (content, attachments) = words(&said.content);
        if content.trim().is_empty() && attachments.is_empty() {
            continue;
        }
        let mut message = NewMessage::text(space.clone(), content);
        message.id = Some(MessageId::new(said.id.clone())?);
        message.session = Some(session.clone());
        message.role = role;
        message.said_at = Some(Timestamp::from_microsecond((last * 1e6) as i64)?);
        message.attachments = attachments;
        if let Some(title) = &conversation.title {
            message.metadata.insert("conversation".into(), title.clone().into());
        }
        sink.push(entry, message);
    }
    Ok(())
}

/// The messages from the root to the node that was shown last.
fn branch(conversation: &Conversation) -> Vec<&Said> {
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = conversation.current_node.as_deref();
    while let Some(id) = next.filter(|id| seen.insert(id.to_owned())) {
        let Some(node) = conversation.mapping.get(id) else { break };
        path.extend(node.message.as_ref());
        next = node.parent.as_deref();
    }
    path.reverse();
    path
}

/// The text of a message, and references to what is not text.
fn words(content: &Value) -> (String, Vec<Attachment>) {
    let mut texts: Vec<&str> = content.get("text").and_then(Value::as_str).into_iter().collect();
    let mut attachments = Vec::new();
    for part in content.get("parts").and_then(Value::as_array).into_iter().flatten() {
        match part {
            Value::String(text) => texts.push(text),
            Value::Object(object) => {
                if let Some(pointer) = object.get("asset_pointer").and_then(Value::as_str) {
                    let media_type = object.get("content_type").and_then(Value::as_str).unwrap_or_default();
                    let media_type = if media_type.contains("audio") { "audio/*" } else { "image/*" };
                    let reference = pointer.to_owned();
                    attachments.push(Attachment { reference, media_type: media_type.into(), caption: None });
                }
                texts.extend(object.get("text").and_then(Value::as_str));
            }
            _ => {}
        }
    }
    (texts.join("\n"), attachments)
}
