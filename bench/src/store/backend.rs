use anyhow::{Context, Result};
use jiff::Timestamp;
use memoir_engine::Engine;
use memoir_postgres::{Options, PostgresStore};
use memoir_sqlite::SqliteStore;
use std::path::Path;
use std::sync::Arc;
use tokio_postgres::NoTls;

use crate::memoir;

/// A database to measure, empty to begin with.
pub(super) struct Backend {
    name: &'static str,
    about: String,
    engine: Engine,
    /// The server and the name of the database that was made on it.
    made: Option<(String, String)>,
}

impl Backend {
    pub(super) fn sqlite(folder: &Path) -> Result<Self> {
        let about = format!("SQLite {}, synchronous=FULL", SqliteStore::library_version());
        let engine = memoir::open(&folder.join("memoir.db"))?;
        Ok(Backend { name: "sqlite", about, engine, made: None })
    }

    pub(super) async fn postgres(url: &str) -> Result<Self> {
        let name = format!("memoir_bench_{}", std::process::id());
        order(url, &format!("CREATE DATABASE {name}")).await?;
        let (server, _) =
            url.rsplit_once('/').context("--url must name a database, as in postgres://host/postgres")?;
        let store = PostgresStore::open(&Options::at(format!("{server}/{name}")), Timestamp::now()).await?;
        let options = Options::at(url);
        let about = format!(
            "PostgreSQL {}, {} connections, synchronous_commit=on, its own settings otherwise",
            store.server_version().await?,
            options.connections
        );
        let engine = memoir::over(Arc::new(store));
        Ok(Backend { name: "postgres", about, engine, made: Some((url.to_owned(), name)) })
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn about(&self) -> &str {
        &self.about
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Leaves nothing behind.
    pub(super) async fn remove(self) -> Result<()> {
        drop(self.engine);
        match self.made {
            Some((url, name)) => order(&url, &format!("DROP DATABASE {name} WITH (FORCE)")).await,
            None => Ok(()),
        }
    }
}

async fn order(url: &str, sql: &str) -> Result<()> {
    let (client, connection) =
        tokio_postgres::connect(url, NoTls).await.context("PostgreSQL does not answer")?;
    tokio::spawn(connection);
    Ok(client.batch_execute(sql).await?)
}
