use jiff::SignedDuration;
use memoir_model::{Error, ErrorCode, Job, Lease, Result};
use memoir_store::{Commit, JobChange, Target, WriteSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

use super::work::{Completion, JobContext, Work};
use crate::engine::Engine;

/// Runs a job to its end: keeps its lease alive, commits its effect, or notes why it failed.
pub(super) async fn perform(engine: Engine, work: Arc<dyn Work>, job: Job) {
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

pub(super) async fn finish(engine: &Engine, job: &Job, lease: Lease, jobs: Vec<JobChange>) -> Result<()> {
    let Some(space) = engine.store().space_of_job(job).await? else { return Ok(()) };
    let writes = WriteSet { jobs, ..WriteSet::default() };
    let commit =
        Commit { target: Target::Space(space.key()), expected_version: None, lease: Some(lease), writes };
    engine.store().commit(commit).await.map(drop)
}

pub(super) fn duration(span: SignedDuration) -> Duration {
    Duration::try_from(span).unwrap_or(Duration::from_secs(1)).max(Duration::from_millis(1))
}
