//! The shared store: PostgreSQL, for any number of server nodes on one database.
//!
//! Every transaction says for whom it is ([`Scope`](scope::Scope)) and the database's own row-level security shows it
//! nothing else. Writers of one space stand in line at the space's head row; writers of different spaces do not meet.

mod check;
mod codec;
mod commit;
mod error;
mod jobs;
mod migrate;
mod options;
mod patience;
mod pool;
mod queue;
mod read;
mod scope;
mod store;
mod transaction;
mod vectors;

use std::sync::Arc;

use jiff::Timestamp;
use memoir_model::Result;

pub use migrate::SCHEMA_VERSION;
pub use options::Options;

/// A store in a PostgreSQL database. Cheap to clone.
#[derive(Clone)]
pub struct PostgresStore {
    shared: Arc<Shared>,
}

struct Shared {
    pool: pool::Pool,
    queue: queue::Queue,
    sweep: jobs::Sweep,
}

impl PostgresStore {
    /// Connects to the database and brings its schema up to date. Many nodes may do so at once. `now` is noted beside
    /// the schema's version.
    pub async fn open(options: &Options, now: Timestamp) -> Result<Self> {
        let pool = pool::Pool::new(options)?;
        migrate::run(&pool, now).await?;
        let shared = Shared { pool, queue: queue::Queue::new(options), sweep: jobs::Sweep::default() };
        Ok(PostgresStore { shared: Arc::new(shared) })
    }

    /// The version of the server, in its own words.
    pub async fn server_version(&self) -> Result<String> {
        let row = self.shared.pool.first(scope::Scope::Worker, "SHOW server_version", &[]).await?;
        row.as_ref().map_or_else(|| Ok(String::new()), |row| codec::get(row, 0))
    }
}
