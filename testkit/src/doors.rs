//! A store in which one call can be held up at a door, so that a test decides what happens meanwhile, and which counts who
//! goes in.

use async_trait::async_trait;
use jiff::Timestamp;
use memoir_model::{
    ApiKey, AuditEntry, GeneratedId, Generation, Job, KeyId, Memory, MemoryId, Message, MessageId,
    MessageVersion, Period, Result, Session, SessionId, Space, SpaceId, SpaceKey, SpaceNo, Summary,
    SummaryLevel, Taxonomy, TaxonomyName, Tenant, TenantId, Thread,
};
use memoir_store::{
    Claim, Commit, Committed, Finding, IndexDelta, IndexPoint, IndexRow, JobQuery, LatestTalk, MemoryQuery,
    MessageQuery, SessionTalk, SpaceRange, Stats, Store, TakenId, VectorQuery, VectorRow,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// Where a call can be held up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A commit is about to be made.
    BeforeCommit,
    /// A commit is durable, but whoever made it does not know yet.
    AfterCommit,
    /// A space was looked up; the answer is on its way.
    AfterSpace,
    /// Messages are about to be listed.
    BeforeMessages,
    /// The rows of a piece were read; the answer is on its way.
    AfterPieceRows,
}

/// A store with doors.
pub struct DoorStore {
    store: Arc<dyn Store>,
    shut: Mutex<Vec<Shut>>,
    read: Mutex<HashMap<SpaceNo, u64>>,
}

/// A door that is shut for one call: whom to tell that somebody came, and who opens it.
struct Shut {
    door: Door,
    arrive: oneshot::Sender<()>,
    opened: oneshot::Receiver<()>,
}

/// One call that is, or will be, held up at a door. Dropping it lets the call go on.
pub struct Held {
    came: oneshot::Receiver<()>,
    go: oneshot::Sender<()>,
}

impl Held {
    /// Waits until somebody stands at the door.
    pub async fn came(&mut self) {
        (&mut self.came).await.expect("somebody at the door");
    }

    /// Opens the door.
    pub fn release(self) {
        self.go.send(()).expect("somebody at the door");
    }
}

impl DoorStore {
    /// All doors of this store are open.
    pub fn over(store: impl Store) -> Arc<Self> {
        Arc::new(DoorStore { store: Arc::new(store), shut: Mutex::default(), read: Mutex::default() })
    }

    /// Shuts a door for the next call that comes to it.
    pub fn shut(&self, door: Door) -> Held {
        let ((arrive, came), (go, opened)) = (oneshot::channel(), oneshot::channel());
        self.shut.lock().expect("the doors").push(Shut { door, arrive, opened });
        Held { came, go }
    }

    /// How often something of a space was read, or a job of it was looked at.
    pub fn reads_of(&self, space: SpaceNo) -> u64 {
        self.read.lock().expect("the counts").get(&space).copied().unwrap_or_default()
    }

    fn note(&self, key: &SpaceKey) {
        self.note_space(key.no);
    }

    fn note_space(&self, space: SpaceNo) {
        *self.read.lock().expect("the counts").entry(space).or_default() += 1;
    }

    async fn pass(&self, door: Door) {
        let held = {
            let mut shut = self.shut.lock().expect("the doors");
            let place = shut.iter().position(|held| held.door == door);
            place.map(|place| shut.remove(place))
        };
        if let Some(Shut { arrive, opened, .. }) = held {
            arrive.send(()).ok();
            opened.await.ok();
        }
    }
}

#[async_trait]
impl Store for DoorStore {
    async fn commit(&self, commit: Commit) -> Result<Committed> {
        self.pass(Door::BeforeCommit).await;
        let committed = self.store.commit(commit).await;
        self.pass(Door::AfterCommit).await;
        committed
    }

    async fn claim_jobs(&self, claim: Claim) -> Result<Vec<Job>> {
        self.store.claim_jobs(claim).await
    }

    async fn space(&self, tenant: &TenantId, id: &SpaceId) -> Result<Option<Space>> {
        let space = self.store.space(tenant, id).await;
        self.pass(Door::AfterSpace).await;
        space
    }

    async fn space_and_talk(
        &self,
        tenant: &TenantId,
        id: &SpaceId,
        sessions: usize,
    ) -> Result<Option<(Space, LatestTalk)>> {
        let opened = self.store.space_and_talk(tenant, id, sessions).await;
        self.pass(Door::AfterSpace).await;
        opened
    }

    async fn space_at(&self, key: &SpaceKey) -> Result<Option<Space>> {
        self.note(key);
        self.store.space_at(key).await
    }

    async fn spaces(&self, tenant: &TenantId, range: SpaceRange) -> Result<Vec<Space>> {
        self.store.spaces(tenant, range).await
    }

    async fn spaces_of_jobs(&self, jobs: &[Job]) -> Result<Vec<Option<Space>>> {
        jobs.iter().for_each(|job| self.note_space(job.space));
        self.store.spaces_of_jobs(jobs).await
    }

    async fn message(&self, key: &SpaceKey, id: &MessageId) -> Result<Option<Message>> {
        self.note(key);
        self.store.message(key, id).await
    }

    async fn messages_at(&self, key: &SpaceKey, seqs: &[u64]) -> Result<Vec<Message>> {
        self.note(key);
        self.store.messages_at(key, seqs).await
    }

