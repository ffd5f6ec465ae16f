//! Durable background work: leased, retried, unique by key, done on each space's own clock.

mod bell;
pub(crate) mod close_idle;
mod dispatcher;
mod perform;
mod runs;
mod schedule;
pub(crate) mod seal;
mod work;
mod workers;

pub(crate) use bell::Bell;
pub use schedule::Schedule;
pub use work::{Completion, JobContext, Work};
pub use workers::Workers;
