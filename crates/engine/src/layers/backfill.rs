//! Summaries for what was said before there were any (A12).

use async_trait::async_trait;
use jiff::civil::Date;
use memoir_model::{ErrorCode, Lane, Message, NewJob, Period, Result, Space, SpaceId, Summary};
use memoir_store::{Commit, JobChange, MessageQuery, SpaceRange, WriteSet};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

use super::clock;
use super::condense::By;
use super::make::Made;
use crate::access::{Access, Caller};
use crate::engine::Engine;
use crate::upkeep::{Completion, JobContext, Work};

const KIND: &str = "backfill";
/// How many sessions are read at a time.
const PAGE: usize = 200;

/// What is to be filled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackfillRequest {
    /// Only from this day on.
    #[serde(default)]
    pub since: Option<Date>,
    /// Only say what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

/// How far it has come in a space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BackfillProgress {
    /// Summaries that were looked at.
    pub seen: u64,
    /// Those that were made, or would be.
    pub made: u64,
    /// Those that were there and fit.
    pub kept: u64,
    /// Periods in which too little was said.
    pub too_little: u64,
}

impl BackfillProgress {
    /// The sum of two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        BackfillProgress {
            seen: self.seen + other.seen,
            made: self.made + other.made,
            kept: self.kept + other.kept,
            too_little: self.too_little + other.too_little,
        }
    }
}

impl Engine {
    /// Makes the summaries that a space lacks: its sessions, then its days, weeks and months, then its background. What is
    /// there and fits is passed over, so that it can be stopped and run again at any time.
    pub async fn backfill(
        &self,
        caller: &Caller,
        space: &SpaceId,
        request: BackfillRequest,
        step: &mut (dyn FnMut(BackfillProgress) + Send),
    ) -> Result<BackfillProgress> {
        let space = self.open_space(caller, Access::Administer, space).await?;
        self.fill(space, request, step).await
    }

    async fn fill(
        &self,
        mut space: Space,
        request: BackfillRequest,
        step: &mut (dyn FnMut(BackfillProgress) + Send),
    ) -> Result<BackfillProgress> {
        let mut progress = BackfillProgress::default();
        let mut below = None;
        loop {
            let sessions = self.inner.store.sessions(&space.key(), below, PAGE).await?;
            let Some(last) = sessions.last() else { break };
            below = Some(last.no);
            for session in sessions {
                let day = space.zones.local(session.last_said_at).date;
                if session.is_open() || request.since.is_some_and(|since| day < since) {
                    continue;
                }
                let period = Period::Session(session.id.clone());
                self.fill_one(&mut space, &period, session.stale, false, request, &mut progress).await?;
                step(progress);
            }
        }
        let Some(days) = self.fill_days(&mut space, request, &mut progress, step).await? else {
            return Ok(progress);
        };
        let today = clock::today(&space, self.now());
        let weeks = days.keys().filter_map(|day| Period::week_of(*day).ok());
        let above: BTreeSet<Period> = weeks.chain(days.keys().map(|day| Period::month_of(*day))).collect();
        for period in above {
            let Some((first, last)) = period.days().filter(|(_, last)| *last < today) else { continue };
            let told = days.range(first..=last).any(|(_, told)| *told);
            self.fill_one(&mut space, &period, false, told, request, &mut progress).await?;
            step(progress);
        }
        let told = days.values().any(|told| *told);
        self.fill_one(&mut space, &Period::Background, false, told, request, &mut progress).await?;
        step(progress);
        Ok(progress)
    }

    /// Every day that is over on which something was said. Returns them, each with whether it has a summary, or would;
    /// `None` when nothing was ever said.
    async fn fill_days(
        &self,
        space: &mut Space,
        request: BackfillRequest,
        progress: &mut BackfillProgress,
        step: &mut (dyn FnMut(BackfillProgress) + Send),
    ) -> Result<Option<BTreeMap<Date, bool>>> {
        let query = MessageQuery::all(1);
        let first = self.inner.store.messages(&space.key(), &query).await?;
        let Some(first) = first.first().map(Message::local_date) else { return Ok(None) };
        let Ok(last) = clock::today(space, self.now()).yesterday() else { return Ok(None) };
        let mut from = request.since.map_or(first, |since| since.max(first));
        let mut days = BTreeMap::new();
        while let Some(day) = self.spoken_on(space, from, last).await? {
            let told = self.fill_one(space, &Period::Day(day), false, false, request, progress).await?;
            step(*progress);
            days.insert(day, told);
            let Ok(next) = day.tomorrow() else { break };
            from = next;
        }
        Ok(Some(days))
    }

