use anyhow::Result;
use jiff::Timestamp;
use memoir_engine::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that is set by hand.
#[derive(Clone)]
pub(super) struct Hands(Arc<AtomicI64>);

impl Hands {
    pub(super) fn at(text: &str) -> Result<Self> {
        Ok(Hands(Arc::new(AtomicI64::new(text.parse::<Timestamp>()?.as_microsecond()))))
    }

    pub(super) fn set(&self, text: &str) -> Result<()> {
        self.0.store(text.parse::<Timestamp>()?.as_microsecond(), Ordering::SeqCst);
        Ok(())
    }
}

impl Clock for Hands {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}
