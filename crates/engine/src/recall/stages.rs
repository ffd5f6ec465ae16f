use std::time::{Duration, Instant};

/// How long each stage of a recall took.
#[derive(Debug, Clone)]
pub struct Stages {
    since: Instant,
    spent: Vec<(&'static str, Duration)>,
}

impl Stages {
    pub(crate) fn start() -> Self {
        Stages { since: Instant::now(), spent: Vec::new() }
    }

    /// Ends a stage; the next one begins.
    pub(crate) fn done(&mut self, stage: &'static str) {
        let spent = self.since.elapsed();
        self.since = Instant::now();
        metrics::histogram!("memoir_recall_stage_seconds", "stage" => stage).record(spent.as_secs_f64());
        self.add(stage, spent);
    }

    /// Forgets what passed since the last stage: somebody else counted it.
    pub(crate) fn skip(&mut self) {
        self.since = Instant::now();
    }

    pub(crate) fn add(&mut self, stage: &'static str, spent: Duration) {
        match self.spent.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += spent,
            None => self.spent.push((stage, spent)),
        }
    }

    /// Each stage and what it took, in their order.
    pub fn spent(&self) -> &[(&'static str, Duration)] {
        &self.spent
    }
}
