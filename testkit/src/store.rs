use memoir_engine::{Clock, Engine, EngineSettings};
use memoir_sqlite::{Options, SqliteStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

use crate::FakeClock;

/// An engine over a SQLite store in a folder of its own, with a clock that stands still. The folder goes with it.
pub struct TestEngine {
    /// The engine.
    pub engine: Engine,
    /// Its clock.
    pub clock: FakeClock,
    /// Its store.
    pub store: SqliteStore,
    folder: TempDir,
}

impl TestEngine {
    /// The time at which a test begins unless it says otherwise: a Wednesday noon in Shanghai.
    pub const NOON: &str = "2026-01-07T12:00:00+08:00";

    /// With the usual settings.
    pub fn new() -> Self {
        Self::with(EngineSettings::default(), |_| {})
    }

    /// With these settings and store options.
    pub fn with(settings: EngineSettings, adjust: impl FnOnce(&mut Options)) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut options = Options::at(folder.path().join("memoir.db"));
        adjust(&mut options);
        let store = SqliteStore::open(&options).expect("a store");
        let clock = FakeClock::at(Self::NOON);
        let engine = engine(&store, clock.clone(), settings);
        TestEngine { engine, clock, store, folder }
    }

    /// A second engine on the same file, as another process would have it: nothing in memory is shared.
    pub fn neighbour(&self) -> Engine {
        let store = SqliteStore::open(&Options::at(self.path())).expect("a store");
        engine(&store, self.clock.clone(), EngineSettings::default())
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("memoir.db")
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Default for TestEngine {
    fn default() -> Self {
        Self::new()
    }
}

fn engine(store: &SqliteStore, clock: impl Clock, settings: EngineSettings) -> Engine {
    Engine::new(Arc::new(store.clone()), Arc::new(clock), settings)
}
