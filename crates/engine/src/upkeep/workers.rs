use jiff::SignedDuration;
use memoir_model::{Error, ErrorCode, Job, JobKind, Lease, Result};
use memoir_store::{Claim, Commit, JobChange, Target, WriteSet};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::close_idle::CloseIdle;
use super::seal::Seal;
use super::work::{Completion, JobContext, Work};
use crate::embedding::Fill;
use crate::engine::Engine;
use crate::layers::{Backfill, RollUp, SummariseSession};

/// How often a process looks whether another has erased a space that it still has in memory.
const SWEEP: Duration = Duration::from_secs(60);

impl Engine {
    /// Starts the background work of this process.
    pub fn start_workers(&self) -> Workers {
        self.start_workers_with(Vec::new())
    }

    /// Starts the background work together with further kinds of it.
    pub fn start_workers_with(&self, further: Vec<Arc<dyn Work>>) -> Workers {
        let at_once = self.settings().layers_at_once.max(1);
        let mut works: Vec<Arc<dyn Work>> = vec![
            Arc::new(CloseIdle),
            Arc::new(Seal),
            Arc::new(Fill),
            Arc::new(SummariseSession { at_once }),
            Arc::new(RollUp { at_once }),
            Arc::new(Backfill),
        ];
        works.extend(further);
        let works = works.into_iter().map(|work| (work.kind(), work)).collect();
        let (stop, stopped) = watch::channel(false);
        let dispatcher =
            Dispatcher { engine: self.clone(), works, running: HashMap::new(), jobs: JoinSet::new() };
        Workers { stop, task: tokio::spawn(dispatcher.run(stopped)) }
    }
}

/// The background work of a process.
pub struct Workers {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Workers {
    /// Takes no more jobs and waits for those that run, but not longer than `grace`. What is cut off is leased again
    /// when its lease ends.
    pub async fn drain(mut self, grace: Duration) {
        self.stop.send_replace(true);
        if tokio::time::timeout(grace, &mut self.task).await.is_err() {
            tracing::warn!(
                "background jobs were still running at the end of the grace period; they will run again"
            );
            self.task.abort();
        }
    }
}

struct Dispatcher {
    engine: Engine,
    works: HashMap<&'static str, Arc<dyn Work>>,
    running: HashMap<&'static str, usize>,
    jobs: JoinSet<&'static str>,
}

impl Dispatcher {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let poll = duration(self.engine.settings().job_poll);
        let mut swept = tokio::time::Instant::now();
        loop {
            if swept.elapsed() >= SWEEP {
                swept = tokio::time::Instant::now();
                if let Err(error) = self.engine.forget_erased_spaces().await {
                    tracing::warn!(
                        code = error.code().as_str(),
                        "erased spaces could not be looked for: {error}"
                    );
                }
            }
            let full = match self.claim().await {
                Ok(full) => full,
                Err(error) => {
                    tracing::warn!(code = error.code().as_str(), "the job queue could not be read: {error}");
                    false
                }
            };
            let bell = &self.engine.inner.bell;
            tokio::select! {
                _ = stopped.changed() => break,
                Some(done) = self.jobs.join_next() => {
                    self.ended(done);
                    // Those that ended meanwhile leave room for one claim.
                    while let Some(done) = self.jobs.try_join_next() {
                        self.ended(done);
                    }
                }
                () = bell.heard(), if !full => {}
                () = tokio::time::sleep(poll), if !full => {}
            }
        }
        while let Some(done) = self.jobs.join_next().await {
            self.ended(done);
        }
    }

    fn ended(&mut self, done: Result<&'static str, tokio::task::JoinError>) {
        if let Ok(kind) = done
            && let Some(running) = self.running.get_mut(kind)
        {
            *running = running.saturating_sub(1);
        }
    }

