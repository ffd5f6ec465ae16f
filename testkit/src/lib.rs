//! What tests build with: a clock that stands still, a store that goes away, a server on a free port, messages in one
//! line. For tests and benchmarks only.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot set itself up should stop at once")]

mod binary;
mod clock;
mod messages;
mod server;
mod store;

pub use binary::{Binary, Process};
pub use clock::FakeClock;
pub use messages::{at, caller, message};
pub use server::TestServer;
pub use store::TestEngine;
