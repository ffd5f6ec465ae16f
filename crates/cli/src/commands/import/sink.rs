use memoir_engine::{Caller, Engine, NewMessage, NewSession, ReceiptStatus};
use memoir_model::{EndReason, Error, ErrorCode, MessageId, SessionId, SpaceId};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

use super::checkpoint::{Checkpoint, Reached};

/// How many messages are sent at once.
const BATCH: usize = 500;
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
    batch: Vec<(u64, NewMessage)>,
    recalls: Vec<(SpaceId, MessageId)>,
    endings: Vec<(SpaceId, SessionId, EndReason)>,
    reached: Reached,
    summary: Summary,
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
        write!(f, "{} messages stored, {} were there already, {} refused", self.created, self.existed, self.refused)?;
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
    pub(crate) fn new(engine: Engine, caller: Caller, checkpoint: Checkpoint, bar: indicatif::ProgressBar) -> Self {
        let reached = checkpoint.reached();
        bar.set_position(reached.bytes);
        let summary = Summary { resumed_at_entry: reached.entries, ..Summary::default() };
        let (batch, recalls, endings) = Default::default();
        Sink { engine, caller, checkpoint, bar, batch, recalls, endings, reached, summary }
    }

    /// Where the file is to be read on.
    pub(crate) fn start(&self) -> Reached {
        self.reached
    }

    /// Takes a message that stands at that entry of the file.
    pub(crate) fn push(&mut self, entry: u64, message: NewMessage) {
        self.batch.push((entry, message));
    }

    /// Withdraws a message once it is stored.
    pub(crate) fn recall(&mut self, space: SpaceId, id: MessageId) {
        self.recalls.push((space, id));
    }

    /// Ends a session once all of its messages are stored. If the import is cut short before, it ends by idleness.
    pub(crate) fn end_session(&mut self, space: SpaceId, id: SessionId, reason: EndReason) {
        self.endings.push((space, id, reason));
    }

    pub(crate) async fn open_session(&mut self, space: &SpaceId, new: NewSession) -> anyhow::Result<()> {
        Ok(self.engine.open_session(&self.caller, space, new).await.map(drop)?)
    }

    pub(crate) async fn put_space(&mut self, space: &SpaceId, patch: memoir_engine::SpacePatch) -> anyhow::Result<()> {
        Ok(self.engine.put_space(&self.caller, space, patch).await.map(drop)?)
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
        if self.batch.len() >= BATCH {
            self.send().await?;
        }
        Ok(())
    }

    async fn send(&mut self) -> anyhow::Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        while !batch.is_empty() {
            let rest = batch.split_off(batch.len().min(BATCH));
            self.send_some(batch).await?;
            batch = rest;
        }
        self.bar.set_position(self.reached.bytes);
        self.bar.set_message(format!("{} stored", self.summary.created));
        for (space, id) in std::mem::take(&mut self.recalls) {
            tolerate_missing(self.engine.recall_message(&self.caller, &space, &id).await.map(drop))?;
        }
        self.checkpoint.mark(self.reached)
    }

    async fn send_some(&mut self, batch: Vec<(u64, NewMessage)>) -> anyhow::Result<()> {
        let entries: Vec<u64> = batch.iter().map(|(entry, _)| *entry).collect();
        let messages: Vec<NewMessage> = batch.into_iter().map(|(_, message)| message).collect();
        for _ in 0..PATIENCE {
            let sent = messages.iter().cloned().map(Ok::<_, Error>).collect();
            let receipts = match self.engine.remember(&self.caller, sent).await {
                Err(error) if error.code() == ErrorCode::Busy => None,
                other => Some(other?),
            };
            let failed = receipts.iter().flatten().find(|receipt| receipt.status == ReceiptStatus::Failed);
            if let Some(error) = failed.and_then(|receipt| receipt.error.clone()) {
                if error.code() != ErrorCode::Busy {
                    return Err(error.into());
                }
            } else if let Some(receipts) = receipts {
                for (entry, receipt) in entries.iter().zip(receipts) {
                    match (receipt.status, receipt.error) {
                        (ReceiptStatus::Created, _) => self.summary.created += 1,
                        (ReceiptStatus::Exists, _) => self.summary.existed += 1,
                        (_, Some(error)) => self.refuse(*entry, error),
                        (_, None) => {}
                    }
                }
                return Ok(());
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        anyhow::bail!("the store stayed busy for a minute; run the same command again to go on")
    }

    pub(crate) async fn finish(mut self) -> anyhow::Result<Summary> {
        self.send().await?;
        for (space, id, reason) in std::mem::take(&mut self.endings) {
            tolerate_missing(self.engine.end_session(&self.caller, &space, &id, reason).await.map(drop))?;
        }
        self.checkpoint.forget();
        self.bar.finish_and_clear();
        Ok(self.summary)
    }
}

/// A message that was refused cannot be withdrawn, and that is no second error.
fn tolerate_missing(done: memoir_model::Result<()>) -> memoir_model::Result<()> {
    match done {
        Err(error) if error.code() == ErrorCode::NotFound => Ok(()),
        other => other,
    }
}
