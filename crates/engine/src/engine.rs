use memoir_embed::Reranker;
use memoir_llm::Registry;
use memoir_model::{Error, Result, Space, SpaceId};
use memoir_store::Store;
use std::sync::Arc;

use crate::access::{Access, Caller};
use crate::admin::KeyCache;
use crate::clock::Clock;
use crate::embedding::Embedders;
use crate::ids::IdMaker;
use crate::layers::{Rests, SingleFile};
use crate::models::Models;
use crate::recall::Contexts;
use crate::remember::Lanes;
use crate::search::HotSpaces;
use crate::settings::EngineSettings;
use crate::upkeep::Bell;
use crate::window::Windows;

/// The memory engine over one store. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: EngineSettings,
    pub(crate) ids: IdMaker,
    pub(crate) lanes: Lanes,
    pub(crate) embedders: Embedders,
    pub(crate) registry: Option<Registry>,
    pub(crate) reranker: Option<Arc<dyn Reranker>>,
    pub(crate) contexts: Contexts,
    pub(crate) hot: HotSpaces,
    pub(crate) single_file: SingleFile,
    pub(crate) rests: Rests,
    pub(crate) windows: Windows,
    pub(crate) keys: KeyCache,
    pub(crate) bell: Bell,
}

impl Engine {
    /// An engine over a store, without models. Nothing runs in the background until [`Engine::start_workers`].
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, settings: EngineSettings) -> Self {
        Self::with_models(store, clock, settings, Models::none())
    }

    /// An engine over a store that also uses models.
    pub fn with_models(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: EngineSettings,
        models: Models,
    ) -> Self {
        let Models { embedders, registry, reranker } = models;
        Engine {
            inner: Arc::new(Inner {
                store,
                clock,
                ids: IdMaker::new(),
                lanes: Lanes::new(settings.write_bytes),
                embedders,
                registry,
                reranker,
                contexts: Contexts::new(settings.context_cache_bytes),
                hot: HotSpaces::new(settings.index_cache_bytes, settings.index_max_rows),
                single_file: SingleFile::default(),
                rests: Rests::default(),
                windows: Windows::new(settings.window_cache_bytes),
                keys: KeyCache::default(),
                bell: Bell::default(),
                settings,
            }),
        }
    }

    /// The store under the engine.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }

    /// The numbers it works with.
    pub fn settings(&self) -> &EngineSettings {
        &self.inner.settings
    }

    /// The moment it is now.
    pub fn now(&self) -> jiff::Timestamp {
        self.inner.clock.now()
    }

    /// A cheap round trip that fails when the store cannot answer.
    pub async fn ping(&self) -> Result<()> {
        self.inner.store.ping().await
    }

    /// Whether any key works; without one a server answers on loopback only.
    pub async fn has_keys(&self) -> Result<bool> {
        self.inner.store.has_keys().await
    }

    /// Drops what is in memory of spaces that another process has erased. What this process erases goes at once.
    pub async fn forget_erased_spaces(&self) -> Result<()> {
        let mut keys = self.inner.hot.keys();
        keys.extend(self.inner.windows.keys());
        for key in keys {
            if self.inner.store.space_at(&key).await?.is_none() {
                self.inner.hot.forget(key.no);
                self.inner.windows.forget(key.no);
                self.inner.contexts.forget(key.no);
                self.inner.rests.forget(key.no);
            }
        }
        Ok(())
    }

    /// The space, if the caller may do that with it and it exists.
    pub(crate) async fn open_space(&self, caller: &Caller, access: Access, id: &SpaceId) -> Result<Space> {
        caller.check_space(access, id)?;
        let space = self.inner.store.space(&caller.tenant, id).await?;
        space.ok_or_else(|| Error::not_found("space", id))
    }
}
