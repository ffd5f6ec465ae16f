use memoir_model::{AuditAction, Error, ErrorCode, Metadata, Preset, Result, Space, SpaceId, TenantId, Zone};
use memoir_store::{Commit, Row, SpaceRange, WriteSet};
use std::future::Future;
use std::sync::Arc;

use crate::access::{Access, Caller};
use crate::engine::{Engine, Inner};
use crate::remember::SpaceState;

/// What a product says about a space; what is absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct SpacePatch {
    /// On whose clock its days are counted from now on.
    pub zone: Option<Zone>,
    /// Its taste.
    pub preset: Option<Preset>,
    /// What the product attaches.
    pub metadata: Option<Metadata>,
}

/// How often a write is planned again when another process moved the space.
const TRIES: usize = 16;

impl Engine {
    /// A space.
    pub async fn space(&self, caller: &Caller, id: &SpaceId) -> Result<Space> {
        self.open_space(caller, Access::Read, id).await
    }

    /// Spaces of the tenant in the order of their ids. A bound key sees its own.
    pub async fn spaces(&self, caller: &Caller, range: SpaceRange) -> Result<Vec<Space>> {
        if let Some(own) = &caller.space {
            let space = self.inner.store.space(&caller.tenant, own).await?;
            return Ok(space
                .into_iter()
                .filter(|space| range.after.as_ref().is_none_or(|a| space.id > *a))
                .collect());
        }
        caller.check(Access::Read)?;
        self.inner.store.spaces(&caller.tenant, range).await
    }

    /// Creates a space or changes its settings.
    pub async fn put_space(&self, caller: &Caller, id: &SpaceId, patch: SpacePatch) -> Result<Space> {
        caller.check_space(Access::Write, id)?;
        if let Some(metadata) = &patch.metadata {
            memoir_model::Session::check_limits(None, metadata)?;
        }
        let caller = caller.clone();
        self.in_lane(&caller.tenant.clone(), id, move |inner, state| {
            let (caller, patch) = (caller.clone(), patch.clone());
            async move { inner.put_space(state, &caller, patch).await }
        })
        .await
    }

    /// Puts the settings of a space from an export in place. A new one gets its zones with their history, so that its
    /// messages keep their days; one that exists is in the last of them from now on.
    pub async fn adopt_space(&self, caller: &Caller, id: &SpaceId, exported: Space) -> Result<Space> {
        caller.check_space(Access::Write, id)?;
        memoir_model::Session::check_limits(None, &exported.metadata)?;
        let caller = caller.clone();
        self.in_lane(&caller.tenant.clone(), id, move |inner, mut state| {
            let (caller, exported) = (caller.clone(), exported.clone());
            let patch = SpacePatch {
                zone: (!state.is_new).then(|| exported.zones.current().clone()),
                preset: Some(exported.preset),
                metadata: Some(exported.metadata),
            };
            if state.is_new {
                state.space.zones = exported.zones;
            }
            async move { inner.put_space(state, &caller, patch).await }
        })
        .await
    }

    /// Erases a space with everything in it, from tables, indexes, caches and free pages. The audit log keeps that
    /// it happened.
    pub async fn erase_space(&self, caller: &Caller, id: &SpaceId) -> Result<()> {
        caller.check_space(Access::Write, id)?;
        caller.check(Access::Administer)?;
        let lane = self.inner.lanes.lane(&caller.tenant, id);
        let (inner, caller, id) = (self.inner.clone(), caller.clone(), id.clone());
        let erased = tokio::spawn(async move {
            let mut state = lane.state.lock().await;
            *state = None;
            let space = inner.store.space(&caller.tenant, &id).await?;
            let space = space.ok_or_else(|| Error::not_found("space", &id))?;
            let audit = inner.audit(&caller, AuditAction::SpaceErased, Some(&id), None);
            let writes = WriteSet { rows: vec![Row::EraseSpace, audit], ..WriteSet::default() };
            inner.store.commit(Commit::to_space(space.key(), writes)).await?;
            inner.hot.forget(space.no);
            inner.contexts.forget(space.no);
            inner.windows.forget(space.no);
            inner.rests.forget(space.no);
            Ok(())
        });
        erased.await.map_err(|_| Error::internal("the erasure was cut short"))?
    }

    /// Runs `work` as the only writer of a space in this process, again if another process was faster. In a task of
    /// its own: a caller who hangs up leaves nothing half done.
    pub(crate) async fn in_lane<T, F, Fut>(&self, tenant: &TenantId, space: &SpaceId, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(Arc<Inner>, SpaceState) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(SpaceState, T)>> + Send,
    {
        self.in_lane_of(tenant, space, None, work).await
    }

    /// The same for who has just read the space, which is then not read again: if something was written since, the store
    /// refuses what is planned on it.
    pub(crate) async fn in_lane_from<T, F, Fut>(&self, space: &Space, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(Arc<Inner>, SpaceState) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(SpaceState, T)>> + Send,
    {
        self.in_lane_of(&space.tenant, &space.id, Some(space.clone()), work).await
    }

    async fn in_lane_of<T, F, Fut>(
        &self,
        tenant: &TenantId,
        space: &SpaceId,
        mut seen: Option<Space>,
        work: F,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(Arc<Inner>, SpaceState) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(SpaceState, T)>> + Send,
    {
        let lane = self.inner.lanes.lane(tenant, space);
        let (inner, tenant, space) = (self.inner.clone(), tenant.clone(), space.clone());
        let done = tokio::spawn(async move {
            let mut guard = lane.state.lock().await;
            for _ in 0..TRIES {
                let known = guard.take();
                let state = match seen.take() {
                    Some(seen) => SpaceState::newer(known, seen),
                    None => inner.current_state(known, &tenant, &space).await?,
                };
                match work(inner.clone(), state).await {
                    Ok((state, value)) => {
                        *guard = (!state.is_new).then_some(state);
                        return Ok(value);
                    }
                    // The other was faster, perhaps even in making the space.
                    Err(error) if matches!(error.code(), ErrorCode::VersionMoved | ErrorCode::IdConflict) => {
                    }
                    Err(error) => return Err(error),
                }
            }
            Err(Error::busy("the space is being written by too many others", 1))
        });
        done.await.map_err(|_| Error::internal("the write was cut short"))?
    }
}

impl Inner {
    async fn put_space(
        self: Arc<Self>,
        mut state: SpaceState,
        caller: &Caller,
        patch: SpacePatch,
    ) -> Result<(SpaceState, Space)> {
        let base_version = state.space.version;
        let before = state.space.clone();
        let space = &mut state.space;
        if let Some(zone) = patch.zone {
            match state.is_new {
                true => space.zones = memoir_model::ZoneHistory::new(zone),
                false => space.zones.change(self.clock.now(), zone),
            }
        }
        space.preset = patch.preset.unwrap_or(space.preset);
        space.metadata = patch.metadata.unwrap_or_else(|| std::mem::take(&mut space.metadata));
        if !state.is_new && *space == before {
            return Ok((state, before));
        }
        let row = if state.is_new { Row::NewSpace } else { Row::Space };
        let rows = vec![
            row(Box::new(state.space.clone())),
            self.audit(caller, AuditAction::SpaceChanged, Some(&state.space.id), None),
        ];
        let writes = WriteSet { rows, ..WriteSet::default() };
        let state = self.commit_planned(state, base_version, writes, None).await?;
        let space = state.space.clone();
        Ok((state, space))
    }
}
