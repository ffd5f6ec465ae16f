//! The engine called directly, with batches.

use anyhow::{Result, ensure};
use memoir_engine::{Engine, NewMessage, ReceiptStatus, Workers};
use memoir_model::SpaceId;
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::contender::{Contender, Slice};
use crate::memoir;
use crate::usage::measured;

/// Producers that each fill a space of their own, one batch after the other.
pub(super) struct Direct {
    name: &'static str,
    runtime: Runtime,
    engine: Engine,
    workers: Option<Workers>,
    spaces: Vec<SpaceId>,
    batch: usize,
}

impl Direct {
    pub(super) fn new(name: &'static str, folder: &Path, producers: usize, batch: usize) -> Result<Self> {
        let runtime = memoir::runtime()?;
        let engine = memoir::open(&folder.join(format!("{name}.db")))?;
        let workers = runtime.block_on(async { engine.start_workers() });
        let spaces =
            (0..producers).map(|i| Ok(format!("user:producer-{i}").parse()?)).collect::<Result<_>>()?;
        Ok(Direct { name, runtime, engine, workers: Some(workers), spaces, batch })
    }

    async fn write(&self, loads: Vec<Vec<Vec<NewMessage>>>) -> Result<()> {
        let mut producers = JoinSet::new();
        for batches in loads {
            let engine = self.engine.clone();
            producers.spawn(async move {
                let caller = memoir::caller();
                for batch in batches {
                    let receipts = engine.remember(&caller, batch.into_iter().map(Ok).collect()).await?;
                    let created = receipts.iter().all(|receipt| receipt.status == ReceiptStatus::Created);
                    ensure!(created, "a message was not stored: {receipts:?}");
                }
                Ok(())
            });
        }
        producers.join_all().await.into_iter().collect()
    }
}

impl Contender for Direct {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&self) -> usize {
        self.spaces.len() * self.batch
    }

    fn run(&mut self, texts: Vec<String>) -> Result<Slice> {
        let rows = texts.len();
        let mut loads: Vec<Vec<Vec<NewMessage>>> = vec![Vec::new(); self.spaces.len()];
        for (i, batch) in texts.chunks(self.batch).enumerate() {
            let producer = i % self.spaces.len();
            let message = |text: &String| NewMessage::text(self.spaces[producer].clone(), text.clone());
            loads[producer].push(batch.iter().map(message).collect());
        }
        let (written, elapsed, usage) = measured(|| self.runtime.block_on(self.write(loads)));
        written?;
        Ok(Slice { rows, elapsed, usage, latencies: Vec::new() })
    }

    fn settle(&mut self) -> Result<()> {
        self.runtime.block_on(memoir::sealed(&self.engine, &self.spaces))
    }
}

impl Drop for Direct {
    fn drop(&mut self) {
        if let Some(workers) = self.workers.take() {
            self.runtime.block_on(workers.drain(Duration::from_secs(5)));
        }
    }
}
