use async_trait::async_trait;
use jiff::Timestamp;
use memoir_model::{Job, Lane, Result, Space};
use memoir_store::WriteSet;

use crate::engine::Engine;

/// A kind of background work. It may run again after a crash, so its effect must come to the same twice.
#[async_trait]
pub trait Work: Send + Sync + 'static {
    /// Its name in the queue.
    fn kind(&self) -> &'static str;

    /// Beside what it may run in the same space.
    fn lane(&self) -> Lane {
        Lane::Derived
    }

    /// How many of its kind run at once.
    fn concurrency(&self) -> usize {
        2
    }

    /// Whether it is part of the night's upkeep, which can be paused.
    fn is_upkeep(&self) -> bool {
        false
    }

    /// Does it.
    async fn run(&self, context: &JobContext) -> Result<Completion>;
}

/// What a job is given to work with.
#[derive(Clone)]
pub struct JobContext {
    /// The engine.
    pub engine: Engine,
    /// The job, leased.
    pub job: Job,
    /// Its space as it was a moment ago: the store refuses what is planned on something older.
    pub space: Space,
}

/// How a run of a job ended.
#[derive(Debug)]
pub enum Completion {
    /// With this effect, which is committed together with the job's completion.
    Effect(WriteSet),
    /// It committed its effect and its completion itself, under the lease.
    Committed,
    /// There is nothing to do before that time.
    Postpone(Timestamp),
}
