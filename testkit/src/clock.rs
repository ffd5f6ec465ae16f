use jiff::{SignedDuration, Timestamp};
use memoir_engine::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that moves only when it is told to. Clones show the same time.
#[derive(Debug, Clone)]
pub struct FakeClock {
    micros: Arc<AtomicI64>,
}

impl FakeClock {
    /// A clock that shows this RFC 3339 time.
    pub fn at(text: &str) -> Self {
        let moment: Timestamp = text.parse().expect("an RFC 3339 time");
        FakeClock { micros: Arc::new(AtomicI64::new(moment.as_microsecond())) }
    }

    /// Moves it on, or back.
    pub fn advance(&self, by: SignedDuration) {
        self.micros.fetch_add(by.as_micros() as i64, Ordering::SeqCst);
    }

    /// Sets it.
    pub fn set(&self, text: &str) {
        let moment: Timestamp = text.parse().expect("an RFC 3339 time");
        self.micros.store(moment.as_microsecond(), Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.micros.load(Ordering::SeqCst)).expect("a time in range")
    }
}
