use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use memoir_embed::Level;
use memoir_engine::{Caller, Engine, EngineSettings, Models, Ranking, RecallMode, SystemClock};
use memoir_model::{TenantId, Zone};
use memoir_postgres::PostgresStore;
use memoir_sqlite::SqliteStore;
use memoir_store::{Durability, Store};
use std::fs::{File, TryLockError};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use crate::settings::{self, Database, Instructions, LogFormat, Settings, without_password};

/// A store that is open.
pub(crate) struct Opened {
    pub(crate) backend: Backend,
    pub(crate) engine: Engine,
    /// Marks the folder of a SQLite file as in use.
    _in_use: Option<File>,
}

/// The store behind the engine, for what only one kind of store can do.
pub(crate) enum Backend {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

/// What a store is, for people and for programs.
#[derive(Debug, serde::Serialize)]
pub(crate) struct About {
    /// `sqlite` or `postgres`.
    pub(crate) kind: &'static str,
    /// The file, or the URL without its password.
    pub(crate) place: String,
    /// The version of the library or of the server.
    pub(crate) version: String,
    /// The version of our schema.
    pub(crate) schema: u32,
}

impl Opened {
    pub(crate) async fn about(&self, settings: &Settings) -> anyhow::Result<About> {
        Ok(match &self.backend {
            Backend::Sqlite(store) => About {
                kind: "sqlite",
                place: store.path().display().to_string(),
                version: SqliteStore::library_version().to_owned(),
                schema: memoir_sqlite::SCHEMA_VERSION,
            },
            Backend::Postgres(store) => About {
                kind: "postgres",
                place: without_password(&settings.store.url),
                version: store.server_version().await?,
                schema: memoir_postgres::SCHEMA_VERSION,
            },
        })
    }
}

/// Opens a store that is there already: who looks at one, or takes something out of it, has mistyped its folder rather
/// than meant an empty one.
pub(crate) async fn open_existing(settings: &Settings) -> anyhow::Result<Opened> {
    check_exists(settings)?;
    open(settings).await
}

/// Fails when there is no store yet.
pub(crate) fn check_exists(settings: &Settings) -> anyhow::Result<()> {
    if let Database::Sqlite(path) = settings.database() {
        anyhow::ensure!(
            path.exists(),
            "there is no store at {}; check data.dir, or make one with `memoir serve` or `memoir import`",
            path.display()
        );
    }
    Ok(())
}

/// Opens the store that the settings name, or makes it, and puts an engine over it that finds by words alone.
pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Opened> {
    open_with(settings, Models::none()).await
}

/// The same, with an engine that also uses models.
pub(crate) async fn open_with(settings: &Settings, models: Models) -> anyhow::Result<Opened> {
    // A mistake in the settings makes no store.
    let numbers = engine_settings(settings)?;
    let durability = match settings.store.durability {
        settings::Durability::Full => Durability::Full,
        settings::Durability::Normal => Durability::Normal,
    };
    let (backend, store, in_use): (Backend, Arc<dyn Store>, _) = match settings.database() {
        Database::Sqlite(path) => {
            let in_use = mark_in_use(&path)?;
            let store = SqliteStore::open(&memoir_sqlite::Options {
                path,
                durability,
                queue_commits: settings.store.queue_commits,
                queue_bytes: settings.store.queue_bytes,
                readers: settings.store.readers,
                max_bytes: settings.store.max_bytes,
            })?;
            (Backend::Sqlite(store.clone()), Arc::new(store), Some(in_use))
        }
        Database::Postgres(url) => {
            let options = memoir_postgres::Options {
                url: url.to_owned(),
                durability,
                connections: settings.store.connections,
                queue_commits: settings.store.queue_commits,
                queue_bytes: settings.store.queue_bytes,
                statement_timeout: settings.store.statement_timeout,
                patience: settings.store.patience,
            };
            let store = PostgresStore::open(&options, Timestamp::now()).await?;
            (Backend::Postgres(store.clone()), Arc::new(store), None)
        }
    };
    let engine = Engine::with_models(store, Arc::new(SystemClock), numbers, models);
    Ok(Opened { backend, engine, _in_use: in_use })
}

fn engine_settings(settings: &Settings) -> anyhow::Result<EngineSettings> {
    Ok(EngineSettings {
        default_zone: settings.space.default_zone.parse::<Zone>()?,
        default_preset: settings.space.default_preset,
        session_idle: SignedDuration::try_from(settings.session.idle)?,
        window_messages: settings.session.window,
        index_cache_bytes: settings.index.cache_bytes,
        window_cache_bytes: settings.session.window_cache_bytes,
        index_max_rows: settings.index.max_rows as u64,
        write_bytes: settings.store.queue_bytes,
        job_workers: settings.jobs.workers,
        job_poll: SignedDuration::try_from(settings.jobs.poll)?,
        job_lease: SignedDuration::try_from(settings.jobs.lease)?,
        job_attempts: settings.jobs.max_attempts,
        recall_mode: match settings.recall.mode {
            settings::RecallMode::Full => RecallMode::Full,
            settings::RecallMode::Keyword => RecallMode::Keyword,
        },
        ranking: ranking(&settings.recall.ranking)?,
        context_budget: settings.recall.budget,
        context_cache: SignedDuration::try_from(settings.recall.cache)?,
        context_cache_bytes: settings.recall.cache_bytes,
        layer_messages: settings.layers.least_messages,
        layer_characters: settings.layers.least_characters,
        layer_every: settings.layers.every,
        layer_apart: SignedDuration::try_from(settings.layers.apart)?,
        layer_night: settings.layers.night,
        layers_at_once: settings.layers.at_once,
        layer_quiet: SignedDuration::try_from(settings.layers.quiet)?,
        upkeep_enabled: settings.upkeep.enabled,
        upkeep_night: settings.upkeep.night,
    })
}

/// The ranking table in that file, or the one that comes with the program.
fn ranking(file: &str) -> anyhow::Result<Arc<Ranking>> {
    if file.is_empty() {
        return Ok(Ranking::built_in());
    }
    let text =
        std::fs::read_to_string(file).with_context(|| format!("recall.ranking: cannot read {file}"))?;
    let ranking = Ranking::parse(&text)
        .map_err(|error| anyhow::anyhow!("recall.ranking: {file}: {}", error.message()))?;
    Ok(Arc::new(ranking))
}

/// Somebody at the command line, who may do everything in that tenant.
pub(crate) fn operator(tenant: Option<&str>) -> anyhow::Result<Caller> {
    let tenant = tenant.map_or_else(|| Ok(TenantId::default_tenant()), TenantId::new)?;
    Ok(Caller::local(tenant, "command line"))
}

fn lock_file(store: &Path) -> anyhow::Result<File> {
    let folder = store.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the data folder {}; check data.dir", folder.display()))?;
    let name = folder.join("memoir.lock");
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&name)
        .with_context(|| format!("cannot write into {}; check data.dir", folder.display()))
}

