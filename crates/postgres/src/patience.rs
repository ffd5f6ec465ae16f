use memoir_model::Result;
use std::time::{Duration, Instant};

use crate::error::Fault;

/// The first wait; each is twice as long as the one before, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);

/// How often one call tries again: while the fault may pass and there is time left.
pub(crate) struct Patience {
    until: Instant,
    wait: Duration,
}

impl Patience {
    pub(crate) fn new(lasting: Duration) -> Self {
        Patience { until: Instant::now() + lasting, wait: FIRST }
    }

    /// Waits before another attempt, or says what the caller is to be told.
    pub(crate) async fn after(&mut self, fault: Fault) -> Result<()> {
        let wait = self.wait.mul_f64(0.5 + 0.5 * rand::random::<f64>());
        if !fault.may_pass || Instant::now() + wait > self.until {
            return Err(fault.error);
        }
        tokio::time::sleep(wait).await;
        self.wait = (self.wait * 2).min(LONGEST);
        Ok(())
    }
}
