use anyhow::{Result, ensure};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};
use memoir_engine::{Clock, Engine, EngineSettings, NewMessage};
use memoir_model::{EndReason, MessageId, Period, SessionId, SpaceId, SpaceKey, Speaker};
use memoir_sqlite::{Options, SqliteStore};
use memoir_text::{Language, Limit, Role, Turn, language, summarise, topics};
use serde_json::{Value, json};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::hands::Hands;
use crate::Common;
use crate::corpus::Corpus;
use crate::memoir;

const SESSIONS: u64 = 3;
const TURNS: u64 = 8;
/// In how many parts the users are measured, so that a machine that is busy for a while hits the product and the
/// summariser alike. Each part speaks on a day of its own, all of one week, so that no other work comes due.
const PARTS: usize = 5;
/// The first of the days, a Tuesday.
const FIRST: jiff::civil::Date = jiff::civil::date(2026, 3, 10);
const ZONE: &str = "+08:00";
const EVENING: &str = "21:00";
const LATE: &str = "23:00";
/// Of the day after.
const NIGHT: &str = "00:31";
/// How long is waited before it is looked again whether something is done.
const LOOK: Duration = Duration::from_millis(20);
/// Of how many users one is looked at, and how many of the last are.
const LOOKED_AT_EVERY: usize = 20;
const LOOKED_AT_LAST: usize = 100;

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

fn moment(day: Date, time: &str) -> Result<Timestamp> {
    Ok(format!("{day}T{time}:00{ZONE}").parse()?)
}

/// Lets so many users have a day behind them and sums it up.
pub(super) fn measure(common: &Common, users: usize) -> Result<Night> {
    let folder = common.folder()?;
    let runtime = memoir::runtime()?;
    let store = Arc::new(SqliteStore::open(&Options::at(folder.path().join("night.db")))?);
    let hands = Hands::at(moment(FIRST, EVENING)?);
    let settings = EngineSettings { job_poll: SignedDuration::from_millis(20), ..EngineSettings::default() };
    let engine = Engine::new(store, Arc::new(hands.clone()), settings);
    let ids = (0..SESSIONS).map(|session| SessionId::new(format!("s{session}")));
    let sessions = ids.map(|id| id.map(Period::Session)).collect::<Result<Vec<_>, _>>()?;
    let mut took = Took::default();
    for part in 0..PARTS {
        let day = FIRST.checked_add(i64::try_from(part)?.days())?;
        let users = users * part / PARTS..users * (part + 1) / PARTS;
        hands.set(moment(day, EVENING)?);
        let keys = runtime.block_on(fill(&engine, users.clone(), Corpus::new(common.seed), hands.now()))?;
        took.sessions += runtime.block_on(work(&engine, &keys, &sessions))?;
        let texts = runtime.block_on(said(&engine, users.clone(), &keys, &sessions))?;
        took.sessions_alone += alone(&texts.sessions, (200, 120));

        // What looks after idle sessions is done before midnight.
        hands.set(moment(day, LATE)?);
        runtime.block_on(idle(&engine, users))?;
        hands.set(moment(day.tomorrow()?, NIGHT)?);
        let wanted = [Period::Day(day), Period::Background];
        took.days += runtime.block_on(work(&engine, &keys, &wanted))?;
        runtime.block_on(check(&engine, &keys, day))?;
        took.days_alone += alone(&texts.days, (400, 240));
    }
    let rate = |product: Duration, summariser: Duration| Rate {
        product: users as f64 / product.as_secs_f64(),
        summariser: users as f64 / summariser.as_secs_f64(),
    };
    Ok(Night { sessions: rate(took.sessions, took.sessions_alone), days: rate(took.days, took.days_alone) })
}

#[derive(Default)]
struct Took {
    sessions: Duration,
    sessions_alone: Duration,
    days: Duration,
    days_alone: Duration,
}

/// Lets users speak in the hours before the evening.
async fn fill(
    engine: &Engine,
    users: Range<usize>,
    corpus: Corpus,
    evening: Timestamp,
) -> Result<Vec<SpaceKey>> {
    let mut keys = Vec::with_capacity(users.len());
    for nth in users {
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
        keys.push(engine.space(&memoir::caller(), &space).await?.key());
    }
    Ok(keys)
}

/// Runs the workers until every user has these summaries, and says how long that took. Looks at some of them, one after the
/// other, and at all of those whose turn comes last, so that looking costs nearly nothing; at all once the time is taken.
async fn work(engine: &Engine, keys: &[SpaceKey], periods: &[Period]) -> Result<Duration> {
    let is_done =
        async |key| anyhow::Ok(engine.store().summaries_at(key, periods).await?.len() == periods.len());
    let begun = Instant::now();
    let workers = engine.start_workers();
    let (first, last) = keys.split_at(keys.len().saturating_sub(LOOKED_AT_LAST));
    for key in first.iter().step_by(LOOKED_AT_EVERY).chain(last) {
        while !is_done(key).await? {
            tokio::time::sleep(LOOK).await;
        }
    }
    let took = begun.elapsed();
    let mut late = 0;
    for key in keys {
        late += usize::from(!is_done(key).await?);
    }
    ensure!(late == 0, "{late} users were not done when the last of them were");
    workers.drain(Duration::from_secs(60)).await;
    Ok(took)
}

/// Lets the jobs go that would have closed the sessions.
async fn idle(engine: &Engine, users: Range<usize>) -> Result<()> {
    let workers = engine.start_workers();
    for nth in users {
        memoir::done(engine, &user(nth)?, "close_idle").await?;
    }
    workers.drain(Duration::from_secs(60)).await;
    Ok(())
}

/// Days count what was said.
async fn check(engine: &Engine, keys: &[SpaceKey], day: Date) -> Result<()> {
    for key in keys.iter().step_by((keys.len() / 100).max(1)) {
        let made = engine.store().summary(key, &Period::Day(day)).await?;
        let counts = made.map(|made| (made.sessions, made.messages));
        ensure!(counts == Some((SESSIONS as u32, (SESSIONS * TURNS) as u32)), "a day counts {counts:?}");
    }
    Ok(())
}

/// What the summariser has to read: each text a list of turns.
struct Texts {
    sessions: Vec<Vec<(bool, String)>>,
    days: Vec<Vec<(bool, String)>>,
}

/// The same texts as the product summed up.
async fn said(engine: &Engine, users: Range<usize>, keys: &[SpaceKey], sessions: &[Period]) -> Result<Texts> {
    let mut texts = Texts { sessions: Vec::new(), days: Vec::new() };
    for (nth, key) in users.zip(keys) {
        for session in 0..SESSIONS {
            let id = SessionId::new(format!("s{session}"))?;
            let window = engine.window(&memoir::caller(), &user(nth)?, &id, Some(50)).await?;
            let turns = window.iter().map(|message| (message.role == Speaker::User, message.content.clone()));
            texts.sessions.push(turns.collect());
        }
        let made = engine.store().summaries_at(key, sessions).await?;
        let lines = made.into_iter().flat_map(|made| made.lines).map(|line| (true, line.text));
        texts.days.push(lines.collect());
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
