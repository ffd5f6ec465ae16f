//! What the engine asks of a database, and the tests that every backend must pass.
//!
//! A store keeps rows and hands them out; it never ranks, never looks at a clock and never decides. All content is
//! written by [`Store::commit`], all or nothing.

pub mod columns;
mod finding;
mod read;
mod write;

#[cfg(feature = "conformance")]
pub mod conformance;

use async_trait::async_trait;
use memoir_model::{
    ApiKey, AuditEntry, GeneratedId, Generation, Job, KeyId, Memory, MemoryId, Message, MessageId,
    MessageVersion, Period, Result, Session, SessionId, Space, SpaceId, SpaceKey, Summary, SummaryLevel,
    Taxonomy, TaxonomyName, Tenant, TenantId, Thread,
};

pub use finding::{Finding, Severity};
pub use read::{
    Claim, IndexDelta, IndexPoint, IndexRow, JobQuery, LatestTalk, MemoryQuery, MessageQuery, Order, Piece,
    SessionTalk, SpaceRange, Stats, TakenId, VectorQuery, VectorRow,
};
pub use write::{Commit, Committed, JobChange, MessageRow, NewVector, Row, Target, WriteSet};

/// What an acknowledged commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A power cut: the log is synced before every acknowledgement.
    Full,
    /// A crash of the process, but not of the machine.
    Normal,
}