    /// Leases what there is room for and starts it. Returns whether there is no room left.
    async fn claim(&mut self) -> Result<bool> {
        let settings = self.engine.settings().clone();
        let free = settings.job_workers.max(1).saturating_sub(self.jobs.len());
        if free == 0 {
            return Ok(true);
        }
        let allowed = |work: &Arc<dyn Work>| settings.upkeep_enabled || !work.is_upkeep();
        let room: Vec<(JobKind, usize)> = self
            .works
            .values()
            .filter(|work| allowed(work))
            .map(|work| {
                let running = self.running.get(work.kind()).copied().unwrap_or_default();
                (work.kind().into(), work.concurrency().saturating_sub(running))
            })
            .collect();
        let now = self.engine.now();
        let lease_until =
            now.saturating_add(settings.job_lease).map_err(|e| Error::internal(e.to_string()))?;
        let jobs = self.engine.store().claim_jobs(Claim { now, lease_until, room, limit: free }).await?;
        let full = jobs.len() == free;
        for job in jobs {
            let Some(work) = self.works.get(job.kind.as_ref()).cloned() else { continue };
            let kind = work.kind();
            *self.running.entry(kind).or_default() += 1;
            let engine = self.engine.clone();
            self.jobs.spawn(async move {
                perform(engine, work, job).await;
                kind
            });
        }
        Ok(full)
    }
}

/// Runs a job to its end: keeps its lease alive, commits its effect, or notes why it failed.
async fn perform(engine: Engine, work: Arc<dyn Work>, job: Job) {
    let (kind, id, lease) = (work.kind(), job.id, job.lease());
    let outcome = match attempt(&engine, work, &job).await {
        Ok(()) => "done",
        Err(error) if error.code() == ErrorCode::LeaseLost => "lease_lost",
        Err(error) => {
            let settings = engine.settings();
            let dead = job.attempts >= settings.job_attempts;
            tracing::warn!(
                %id, kind, attempt = job.attempts, code = error.code().as_str(),
                "job {id} ({kind}) failed: {error}"
            );
            let wait = Job::backoff(job.attempts, rand::random());
            let retry_at = (!dead).then(|| engine.now().saturating_add(wait).unwrap_or(jiff::Timestamp::MAX));
            let fail = JobChange::Fail { retry_at, error: error.to_string() };
            if let Err(error) = finish(&engine, &job, lease, vec![fail]).await {
                tracing::warn!(%id, kind, "the failure of job {id} ({kind}) could not be noted: {error}");
            }
            if dead { "dead" } else { "failed" }
        }
    };
    metrics::counter!("memoir_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
}

async fn attempt(engine: &Engine, work: Arc<dyn Work>, job: &Job) -> Result<()> {
    let lease = job.lease();
    if job.attempts > engine.settings().job_attempts {
        // Its leases ran out without a word: it takes its process down with it, and must not do so for ever.
        return Err(Error::internal("it was started too often without coming to an end"));
    }
    let Some(space) = engine.store().space_of_job(job).await? else {
        // The space was erased and its jobs with it.
        return Err(Error::new(ErrorCode::LeaseLost, "the space is gone"));
    };
    let context = JobContext { engine: engine.clone(), job: job.clone(), space: space.clone() };
    // In a task of its own, so that a panic is a failure of the job. The task ends with whoever waits for it.
    let mut running = JoinSet::new();
    running.spawn(async move { work.run(&context).await });
    let beat = duration(engine.settings().job_lease) / 3;
    let completion = loop {
        tokio::select! {
            ended = running.join_next() => break match ended {
                Some(Ok(completion)) => completion?,
                Some(Err(_)) | None => return Err(Error::internal("the job panicked")),
            },
            () = tokio::time::sleep(beat) => {
                let until = engine.now().saturating_add(engine.settings().job_lease).unwrap_or(jiff::Timestamp::MAX);
                finish(engine, job, lease, vec![JobChange::Extend(until)]).await?;
            }
        }
    };
    match completion {
        Completion::Committed => Ok(()),
        Completion::Postpone(until) => finish(engine, job, lease, vec![JobChange::Postpone(until)]).await,
        Completion::Effect(mut writes) => {
            writes.jobs.push(JobChange::Finish);
            let commit = Commit::to_space(space.key(), writes).under(lease);
            engine.inner.commit(&space, commit).await.map(drop)
        }
    }
}

async fn finish(engine: &Engine, job: &Job, lease: Lease, jobs: Vec<JobChange>) -> Result<()> {
    let Some(space) = engine.store().space_of_job(job).await? else { return Ok(()) };
    let writes = WriteSet { jobs, ..WriteSet::default() };
    let commit =
        Commit { target: Target::Space(space.key()), expected_version: None, lease: Some(lease), writes };
    engine.store().commit(commit).await.map(drop)
}

fn duration(span: SignedDuration) -> Duration {
    Duration::try_from(span).unwrap_or(Duration::from_secs(1)).max(Duration::from_millis(1))
}
