use jiff::Timestamp;
use memoir_model::{GeneratedId, SpaceNo};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of the counter that keeps the ids of one millisecond apart.
const COUNTER_BITS: u32 = 12;

/// Makes ids. Those of one process ascend: when a millisecond has no number left, or the clock goes back, the next one is
/// begun ahead of its time. The random part keeps different processes apart.
pub(crate) struct IdMaker {
    /// The millisecond and the counter of the last id.
    last: AtomicU64,
}

impl IdMaker {
    pub(crate) fn new() -> Self {
        IdMaker { last: AtomicU64::new(0) }
    }

    pub(crate) fn make(&self, now: Timestamp, space: SpaceNo) -> GeneratedId {
        let now = (now.as_millisecond().max(0) as u64) << COUNTER_BITS;
        let next = |last: u64| now.max(last + 1);
        let last = self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last)));
        let made = next(last.unwrap_or_else(|last| last));
        let counter = made & ((1 << COUNTER_BITS) - 1);
        GeneratedId::compose((made >> COUNTER_BITS) as i64, space, counter as u16, rand::random())
    }

    /// A number for a new space.
    pub(crate) fn space_no(&self) -> SpaceNo {
        SpaceNo::from_low_bits(rand::random())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_through_a_full_millisecond_and_a_clock_that_goes_back() {
        let (ids, space) = (IdMaker::new(), SpaceNo::from_low_bits(7));
        let at = |millis| Timestamp::from_millisecond(millis).unwrap();
        let times = std::iter::repeat_n(5_000, 10_000).chain([4_000, 5_003, 5_000, 6_000]);
        let made: Vec<_> = times.map(|millis| ids.make(at(millis), space)).collect();
        assert!(made.is_sorted_by(|earlier, later| earlier < later));
        assert_eq!(made.last().map(|id| id.unix_millis()), Some(6_000));
    }
}
