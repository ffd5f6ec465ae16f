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
use rusqlite::Connection;

use crate::read::{admin, at_one_moment, derived, index, messages, sessions, spaces, vectors};
use crate::{SqliteStore, check};

/// Runs a read on the pool: the arguments are cloned into the closure, the connection comes first.
macro_rules! read {
    ($self:ident, $function:path $(, $argument:ident)*) => {{
        $(let $argument = $argument.to_owned();)*
        $self.shared.readers.with(move |connection| $function(connection $(, read!(@pass $argument))*)).await
    }};
    (@pass $argument:ident) => { $argument.as_argument() };
}

/// Runs a read of a space's rows, all of it at one moment. Who has the number of a space but is not its tenant finds
/// nothing.
macro_rules! read_space {
    ($self:ident, $function:path, $key:ident $(, $argument:ident)*) => {{
        let $key = $key.to_owned();
        $(let $argument = $argument.to_owned();)*
        $self.shared.readers.with(move |connection| {
            at_one_moment(connection, |connection| {
                if spaces::is_owned(connection, &$key)? {
                    $function(connection, &$key $(, read!(@pass $argument))*)
                } else {
                    Ok(Default::default())
                }
            })
        }).await
    }};
}

/// How an owned argument is handed to a read function: by reference, or by value when it is small.
trait AsArgument {
    type Argument<'a>
    where
        Self: 'a;
    fn as_argument(&self) -> Self::Argument<'_>;
}

macro_rules! by_reference {
    ($($type:ty),*) => { $(impl AsArgument for $type {
        type Argument<'a> = &'a $type;
        fn as_argument(&self) -> &$type { self }
    })* };
}
macro_rules! by_value {
    ($($type:ty),*) => { $(impl AsArgument for $type {
        type Argument<'a> = $type;
        fn as_argument(&self) -> $type { *self }
    })* };
}
by_reference!(
    TenantId,
    SpaceId,
    SpaceKey,
    SpaceRange,
    MessageId,
    MessageQuery,
    SessionId,
    Thread,
    Period,
    MemoryId,
    MemoryQuery,
    TaxonomyName,
    JobQuery,
    KeyId
);
by_value!(
    u32,
    u64,
    usize,
    Option<u64>,
    Timestamp,
    Option<IndexPoint>,
    SummaryLevel,
    VectorQuery,
    GeneratedId,
    Option<GeneratedId>
);

impl AsArgument for Vec<u64> {
    type Argument<'a> = &'a [u64];
    fn as_argument(&self) -> &[u64] {
        self
    }
}

impl AsArgument for Vec<MessageId> {
    type Argument<'a> = &'a [MessageId];
    fn as_argument(&self) -> &[MessageId] {
        self
    }
}

impl AsArgument for Vec<Period> {
    type Argument<'a> = &'a [Period];
    fn as_argument(&self) -> &[Period] {
        self
    }
}