/// A database under Memoir.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Writes everything in `commit`, or nothing. Returns once it is durable.
    ///
    /// Fails with `version_moved` when the space is not at the expected version or was erased since, with
    /// `lease_lost` when the lease is no longer the newest, with `id_conflict` when a message's, session's or space's
    /// id is taken, with `busy` when too much is waiting already.
    async fn commit(&self, commit: Commit) -> Result<Committed>;

    /// Hands out due jobs under new leases. With a job of a lane goes the lane: a lease that ran out in it is lost.
    async fn claim_jobs(&self, claim: Claim) -> Result<Vec<Job>>;

    /// The space with that id.
    async fn space(&self, tenant: &TenantId, id: &SpaceId) -> Result<Option<Space>>;
    /// The space with that key.
    async fn space_at(&self, key: &SpaceKey) -> Result<Option<Space>>;
    /// Spaces in the order of their ids.
    async fn spaces(&self, tenant: &TenantId, range: SpaceRange) -> Result<Vec<Space>>;
    /// The spaces that jobs work in, one for each, whatever the tenant; only for workers.
    async fn spaces_of_jobs(&self, jobs: &[Job]) -> Result<Vec<Option<Space>>>;

    /// The message with that id, whatever became of it.
    async fn message(&self, key: &SpaceKey, id: &MessageId) -> Result<Option<Message>>;
    /// The messages with those numbers, in the order asked for; numbers that do not exist are left out.
    async fn messages_at(&self, key: &SpaceKey, seqs: &[u64]) -> Result<Vec<Message>>;
    /// Messages by the time they were said.
    async fn messages(&self, key: &SpaceKey, query: &MessageQuery) -> Result<Vec<Message>>;
    /// Earlier wordings of a message, the oldest first.
    async fn message_versions(&self, key: &SpaceKey, seq: u64) -> Result<Vec<MessageVersion>>;
    /// Which of these ids are taken, and by what.
    async fn taken_ids(&self, key: &SpaceKey, ids: &[MessageId]) -> Result<Vec<TakenId>>;

    /// The session with that id.
    async fn session(&self, key: &SpaceKey, id: &SessionId) -> Result<Option<Session>>;
    /// A session, its summary, and those of its messages that a query asks for.
    async fn session_talk(
        &self,
        key: &SpaceKey,
        id: &SessionId,
        query: &MessageQuery,
    ) -> Result<Option<SessionTalk>>;
    /// The session with that number.
    async fn session_at(&self, key: &SpaceKey, no: u64) -> Result<Option<Session>>;
    /// Sessions, the newest first, below a number.
    async fn sessions(&self, key: &SpaceKey, below: Option<u64>, limit: usize) -> Result<Vec<Session>>;
    /// A space with what was talked of last in it: the sessions that were the last to begin, at most so many, and what a
    /// talk that follows them begins with.
    async fn space_and_talk(
        &self,
        tenant: &TenantId,
        id: &SpaceId,
        sessions: usize,
    ) -> Result<Option<(Space, LatestTalk)>>;
    /// Unnamed sessions of a thread of which some message may lie in the range: they began at or before `until` and
    /// their last message was said at or after `from`. At most 8, the latest first.
    async fn implicit_sessions(
        &self,
        key: &SpaceKey,
        thread: &Thread,
        from: jiff::Timestamp,
        until: jiff::Timestamp,
    ) -> Result<Vec<Session>>;
    /// The unnamed session of a thread that is open, if there is one.
    async fn open_implicit_session(&self, key: &SpaceKey, thread: &Thread) -> Result<Option<Session>>;

    /// What an index that stands at `known` (or nowhere) needs to be up to date, read in one snapshot. `None` when
    /// the space is gone.
    async fn index_delta(&self, key: &SpaceKey, known: Option<IndexPoint>) -> Result<Option<IndexDelta>>;
    /// The rows of one piece, for sealing, and the space's version at that moment.
    async fn piece_rows(&self, key: &SpaceKey, piece: u64) -> Result<(u64, Vec<IndexRow>)>;
    /// The full pieces of a space that are not sealed, and at most `limit` of them.
    async fn unsealed_pieces(&self, key: &SpaceKey, limit: usize) -> Result<Vec<u64>>;

    /// The generations of vectors that a space has, in the order of their numbers.
    async fn generations(&self, key: &SpaceKey) -> Result<Vec<Generation>>;
    /// Vectors of a generation, in the order of their messages.
    async fn vectors(&self, key: &SpaceKey, query: VectorQuery) -> Result<Vec<VectorRow>>;
    /// The messages at or before a generation's cursor whose vector has to be made again, because words in it changed.
    async fn vectors_wanted(&self, key: &SpaceKey, generation: u32, limit: usize) -> Result<Vec<u64>>;

    /// The summary of that period.
    async fn summary(&self, key: &SpaceKey, period: &Period) -> Result<Option<Summary>>;
    /// The summaries of these periods, in the order given; those that there are not are left out.
    async fn summaries_at(&self, key: &SpaceKey, periods: &[Period]) -> Result<Vec<Summary>>;
    /// Summaries of a level whose keys lie in `from..=until`, in their order.
    async fn summaries(
        &self,
        key: &SpaceKey,
        level: SummaryLevel,
        from: &str,
        until: &str,
        limit: usize,
    ) -> Result<Vec<Summary>>;
    /// The memory with that id.
    async fn memory(&self, key: &SpaceKey, id: &MemoryId) -> Result<Option<Memory>>;
    /// Memories in the order of their ids.
    async fn memories(&self, key: &SpaceKey, query: &MemoryQuery) -> Result<Vec<Memory>>;
    /// The newest version of a tenant's taxonomy.
    async fn taxonomy(&self, tenant: &TenantId, name: &TaxonomyName) -> Result<Option<Taxonomy>>;

    /// Jobs of a tenant, the oldest first.
    async fn jobs(&self, tenant: &TenantId, query: &JobQuery) -> Result<Vec<Job>>;
    /// One job of a tenant.
    async fn job(&self, tenant: &TenantId, id: GeneratedId) -> Result<Option<Job>>;

    /// The key with that public part, whatever the tenant: this is how a caller's tenant is found.
    async fn key(&self, id: &KeyId) -> Result<Option<ApiKey>>;
    /// The keys of a tenant, the oldest first.
    async fn keys(&self, tenant: &TenantId) -> Result<Vec<ApiKey>>;
    /// Whether any key works: without one the server answers on loopback only.
    async fn has_keys(&self) -> Result<bool>;
    /// All tenants.
    async fn tenants(&self) -> Result<Vec<Tenant>>;
    /// The audit log of a tenant, the newest first, below an id.
    async fn audit(
        &self,
        tenant: &TenantId,
        below: Option<GeneratedId>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>>;
    /// How much a tenant has.
    async fn stats(&self, tenant: &TenantId) -> Result<Stats>;
    /// A cheap round trip that fails when the store cannot answer.
    async fn ping(&self) -> Result<()>;
    /// Looks for rows that do not fit together. Reads everything; takes as long as the store is large.
    async fn check(&self) -> Result<Vec<Finding>>;
}
