use memoir_engine::{ExportLine, NewMessage, NewSession};
use memoir_model::{Message, MessageId, Session, SpaceId};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::File;

use super::checkpoint::Reached;
use super::lines::{LONGEST_LINE, Line, Lines};
use super::revision::Revision;
use super::sink::Sink;

/// Reads one JSON object per line: a message as `POST /v1/messages` takes it, or a line of an export.
pub(crate) async fn import(file: File, space: Option<&SpaceId>, sink: &mut Sink) -> anyhow::Result<()> {
    let mut export = Export::up_to(sink.start(), file.try_clone()?, space)?;
    let mut lines = Lines::from(file, sink.start())?;
    while let Some((entry, line)) = lines.next()? {
        match line {
            Line::Whole(b"") => {}
            Line::Whole(line) => take(entry, line, &mut export, sink).await?,
            Line::TooLong => sink.refuse(entry, format_args!("longer than {LONGEST_LINE} bytes")),
        }
        sink.passed(lines.reached()).await?;
    }
    export.finish(lines.reached().entries, sink).await
}

async fn take(entry: u64, line: &[u8], export: &mut Export<'_>, sink: &mut Sink) -> anyhow::Result<()> {
    match serde_json::from_slice::<Value>(line) {
        Ok(value) if value.get("type").is_some() => match serde_json::from_value(value) {
            Ok(line) => export.take(entry, line, sink).await?,
            Err(error) => sink.refuse(entry, format_args!("not a line of an export: {error}")),
        },
        Ok(value) => plain_line(entry, value, export.given, line, sink),
        Err(error) => sink.refuse(entry, format_args!("not JSON: {error}")),
    }
    Ok(())
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
    hash.update(line);
    let hex: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    MessageId::new(format!("import-{hex}")).ok()
}

/// What the lines of an export so far have said about those that follow.
struct Export<'a> {
    /// The space that the messages go to, wherever they come from.
    given: Option<&'a SpaceId>,
    /// The space that the messages go to: that, or the one that the export began with.
    home: Option<SpaceId>,
    /// Sessions of which no message has come yet.
    sessions: Vec<Session>,
    /// An export has begun and its last line has not come.
    unfinished: bool,
}

impl<'a> Export<'a> {
    /// What the lines before that place have said, for an import that goes on there.
    fn up_to(start: Reached, file: File, given: Option<&'a SpaceId>) -> anyhow::Result<Self> {
        let mut export = Export { given, home: given.cloned(), sessions: Vec::new(), unfinished: false };
        let mut lines = Lines::from(file, Reached::default())?;
        while lines.reached().bytes < start.bytes {
            match lines.next()? {
                // Most lines are messages; only the others are worth reading again.
                Some((_, Line::Whole(line))) if !is_message(line) => match serde_json::from_slice(line) {
                    Ok(ExportLine::Space(space)) => export.begin(&space.id),
                    Ok(ExportLine::End { .. }) => export.unfinished = false,
                    _ => {}
                },
                Some(_) => {}
                None => break,
            }
        }
        Ok(export)
    }

    fn begin(&mut self, id: &SpaceId) {
        self.home = Some(self.given.unwrap_or(id).clone());
        self.unfinished = true;
    }

    async fn take(&mut self, entry: u64, line: ExportLine, sink: &mut Sink) -> anyhow::Result<()> {
        if !matches!(line, ExportLine::Session(_)) {
            self.open_sessions(sink).await?;
        }
        if let ExportLine::Space(space) = line {
            self.begin(&space.id);
            let home = self.given.unwrap_or(&space.id).clone();
            return sink.adopt_space(&home, space).await;
        }
        let Some(space) = self.home.clone() else {
            sink.refuse(entry, "an export begins with its space; add --space");
            return Ok(());
        };
        match line {
            ExportLine::Session(session) => self.sessions.push(session),
            ExportLine::Message { mut message, versions } => {
                // Nothing is left of one that was erased, and of one that was recalled only its owner has the words.
                if message.content.is_empty() && message.attachments.is_empty() {
                    return Ok(());
                }
                let revision = Revision::undo(&mut message, versions);
                sink.push_revised(entry, renewed(space, message), revision);
            }
            ExportLine::End { .. } => self.unfinished = false,
            // What was derived is derived again from the messages.
            ExportLine::Space(_) | ExportLine::Summary(_) | ExportLine::Memory(_) => {}
        }
        Ok(())
    }

    /// Opens the sessions in the order in which they were opened; an export has the newest first.
    async fn open_sessions(&mut self, sink: &mut Sink) -> anyhow::Result<()> {
        let Some(space) = &self.home else { return Ok(()) };
        let mut sessions = std::mem::take(&mut self.sessions);
        sessions.sort_by_key(|session| session.no);
        for session in sessions {
            let (id, ended) = (session.id.clone(), session.ended);
            let new = NewSession {
                id: Some(session.id),
                thread: session.thread,
                task: session.task,
                metadata: session.metadata,
            };
            sink.open_session(space, new).await?;
            if let Some(ended) = ended {
                sink.end_session(space.clone(), id, ended);
            }
        }
        Ok(())
    }

    async fn finish(&mut self, last: u64, sink: &mut Sink) -> anyhow::Result<()> {
        self.open_sessions(sink).await?;
        if self.unfinished {
            sink.refuse(
                last,
                "the export is cut off after this: its last line, which counts its messages, is missing",
            );
        }
        Ok(())
    }
}

fn is_message(line: &[u8]) -> bool {
    line.starts_with(br#"{"type":"message""#)
        || !line[..line.len().min(64)].windows(6).any(|part| part == br#""type""#)
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
