//! Making the summary of a period, and keeping it.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use memoir_index::Terms;
use memoir_model::{Error, GeneratedId, Lease, Period, Result, SessionId, Space, Summary};
use memoir_store::{JobChange, Row, WriteSet};
use std::sync::Arc;

use super::background;
use super::clock;
use super::condense::By;
use super::jobs;
use crate::engine::{Engine, Inner};
use crate::remember::{Ledger, SpaceState};

/// How often a summary is made anew because what it was made from changed under its hands.
const TRIES: usize = 5;
/// How often a model is asked for a summary that it failed to give, and how long is waited in between.
const FAILURES: u8 = 3;
const AFTER_FAILURE: SignedDuration = SignedDuration::from_hours(1);

/// What came of making a summary.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// It is new, or other than before.
    New(Box<Summary>),
    /// It was there and fits.
    Same(Box<Summary>),
    /// There is too little to sum up.
    TooLittle,
}

impl Made {
    /// The summary, if there is one.
    pub fn into_summary(self) -> Option<Summary> {
        match self {
            Made::New(summary) | Made::Same(summary) => Some(*summary),
            Made::TooLittle => None,
        }
    }
}

impl Engine {
    /// Brings the summary of a period up to date. As the effect of a job it also finishes the job.
    pub(crate) async fn make_summary(
        &self,
        space: &Space,
        period: &Period,
        by: By,
        lease: Option<Lease>,
    ) -> Result<Made> {
        let _alone = self.inner.single_file.enter(space.no, period).await;
        for _ in 0..TRIES {
            let key = space.key();
            let space = self.inner.store.space_at(&key).await?;
            let space = space.ok_or_else(|| Error::not_found("space", key.no))?;
            let known = self.inner.store.summary(&key, period).await?;
            let material = self.inner.material(&space, period, known.as_ref()).await?;
            let digest = material.digest();
            let plan = match known {
                _ if !material.is_enough(&self.inner) => Plan::Drop,
                Some(known) if self.still_fits(&known, digest, by) => Plan::Keep(Box::new(known)),
                known => Plan::Put(Box::new(self.draft(&space, period, material, known.as_ref(), by).await?)),
            };
            if let Some(made) = self.keep(&space, period, digest, plan, lease).await? {
                return Ok(made);
            }
        }
        Err(Error::busy("what is to be summed up keeps changing", 5))
    }

    /// Whether a summary need not be made anew.
    pub(crate) fn still_fits(&self, known: &Summary, digest: u64, by: By) -> bool {
        known.digest == digest && !(by == By::Best && self.wants_model(known))
    }

    /// Whether a model may make a better one of it.
    pub(crate) fn wants_model(&self, known: &Summary) -> bool {
        known.is_by_rules() && known.failures < FAILURES && self.may_ask_for_summaries()
    }

    /// Whether there is enough in a period to be summed up.
    pub(crate) async fn is_enough(&self, space: &Space, period: &Period) -> Result<bool> {
        let material = self.inner.material(space, period, None).await?;
        Ok(material.is_enough(&self.inner))
    }

    /// Writes what was planned, if what it was planned on is still so; `None` when it is not.
    async fn keep(
        &self,
        space: &Space,
        period: &Period,
        digest: u64,
        plan: Plan,
        lease: Option<Lease>,
    ) -> Result<Option<Made>> {
        let (read_at, period) = (space.version, period.clone());
        let kept = self.in_lane(&space.tenant, &space.id, move |inner, state| {
            let (period, plan) = (period.clone(), plan.clone());
            async move {
                if state.is_new {
                    return Err(Error::not_found("space", &state.space.id));
                }
                if state.space.version != read_at {
                    let known = inner.store.summary(&state.space.key(), &period).await?;
                    let now = inner.material(&state.space, &period, known.as_ref()).await?;
                    if now.digest() != digest {
                        return Ok((state, None));
                    }
                }
                inner
                    .write_summary(state, &period, plan, lease)
                    .await
                    .map(|(state, made)| (state, Some(made)))
            }
        });
        kept.await
    }
}

#[derive(Clone)]
enum Plan {
    Drop,
    Keep(Box<Summary>),
    Put(Box<Summary>),
}

