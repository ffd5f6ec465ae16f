use anyhow::{Result, ensure};
use jiff::{SignedDuration, ToSpan};
use memoir_engine::{Engine, EngineSettings, NewMessage};
use memoir_model::{MessageId, Period, SessionId, SpaceId, Speaker};
use memoir_server::{App, Server, ServerSettings};
use memoir_sqlite::{Options, SqliteStore};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

use super::hands::Hands;
use crate::Common;
use crate::client::Client;
use crate::corpus::Corpus;
use crate::memoir;

/// Milliseconds.
pub(super) struct Read {
    pub(super) context: Vec<f64>,
    pub(super) row: Vec<f64>,
}

/// How many days lie behind, and how much was said on each.
const DAYS: i64 = 30;
const MESSAGES: u64 = 40;
/// When it is asked.
const NOON: &str = "2026-03-11T12:00:00+08:00";

/// Reads yesterday over HTTP, and the bare row in turns with it.
pub(super) fn measure(common: &Common, reads: usize) -> Result<Read> {
    let folder = common.folder()?;
    let runtime = memoir::runtime()?;
    let store = Arc::new(SqliteStore::open(&Options::at(folder.path().join("yesterday.db")))?);
    let settings = EngineSettings {
        context_cache: SignedDuration::ZERO,
        layer_quiet: SignedDuration::ZERO,
        ..EngineSettings::default()
    };
    let engine = Engine::new(store, Arc::new(Hands::at(NOON.parse()?)), settings);
    let space: SpaceId = "user:reader".parse()?;
    let day = runtime.block_on(fill(&engine, &space, Corpus::new(common.seed)))?;
    let key = runtime.block_on(engine.space(&memoir::caller(), &space))?.key();
    let (_stop, stopped) = oneshot::channel::<()>();
    let app = App::new(engine.clone(), ServerSettings::default(), true);
    let address = runtime.block_on(async {
        let bound = Server::bind(app, SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        let address = bound.address()?;
        tokio::spawn(bound.run(async move { drop(stopped.await) }, Duration::from_secs(5)));
        anyhow::Ok(address)
    })?;
    let mut client = Client::connect(address)?;
    let body = json!({"space": space.to_string(), "message": "昨天我们聊了什么？"}).to_string();
    let mut read = Read { context: Vec::new(), row: Vec::new() };
    for nth in 0..reads + 20 {
        let start = Instant::now();
        let reply = client.post("/v1/context", &body)?;
        let spent = start.elapsed().as_secs_f64() * 1e3;
        let reply: Value = serde_json::from_slice(reply)?;
        let told = &reply["blocks"][1]["lines"][0]["sources"][0];
        ensure!(*told == json!(format!("day:{day}")), "yesterday was not told: {reply}");
        let start = Instant::now();
        let row = runtime.block_on(engine.store().summary(&key, &Period::Day(day)))?;
        let bare = start.elapsed().as_secs_f64() * 1e3;
        ensure!(row.is_some(), "there is no such row");
        if nth >= 20 {
            read.context.push(spent);
            read.row.push(bare);
        }
    }
    Ok(read)
}

/// Fills a month of days and has them summed up; returns yesterday.
async fn fill(engine: &Engine, space: &SpaceId, corpus: Corpus) -> Result<jiff::civil::Date> {
    let zone = engine.settings().default_zone.clone();
    let today = zone.at(engine.now()).date();
    for ago in (1..=DAYS).rev() {
        let day = today.checked_sub(ago.days())?;
        let mut messages = Vec::new();
        for nth in 0..MESSAGES {
            let number = ago as u64 * MESSAGES + nth;
            let mut message = NewMessage::text(space.clone(), corpus.message(number));
            message.id = Some(MessageId::new(format!("m{number}"))?);
            message.session = Some(SessionId::new(format!("s{}", number / 20))?);
            message.role = if nth % 2 == 0 { Speaker::User } else { Speaker::Assistant };
            let at = day.at(9 + (nth / 10) as i8, (nth % 10) as i8, 0, 0);
            message.said_at = Some(at.to_zoned(zone.time_zone().clone())?.timestamp());
            messages.push(Ok(message));
        }
        engine.remember(&memoir::caller(), messages).await?;
    }
    let workers = engine.start_workers();
    let key = engine.space(&memoir::caller(), space).await?.key();
    let day = today.yesterday()?;
    let begun = Instant::now();
    while engine.store().summary(&key, &Period::Day(day)).await?.is_none_or(|known| known.stale) {
        ensure!(begun.elapsed() < Duration::from_secs(120), "yesterday is not summed up");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    workers.drain(Duration::from_secs(60)).await;
    Ok(day)
}
