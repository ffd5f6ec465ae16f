use anyhow::{Context, Result, ensure};
use memoir_engine::{Engine, NewMessage, ReceiptStatus, SearchRequest};
use memoir_model::{SessionId, SpaceId};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

use super::backend::Backend;
use crate::corpus::Corpus;
use crate::memoir::caller;

/// What a client does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Ingest,
    Search,
    Window,
}

impl Work {
    pub(super) fn name(self) -> &'static str {
        match self {
            Work::Ingest => "ingest",
            Work::Search => "search",
            Work::Window => "window",
        }
    }
}

/// What one slice came to.
pub(super) struct Slice {
    elapsed: Duration,
    pub(super) latencies: Vec<Duration>,
}

impl Slice {
    /// Calls per second.
    pub(super) fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Clients at work on one backend.
pub(super) struct Load {
    name: &'static str,
    engine: Engine,
    corpus: Corpus,
    next: u64,
    clients: Vec<Client>,
}

/// A client, the space that it reads, which stays as it is, and the one that it fills.
#[derive(Clone)]
struct Client {
    reads: SpaceId,
    session: SessionId,
    fills: SpaceId,
}

impl Load {
    pub(super) fn new(backend: &Backend, corpus: Corpus) -> Self {
        Load { name: backend.name(), engine: backend.engine().clone(), corpus, next: 0, clients: Vec::new() }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Gives each client a space with messages in it, to read.
    pub(super) async fn prepare(&mut self, clients: usize, messages: usize) -> Result<()> {
        for client in 0..clients {
            let reads: SpaceId = format!("user:reader-{client}").parse()?;
            let fills: SpaceId = format!("user:writer-{client}").parse()?;
            let texts = self.corpus.messages(self.next..self.next + messages as u64);
            self.next += messages as u64;
            let new = |text: &String| Ok(NewMessage::text(reads.clone(), text.clone()));
            let mut session = None;
            for batch in texts.chunks(500) {
                let receipts = self.engine.remember(&caller(), batch.iter().map(new).collect()).await?;
                session = receipts.last().and_then(|receipt| receipt.session.clone());
            }
            self.clients.push(Client { reads, session: session.context("a session")?, fills });
        }
        Ok(())
    }

    /// Lets so many clients work for about so long.
    pub(super) async fn run(&mut self, work: Work, clients: usize, seconds: f64) -> Result<Slice> {
        let started = Instant::now();
        let until = started + Duration::from_secs_f64(seconds);
        let mut at_work = JoinSet::new();
        for client in self.clients.iter().take(clients).cloned() {
            // Numbers that nobody else has used.
            let first = self.next;
            self.next += 1_000_000;
            let (engine, corpus) = (self.engine.clone(), self.corpus);
            at_work.spawn(async move {
                let mut latencies = Vec::new();
                for number in first.. {
                    let text = corpus.message(number);
                    let before = Instant::now();
                    if before >= until {
                        break;
                    }
                    client.call(&engine, work, text).await?;
                    latencies.push(before.elapsed());
                }
                Ok::<_, anyhow::Error>(latencies)
            });
        }
        let mut latencies = Vec::new();
        for done in at_work.join_all().await {
            latencies.extend(done?);
        }
        Ok(Slice { elapsed: started.elapsed(), latencies })
    }
}

impl Client {
    async fn call(&self, engine: &Engine, work: Work, text: String) -> Result<()> {
        match work {
            Work::Ingest => {
                let message = NewMessage::text(self.fills.clone(), text);
                let receipts = engine.remember(&caller(), vec![Ok(message)]).await?;
                let created = receipts.iter().all(|receipt| receipt.status == ReceiptStatus::Created);
                ensure!(created, "a message was not stored: {receipts:?}");
            }
            Work::Search => {
                let query: String = text.chars().take(12).collect();
                let request = SearchRequest { query, limit: 10, ..SearchRequest::default() };
                engine.search_messages(&caller(), &self.reads, request).await?;
            }
            Work::Window => {
                engine.window(&caller(), &self.reads, &self.session, None).await?;
            }
        }
        Ok(())
    }
}
