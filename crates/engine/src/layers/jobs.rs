//! The work of keeping summaries up to date, as jobs.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use memoir_model::{ErrorCode, GeneratedId, Lane, NewJob, Period, Result, SummaryLevel};
use memoir_store::WriteSet;
use serde_json::Value;

use super::clock;
use super::condense::By;
use crate::upkeep::{Completion, JobContext, Work};

const SESSION: &str = "summarise_session";
const PERIOD: &str = "roll_up";
/// Whoever never rests is summed up this long after it was due.
const PATIENCE: SignedDuration = SignedDuration::from_hours(3);

/// The work of bringing the summary of a period up to date.
pub(crate) fn job(id: GeneratedId, period: &Period, due: Timestamp) -> NewJob {
    let (kind, key) = match period {
        Period::Session(session) => (SESSION, session.to_string()),
        _ => (PERIOD, format!("{}:{}", period.level().as_str(), period.key())),
    };
    NewJob { id, kind: kind.into(), key, payload: Value::Null, lane: Lane::Derived, run_at: due }
}

/// Sums up sessions when they end, and while they grow (A2, D3).
pub(crate) struct SummariseSession {
    pub(crate) at_once: usize,
}

#[async_trait]
impl Work for SummariseSession {
    fn kind(&self) -> &'static str {
        SESSION
    }

    fn concurrency(&self) -> usize {
        self.at_once
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let (engine, period) = (&context.engine, Period::from_key(SummaryLevel::Session, &context.job.key)?);
        match engine.make_session(&mut context.space.clone(), &period, context.job.lease()).await {
            Ok(Some(next)) => Ok(Completion::Postpone(next)),
            made => completion(made),
        }
    }
}

/// Sums up days, weeks and months once they are over, and adds days to the background (A3, A5, A11).
pub(crate) struct RollUp {
    pub(crate) at_once: usize,
}

#[async_trait]
impl Work for RollUp {
    fn kind(&self) -> &'static str {
        PERIOD
    }

    fn concurrency(&self) -> usize {
        self.at_once
    }

    fn is_upkeep(&self) -> bool {
        true
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let (engine, space) = (&context.engine, &context.space);
        let Some(period) = read(&context.job.key) else { return Ok(Completion::Effect(WriteSet::default())) };
        let now = engine.now();
        // The space may have moved west since.
        if let Some((_, last)) = period.days()
            && !clock::is_over(space, last, now)
        {
            return Ok(Completion::Postpone(
                clock::due(space, &period, engine.settings().layer_night).max(now),
            ));
        }
        if matches!(period, Period::Day(_))
            && let Some(quiet) = active_until(context, &period).await?
        {
            return Ok(Completion::Postpone(quiet));
        }
        match period {
            Period::Day(day) => {
                completion(engine.make_day(&mut space.clone(), day, context.job.lease()).await)
            }
            _ => {
                let lease = Some(context.job.lease());
                completion(engine.make_summary(&mut space.clone(), &period, By::Best, lease).await)
            }
        }
    }
}

fn completion<T>(made: Result<T>) -> Result<Completion> {
    match made {
        Ok(_) => Ok(Completion::Committed),
        // What it is made from is gone.
        Err(error) if error.code() == ErrorCode::NotFound => Ok(Completion::Effect(WriteSet::default())),
        Err(error) => Err(error),
    }
}

/// Until when somebody who spoke just now is left alone; `None` when it can be done.
async fn active_until(context: &JobContext, period: &Period) -> Result<Option<Timestamp>> {
    let (engine, space) = (&context.engine, &context.space);
    let settings = engine.settings();
    let newest = engine.store().messages_at(&space.key(), &[space.last_seq]).await?;
    let Some(newest) = newest.first() else { return Ok(None) };
    let quiet = newest.recorded_at.saturating_add(settings.layer_quiet).unwrap_or(Timestamp::MAX);
    let since = clock::due(space, period, settings.layer_night).max(context.job.created_at);
    let waited = since.duration_until(engine.now());
    Ok((engine.now() < quiet && waited < PATIENCE).then_some(quiet))
}

/// The period that a key names.
fn read(key: &str) -> Option<Period> {
    let (level, key) = key.split_once(':')?;
    let level = SummaryLevel::ALL.into_iter().find(|known| known.as_str() == level)?;
    Period::from_key(level, key).ok()
}
