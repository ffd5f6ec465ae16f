use jiff::Timestamp;
use std::sync::Arc;

/// Where the time comes from: the engine's clock, or one that a test moves.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The machine's own clock.
pub fn system_clock() -> Now {
    Arc::new(Timestamp::now)
}

/// The seconds from one moment to a later one; 0 if it is not later.
pub(crate) fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64().max(0.0)
}
