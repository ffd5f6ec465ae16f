use futures::future::BoxFuture;
use memoir_model::{Error, ErrorCode, Job, JobKind, Result, Space};
use memoir_store::{Claim, JobChange};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::perform::{duration, finish, perform};
use super::runs::Runs;
use super::work::{JobContext, Work};
use crate::engine::Engine;

/// How often a process looks whether another has erased a space that it still has in memory.
const SWEEP: Duration = Duration::from_secs(60);
/// Who has waited so long is given back, for somebody who has room.
const PATIENCE: Duration = Duration::from_secs(1);

/// Leases jobs that are due and starts them. While jobs are short, a few are leased before there is room for them, so
/// that a worker that is done need not wait for the store.
pub(super) struct Dispatcher {
    engine: Engine,
    works: HashMap<&'static str, Arc<dyn Work>>,
    jobs: JoinSet<u64>,
    runs: Runs,
    /// Leased, but not begun, the first first.
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    job: Job,
    space: Space,
    work: Arc<dyn Work>,
    since: Instant,
}

/// A claim that is on its way: of jobs, each with its space.
type Claiming = BoxFuture<'static, Result<Vec<(Job, Space)>>>;

impl Dispatcher {
    pub(super) fn new(engine: Engine, works: Vec<Arc<dyn Work>>) -> Self {
        Dispatcher {
            engine,
            works: works.into_iter().map(|work| (work.kind(), work)).collect(),
            jobs: JoinSet::new(),
            runs: Runs::default(),
            waiting: VecDeque::new(),
        }
    }

    pub(super) async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let poll = duration(self.engine.settings().job_poll);
        let patience = PATIENCE.min(duration(self.engine.settings().job_lease) / 3);
        let mut swept = tokio::time::Instant::now();
        let mut claiming: Option<Claiming> = None;
        // Whether something may have come due since the last look.
        let mut look = true;
        loop {
            if swept.elapsed() >= SWEEP {
                swept = tokio::time::Instant::now();
                self.sweep().await;
            }
            self.begin_waiting();
            self.give_back(patience).await;
            if look && claiming.is_none() {
                claiming = self.claim();
                look = claiming.is_none();
            }
            let bell = &self.engine.inner.bell;
            tokio::select! {
                _ = stopped.changed() => break,
                Some(done) = self.jobs.join_next() => {
                    self.ended(done);
                    // Those that ended meanwhile leave room for one claim.
                    while let Some(done) = self.jobs.try_join_next() {
                        self.ended(done);
                    }
                    look = true;
                }
                claimed = arrived(&mut claiming) => {
                    claiming = None;
                    self.take(claimed);
                }
                () = bell.heard() => look = true,
                () = tokio::time::sleep(poll) => look = true,
            }
        }
        if let Some(claiming) = claiming {
            self.take(claiming.await);
        }
        self.give_back(Duration::ZERO).await;
        while let Some(done) = self.jobs.join_next().await {
            self.ended(done);
        }
    }

    async fn sweep(&self) {
        if let Err(error) = self.engine.forget_erased_spaces().await {
            tracing::warn!(code = error.code().as_str(), "erased spaces could not be looked for: {error}");
        }
    }

    fn ended(&mut self, done: Result<u64, tokio::task::JoinError>) {
        if let Ok(number) = done {
            self.runs.end(number, Instant::now());
        }
    }

    /// Asks for what there is room for, or will be in a moment; `None` when there is none.
    fn claim(&self) -> Option<Claiming> {
        let (settings, now) = (self.engine.settings(), Instant::now());
        let may_wait = self.runs.may_wait(now);
        // A few at a time.
        if self.waiting.len() * 2 > may_wait {
            return None;
        }
        let places = settings.job_workers.max(1) + may_wait;
        let limit = places.saturating_sub(self.runs.len() + self.waiting.len());
        let allowed = |work: &&Arc<dyn Work>| settings.upkeep_enabled || !work.is_upkeep();
        let room = self.works.values().filter(allowed).map(|work| {
            let kind = work.kind();
            let waiting = self.waiting.iter().filter(|other| other.work.kind() == kind).count();
            let places = work.concurrency() + self.runs.may_wait_of_kind(kind, now);
            (kind.into(), places.saturating_sub(self.runs.of_kind(kind) + waiting))
        });
        let room: Vec<(JobKind, usize)> = room.filter(|(_, room)| *room > 0).collect();
        if limit == 0 || room.is_empty() {
            return None;
        }
        let engine = self.engine.clone();
        Some(Box::pin(async move {
            let now = engine.now();
            let lease_until = now
                .saturating_add(engine.settings().job_lease)
                .map_err(|error| Error::internal(error.to_string()))?;
            let jobs = engine.store().claim_jobs(Claim { now, lease_until, room, limit }).await?;
            let spaces = match &jobs[..] {
                [] => Vec::new(),
                jobs => engine.store().spaces_of_jobs(jobs).await?,
            };
            // A space that was erased took its jobs with it.
            Ok(jobs.into_iter().zip(spaces).filter_map(|(job, space)| Some((job, space?))).collect())
        }))
    }

    fn take(&mut self, claimed: Result<Vec<(Job, Space)>>) {
        match claimed {
            Ok(jobs) => {
                let since = Instant::now();
                let known = jobs.into_iter().filter_map(|(job, space)| {
                    let work = self.works.get(job.kind.as_ref())?.clone();
                    Some(Waiting { job, space, work, since })
                });
                self.waiting.extend(known);
            }
            Err(error) => {
                tracing::warn!(code = error.code().as_str(), "the job queue could not be read: {error}");
            }
        }
    }

    /// Begins those of the waiting jobs that there is room for.
    fn begin_waiting(&mut self) {
        let workers = self.engine.settings().job_workers.max(1);
        let mut place = 0;
        while place < self.waiting.len() && self.runs.len() < workers {
            let work = &self.waiting[place].work;
            if self.runs.of_kind(work.kind()) >= work.concurrency() {
                place += 1;
            } else if let Some(Waiting { job, space, work, .. }) = self.waiting.remove(place) {
                self.begin(JobContext { engine: self.engine.clone(), job, space }, work);
            }
        }
    }

    fn begin(&mut self, context: JobContext, work: Arc<dyn Work>) {
        let number = self.runs.begin(work.kind(), Instant::now());
        self.jobs.spawn(async move {
            perform(context, work).await;
            number
        });
    }

    /// Gives back the jobs that have waited so long.
    async fn give_back(&mut self, patience: Duration) {
        while self.waiting.front().is_some_and(|first| first.since.elapsed() >= patience) {
            let Some(Waiting { job, space, .. }) = self.waiting.pop_front() else { return };
            let given_back = JobChange::Return(self.engine.now());
            if let Err(error) = finish(&self.engine, &job, &space, given_back).await
                && error.code() != ErrorCode::LeaseLost
            {
                let (id, kind) = (job.id, &job.kind);
                tracing::warn!(%id, "job {id} ({kind}) could not be given back, and waits for its lease: {error}");
            }
        }
    }
}

/// What came of a claim. Waits for ever when there is none on its way.
async fn arrived(claiming: &mut Option<Claiming>) -> Result<Vec<(Job, Space)>> {
    match claiming {
        Some(claiming) => claiming.await,
        None => std::future::pending().await,
    }
}
