use anyhow::{Result, ensure};
use jiff::{SignedDuration, Timestamp};
use memoir_engine::{Engine, EngineSettings, NewMessage};
use memoir_model::{EndReason, MessageId, Period, SessionId, SpaceId, Speaker, Summary};
use memoir_sqlite::{Options, SqliteStore};
use memoir_text::{Language, Limit, Role, Turn, language, summarise, topics};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::hands::Hands;
use crate::Common;
use crate::corpus::Corpus;
use crate::memoir;

const SESSIONS: u64 = 3;
const TURNS: u64 = 8;
/// An evening in Shanghai.
const EVENING: &str = "2026-03-10T21:00:00+08:00";
const DAY: jiff::civil::Date = jiff::civil::date(2026, 3, 10);
const LATE: &str = "2026-03-10T23:00:00+08:00";
/// The night after it.
const NIGHT: &str = "2026-03-11T00:31:00+08:00";

/// Users per second.
#[derive(Clone, Copy)]
pub(super) struct Rate {
    pub(super) product: f64,
    pub(super) summariser: f64,
}

impl Rate {
    pub(super) fn share(&self) -> f64 {
        self.product / self.summariser
    }

    pub(super) fn json(&self) -> Value {
        json!({"users_per_second": self.product, "summariser_alone": self.summariser})
    }
}

pub(super) struct Night {
    pub(super) sessions: Rate,
    pub(super) days: Rate,
}

impl Night {
    /// One after the other.
    pub(super) fn both(&self) -> Rate {
        let together = |one: f64, other: f64| 1.0 / (1.0 / one + 1.0 / other);
        Rate {
            product: together(self.sessions.product, self.days.product),
            summariser: together(self.sessions.summariser, self.days.summariser),
        }
    }
}

fn user(nth: usize) -> Result<SpaceId> {
    Ok(format!("user:u{nth}").parse()?)
}

/// Lets so many users have a day behind them and sums it up.
pub(super) fn measure(common: &Common, users: usize) -> Result<Night> {
    let folder = common.folder()?;
    let runtime = memoir::runtime()?;
    let store = Arc::new(SqliteStore::open(&Options::at(folder.path().join("night.db")))?);
    let hands = Hands::at(EVENING)?;
    let settings = EngineSettings { job_poll: SignedDuration::from_millis(20), ..EngineSettings::default() };
    let engine = Engine::new(store, Arc::new(hands.clone()), settings);
    let corpus = Corpus::new(common.seed);
    runtime.block_on(fill(&engine, users, corpus))?;
    let ids = (0..SESSIONS).map(|session| SessionId::new(format!("s{session}")));
    let sessions = ids.map(|id| id.map(Period::Session)).collect::<Result<Vec<_>, _>>()?;
    let begun = Instant::now();
    runtime.block_on(work(&engine, users, &sessions))?;
    let sessions = users as f64 / begun.elapsed().as_secs_f64();
    let texts = runtime.block_on(said(&engine, users))?;
    let sessions = Rate {
        product: sessions,
        summariser: users as f64 / alone(&texts.sessions, (200, 120)).as_secs_f64(),
    };

    // What looks after idle sessions is done before midnight.
    hands.set(LATE)?;
    runtime.block_on(idle(&engine, users))?;
    hands.set(NIGHT)?;
    let begun = Instant::now();
    runtime.block_on(work(&engine, users, &[Period::Day(DAY), Period::Background]))?;
    let days = users as f64 / begun.elapsed().as_secs_f64();
    runtime.block_on(check(&engine, users))?;
    let summariser = users as f64 / alone(&texts.days, (400, 240)).as_secs_f64();
    Ok(Night { sessions, days: Rate { product: days, summariser } })
}

async fn fill(engine: &Engine, users: usize, corpus: Corpus) -> Result<()> {
    let evening: Timestamp = EVENING.parse()?;
    for nth in 0..users {
        let space = user(nth)?;
        let mut messages = Vec::new();
        for session in 0..SESSIONS {
            for turn in 0..TURNS {
                let number = (nth as u64 * SESSIONS + session) * TURNS + turn;
                let mut message = NewMessage::text(space.clone(), corpus.message(number));
                message.id = Some(MessageId::new(format!("m{session}-{turn}"))?);
                message.session = Some(SessionId::new(format!("s{session}"))?);
                message.role = if turn % 2 == 0 { Speaker::User } else { Speaker::Assistant };
                let minutes = ((SESSIONS - session) * 120 - turn) as i64;
                message.said_at = Some(evening.checked_sub(SignedDuration::from_mins(minutes))?);
                messages.push(Ok(message));
            }
        }
        engine.remember(&memoir::caller(), messages).await?;
        for session in 0..SESSIONS {
            let id = SessionId::new(format!("s{session}"))?;
            engine.end_session(&memoir::caller(), &space, &id, EndReason::Call).await?;
        }
    }
    Ok(())
}

