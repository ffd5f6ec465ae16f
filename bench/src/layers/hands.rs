use jiff::Timestamp;
use memoir_engine::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that is set by hand.
#[derive(Clone)]
pub(super) struct Hands(Arc<AtomicI64>);

impl Hands {
    pub(super) fn at(time: Timestamp) -> Self {
        Hands(Arc::new(AtomicI64::new(time.as_microsecond())))
    }

    pub(super) fn set(&self, time: Timestamp) {
        self.0.store(time.as_microsecond(), Ordering::SeqCst);
    }
}

impl Clock for Hands {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}
