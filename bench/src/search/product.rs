//! The product: a store filled through the engine, and searched through it.

use anyhow::{Context, Result, ensure};
use memoir_engine::{Engine, NewMessage, ReceiptStatus, SearchRequest};
use memoir_model::SpaceId;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::population::{Population, Share};
use super::searcher::{Answer, Searcher};
use crate::memoir;

/// How many messages a batch has: the most that the engine takes.
const BATCH: usize = 1_000;
/// How many batches are on their way at once.
const WRITERS: usize = 3;
/// How many hits are asked for.
const HITS: usize = 10;

/// An engine over a store of that population.
pub(crate) struct Memoir {
    path: PathBuf,
    runtime: Runtime,
    engine: Option<Engine>,
    space: SpaceId,
}

impl Memoir {
    /// Fills a new store and seals what is full.
    pub(crate) fn build(path: &Path, population: Population) -> Result<Self> {
        let runtime = memoir::runtime()?;
        let space = space(0)?;
        runtime.block_on(async { fill(&memoir::open(path)?, population, &space).await })?;
        let mut memoir = Memoir { path: path.to_owned(), runtime, engine: None, space };
        memoir.reopen()?;
        Ok(memoir)
    }
}

impl Searcher for Memoir {
    fn search(&mut self, query: &str) -> Result<Answer> {
        let engine = self.engine.as_ref().context("the store is closed")?;
        let request = SearchRequest { query: query.to_owned(), limit: HITS, ..SearchRequest::default() };
        let caller = memoir::caller();
        let page = self.runtime.block_on(engine.search_messages(&caller, &self.space, request))?;
        let found = page.hits.iter().map(|hit| hit.message.seq as i64).collect();
        Ok(Answer { found, work: Some(page.work) })
    }

    fn reopen(&mut self) -> Result<()> {
        self.engine = None;
        self.engine = Some(memoir::open(&self.path)?);
        Ok(())
    }
}

/// Fills a new store through an engine and seals what is full.
pub(crate) async fn fill(engine: &Engine, population: Population, searched: &SpaceId) -> Result<()> {
    let mut written = 0;
    for (own, others) in population.stretches() {
        for share in own {
            written += remember(engine, vec![share]).await?;
        }
        let per_batch = (BATCH / population.others.max(1)).max(1);
        let mut batches: VecDeque<&[usize]> = others.chunks(per_batch).collect();
        let mut writing = JoinSet::new();
        loop {
            while writing.len() < WRITERS {
                let Some(spaces) = batches.pop_front() else { break };
                let (engine, spaces) = (engine.clone(), spaces.to_vec());
                writing.spawn(async move {
                    let say = move || spaces.into_iter().map(|space| population.other(space)).collect();
                    let shares = tokio::task::spawn_blocking(say).await?;
                    remember(&engine, shares).await
                });
            }
            let Some(done) = writing.join_next().await else { break };
            written += done??;
        }
        eprintln!("memoir: {written} of {} messages", population.total());
    }
    let workers = engine.start_workers();
    memoir::sealed(engine, std::slice::from_ref(searched)).await?;
    workers.drain(Duration::from_secs(60)).await;
    Ok(())
}

async fn remember(engine: &Engine, shares: Vec<Share>) -> Result<usize> {
    let mut messages = Vec::new();
    for share in shares {
        let space = space(share.space)?;
        messages.extend(share.messages.into_iter().map(|(said_at, text)| {
            Ok(NewMessage { said_at: Some(said_at), ..NewMessage::text(space.clone(), text) })
        }));
    }
    let receipts = engine.remember(&memoir::caller(), messages).await?;
    ensure!(
        receipts.iter().all(|receipt| receipt.status == ReceiptStatus::Created),
        "a message was not stored"
    );
    Ok(receipts.len())
}

/// The space of that number; 0 is the one that is searched.
pub(crate) fn space(number: usize) -> Result<SpaceId> {
    Ok(format!("user:person-{number}").parse()?)
}