/// Any number of processes may use a store at once; none of them while it is being replaced.
fn mark_in_use(store: &Path) -> anyhow::Result<File> {
    let file = lock_file(store)?;
    match file.try_lock_shared() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            anyhow::bail!("the store is being restored; try again when that is done")
        }
        Err(TryLockError::Error(error)) => Err(error).context("cannot lock the data folder"),
    }
}

/// Takes the store for this process alone; fails while a server or another command uses it.
pub(crate) fn take_alone(store: &Path) -> anyhow::Result<File> {
    let file = lock_file(store)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            anyhow::bail!("the store is in use by a server or another command; stop it first")
        }
        Err(TryLockError::Error(error)) => Err(error).context("cannot lock the data folder"),
    }
}

/// Vectors are calculated with the best instructions of the machine, or with lesser ones if that is wanted.
pub(crate) fn choose_instructions(settings: &Settings) {
    match settings.index.instructions {
        Instructions::Auto => Level::best(),
        Instructions::Scalar => Level::Scalar.keep_to(),
        Instructions::Avx2 => Level::Avx2.keep_to(),
        Instructions::Avx512 => Level::Avx512.keep_to(),
    };
}

/// Logs go to the error stream, one line each, never with the text of a message.
pub(crate) fn start_log(settings: &Settings) {
    let level = format!("{0},hyper=warn,h2=warn", settings.log.level.as_str());
    let builder = tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(level))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    match settings.log.format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Resolved;

    #[test]
    fn the_table_and_the_engine_agree_on_what_is_usual() {
        let resolved = Resolved::load(None, std::iter::empty(), &[]).unwrap();
        let (table, engine) = (engine_settings(resolved.settings()).unwrap(), EngineSettings::default());
        assert_eq!(format!("{table:?}"), format!("{engine:?}"));
    }
}