    /// Returns whether the period has a summary, or would. `told`: something that it is made of has one, or would.
    async fn fill_one(
        &self,
        space: &mut Space,
        period: &Period,
        outdated: bool,
        told: bool,
        request: BackfillRequest,
        progress: &mut BackfillProgress,
    ) -> Result<bool> {
        progress.seen += 1;
        let known = self.inner.store.summary(&space.key(), period).await?;
        let fits = |known: &Summary| !known.stale && !outdated && !self.wants_model(known);
        if let Some(known) = known.filter(fits)
            && !self.is_behind(space, &known).await?
        {
            progress.kept += 1;
            return Ok(true);
        }
        if request.dry_run {
            let enough = told || self.is_enough(space, period).await?;
            *(if enough { &mut progress.made } else { &mut progress.too_little }) += 1;
            return Ok(enough);
        }
        let count = match self.make_summary(space, period, By::Best, None).await {
            Ok(Made::New(_)) => &mut progress.made,
            Ok(Made::Same(_)) => &mut progress.kept,
            Ok(Made::TooLittle) => {
                progress.too_little += 1;
                return Ok(false);
            }
            // It was erased meanwhile.
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        *count += 1;
        Ok(true)
    }

    /// Whether a background has days to take in. What stands for a stretch of time is outdated by whatever changes in it.
    async fn is_behind(&self, space: &Space, known: &Summary) -> Result<bool> {
        if known.period != Period::Background {
            return Ok(false);
        }
        Ok(self.inner.material(space, &known.period, Some(known), None).await?.digest() != known.digest)
    }

    /// Has the summaries of a space made in the background, or of all spaces of the tenant. Returns of how many spaces.
    pub async fn ask_for_backfill(
        &self,
        caller: &Caller,
        space: Option<&SpaceId>,
        since: Option<Date>,
    ) -> Result<u64> {
        caller.check(Access::Administer)?;
        if let Some(id) = space {
            let space = self.open_space(caller, Access::Administer, id).await?;
            return self.ask_to_fill(&space, since).await.map(|()| 1);
        }
        let (mut asked, mut after) = (0, None);
        loop {
            let range = SpaceRange { after, limit: PAGE };
            let spaces = self.inner.store.spaces(&caller.tenant, range).await?;
            let Some(last) = spaces.last() else { return Ok(asked) };
            after = Some(last.id.clone());
            for space in spaces.iter().filter(|space| space.last_seq > 0) {
                self.ask_to_fill(space, since).await?;
                asked += 1;
            }
        }
    }

    async fn ask_to_fill(&self, space: &Space, since: Option<Date>) -> Result<()> {
        let now = self.now();
        let job = NewJob {
            id: self.inner.ids.make(now, space.no),
            kind: KIND.into(),
            key: since.map_or("all".to_owned(), |since| since.to_string()),
            payload: json!({ "since": since }),
            lane: Lane::Derived,
            run_at: now,
        };
        let writes = WriteSet { jobs: vec![JobChange::Enqueue(job)], ..WriteSet::default() };
        self.inner.commit(space, Commit::to_space(space.key(), writes)).await.map(drop)
    }
}

/// Fills a space in the background.
pub(crate) struct Backfill;

#[async_trait]
impl Work for Backfill {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn is_upkeep(&self) -> bool {
        true
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let request: BackfillRequest =
            serde_json::from_value(context.job.payload.clone()).unwrap_or_default();
        context.engine.fill(context.space.clone(), request, &mut |_| {}).await?;
        Ok(Completion::Effect(WriteSet::default()))
    }
}