impl Inner {
    async fn write_summary(
        self: Arc<Self>,
        mut state: SpaceState,
        period: &Period,
        plan: Plan,
        lease: Option<Lease>,
    ) -> Result<(SpaceState, Made)> {
        let now = self.clock.now();
        let base_version = state.space.version;
        let mut writes = WriteSet::default();
        let made = match plan {
            Plan::Drop => {
                if self.store.summary(&state.space.key(), period).await?.is_some() {
                    writes.rows.push(Row::DropSummary(period.clone()));
                    writes.rows.extend(self.outdated_above(&state.space, period).await?);
                    writes.jobs.extend(self.follow_ups(&state.space, period, now));
                }
                Made::TooLittle
            }
            Plan::Keep(known) => {
                if known.stale {
                    writes.rows.push(row(Summary { stale: false, ..*known.clone() }));
                }
                Made::Same(known)
            }
            Plan::Put(summary) => {
                writes.rows.push(row((*summary).clone()));
                writes.rows.extend(self.outdated_above(&state.space, period).await?);
                writes.jobs.extend(self.follow_ups(&state.space, period, now));
                if (1..FAILURES).contains(&summary.failures) {
                    let later = now.saturating_add(AFTER_FAILURE).unwrap_or(Timestamp::MAX);
                    writes.jobs.push(JobChange::Enqueue(self.layer_job(&state.space, period, later)));
                }
                metrics::counter!(
                    "memoir_summaries_total",
                    "level" => period.level().as_str(),
                    "made_by" => if summary.is_by_rules() { "rules" } else { "model" }
                )
                .increment(1);
                Made::New(summary)
            }
        };
        if let Period::Session(id) = period
            && let rows = fresh_session(&self, &mut state, id, now).await?
        {
            writes.rows.extend(rows);
        }
        if lease.is_some() {
            writes.jobs.push(JobChange::Finish);
        }
        let state = self.commit_planned(state, base_version, writes, lease).await?;
        Ok((state, made))
    }

    /// The week, the month and the background of a day that is another one now do not fit any more.
    async fn outdated_above(&self, space: &Space, period: &Period) -> Result<Vec<Row>> {
        let Period::Day(day) = period else { return Ok(Vec::new()) };
        let mut rows = Vec::new();
        for above in above(*day) {
            let known = self.store.summary(&space.key(), &above).await?;
            let holds = |known: &Summary| above != Period::Background || background::holds(known, *day);
            let known = known.filter(|known| !known.stale && holds(known));
            rows.extend(known.map(|known| row(Summary { stale: true, ..known })));
        }
        Ok(rows)
    }

    /// The week and the month that are to be made again once a day is another one. The background takes it in with it.
    fn follow_ups(&self, space: &Space, period: &Period, now: Timestamp) -> Vec<JobChange> {
        let Period::Day(day) = period else { return Vec::new() };
        let job = |period: Period| {
            let due = clock::due(space, &period, self.settings.layer_night).max(now);
            JobChange::Enqueue(self.layer_job(space, &period, due))
        };
        above(*day).filter(|above| *above != Period::Background).map(job).collect()
    }

    /// The work of bringing the summary of a period up to date.
    pub(crate) fn layer_job(&self, space: &Space, period: &Period, due: Timestamp) -> memoir_model::NewJob {
        let id: GeneratedId = self.ids.make(self.clock.now(), space.no);
        jobs::job(id, period, due)
    }
}

/// What is made from a day.
fn above(day: Date) -> impl Iterator<Item = Period> {
    [Period::week_of(day).ok(), Some(Period::month_of(day)), Some(Period::Background)].into_iter().flatten()
}

/// The row of a session whose summary fits it again.
async fn fresh_session(
    inner: &Inner,
    state: &mut SpaceState,
    id: &SessionId,
    now: Timestamp,
) -> Result<Vec<Row>> {
    let mut ledger = Ledger::new(inner, state, now);
    let session = ledger.find(id).await?.filter(|session| session.stale);
    if let Some(session) = session {
        ledger.mark_fresh(session.no)?;
    }
    Ok(ledger.rows())
}

/// A summary as a store keeps it.
pub(crate) fn row(summary: Summary) -> Row {
    let terms = Terms::of(&[summary.text.as_str()]).into_blob();
    Row::Summary { summary: Box::new(summary), terms }
}
