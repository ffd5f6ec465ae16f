//! An engine over a SQLite file, with the settings of the product.

use anyhow::Result;
use memoir_engine::{Caller, Engine, EngineSettings, SystemClock};
use memoir_model::{SpaceId, TenantId};
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::Store;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How often the queue is looked at while waiting for it to empty.
const LOOK: Duration = Duration::from_millis(5);

/// Opens the file, or makes it. Everything as it is by default.
pub(crate) fn open(path: &Path) -> Result<Engine> {
    Ok(over(Arc::new(SqliteStore::open(&Options::at(path))?)))
}

/// An engine over a store, with the settings of the product.
pub(crate) fn over(store: Arc<dyn Store>) -> Engine {
    Engine::new(store, Arc::new(SystemClock), EngineSettings::default())
}

/// On whose behalf everything is done.
pub(crate) fn caller() -> Caller {
    Caller::local(TenantId::default_tenant(), "bench")
}

/// A runtime as the server has it: one worker per core.
pub(crate) fn runtime() -> Result<Runtime> {
    Ok(Builder::new_multi_thread().enable_all().build()?)
}

/// Waits until none of these spaces has a piece to be sealed. The workers must be running.
pub(crate) async fn sealed(engine: &Engine, spaces: &[SpaceId]) -> Result<()> {
    for space in spaces {
        done(engine, space, "seal").await?;
    }
    Ok(())
}

/// Waits until a space has no job of a kind. The workers must be running.
pub(crate) async fn done(engine: &Engine, space: &SpaceId, kind: &str) -> Result<()> {
    while engine.jobs(&caller(), Some(space), None, None, 1_000).await?.iter().any(|job| job.kind == kind) {
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}