/// Runs the workers until every user has these summaries. Looks at one after the other, so that looking costs nothing.
async fn work(engine: &Engine, users: usize, periods: &[Period]) -> Result<()> {
    let workers = engine.start_workers();
    for nth in 0..users {
        let key = engine.space(&memoir::caller(), &user(nth)?).await?.key();
        for period in periods {
            while engine.store().summary(&key, period).await?.is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }
    workers.drain(Duration::from_secs(60)).await;
    Ok(())
}

/// Lets the jobs go that would have closed the sessions.
async fn idle(engine: &Engine, users: usize) -> Result<()> {
    let workers = engine.start_workers();
    for nth in 0..users {
        memoir::done(engine, &user(nth)?, "close_idle").await?;
    }
    workers.drain(Duration::from_secs(60)).await;
    Ok(())
}

/// Every user has a summary of the day and a background.
async fn check(engine: &Engine, users: usize) -> Result<()> {
    for nth in (0..users).step_by((users / 100).max(1)) {
        let key = engine.space(&memoir::caller(), &user(nth)?).await?.key();
        let made = engine.store().summary(&key, &Period::Day(DAY)).await?;
        let counts = made.map(|made| (made.sessions, made.messages));
        ensure!(counts == Some((SESSIONS as u32, (SESSIONS * TURNS) as u32)), "user {nth} has {counts:?}");
        ensure!(
            engine.store().summary(&key, &Period::Background).await?.is_some(),
            "user {nth} has no background"
        );
    }
    Ok(())
}

/// What the summariser has to read: each text a list of turns.
struct Texts {
    sessions: Vec<Vec<(bool, String)>>,
    days: Vec<Vec<(bool, String)>>,
}

/// The same texts as the product summed up.
async fn said(engine: &Engine, users: usize) -> Result<Texts> {
    let mut texts = Texts { sessions: Vec::new(), days: Vec::new() };
    for nth in 0..users {
        let space = engine.space(&memoir::caller(), &user(nth)?).await?;
        let mut day = Vec::new();
        for session in 0..SESSIONS {
            let id = SessionId::new(format!("s{session}"))?;
            let window = engine.window(&memoir::caller(), &space.id, &id, Some(50)).await?;
            let turns = window.iter().map(|message| (message.role == Speaker::User, message.content.clone()));
            texts.sessions.push(turns.collect());
            let made: Option<Summary> = engine.store().summary(&space.key(), &Period::Session(id)).await?;
            ensure!(made.is_some(), "a session of user {nth} is not summed up");
            day.extend(made.into_iter().flat_map(|made| made.lines).map(|line| (true, line.text)));
        }
        texts.days.push(day);
    }
    Ok(texts)
}

/// How long the summariser takes alone, on every core, for summaries of so many characters or words.
fn alone(texts: &[Vec<(bool, String)>], most: (usize, usize)) -> Duration {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for part in texts.chunks(texts.len().div_ceil(threads).max(1)) {
            scope.spawn(move || part.iter().for_each(|text| sum_up(text, most)));
        }
    });
    begun.elapsed()
}

fn sum_up(text: &[(bool, String)], (characters, words): (usize, usize)) {
    let turn = |(is_user, text)| Turn {
        speaker: "",
        role: if is_user { Role::User } else { Role::Assistant },
        text,
    };
    let turns: Vec<Turn<'_>> =
        text.iter().map(|(is_user, text)| (*is_user, text.as_str())).map(turn).collect();
    let whole: String = text.iter().map(|(_, text)| text.as_str()).collect();
    // As long as the product makes it: half of the text at most.
    let limit = match language(&whole) {
        Language::En => Limit::Words(words.min(Limit::Words(0).measure(&whole) / 2)),
        _ => Limit::Characters(characters.min(whole.chars().count() / 2)),
    };
    std::hint::black_box((summarise(&turns, limit), topics(&turns, 3..=5)));
}
