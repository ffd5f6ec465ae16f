use async_trait::async_trait;
use jiff::Timestamp;
use memoir_model::{
    ApiKey, AuditEntry, GeneratedId, Generation, Job, KeyId, Memory, MemoryId, Message, MessageId,
    MessageVersion, Period, Result, Session, SessionId, Space, SpaceId, SpaceKey, Summary, SummaryLevel,
    Taxonomy, TaxonomyName, Tenant, TenantId, Thread,
};
use memoir_store::{
    Claim, Commit, Committed, Finding, IndexDelta, IndexPoint, IndexRow, JobQuery, LatestTalk, MemoryQuery,
    MessageQuery, SessionTalk, SpaceRange, Stats, Store, TakenId, VectorQuery, VectorRow,
};

use crate::read::{admin, derived, index, messages, sessions, spaces, vectors};
use crate::{PostgresStore, check, commit, jobs};

#[async_trait]
impl Store for PostgresStore {
    async fn commit(&self, commit: Commit) -> Result<Committed> {
        let _on_its_way = self.shared.queue.admit(commit.bytes())?;
        commit::run(&self.shared.pool, &commit).await
    }

    async fn claim_jobs(&self, claim: Claim) -> Result<Vec<Job>> {
        self.shared.sweep.run_if_due(&self.shared.pool, claim.now).await?;
        jobs::claim(&self.shared.pool, &claim).await
    }

    async fn space(&self, tenant: &TenantId, id: &SpaceId) -> Result<Option<Space>> {
        spaces::by_id(&self.shared.pool, tenant, id).await
    }

    async fn space_at(&self, key: &SpaceKey) -> Result<Option<Space>> {
        spaces::by_key(&self.shared.pool, key).await
    }

    async fn spaces(&self, tenant: &TenantId, range: SpaceRange) -> Result<Vec<Space>> {
        spaces::list(&self.shared.pool, tenant, &range).await
    }

    async fn spaces_of_jobs(&self, jobs: &[Job]) -> Result<Vec<Option<Space>>> {
        let found = jobs.iter().map(|job| spaces::by_no(&self.shared.pool, job.space));
        futures::future::try_join_all(found).await
    }

    async fn message(&self, key: &SpaceKey, id: &MessageId) -> Result<Option<Message>> {
        messages::by_id(&self.shared.pool, key, id).await
    }

    async fn messages_at(&self, key: &SpaceKey, seqs: &[u64]) -> Result<Vec<Message>> {
        messages::by_seqs(&self.shared.pool, key, seqs).await
    }

    async fn messages(&self, key: &SpaceKey, query: &MessageQuery) -> Result<Vec<Message>> {
        messages::list(&self.shared.pool, key, query).await
    }

    async fn message_versions(&self, key: &SpaceKey, seq: u64) -> Result<Vec<MessageVersion>> {
        messages::versions(&self.shared.pool, key, seq).await
    }

    async fn taken_ids(&self, key: &SpaceKey, ids: &[MessageId]) -> Result<Vec<TakenId>> {
        messages::taken(&self.shared.pool, key, ids).await
    }

    async fn session(&self, key: &SpaceKey, id: &SessionId) -> Result<Option<Session>> {
        sessions::by_id(&self.shared.pool, key, id).await
    }

    async fn session_talk(
        &self,
        key: &SpaceKey,
        id: &SessionId,
        query: &MessageQuery,
    ) -> Result<Option<SessionTalk>> {
        let pool = &self.shared.pool;
        let Some(session) = sessions::by_id(pool, key, id).await? else { return Ok(None) };
        let query = MessageQuery { session_no: Some(session.no), ..query.clone() };
        let messages = messages::list(pool, key, &query).await?;
        let summary = derived::summary(pool, key, &Period::Session(id.clone())).await?;
        Ok(Some(SessionTalk { session, summary, messages }))
    }

    async fn session_at(&self, key: &SpaceKey, no: u64) -> Result<Option<Session>> {
        sessions::by_no(&self.shared.pool, key, no).await
    }

    async fn sessions(&self, key: &SpaceKey, below: Option<u64>, limit: usize) -> Result<Vec<Session>> {
        sessions::list(&self.shared.pool, key, below, limit).await
    }

