use jiff::Timestamp;

/// Where the time comes from. Only the edges of the program read the real one.
pub trait Clock: Send + Sync + 'static {
    /// The moment it is now.
    fn now(&self) -> Timestamp;
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        // Stored times are microseconds; what is handed out must not be finer than what is kept.
        let now = Timestamp::now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}
