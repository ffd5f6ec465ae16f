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
use super::material::Material;
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
    /// Brings the summary of a period up to date. As the effect of a job it also finishes the job. `space` is as somebody
    /// has just read it, and afterwards as it is then.
    pub(crate) async fn make_summary(
        &self,
        space: &mut Space,
        period: &Period,
        by: By,
        lease: Option<Lease>,
    ) -> Result<Made> {
        let _alone = self.inner.single_file.enter(space.no, period).await;
        let found = self.inner.known_and_material(space, period, None).await?;
        self.bring_up_to_date(space, period, found, by, lease).await
    }

    /// The same for a session as the effect of a job. A talk that goes on is summed up now and then: returns when its next
    /// turn is, if it is not now.
    pub(crate) async fn make_session(
        &self,
        space: &mut Space,
        period: &Period,
        lease: Lease,
    ) -> Result<Option<Timestamp>> {
        let space_no = space.no;
        let _alone = self.inner.single_file.enter(space_no, period).await;
        if let Some(next) = self.rests(space, period).await? {
            return Ok(Some(next));
        }
        let found = self.inner.known_and_material(space, period, None).await?;
        let goes_on = match &found.1 {
            Material::Session(session, _) if session.is_open() => Some(session.id.clone()),
            _ => None,
        };
        let rest = |made_at: Timestamp| {
            let next = made_at.saturating_add(self.settings().layer_apart).unwrap_or(Timestamp::MAX);
            if let Some(session) = &goes_on {
                self.inner.rests.note(space_no, session, next, self.now());
            }
            next
        };
        if let (Some(known), Some(_)) = (&found.0, &goes_on) {
            let next = rest(known.made_at);
            if self.now() < next {
                return Ok(Some(next));
            }
        }
        if let Some(made) =
            self.bring_up_to_date(space, period, found, By::Best, Some(lease)).await?.into_summary()
        {
            rest(made.made_at);
        }
        Ok(None)
    }

    /// Until when a session is known to rest, if it still goes on. Nothing of what was said in it is read for that.
    async fn rests(&self, space: &Space, period: &Period) -> Result<Option<Timestamp>> {
        let (now, Period::Session(id)) = (self.now(), period) else { return Ok(None) };
        let next = self.inner.rests.over(space.no, id, now);
        if next <= now {
            return Ok(None);
        }
        let session = self.inner.store.session(&space.key(), id).await?;
        Ok(session.filter(memoir_model::Session::is_open).map(|_| next))
    }

    async fn bring_up_to_date(
        &self,
        space: &mut Space,
        period: &Period,
        mut found: (Option<Summary>, Material),
        by: By,
        lease: Option<Lease>,
    ) -> Result<Made> {
        for _ in 0..TRIES {
            let (known, material) = found;
            let planned = self.plan(space, period, known, material, by).await?;
            if let Some(made) = self.keep(space, vec![planned], lease).await?.pop() {
                return Ok(made);
            }
            self.look_again(space).await?;
            found = self.inner.known_and_material(space, period, None).await?;
        }
        Err(changes())
    }

    /// Brings a day up to date and lets the background take it in, as the effect of a job: both in one commit, unless
    /// something comes in between.
    pub(crate) async fn make_day(&self, space: &mut Space, day: Date, lease: Lease) -> Result<Made> {
        let (by, period, background) = (By::Best, &Period::Day(day), &Period::Background);
        let periods: Vec<Period> = std::iter::once(period.clone()).chain(above(day)).collect();
        for _ in 0..TRIES {
            let kept = {
                let _alone = self.inner.single_file.enter(space.no, period).await;
                let known = self.inner.store.summaries_at(&space.key(), &periods).await?;
                let known_of = |period: &Period| known.iter().find(|known| known.period == *period).cloned();
                let is_known = known_of(period).is_some();
                let material = self.inner.material(space, period, None, None).await?;
                let planned = self.plan(space, period, known_of(period), material, by).await?;
                let above = known.iter().filter(|known| known.period != *period).cloned().collect();
                let planned = Planned { above: Some(above), ..planned };
                let alone = match &planned.plan {
                    // What is above it has to be made anew without it.
                    Plan::Drop => is_known,
                    // What a model wrote is not risked by asking it another time.
                    Plan::Put(summary) => !summary.is_by_rules(),
                    Plan::Keep(_) => false,
                };
                if alone {
                    self.keep(space, vec![planned], None).await?
                } else {
                    let _alone = self.inner.single_file.enter(space.no, background).await;
                    let known = known_of(background);
                    let fresh = planned.fresh_day();
                    let material = self.inner.material(space, background, known.as_ref(), fresh).await?;
                    let along = self.plan(space, background, known, material, by).await?;
                    self.keep(space, vec![planned, along], Some(lease)).await?
                }
            };
            match kept.len() {
                0 => self.look_again(space).await?,
                1 => return self.make_summary(space, background, by, Some(lease)).await,
                _ => return kept.into_iter().next().ok_or_else(changes),
            }
        }
        Err(changes())
    }

    async fn look_again(&self, space: &mut Space) -> Result<()> {
        let now = self.inner.store.space_at(&space.key()).await?;
        *space = now.ok_or_else(|| Error::not_found("space", space.no))?;
        Ok(())
    }

    /// What is to be written for a period.
    async fn plan(
        &self,
        space: &Space,
        period: &Period,
        known: Option<Summary>,
        material: Material,
        by: By,
    ) -> Result<Planned> {
        let seen = Seen::of(&material);
        let plan = match known {
            _ if !material.is_enough(&self.inner) => Plan::Drop,
            Some(known) if self.still_fits(&known, seen.digest, by) => Plan::Keep(Box::new(known)),
            known => Plan::Put(Box::new(self.draft(space, period, material, known.as_ref(), by).await?)),
        };
        Ok(Planned { period: period.clone(), seen, plan, above: None })
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
        let material = self.inner.material(space, period, None, None).await?;
        Ok(material.is_enough(&self.inner))
    }

    /// Writes what was planned, in one commit, as far as what it was planned on is still so; the job is finished if that
    /// is all of it. Returns what came of those that were written. `space` is as it is then.
    async fn keep(
        &self,
        space: &mut Space,
        planned: Vec<Planned>,
        lease: Option<Lease>,
    ) -> Result<Vec<Made>> {
        let (no, read_at) = (space.no, space.version);
        let kept = self.in_lane_from(space, move |inner, state| {
            let mut planned = planned.clone();
            async move {
                if state.is_new || state.space.no != no {
                    return Err(Error::not_found("space", &state.space.id));
                }
                let all = planned.len();
                if state.space.version != read_at {
                    planned = inner.still_so(&state.space, planned).await?;
                }
                let (state, made) = if planned.is_empty() {
                    (state, Vec::new())
                } else {
                    let lease = lease.filter(|_| planned.len() == all);
                    inner.write_summaries(state, planned, lease).await?
                };
                let space = state.space.clone();
                Ok((state, (space, made)))
            }
        });
        let (after, made) = kept.await?;
        *space = after;
        Ok(made)
    }
}

