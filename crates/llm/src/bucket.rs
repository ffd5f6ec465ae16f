use jiff::Timestamp;
use parking_lot::Mutex;

use crate::clock::seconds;

const MINUTE: f64 = 60.0;

/// So many tokens a minute, refilled steadily.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    per_minute: f64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    left: f64,
    filled_at: Option<Timestamp>,
}

impl TokenBucket {
    pub(crate) fn new(per_minute: u64) -> Self {
        let per_minute = per_minute as f64;
        TokenBucket { per_minute, state: Mutex::new(State { left: per_minute, filled_at: None }) }
    }

    /// Takes so many tokens if they are there. A call that needs more than a whole minute's is let through when the
    /// bucket is full.
    pub(crate) fn take(&self, tokens: u64, now: Timestamp) -> bool {
        let mut state = self.state.lock();
        let since = state.filled_at.map_or(0.0, |filled_at| seconds(filled_at, now));
        state.left = (state.left + since * self.per_minute / MINUTE).min(self.per_minute);
        state.filled_at = Some(now);
        let tokens = tokens as f64;
        let enough = state.left >= tokens.min(self.per_minute);
        if enough {
            state.left -= tokens;
        }
        enough
    }

    /// Corrects what was taken by what the call cost in the end.
    pub(crate) fn settle(&self, taken: u64, cost: u64) {
        let mut state = self.state.lock();
        state.left = (state.left + taken as f64 - cost as f64).min(self.per_minute);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn it_refills_steadily_and_never_overflows() {
        let bucket = TokenBucket::new(600);
        assert!(bucket.take(600, at(0)));
        assert!(!bucket.take(1, at(0)));
        assert!(!bucket.take(101, at(10)));
        assert!(bucket.take(100, at(10)));
        assert!(bucket.take(600, at(1000)));
        assert!(!bucket.take(1, at(1000)));
    }

    #[test]
    fn a_call_larger_than_a_minute_waits_for_a_full_bucket_and_then_empties_it_for_long() {
        let bucket = TokenBucket::new(600);
        assert!(bucket.take(1200, at(0)));
        assert!(!bucket.take(1, at(60)));
        assert!(bucket.take(1, at(61)));
    }

    #[test]
    fn what_was_not_used_comes_back() {
        let bucket = TokenBucket::new(600);
        assert!(bucket.take(600, at(0)));
        bucket.settle(600, 100);
        assert!(bucket.take(500, at(0)));
    }
}
