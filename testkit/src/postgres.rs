use jiff::Timestamp;
use memoir_engine::{Engine, EngineSettings};
use memoir_postgres::{Options, PostgresStore};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::OnceCell;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use crate::FakeClock;

/// A real PostgreSQL server, started by `tests/postgres`.
pub struct PostgresServer {
    name: Option<String>,
    url: String,
}

impl PostgresServer {
    /// The one that all tests share. It keeps running.
    pub fn shared() -> Self {
        let url = std::env::var("TEST_POSTGRES_URL").unwrap_or_else(|_| script(&["start"]));
        PostgresServer { name: None, url }
    }

    /// One of its own, for a test that takes it down. It goes with this.
    pub fn own(name: &str) -> Self {
        let name = format!("{name}-{}", std::process::id());
        let url = script(&["start", &name]);
        PostgresServer { name: Some(name), url }
    }

    /// Where it is, with its own database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Takes it down as if the power had gone.
    pub fn kill(&self) {
        script(&["kill", self.name.as_deref().expect("a server of its own")]);
    }

    /// Starts it again.
    pub fn start(&self) {
        script(&["start", self.name.as_deref().expect("a server of its own")]);
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            script(&["stop", name]);
        }
    }
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn script(arguments: &[&str]) -> String {
    let output =
        Command::new(project().join("tests/postgres")).args(arguments).output().expect("tests/postgres");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}

/// A database with our schema in it and nothing else, on the shared server. It goes with this.
pub struct TestDatabase {
    server: String,
    name: String,
}

/// Makes the template once in this process.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static NEXT: AtomicU32 = AtomicU32::new(0);

impl TestDatabase {
    /// A copy of the template.
    pub async fn new() -> Self {
        let server = PostgresServer::shared().url().to_owned();
        let template = TEMPLATE.get_or_init(|| make_template(&server)).await;
        let name = format!("memoir_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let client = connect(&server).await;
        client
            .batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            .await
            .expect("a free name");
        copy(&client, &name, template).await;
        TestDatabase { server, name }
    }

    /// An empty database, without our schema.
    pub async fn empty() -> Self {
        let server = PostgresServer::shared().url().to_owned();
        let name = format!("memoir_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let client = connect(&server).await;
        client
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0"))
            .await
            .expect("a database");
        TestDatabase { server, name }
    }

    /// Where it is.
    pub fn url(&self) -> String {
        on(&self.server, &self.name)
    }

    /// A store over it.
    pub async fn store(&self) -> PostgresStore {
        self.store_with(|_| {}).await
    }

    /// A store over it with other options.
    pub async fn store_with(&self, adjust: impl FnOnce(&mut Options)) -> PostgresStore {
        let mut options = Options { connections: 8, ..Options::at(self.url()) };
        adjust(&mut options);
        PostgresStore::open(&options, Timestamp::UNIX_EPOCH).await.expect("a store")
    }

    /// An engine over it, with a clock that stands still. Two of them share nothing in memory, like two nodes.
    pub async fn engine(&self, clock: &FakeClock) -> Engine {
        Engine::new(Arc::new(self.store().await), Arc::new(clock.clone()), EngineSettings::default())
    }

    /// A raw connection, as the owner of the tables.
    pub async fn connect(&self) -> Client {
        connect(&self.url()).await
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        let dropped = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let client = connect(&server).await;
                client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await.ok();
            });
        });
        dropped.join().ok();
    }
}

/// The URL of another database on the same server.
fn on(server: &str, database: &str) -> String {
    let (place, _) = server.rsplit_once('/').expect("a URL with a database");
    format!("{place}/{database}")
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    client
}

/// Makes a migrated database to copy from, unless another process has done so for the same migrations.
async fn make_template(server: &str) -> String {
    let mut hasher = DefaultHasher::new();
    let folder = project().join("crates/postgres/migrations");
    let mut files: Vec<PathBuf> =
        folder.read_dir().expect("the migrations").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    for file in files {
        std::fs::read(file).expect("a migration").hash(&mut hasher);
    }
    let name = format!("memoir_template_{:016x}", hasher.finish());
    let client = connect(server).await;
    client.batch_execute("SELECT pg_advisory_lock(1)").await.expect("a lock");
    let known =
        client.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]).await.expect("an answer");
    if known.is_empty() {
        let unfinished = format!("{name}_unfinished");
        client
            .batch_execute(&format!("DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)"))
            .await
            .expect("a free name");
        client
            .batch_execute(&format!("CREATE DATABASE {unfinished} TEMPLATE template0"))
            .await
            .expect("a database");
        let options = Options::at(on(server, &unfinished));
        drop(PostgresStore::open(&options, Timestamp::UNIX_EPOCH).await.expect("a migrated database"));
        while client.batch_execute(&format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
    client.batch_execute("SELECT pg_advisory_unlock(1)").await.expect("the lock");
    name
}

/// Copies a database. Nobody may be connected to it meanwhile, and another test may be copying.
async fn copy(client: &Client, name: &str, template: &str) {
    loop {
        match client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await {
            Ok(()) => return,
            Err(error) if error.code() == Some(&SqlState::OBJECT_IN_USE) => {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            Err(error) => panic!("cannot copy {template}: {error}"),
        }
    }
}