    async fn space_and_talk(
        &self,
        tenant: &TenantId,
        id: &SpaceId,
        sessions: usize,
    ) -> Result<Option<(Space, LatestTalk)>> {
        let pool = &self.shared.pool;
        let Some(space) = spaces::by_id(pool, tenant, id).await? else { return Ok(None) };
        let key = space.key();
        let open = sessions::open_implicit(pool, &key, &Thread::default()).await?;
        let sessions = sessions::list(pool, &key, None, sessions).await?;
        let summaries = derived::summaries_at(pool, &key, &LatestTalk::told(&sessions)).await?;
        Ok(Some((space, LatestTalk { open, sessions, summaries })))
    }

    async fn implicit_sessions(
        &self,
        key: &SpaceKey,
        thread: &Thread,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Session>> {
        sessions::implicit_between(&self.shared.pool, key, thread, from, until).await
    }

    async fn open_implicit_session(&self, key: &SpaceKey, thread: &Thread) -> Result<Option<Session>> {
        sessions::open_implicit(&self.shared.pool, key, thread).await
    }

    async fn index_delta(&self, key: &SpaceKey, known: Option<IndexPoint>) -> Result<Option<IndexDelta>> {
        index::delta(&self.shared.pool, key, known).await
    }

    async fn piece_rows(&self, key: &SpaceKey, piece: u64) -> Result<(u64, Vec<IndexRow>)> {
        index::piece_rows(&self.shared.pool, key, piece).await
    }

    async fn unsealed_pieces(&self, key: &SpaceKey, limit: usize) -> Result<Vec<u64>> {
        index::unsealed(&self.shared.pool, key, limit).await
    }

    async fn generations(&self, key: &SpaceKey) -> Result<Vec<Generation>> {
        vectors::generations(&self.shared.pool, key).await
    }

    async fn vectors(&self, key: &SpaceKey, query: VectorQuery) -> Result<Vec<VectorRow>> {
        vectors::vectors(&self.shared.pool, key, query).await
    }

    async fn vectors_wanted(&self, key: &SpaceKey, generation: u32, limit: usize) -> Result<Vec<u64>> {
        vectors::wanted(&self.shared.pool, key, generation, limit).await
    }

    async fn summary(&self, key: &SpaceKey, period: &Period) -> Result<Option<Summary>> {
        derived::summary(&self.shared.pool, key, period).await
    }

    async fn summaries_at(&self, key: &SpaceKey, periods: &[Period]) -> Result<Vec<Summary>> {
        derived::summaries_at(&self.shared.pool, key, periods).await
    }

    async fn summaries(
        &self,
        key: &SpaceKey,
        level: SummaryLevel,
        from: &str,
        until: &str,
        limit: usize,
    ) -> Result<Vec<Summary>> {
        derived::summaries(&self.shared.pool, key, level, from, until, limit).await
    }

    async fn memory(&self, key: &SpaceKey, id: &MemoryId) -> Result<Option<Memory>> {
        derived::memory(&self.shared.pool, key, id).await
    }

    async fn memories(&self, key: &SpaceKey, query: &MemoryQuery) -> Result<Vec<Memory>> {
        derived::memories(&self.shared.pool, key, query).await
    }

    async fn taxonomy(&self, tenant: &TenantId, name: &TaxonomyName) -> Result<Option<Taxonomy>> {
        derived::taxonomy(&self.shared.pool, tenant, name).await
    }

    async fn jobs(&self, tenant: &TenantId, query: &JobQuery) -> Result<Vec<Job>> {
        admin::jobs(&self.shared.pool, tenant, query).await
    }

    async fn job(&self, tenant: &TenantId, id: GeneratedId) -> Result<Option<Job>> {
        admin::job(&self.shared.pool, tenant, id).await
    }

    async fn key(&self, id: &KeyId) -> Result<Option<ApiKey>> {
        admin::key(&self.shared.pool, id).await
    }

    async fn keys(&self, tenant: &TenantId) -> Result<Vec<ApiKey>> {
        admin::keys(&self.shared.pool, tenant).await
    }

    async fn has_keys(&self) -> Result<bool> {
        admin::has_keys(&self.shared.pool).await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>> {
        admin::tenants(&self.shared.pool).await
    }

    async fn audit(
        &self,
        tenant: &TenantId,
        below: Option<GeneratedId>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>> {
        admin::audit(&self.shared.pool, tenant, below, limit).await
    }

    async fn stats(&self, tenant: &TenantId) -> Result<Stats> {
        admin::stats(&self.shared.pool, tenant).await
    }

    async fn ping(&self) -> Result<()> {
        admin::ping(&self.shared.pool).await
    }

    async fn check(&self) -> Result<Vec<Finding>> {
        check::run(&self.shared.pool).await
    }
}
