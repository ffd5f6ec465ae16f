use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use memoir_model::{Error, ErrorCode, Result};
use std::num::NonZeroU32;

/// How many keys are remembered before idle ones are forgotten.
const MOST_KEYS: usize = 10_000;

/// How often each key may call. Only keys that exist are counted, so a stranger cannot fill it.
pub(crate) struct Rates {
    limiter: Option<DefaultKeyedRateLimiter<String>>,
    clock: DefaultClock,
}

impl Rates {
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        let limiter = NonZeroU32::new(per_second).map(|rate| {
            let burst = NonZeroU32::new(burst).unwrap_or(rate);
            RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))
        });
        Rates { limiter, clock: DefaultClock::default() }
    }

    /// Counts a request of a key; refuses it when there were too many.
    pub(crate) fn check(&self, key: &str) -> Result<()> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if limiter.len() > MOST_KEYS {
            limiter.retain_recent();
        }
        limiter.check_key(&key.to_owned()).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now()).as_secs_f64().ceil().max(1.0) as u32;
            metrics::counter!("memoir_rate_limited_total").increment(1);
            Error::new(ErrorCode::RateLimited, "this key makes too many requests").retry_after(wait)
        })
    }
}