/// What is to be written for a period, and what that was made from.
#[derive(Clone)]
struct Planned {
    period: Period,
    seen: Seen,
    plan: Plan,
    /// What there is above it, if that was read along with it.
    above: Option<Vec<Summary>>,
}

impl Planned {
    /// The day that it writes.
    fn fresh_day(&self) -> Option<&Summary> {
        match (&self.period, &self.plan) {
            (Period::Day(_), Plan::Put(summary)) => Some(summary),
            _ => None,
        }
    }
}

/// What has to be still so when a summary is kept.
#[derive(Clone, Copy)]
struct Seen {
    digest: u64,
    /// The number of the newest message of a session.
    last: Option<u64>,
    /// The session has to be told that its summary fits.
    stale_session: bool,
}

impl Seen {
    fn of(material: &Material) -> Self {
        let last = match material {
            Material::Session(_, talk) => talk.sources().map(|(_, last)| last),
            _ => None,
        };
        Seen { digest: material.digest(), last, stale_session: material.is_of_stale_session() }
    }

    /// What is seen now, if that is the same, or if the only change is that a session went on. Who talks faster than
    /// summaries are made would otherwise never have one.
    fn still(self, now: &Material) -> Option<Self> {
        let seen = Seen::of(now);
        if seen.digest == self.digest {
            return Some(seen);
        }
        match (now, self.last) {
            (Material::Session(_, talk), Some(last)) if talk.digest_until(last) == self.digest => {
                Some(Seen { stale_session: false, ..self })
            }
            _ => None,
        }
    }
}

