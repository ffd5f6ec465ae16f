use memoir_model::{Result, Space, SpaceId, TenantId};
use memoir_store::{Commit, JobChange, SpaceRange, WriteSet};
use std::collections::BTreeSet;

use super::fill::job;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// How many spaces are listed at a time.
const PAGE: usize = 200;

impl Engine {
    /// Asks for the vectors of every space that lacks some: after a model was configured for the first time, or another
    /// one. What is complete is only looked at. Returns for how many spaces work was asked.
    pub async fn request_missing_vectors(&self) -> Result<u64> {
        let mut tenants: BTreeSet<TenantId> =
            self.inner.store.tenants().await?.into_iter().map(|tenant| tenant.id).collect();
        // The one that nobody has to make.
        tenants.insert(TenantId::default_tenant());
        let mut asked = 0;
        for tenant in &tenants {
            asked += self.request_missing_vectors_of(tenant, false).await?;
        }
        Ok(asked)
    }

    /// Asks for the vectors that one space lacks, or all spaces of the caller's tenant. Returns how many spaces lack some;
    /// with `dry_run` nothing is asked for. `None` without an embedder.
    pub async fn reembed(
        &self,
        caller: &Caller,
        space: Option<&SpaceId>,
        dry_run: bool,
    ) -> Result<Option<u64>> {
        caller.check(Access::Administer)?;
        if self.inner.embedders.current().is_none() {
            return Ok(None);
        }
        match space {
            Some(id) => {
                let space = self.open_space(caller, Access::Administer, id).await?;
                Ok(Some(u64::from(self.request_vectors_if_missing(&space, dry_run).await?)))
            }
            None => self.request_missing_vectors_of(&caller.tenant, dry_run).await.map(Some),
        }
    }

    async fn request_missing_vectors_of(&self, tenant: &TenantId, dry_run: bool) -> Result<u64> {
        let (mut asked, mut after) = (0, None);
        loop {
            let spaces = self.inner.store.spaces(tenant, SpaceRange { after, limit: PAGE }).await?;
            let Some(last) = spaces.last() else { return Ok(asked) };
            after = Some(last.id.clone());
            for space in &spaces {
                asked += u64::from(self.request_vectors_if_missing(space, dry_run).await?);
            }
        }
    }

    /// Asks for the vectors that a space lacks; false when it lacks none.
    async fn request_vectors_if_missing(&self, space: &Space, dry_run: bool) -> Result<bool> {
        let Some((id, _)) = self.inner.embedders.current() else { return Ok(false) };
        let known = self.inner.store.generations(&space.key()).await?;
        let complete = |generation: &memoir_model::Generation| {
            generation.id == *id && generation.serves && generation.cursor >= space.last_seq
        };
        if space.last_seq == 0 || known.iter().any(complete) {
            return Ok(false);
        }
        if dry_run {
            return Ok(true);
        }
        let now = self.now();
        let ask = JobChange::Enqueue(job(self.inner.ids.make(now, space.no), now));
        let writes = WriteSet { jobs: vec![ask], ..WriteSet::default() };
        match self.inner.commit(space, Commit::to_space(space.key(), writes)).await {
            Ok(_) => Ok(true),
            // It was erased in the meantime.
            Err(error) if error.code() == memoir_model::ErrorCode::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}
