use jiff::SignedDuration;
use memoir_embed::Embedder;
use memoir_engine::{Embedders, Engine, EngineSettings};
use memoir_sqlite::{Options, SqliteStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

use crate::{DoorStore, FakeClock};

/// An engine over a SQLite store in a folder of its own, with a clock that stands still. The folder goes with it.
pub struct TestEngine {
    /// The engine.
    pub engine: Engine,
    /// Its clock.
    pub clock: FakeClock,
    /// Its store.
    pub store: SqliteStore,
    settings: EngineSettings,
    folder: TempDir,
}

impl TestEngine {
    /// The time at which a test begins unless it says otherwise: a Wednesday noon in Shanghai.
    pub const NOON: &str = "2026-01-07T12:00:00+08:00";

    /// With the usual settings.
    pub fn new() -> Self {
        Self::with(EngineSettings::default(), |_| {})
    }

    /// With workers that look at the queue all the time, for tests that move the clock.
    pub fn restless() -> Self {
        Self::with(Self::restless_settings(), |_| {})
    }

    /// The settings of [`TestEngine::restless`].
    pub fn restless_settings() -> EngineSettings {
        EngineSettings { job_poll: SignedDuration::from_millis(3), ..EngineSettings::default() }
    }

    /// With these settings and store options.
    pub fn with(settings: EngineSettings, adjust: impl FnOnce(&mut Options)) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut options = Options::at(folder.path().join("memoir.db"));
        adjust(&mut options);
        let store = SqliteStore::open(&options).expect("a store");
        let clock = FakeClock::at(Self::NOON);
        let engine = engine(store.clone(), &clock, settings.clone());
        TestEngine { engine, clock, store, settings, folder }
    }

    /// A second engine on the same store, which finds by meaning.
    pub fn with_embedders(&self, current: Arc<dyn Embedder>, earlier: Vec<Arc<dyn Embedder>>) -> Engine {
        let embedders = Embedders::new(current, earlier).expect("embedders");
        let clock = Arc::new(self.clock.clone());
        Engine::with_models(Arc::new(self.store.clone()), clock, self.settings.clone(), embedders.into())
    }

    /// A second engine on the same file, as another process would have it: nothing in memory is shared.
    pub fn neighbour(&self) -> Engine {
        let store = SqliteStore::open(&Options::at(self.path())).expect("a store");
        engine(store, &self.clock, self.settings.clone())
    }

    /// A second engine on the same store, some of whose calls can be held up.
    pub fn with_doors(&self) -> (Engine, Arc<DoorStore>) {
        let doors = DoorStore::over(self.store.clone());
        let engine = Engine::new(doors.clone(), Arc::new(self.clock.clone()), self.settings.clone());
        (engine, doors)
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

fn engine(store: SqliteStore, clock: &FakeClock, settings: EngineSettings) -> Engine {
    Engine::new(Arc::new(store), Arc::new(clock.clone()), settings)
}
