use memoir_store::Durability;
use std::time::Duration;

/// How to reach the database and how to use it.
#[derive(Debug, Clone)]
pub struct Options {
    /// `postgres://user:password@host:port/database?sslmode=require`
    pub url: String,
    /// What an acknowledged commit survives (`store.durability`).
    pub durability: Durability,
    /// How many connections are open at most (`store.connections`).
    pub connections: usize,
    /// How many commits may wait for a connection or a lock (`store.queue_commits`).
    pub queue_commits: usize,
    /// How many bytes of commits may wait (`store.queue_bytes`).
    pub queue_bytes: usize,
    /// How long one statement may take (`store.statement_timeout`).
    pub statement_timeout: Duration,
    /// How long a call waits for a database that is away (`store.patience`).
    pub patience: Duration,
}

impl Options {
    /// The defaults, for this database.
    pub fn at(url: impl Into<String>) -> Self {
        Options {
            url: url.into(),
            durability: Durability::Full,
            connections: 16,
            queue_commits: 1024,
            queue_bytes: 64 << 20,
            statement_timeout: Duration::from_secs(15),
            patience: Duration::from_secs(5),
        }
    }
}
