use memoir_engine::{ExportLine, NewMessage, NewSession, SpacePatch};
use memoir_model::{Message, MessageId, MessageState, SpaceId};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};

use super::checkpoint::Reached;
use super::sink::Sink;

/// The longest line; a message has at most 64 KiB and an export's line some versions of it.
const LONGEST_LINE: usize = 16 << 20;

/// Reads one JSON object per line: a message as `POST /v1/messages` takes it, or a line of an export.
pub(crate) async fn import(file: File, space: Option<&SpaceId>, sink: &mut Sink) -> anyhow::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut home: Option<SpaceId> = space.cloned();
    let start = sink.start();
    if start.bytes > 0 {
        home = home.or_else(|| space_of_export(&mut reader));
        reader.seek(SeekFrom::Start(start.bytes))?;
    }
    let Reached { mut bytes, mut entries } = start;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = std::io::Read::take(&mut reader, LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        bytes += read as u64;
        entries += 1;
        if read == LONGEST_LINE && !line.ends_with(b"\n") {
            anyhow::bail!("line {entries} is longer than {LONGEST_LINE} bytes; is this NDJSON?");
        }
        if !line.trim_ascii().is_empty() {
            match serde_json::from_slice::<Value>(&line) {
                Ok(value) if value.get("type").is_some() => match serde_json::from_value(value) {
                    Ok(line) => export_line(entries, line, &mut home, sink).await?,
                    Err(error) => sink.refuse(entries, format_args!("not a line of an export: {error}")),
                },
                Ok(value) => plain_line(entries, value, space, &line, sink),
                Err(error) => sink.refuse(entries, format_args!("not JSON: {error}")),
            }
        }
        sink.passed(Reached { bytes, entries }).await?;
    }
}

/// The space that an export begins with, for an import that goes on in its middle.
fn space_of_export(reader: &mut BufReader<File>) -> Option<SpaceId> {
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    match serde_json::from_str(&first).ok()? {
        ExportLine::Space(space) => Some(space.id),
        _ => None,
    }
}

fn plain_line(entry: u64, mut value: Value, space: Option<&SpaceId>, line: &[u8], sink: &mut Sink) {
    if let (Some(space), Some(object)) = (space, value.as_object_mut()) {
        object.entry("space").or_insert_with(|| space.to_string().into());
    }
    match memoir_server::message_from_json(value) {
        Ok(mut message) => {
            message.id = message.id.or_else(|| made_up_id(entry, line));
            sink.push(entry, message);
        }
        Err(error) => sink.refuse(entry, error),
    }
}

/// An id that is the same whenever this line of this file is brought in, so that nothing is stored twice.
fn made_up_id(entry: u64, line: &[u8]) -> Option<MessageId> {
    let mut hash = Sha256::new();
    hash.update(entry.to_le_bytes());
    hash.update(line.trim_ascii());
    let hex: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    MessageId::new(format!("import-{hex}")).ok()
}

async fn export_line(entry: u64, line: ExportLine, home: &mut Option<SpaceId>, sink: &mut Sink) -> anyhow::Result<()> {
    if let ExportLine::Space(space) = line {
        let id = home.get_or_insert(space.id).clone();
        let patch = SpacePatch {
            zone: Some(space.zones.current().clone()),
            preset: Some(space.preset),
            metadata: Some(space.metadata),
        };
        return sink.put_space(&id, patch).await;
    }
    let Some(space) = home.clone() else {
        sink.refuse(entry, "an export begins with its space; add --space");
        return Ok(());
    };
    match line {
        ExportLine::Session(session) => {
            let ended = session.ended.map(|(_, reason)| reason);
            let id = session.id.clone();
            let new = NewSession {
                id: Some(session.id),
                thread: session.thread,
                task: session.task,
                metadata: session.metadata,
            };
            sink.open_session(&space, new).await?;
            if let Some(reason) = ended {
                sink.end_session(space, id, reason);
            }
        }
        ExportLine::Message { message, .. } if message.state == MessageState::Erased => {}
        ExportLine::Message { message, .. } => {
            if message.state == MessageState::Recalled {
                sink.recall(space.clone(), message.id.clone());
            }
            sink.push(entry, renewed(space, message));
        }
        // What was derived is derived again from the messages.
        ExportLine::Space(_) | ExportLine::Summary(_) | ExportLine::Memory(_) | ExportLine::End { .. } => {}
    }
    Ok(())
}

fn renewed(space: SpaceId, message: Message) -> NewMessage {
    NewMessage {
        space,
        id: Some(message.id),
        session: Some(message.session),
        thread: message.thread,
        author: Some(message.author),
        role: message.role,
        content: message.content,
        said_at: Some(message.said_at),
        reply_to: message.reply_to,
        mentions: message.mentions,
        attachments: message.attachments,
        metadata: message.metadata,
    }
}
