use anyhow::Result;
use std::time::Duration;

use crate::usage::Usage;

/// One way of making messages durable.
pub(super) trait Contender {
    /// What the table calls it.
    fn name(&self) -> &'static str;

    /// It takes messages in multiples of this many.
    fn unit(&self) -> usize;

    /// Makes them durable. Only that is timed, not what a caller would have at hand already.
    fn run(&mut self, texts: Vec<String>) -> Result<Slice>;

    /// Finishes what goes on in the background, so that it does not burden the next contender.
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }
}

/// What one slice came to.
#[derive(Debug)]
pub(super) struct Slice {
    pub(super) rows: usize,
    pub(super) elapsed: Duration,
    pub(super) usage: Usage,
    /// How long each request took, where there are requests.
    pub(super) latencies: Vec<Duration>,
}

impl Slice {
    /// Rows per second.
    pub(super) fn rate(&self) -> f64 {
        self.rows as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
