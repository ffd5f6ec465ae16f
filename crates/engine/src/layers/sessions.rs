use memoir_model::{Error, Period, Result, SessionId, SpaceId, Summary};

use super::condense::By;
use super::make::Made;
use crate::access::{Access, Caller};
use crate::engine::Engine;

impl Engine {
    /// Sums a session up as it is now (D3). The same talk gives the same summary, and nobody is asked again.
    pub async fn summarise_session(&self, caller: &Caller, space: &SpaceId, id: &SessionId) -> Result<Made> {
        let mut space = self.open_space(caller, Access::Write, space).await?;
        self.make_summary(&mut space, &Period::Session(id.clone()), By::Best, None).await
    }

    /// The summary of a session, if it has one. It may be older than its last messages.
    pub async fn session_summary(
        &self,
        caller: &Caller,
        space: &SpaceId,
        id: &SessionId,
    ) -> Result<Option<Summary>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let session = self.inner.store.session(&space.key(), id).await?;
        let session = session.ok_or_else(|| Error::not_found("session", id))?;
        let summary = self.inner.store.summary(&space.key(), &Period::Session(id.clone())).await?;
        Ok(summary.map(|summary| Summary { stale: summary.stale || session.stale, ..summary }))
    }
}
