use jiff::Timestamp;
use parking_lot::Mutex;
use serde::Serialize;

use crate::clock::seconds;

/// After how many failures in a row a provider is left alone.
const FAILURES: u32 = 5;
/// For how many seconds it is left alone. Then one call tries whether it is back.
const REST: f64 = 30.0;

/// Leaves a provider alone that fails and fails, so that the calls after do not wait for it.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// When it was last opened, or when the last call that tries was let through.
    rests_from: Option<Timestamp>,
    trying: bool,
}

/// What a breaker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BreakerState {
    /// Calls go through.
    Closed,
    /// None does.
    Open,
    /// One may try.
    HalfOpen,
}

impl Breaker {
    pub(crate) fn state(&self, now: Timestamp) -> BreakerState {
        let state = self.state.lock();
        match state.rests_from {
            None => BreakerState::Closed,
            Some(from) if seconds(from, now) < REST && !state.trying => BreakerState::Open,
            Some(_) => BreakerState::HalfOpen,
        }
    }

    /// Whether a call may go through. The one that tries whether the provider is back keeps the others out until it has
    /// ended, or for as long as a rest if nobody hears of it again.
    pub(crate) fn admits(&self, now: Timestamp) -> bool {
        let mut state = self.state.lock();
        match state.rests_from {
            None => true,
            Some(from) if seconds(from, now) < REST => false,
            Some(_) => {
                state.rests_from = Some(now);
                state.trying = true;
                true
            }
        }
    }

    pub(crate) fn succeeded(&self) {
        *self.state.lock() = State::default();
    }

    pub(crate) fn failed(&self, now: Timestamp) {
        let mut state = self.state.lock();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.rests_from = Some(now);
            state.trying = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn it_opens_after_five_failures_in_a_row() {
        let breaker = Breaker::default();
        for _ in 0..4 {
            breaker.failed(at(0));
        }
        breaker.succeeded();
        for _ in 0..4 {
            breaker.failed(at(0));
        }
        assert!(breaker.admits(at(0)));
        breaker.failed(at(0));
        assert!(!breaker.admits(at(0)));
        assert_eq!(breaker.state(at(29)), BreakerState::Open);
    }

    #[test]
    fn after_a_rest_one_call_tries() {
        let breaker = Breaker::default();
        for _ in 0..5 {
            breaker.failed(at(0));
        }
        assert!(!breaker.admits(at(29)));
        assert_eq!(breaker.state(at(30)), BreakerState::HalfOpen);
        assert!(breaker.admits(at(30)));
        assert!(!breaker.admits(at(31)), "only one tries");
        breaker.failed(at(32));
        assert!(!breaker.admits(at(61)), "it failed, so the rest begins again");
        assert!(breaker.admits(at(62)));
        breaker.succeeded();
        assert!(breaker.admits(at(62)) && breaker.admits(at(62)));
        assert_eq!(breaker.state(at(62)), BreakerState::Closed);
    }

    #[test]
    fn a_try_that_nobody_hears_of_again_is_not_the_last() {
        let breaker = Breaker::default();
        for _ in 0..5 {
            breaker.failed(at(0));
        }
        assert!(breaker.admits(at(40)));
        assert!(!breaker.admits(at(69)));
        assert!(breaker.admits(at(70)));
    }
}
