use jiff::Timestamp;
use memoir_engine::{Caller, Engine, NewMessage, NewSession, Receipt, ReceiptStatus};
use memoir_model::{EndReason, Error, ErrorCode, SessionId, Space, SpaceId};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

use super::checkpoint::{Checkpoint, Mark, Reached};
use super::revision::Revision;

/// How many messages are sent at once.
const BATCH: usize = 500;
/// How many bytes of text are sent at once; the smallest `store.queue_bytes` has room for them.
const BATCH_BYTES: usize = 256 << 10;
/// How many refusals are shown; all are counted.
const SHOWN: usize = 10;
/// How often a busy store is asked again.
const PATIENCE: u32 = 60;

/// Where an import's messages go: in batches, each followed by a mark of how far the file is done.
pub(crate) struct Sink {
    engine: Engine,
    caller: Caller,
    checkpoint: Checkpoint,
    bar: indicatif::ProgressBar,
    batch: Vec<Entry>,
    bytes: usize,
    endings: Vec<(SpaceId, SessionId, (Timestamp, EndReason))>,
    reached: Reached,
    summary: Summary,
}

/// A message, where it stands in the file, and what happened to it later.
struct Entry {
    no: u64,
    message: NewMessage,
    revision: Option<Revision>,
}

/// What an import did.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    created: u64,
    existed: u64,
    pub(crate) refused: u64,
    resumed_at_entry: u64,
    errors: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} messages stored, {} were there already, {} refused",
            self.created, self.existed, self.refused
        )?;
        if self.resumed_at_entry > 0 {
            write!(f, " (went on after entry {})", self.resumed_at_entry)?;
        }
        for error in &self.errors {
            write!(f, "\n  {error}")?;
        }
        if self.refused > self.errors.len() as u64 {
            write!(f, "\n  … and {} more", self.refused - self.errors.len() as u64)?;
        }
        Ok(())
    }
}

impl Sink {
    pub(crate) fn new(
        engine: Engine,
        caller: Caller,
        checkpoint: Checkpoint,
        bar: indicatif::ProgressBar,
    ) -> Self {
        let Mark { reached, refused, errors } = checkpoint.read();
        bar.set_position(reached.bytes);
        let summary = Summary { refused, errors, resumed_at_entry: reached.entries, ..Summary::default() };
        let (batch, bytes, endings) = Default::default();
        Sink { engine, caller, checkpoint, bar, batch, bytes, endings, reached, summary }
    }

    /// Where the file is to be read on.
    pub(crate) fn start(&self) -> Reached {
        self.reached
    }

    /// Takes a message that stands at that entry of the file.
    pub(crate) fn push(&mut self, entry: u64, message: NewMessage) {
        self.push_revised(entry, message, None);
    }

    /// The same for a message that was edited or withdrawn later.
    pub(crate) fn push_revised(&mut self, no: u64, message: NewMessage, revision: Option<Revision>) {
        self.bytes += message.content.len();
        self.batch.push(Entry { no, message, revision });
    }

    /// Ends a session once all of its messages are stored. If the import is cut short before, it ends by idleness.
    pub(crate) fn end_session(&mut self, space: SpaceId, id: SessionId, ended: (Timestamp, EndReason)) {
        self.endings.push((space, id, ended));
    }

    pub(crate) async fn open_session(&mut self, space: &SpaceId, new: NewSession) -> anyhow::Result<()> {
        Ok(self.engine.open_session(&self.caller, space, new).await.map(drop)?)
    }

    pub(crate) async fn adopt_space(&mut self, id: &SpaceId, exported: Space) -> anyhow::Result<()> {
        Ok(self.engine.adopt_space(&self.caller, id, exported).await.map(drop)?)
    }

    /// Counts an entry that cannot be stored.
    pub(crate) fn refuse(&mut self, entry: u64, error: impl fmt::Display) {
        self.summary.refused += 1;
        if self.summary.errors.len() < SHOWN {
            self.summary.errors.push(format!("entry {entry}: {error}"));
        }
    }

    /// Everything before this place was handed over; sends it on when there is enough.
    pub(crate) async fn passed(&mut self, reached: Reached) -> anyhow::Result<()> {
        self.reached = reached;
        if self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES {
            self.send().await?;
        }
        Ok(())
    }

    async fn send(&mut self) -> anyhow::Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        while !batch.is_empty() {
            let mut bytes = 0;
            let fits = batch.iter().take(BATCH).take_while(|entry| {
                bytes += entry.message.content.len();
                bytes <= BATCH_BYTES
            });
            // One alone always goes, however long it is: the engine says whether it is too long.
            let rest = batch.split_off(fits.count().max(1));
            self.send_some(batch).await?;
            batch = rest;
        }
        self.bytes = 0;
        self.bar.set_position(self.reached.bytes);
        self.bar.set_message(format!("{} stored", self.summary.created));
        let Summary { refused, errors, .. } = &self.summary;
        self.checkpoint.write(&Mark { reached: self.reached, refused: *refused, errors: errors.clone() })
    }

    async fn send_some(&mut self, mut batch: Vec<Entry>) -> anyhow::Result<()> {
        for _ in 0..PATIENCE {
            let sent = batch.iter().map(|entry| Ok(entry.message.clone())).collect();
            match self.engine.remember(&self.caller, sent).await {
                Err(error) if error.code() == ErrorCode::Busy => {}
                receipts => batch = self.settle(batch, receipts?).await?,
            }
            if batch.is_empty() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        anyhow::bail!("the store stayed busy for a minute; run the same command again to go on")
    }

    /// Takes note of what became of each message. Returns those for which the store had no time.
    async fn settle(&mut self, batch: Vec<Entry>, receipts: Vec<Receipt>) -> anyhow::Result<Vec<Entry>> {
        let mut again = Vec::new();
        for (entry, receipt) in batch.into_iter().zip(receipts) {
            match (receipt.status, receipt.error) {
                (ReceiptStatus::Created, _) => self.summary.created += 1,
                (ReceiptStatus::Exists, _) => self.summary.existed += 1,
                (ReceiptStatus::Failed, Some(error)) if error.code() == ErrorCode::Busy => {
                    again.push(entry);
                    continue;
                }
                (ReceiptStatus::Failed, Some(error)) => return Err(error.into()),
                (_, error) => {
                    self.refuse(entry.no, error.as_ref().map(reason).unwrap_or_default());
                    continue;
                }
            }
            if let Some(revision) = entry.revision {
                revision.redo(&self.engine, &self.caller, &entry.message.space).await?;
            }
        }
        Ok(again)
    }

    pub(crate) async fn finish(mut self) -> anyhow::Result<Summary> {
        self.send().await?;
        for (space, id, (at, reason)) in std::mem::take(&mut self.endings) {
            self.engine.end_session_at(&self.caller, &space, &id, at, reason).await?;
        }
        self.checkpoint.forget();
        self.bar.finish_and_clear();
        Ok(self.summary)
    }
}

/// Why a message was refused. Its place in the batch, which nobody but this program knows, is left out.
fn reason(error: &Error) -> String {
    let place = error.field().and_then(|field| field.strip_prefix("messages[")?.split_once(']'));
    match place {
        Some((_, "")) => error.message().to_owned(),
        Some((_, field)) => format!("{}: {}", field.trim_start_matches('.'), error.message()),
        None => error.to_string(),
    }
}
