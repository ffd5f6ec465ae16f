use jiff::Timestamp;
use memoir_model::{GeneratedId, SpaceNo};
use std::sync::atomic::{AtomicU16, Ordering};

/// Makes ids. The counter keeps those of one millisecond apart, the random part those of different processes.
pub(crate) struct IdMaker {
    counter: AtomicU16,
}

impl IdMaker {
    pub(crate) fn new() -> Self {
        IdMaker { counter: AtomicU16::new(rand::random()) }
    }

    pub(crate) fn make(&self, now: Timestamp, space: SpaceNo) -> GeneratedId {
        let counter = self.counter.fetch_add(1, Ordering::Relaxed);
        GeneratedId::compose(now.as_millisecond(), space, counter, rand::random())
    }

    /// A number for a new space.
    pub(crate) fn space_no(&self) -> SpaceNo {
        SpaceNo::from_low_bits(rand::random())
    }
}
