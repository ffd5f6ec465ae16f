//! Models asked over real HTTP, through every way in which they fail.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

mod budgets;
mod chain;
mod fake;
mod providers;
mod secrecy;
mod streaming;
mod structured;
mod world;
