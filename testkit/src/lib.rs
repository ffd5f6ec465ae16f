//! What tests build with: a clock that stands still, a store that goes away, a server on a free port, messages in one
//! line. For tests and benchmarks only.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot set itself up should stop at once"
)]

mod binary;
mod clock;
mod doors;
mod embedder;
mod messages;
#[cfg(feature = "models")]
mod models;
mod names;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "server")]
mod server;
mod store;
mod talk;
mod tls;
mod until;

pub use binary::{Binary, Process};
pub use clock::FakeClock;
pub use doors::{Door, DoorStore, Held};
pub use embedder::{Mood, WordEmbedder};
pub use messages::{at, caller, message};
#[cfg(feature = "models")]
pub use models::{Act, FakeModels, Recorded, hashed_vector};
pub use names::{author, message_id, session_id, space, tenant, thread};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresServer, TestDatabase};
#[cfg(feature = "server")]
pub use server::{HttpServer, TestServer};
pub use store::TestEngine;
pub use talk::{found, messages, remember, say, sessions};
pub use until::until;
