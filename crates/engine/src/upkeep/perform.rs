use jiff::SignedDuration;
use memoir_model::{Error, ErrorCode, Job, Result, Space};
use memoir_store::{Commit, JobChange, WriteSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

use super::work::{Completion, JobContext, Work};
use crate::engine::Engine;

/// Runs a job to its end: keeps its lease alive, commits its effect, or notes why it failed.
pub(super) async fn perform(context: JobContext, work: Arc<dyn Work>) {
    let JobContext { engine, job, space } = &context;
    let (kind, id) = (work.kind(), job.id);
    let outcome = match attempt(&context, work).await {
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
            if let Err(error) = finish(engine, job, space, fail).await {
                tracing::warn!(%id, kind, "the failure of job {id} ({kind}) could not be noted: {error}");
            }
            if dead { "dead" } else { "failed" }
        }
    };
    metrics::counter!("memoir_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
}

async fn attempt(context: &JobContext, work: Arc<dyn Work>) -> Result<()> {
    let JobContext { engine, job, space } = context;
    if job.attempts > engine.settings().job_attempts {
        // Its leases ran out without a word: it takes its process down with it, and must not do so for ever.
        return Err(Error::internal("it was started too often without coming to an end"));
    }
    let context = context.clone();
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
                finish(engine, job, space, JobChange::Extend(until)).await?;
            }
        }
    };
    match completion {
        Completion::Committed => Ok(()),
        Completion::Postpone(until) => finish(engine, job, space, JobChange::Postpone(until)).await,
        Completion::Effect(mut writes) => {
            writes.jobs.push(JobChange::Finish);
            let commit = Commit::to_space(space.key(), writes).under(job.lease());
            engine.inner.commit(space, commit).await.map(drop)
        }
    }
}

/// Changes a job under its lease.
pub(super) async fn finish(engine: &Engine, job: &Job, space: &Space, change: JobChange) -> Result<()> {
    let writes = WriteSet { jobs: vec![change], ..WriteSet::default() };
    engine.store().commit(Commit::to_space(space.key(), writes).under(job.lease())).await.map(drop)
}

pub(super) fn duration(span: SignedDuration) -> Duration {
    Duration::try_from(span).unwrap_or(Duration::from_secs(1)).max(Duration::from_millis(1))
}