impl AsArgument for String {
    type Argument<'a> = &'a str;
    fn as_argument(&self) -> &str {
        self
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn commit(&self, commit: Commit) -> Result<Committed> {
        self.shared.writer.commit(commit).await
    }

    async fn claim_jobs(&self, claim: Claim) -> Result<Vec<Job>> {
        self.shared.writer.claim(claim).await
    }

    async fn space(&self, tenant: &TenantId, id: &SpaceId) -> Result<Option<Space>> {
        read!(self, spaces::by_id, tenant, id)
    }

    async fn space_and_talk(
        &self,
        tenant: &TenantId,
        id: &SpaceId,
        sessions: usize,
    ) -> Result<Option<(Space, LatestTalk)>> {
        read!(self, spaces::with_talk, tenant, id, sessions)
    }

    async fn space_at(&self, key: &SpaceKey) -> Result<Option<Space>> {
        read!(self, spaces::by_key, key)
    }

    async fn spaces(&self, tenant: &TenantId, range: SpaceRange) -> Result<Vec<Space>> {
        read!(self, spaces::list, tenant, range)
    }

    async fn spaces_of_jobs(&self, jobs: &[Job]) -> Result<Vec<Option<Space>>> {
        let numbers: Vec<SpaceNo> = jobs.iter().map(|job| job.space).collect();
        let read = move |connection: &mut Connection| {
            numbers.iter().map(|no| spaces::by_no(connection, *no)).collect()
        };
        self.shared.readers.with(read).await
    }

    async fn message(&self, key: &SpaceKey, id: &MessageId) -> Result<Option<Message>> {
        read_space!(self, messages::by_id, key, id)
    }

    async fn messages_at(&self, key: &SpaceKey, seqs: &[u64]) -> Result<Vec<Message>> {
        read_space!(self, messages::by_seqs, key, seqs)
    }

    async fn messages(&self, key: &SpaceKey, query: &MessageQuery) -> Result<Vec<Message>> {
        read_space!(self, messages::list, key, query)
    }

    async fn message_versions(&self, key: &SpaceKey, seq: u64) -> Result<Vec<MessageVersion>> {
        read_space!(self, messages::versions, key, seq)
    }

    async fn taken_ids(&self, key: &SpaceKey, ids: &[MessageId]) -> Result<Vec<TakenId>> {
        read_space!(self, messages::taken, key, ids)
    }

    async fn session(&self, key: &SpaceKey, id: &SessionId) -> Result<Option<Session>> {
        read_space!(self, sessions::by_id, key, id)
    }

    async fn session_talk(
        &self,
        key: &SpaceKey,
        id: &SessionId,
        query: &MessageQuery,
    ) -> Result<Option<SessionTalk>> {
        read_space!(self, sessions::talk, key, id, query)
    }

    async fn session_at(&self, key: &SpaceKey, no: u64) -> Result<Option<Session>> {
        read_space!(self, sessions::by_no, key, no)
    }

    async fn sessions(&self, key: &SpaceKey, below: Option<u64>, limit: usize) -> Result<Vec<Session>> {
        read_space!(self, sessions::list, key, below, limit)
    }

    async fn implicit_sessions(
        &self,
        key: &SpaceKey,
        thread: &Thread,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Session>> {
        read_space!(self, sessions::implicit_between, key, thread, from, until)
    }

    async fn open_implicit_session(&self, key: &SpaceKey, thread: &Thread) -> Result<Option<Session>> {
        read_space!(self, sessions::open_implicit, key, thread)
    }

    async fn index_delta(&self, key: &SpaceKey, known: Option<IndexPoint>) -> Result<Option<IndexDelta>> {
        read!(self, index::delta, key, known)
    }

    async fn piece_rows(&self, key: &SpaceKey, piece: u64) -> Result<(u64, Vec<IndexRow>)> {
        read_space!(self, index::piece_rows, key, piece)
    }

    async fn unsealed_pieces(&self, key: &SpaceKey, limit: usize) -> Result<Vec<u64>> {
        read_space!(self, index::unsealed, key, limit)
    }

    async fn generations(&self, key: &SpaceKey) -> Result<Vec<Generation>> {
        read_space!(self, vectors::generations, key)
    }

    async fn vectors(&self, key: &SpaceKey, query: VectorQuery) -> Result<Vec<VectorRow>> {
        read_space!(self, vectors::vectors, key, query)
    }

    async fn vectors_wanted(&self, key: &SpaceKey, generation: u32, limit: usize) -> Result<Vec<u64>> {
        read_space!(self, vectors::wanted, key, generation, limit)
    }

    async fn summary(&self, key: &SpaceKey, period: &Period) -> Result<Option<Summary>> {
        read_space!(self, derived::summary, key, period)
    }

    async fn summaries_at(&self, key: &SpaceKey, periods: &[Period]) -> Result<Vec<Summary>> {
        read_space!(self, derived::summaries_at, key, periods)
    }

    async fn summaries(
        &self,
        key: &SpaceKey,
        level: SummaryLevel,
        from: &str,
        until: &str,
        limit: usize,
    ) -> Result<Vec<Summary>> {
        read_space!(self, derived::summaries, key, level, from, until, limit)
    }

    async fn memory(&self, key: &SpaceKey, id: &MemoryId) -> Result<Option<Memory>> {
        read_space!(self, derived::memory, key, id)
    }

    async fn memories(&self, key: &SpaceKey, query: &MemoryQuery) -> Result<Vec<Memory>> {
        read_space!(self, derived::memories, key, query)
    }

    async fn taxonomy(&self, tenant: &TenantId, name: &TaxonomyName) -> Result<Option<Taxonomy>> {
        read!(self, derived::taxonomy, tenant, name)
    }

    async fn jobs(&self, tenant: &TenantId, query: &JobQuery) -> Result<Vec<Job>> {
        read!(self, admin::jobs, tenant, query)
    }

    async fn job(&self, tenant: &TenantId, id: GeneratedId) -> Result<Option<Job>> {
        read!(self, admin::job, tenant, id)
    }

    async fn key(&self, id: &KeyId) -> Result<Option<ApiKey>> {
        read!(self, admin::key, id)
    }

    async fn keys(&self, tenant: &TenantId) -> Result<Vec<ApiKey>> {
        read!(self, admin::keys, tenant)
    }

    async fn has_keys(&self) -> Result<bool> {
        read!(self, admin::has_keys)
    }

    async fn tenants(&self) -> Result<Vec<Tenant>> {
        read!(self, admin::tenants)
    }

    async fn audit(
        &self,
        tenant: &TenantId,
        below: Option<GeneratedId>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>> {
        read!(self, admin::audit, tenant, below, limit)
    }

    async fn stats(&self, tenant: &TenantId) -> Result<Stats> {
        read!(self, admin::stats, tenant)
    }

    async fn ping(&self) -> Result<()> {
        read!(self, admin::ping)
    }

    async fn check(&self) -> Result<Vec<Finding>> {
        read!(self, check::run)
    }
}