#[derive(Clone)]
enum Plan {
    Drop,
    Keep(Box<Summary>),
    Put(Box<Summary>),
}

fn changes() -> Error {
    Error::busy("what is to be summed up keeps changing", 5)
}

impl Inner {
    /// Those of the planned summaries, from the first on, that are made from what is there now.
    async fn still_so(&self, space: &Space, planned: Vec<Planned>) -> Result<Vec<Planned>> {
        let mut kept: Vec<Planned> = Vec::with_capacity(planned.len());
        for Planned { period, seen, plan, .. } in planned {
            let fresh_day = kept.last().and_then(Planned::fresh_day);
            let (_, material) = self.known_and_material(space, &period, fresh_day).await?;
            let Some(now) = seen.still(&material) else { break };
            // There may be enough by now.
            if matches!(plan, Plan::Drop) && now.digest != material.digest() {
                break;
            }
            kept.push(Planned { period, seen: now, plan, above: None });
        }
        Ok(kept)
    }

    async fn write_summaries(
        self: Arc<Self>,
        mut state: SpaceState,
        planned: Vec<Planned>,
        lease: Option<Lease>,
    ) -> Result<(SpaceState, Vec<Made>)> {
        let base_version = state.space.version;
        let mut writes = WriteSet::default();
        let mut made = Vec::with_capacity(planned.len());
        for planned in planned {
            made.push(self.write_summary(&mut state, planned, &mut writes).await?);
        }
        if lease.is_some() {
            writes.jobs.push(JobChange::Finish);
        }
        let state = self.commit_planned(state, base_version, writes, lease).await?;
        Ok((state, made))
    }

    async fn write_summary(
        &self,
        state: &mut SpaceState,
        planned: Planned,
        writes: &mut WriteSet,
    ) -> Result<Made> {
        let now = self.clock.now();
        let Planned { period, seen, plan, above } = planned;
        if let Period::Session(id) = &period
            && seen.stale_session
        {
            writes.rows.extend(fresh_session(self, state, id, now).await?);
        }
        let space = &state.space;
        Ok(match plan {
            Plan::Drop => {
                if self.store.summary(&space.key(), &period).await?.is_some() {
                    writes.rows.push(Row::DropSummary(period.clone()));
                    writes.rows.extend(self.outdated_above(space, &period, above).await?);
                    writes.jobs.extend(self.follow_ups(space, &period, now));
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
                writes.rows.extend(self.outdated_above(space, &period, above).await?);
                writes.jobs.extend(self.follow_ups(space, &period, now));
                if (1..FAILURES).contains(&summary.failures) {
                    let later = now.saturating_add(AFTER_FAILURE).unwrap_or(Timestamp::MAX);
                    writes.jobs.push(JobChange::Enqueue(self.layer_job(space, &period, later)));
                }
                metrics::counter!(
                    "memoir_summaries_total",
                    "level" => period.level().as_str(),
                    "made_by" => if summary.is_by_rules() { "rules" } else { "model" }
                )
                .increment(1);
                Made::New(summary)
            }
        })
    }

    /// The week, the month and the background of a day that is another one now do not fit any more.
    /// `known` are those there are, if somebody has read them.
    async fn outdated_above(
        &self,
        space: &Space,
        period: &Period,
        known: Option<Vec<Summary>>,
    ) -> Result<Vec<Row>> {
        let Period::Day(day) = period else { return Ok(Vec::new()) };
        let known = match known {
            Some(known) => known,
            None => self.store.summaries_at(&space.key(), &above(*day).collect::<Vec<_>>()).await?,
        };
        let holds = |known: &Summary| known.period != Period::Background || background::holds(known, *day);
        let outdated = known.into_iter().filter(|known| !known.stale && holds(known));
        Ok(outdated.map(|known| row(Summary { stale: true, ..known })).collect())
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