    async fn messages(&self, key: &SpaceKey, query: &MessageQuery) -> Result<Vec<Message>> {
        self.note(key);
        self.pass(Door::BeforeMessages).await;
        self.store.messages(key, query).await
    }

    async fn message_versions(&self, key: &SpaceKey, seq: u64) -> Result<Vec<MessageVersion>> {
        self.note(key);
        self.store.message_versions(key, seq).await
    }

    async fn taken_ids(&self, key: &SpaceKey, ids: &[MessageId]) -> Result<Vec<TakenId>> {
        self.note(key);
        self.store.taken_ids(key, ids).await
    }

    async fn session(&self, key: &SpaceKey, id: &SessionId) -> Result<Option<Session>> {
        self.note(key);
        self.store.session(key, id).await
    }

    async fn session_talk(
        &self,
        key: &SpaceKey,
        id: &SessionId,
        query: &MessageQuery,
    ) -> Result<Option<SessionTalk>> {
        self.note(key);
        self.pass(Door::BeforeMessages).await;
        self.store.session_talk(key, id, query).await
    }

    async fn session_at(&self, key: &SpaceKey, no: u64) -> Result<Option<Session>> {
        self.note(key);
        self.store.session_at(key, no).await
    }

    async fn sessions(&self, key: &SpaceKey, below: Option<u64>, limit: usize) -> Result<Vec<Session>> {
        self.note(key);
        self.store.sessions(key, below, limit).await
    }

    async fn implicit_sessions(
        &self,
        key: &SpaceKey,
        thread: &Thread,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Session>> {
        self.note(key);
        self.store.implicit_sessions(key, thread, from, until).await
    }

    async fn open_implicit_session(&self, key: &SpaceKey, thread: &Thread) -> Result<Option<Session>> {
        self.note(key);
        self.store.open_implicit_session(key, thread).await
    }

    async fn index_delta(&self, key: &SpaceKey, known: Option<IndexPoint>) -> Result<Option<IndexDelta>> {
        self.note(key);
        self.store.index_delta(key, known).await
    }

    async fn piece_rows(&self, key: &SpaceKey, piece: u64) -> Result<(u64, Vec<IndexRow>)> {
        self.note(key);
        let rows = self.store.piece_rows(key, piece).await;
        self.pass(Door::AfterPieceRows).await;
        rows
    }

    async fn unsealed_pieces(&self, key: &SpaceKey, limit: usize) -> Result<Vec<u64>> {
        self.note(key);
        self.store.unsealed_pieces(key, limit).await
    }

    async fn generations(&self, key: &SpaceKey) -> Result<Vec<Generation>> {
        self.note(key);
        self.store.generations(key).await
    }

    async fn vectors(&self, key: &SpaceKey, query: VectorQuery) -> Result<Vec<VectorRow>> {
        self.note(key);
        self.store.vectors(key, query).await
    }

    async fn vectors_wanted(&self, key: &SpaceKey, generation: u32, limit: usize) -> Result<Vec<u64>> {
        self.note(key);
        self.store.vectors_wanted(key, generation, limit).await
    }

    async fn summary(&self, key: &SpaceKey, period: &Period) -> Result<Option<Summary>> {
        self.note(key);
        self.store.summary(key, period).await
    }

    async fn summaries_at(&self, key: &SpaceKey, periods: &[Period]) -> Result<Vec<Summary>> {
        self.note(key);
        self.store.summaries_at(key, periods).await
    }

    async fn summaries(
        &self,
        key: &SpaceKey,
        level: SummaryLevel,
        from: &str,
        until: &str,
        limit: usize,
    ) -> Result<Vec<Summary>> {
        self.note(key);
        self.store.summaries(key, level, from, until, limit).await
    }

    async fn memory(&self, key: &SpaceKey, id: &MemoryId) -> Result<Option<Memory>> {
        self.note(key);
        self.store.memory(key, id).await
    }

    async fn memories(&self, key: &SpaceKey, query: &MemoryQuery) -> Result<Vec<Memory>> {
        self.note(key);
        self.store.memories(key, query).await
    }

    async fn taxonomy(&self, tenant: &TenantId, name: &TaxonomyName) -> Result<Option<Taxonomy>> {
        self.store.taxonomy(tenant, name).await
    }

    async fn jobs(&self, tenant: &TenantId, query: &JobQuery) -> Result<Vec<Job>> {
        self.store.jobs(tenant, query).await
    }

    async fn job(&self, tenant: &TenantId, id: GeneratedId) -> Result<Option<Job>> {
        self.store.job(tenant, id).await
    }

    async fn key(&self, id: &KeyId) -> Result<Option<ApiKey>> {
        self.store.key(id).await
    }

    async fn keys(&self, tenant: &TenantId) -> Result<Vec<ApiKey>> {
        self.store.keys(tenant).await
    }

    async fn has_keys(&self) -> Result<bool> {
        self.store.has_keys().await
    }

    async fn tenants(&self) -> Result<Vec<Tenant>> {
        self.store.tenants().await
    }

    async fn audit(
        &self,
        tenant: &TenantId,
        below: Option<GeneratedId>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>> {
        self.store.audit(tenant, below, limit).await
    }

    async fn stats(&self, tenant: &TenantId) -> Result<Stats> {
        self.store.stats(tenant).await
    }

    async fn ping(&self) -> Result<()> {
        self.store.ping().await
    }

    async fn check(&self) -> Result<Vec<Finding>> {
        self.store.check().await
    }
}
