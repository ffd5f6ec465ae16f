use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{GeneratedId, SpaceNo};

/// The name of a kind of work, such as `close_idle`. Kinds are declared by the engine.
pub type JobKind = std::borrow::Cow<'static, str>;

/// Work that must not run beside other work of the same lane in the same space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// May run beside anything.
    Free,
    /// Derives something from the space's rows (extract, merge, summarise): one at a time.
    Derived,
}

impl Lane {
    /// The number in a store.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The lane with that number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Lane::Free),
            1 => Some(Lane::Derived),
            _ => None,
        }
    }
}

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Due at its `run_at`.
    Waiting,
    /// A worker has it until the lease ends.
    Leased,
    /// Failed too often; somebody has to look.
    Dead,
}

impl JobState {
    /// The number in a store.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The state with that number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(JobState::Waiting),
            1 => Some(JobState::Leased),
            2 => Some(JobState::Dead),
            _ => None,
        }
    }
}

/// Work to be done. While a job of the same space, kind and key waits, a second one only brings it forward; while it
/// runs, a second one makes it run again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewJob {
    /// Its id.
    pub id: GeneratedId,
    /// What is to be done.
    pub kind: JobKind,
    /// What makes it unique among its kind in its space.
    pub key: String,
    /// With which particulars.
    pub payload: serde_json::Value,
    /// Beside what it may run.
    pub lane: Lane,
    /// Not before.
    pub run_at: Timestamp,
}

/// The right to finish a job: only the holder of the newest token can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Which job.
    pub job: GeneratedId,
    /// In which space.
    pub space: SpaceNo,
    /// Grows with every lease of the job.
    pub token: u64,
}

/// A job as the store keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its id.
    pub id: GeneratedId,
    /// In which space it works.
    pub space: SpaceNo,
    /// What is to be done.
    pub kind: JobKind,
    /// What makes it unique among its kind in its space.
    pub key: String,
    /// With which particulars.
    pub payload: serde_json::Value,
    /// Beside what it may run.
    pub lane: Lane,
    /// When it is due; while it is leased, when the lease ends.
    pub run_at: Timestamp,
    /// How often it was started.
    pub attempts: u32,
    /// Where it is.
    pub state: JobState,
    /// The newest lease's token.
    pub token: u64,
    /// Why it failed last.
    pub last_error: Option<String>,
    /// When it was first asked for.
    pub created_at: Timestamp,
}

impl Job {
    /// The lease under which the job was handed out.
    pub fn lease(&self) -> Lease {
        Lease { job: self.id, space: self.space, token: self.token }
    }

    /// How long to wait after a failure: twice as long each time, at most an hour, spread by `jitter` (0 to 1) over
    /// half of that so that jobs which failed together do not come back together.
    pub fn backoff(attempts: u32, jitter: f64) -> SignedDuration {
        let doubled = 1u64 << attempts.saturating_sub(1).min(12);
        let base = SignedDuration::from_secs(doubled.min(3600) as i64);
        base.mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_and_stops_at_an_hour() {
        assert_eq!(Job::backoff(1, 1.0), SignedDuration::from_secs(1));
        assert_eq!(Job::backoff(4, 1.0), SignedDuration::from_secs(8));
        assert_eq!(Job::backoff(4, 0.0), SignedDuration::from_secs(4));
        assert_eq!(Job::backoff(99, 1.0), SignedDuration::from_secs(3600));
        assert_eq!(Job::backoff(0, f64::MAX), SignedDuration::from_secs(1));
    }
}
