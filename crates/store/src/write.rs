use jiff::Timestamp;
use memoir_model::{
    ApiKey, AuditEntry, Event, GeneratedId, Generation, Lease, Memory, Message, MessageVersion, NewJob,
    Period, Session, Space, SpaceKey, Summary, Taxonomy, Tenant, TenantId,
};

/// One write: everything in it becomes durable together, or nothing does.
#[derive(Debug, Clone)]
pub struct Commit {
    /// Where.
    pub target: Target,
    /// The version the writer planned against; the store refuses if the space has moved on.
    pub expected_version: Option<u64>,
    /// The job whose effect this is; the store refuses if somebody else holds it now.
    pub lease: Option<Lease>,
    /// What.
    pub writes: WriteSet,
}

impl Commit {
    /// A write into a space.
    pub fn to_space(key: SpaceKey, writes: WriteSet) -> Self {
        Commit { target: Target::Space(key), expected_version: None, lease: None, writes }
    }

    /// A write into a tenant's own tables.
    pub fn to_tenant(tenant: TenantId, writes: WriteSet) -> Self {
        Commit { target: Target::Tenant(tenant), expected_version: None, lease: None, writes }
    }

    /// Refused unless the space is at this version.
    #[must_use]
    pub fn expecting(mut self, version: u64) -> Self {
        self.expected_version = Some(version);
        self
    }

    /// Refused unless the lease is the job's newest.
    #[must_use]
    pub fn under(mut self, lease: Lease) -> Self {
        self.lease = Some(lease);
        self
    }

    /// Roughly how many bytes it brings, for the limits of a queue.
    pub fn bytes(&self) -> usize {
        self.writes.rows.iter().map(Row::bytes).sum::<usize>() + 256
    }
}

/// Where a commit writes.
#[derive(Debug, Clone)]
pub enum Target {
    /// Rows of one space (and the audit log of its tenant).
    Space(SpaceKey),
    /// Rows that belong to a tenant and to no space.
    Tenant(TenantId),
}

/// What a commit writes.
#[derive(Debug, Clone, Default)]
pub struct WriteSet {
    /// Rows to put.
    pub rows: Vec<Row>,
    /// Jobs to ask for or to finish.
    pub jobs: Vec<JobChange>,
    /// What the rows mean. The engine turns events into jobs of the same set before it commits; a backend keeps
    /// nothing of them.
    pub events: Vec<Event>,
}

/// A message with what the index needs of it.
#[derive(Debug, Clone)]
pub struct MessageRow {
    /// The message.
    pub message: Message,
    /// The number of its session.
    pub session_no: u64,
    /// Its analysed text.
    pub terms: Vec<u8>,
    /// Of the words as they first came: tells a repeated request from a conflicting one.
    pub digest: u64,
}

/// A vector of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVector {
    /// The message's number.
    pub seq: u64,
    /// Which wording of it was read.
    pub message_version: u32,
    /// The message whose words went into it as well, if one did, and which wording of that was read.
    pub before: Option<(u64, u32)>,
    /// The vector.
    pub vector: Vec<f32>,
}

/// One row to put.
#[derive(Debug, Clone)]
pub enum Row {
    /// A space that does not exist yet; comes first in its commit.
    NewSpace(Box<Space>),
    /// New settings of the space; `version` and counters are the store's.
    Space(Box<Space>),
    /// The space and all its rows go, and with them every trace in files that the backend can reach.
    EraseSpace,
    /// A new message. Its number is one above the space's newest.
    Message(Box<MessageRow>),
    /// A message with other words or another state; the earlier wording is kept with it.
    ReviseMessage {
        /// What it is now.
        row: Box<MessageRow>,
        /// What it was.
        previous: Box<MessageVersion>,
    },
    /// A message without its words; every earlier wording goes too.
    EraseMessage(Box<MessageRow>),
    /// A session, new or changed.
    Session(Box<Session>),
    /// A sealed piece of the index. Left out without error when a row of it changed after `built_version`.
    Piece {
        /// Its number.
        no: u64,
        /// The space's version when its rows were read.
        built_version: u64,
        /// The segment.
        bytes: Vec<u8>,
    },
    /// How far a generation of vectors has come; a new one if the space has none of that number. A space has two at
    /// most, one of them with an odd number and one with an even one.
    Generation(Generation),
    /// A generation and all its vectors go.
    DropGeneration(u32),
    /// Vectors of a generation. One whose message is not active any more is left out without error, one whose message
    /// has other words now, or for which the message before it has, is wanted again; all are left out when the generation
    /// is gone. A vector of another dimension is refused.
    Vectors {
        /// The generation's number.
        generation: u32,
        /// The vectors.
        vectors: Vec<NewVector>,
    },
    /// The vectors of a message hold words that are others now: they go, and are wanted again in every generation whose
    /// cursor has passed it. A message that is not active is left without any.
    OutdateVector {
        /// The message's number.
        seq: u64,
    },
    /// A summary, new or changed.
    Summary {
        /// The summary.
        summary: Box<Summary>,
        /// Its analysed text.
        terms: Vec<u8>,
    },
    /// The summary of a period goes; one that is not there is no error.
    DropSummary(Period),
    /// A memory, new or changed.
    Memory {
        /// The memory.
        memory: Box<Memory>,
        /// Its analysed text.
        terms: Vec<u8>,
    },
    /// A line of the audit log.
    Audit(Box<AuditEntry>),
    /// A tenant, new or changed.
    Tenant(Tenant),
    /// A key, new or changed.
    Key(Box<ApiKey>),
    /// A taxonomy; a version that exists is never replaced.
    Taxonomy(Box<Taxonomy>),
}

impl Row {
    /// Whether it concerns vectors alone: such a row moves the space's `vectors` and leaves its `version`.
    pub fn is_of_vectors(&self) -> bool {
        matches!(
            self,
            Row::Generation(_) | Row::DropGeneration(_) | Row::Vectors { .. } | Row::OutdateVector { .. }
        )
    }

    fn bytes(&self) -> usize {
        match self {
            Row::Message(row) | Row::EraseMessage(row) | Row::ReviseMessage { row, .. } => {
                row.message.content.len() + row.terms.len() + 512
            }
            Row::Piece { bytes, .. } => bytes.len(),
            Row::Vectors { vectors, .. } => vectors.iter().map(|new| new.vector.len() * 4 + 64).sum(),
            Row::Summary { summary, terms } => summary.text.len() + terms.len() + 256,
            Row::Memory { memory, terms } => memory.content.len() + terms.len() + 512,
            _ => 512,
        }
    }
}

/// A change to the queue of a space.
#[derive(Debug, Clone)]
pub enum JobChange {
    /// Ask for work. If the same work (kind and key) waits already, the earlier time wins; if it runs now, it runs
    /// again afterwards; if it is dead, it gets another chance.
    Enqueue(NewJob),
    /// The leased job is done.
    Finish,
    /// The leased job has nothing to do before that time.
    Postpone(Timestamp),
    /// The leased job was not begun, and is due at that time for whoever has room for it.
    Return(Timestamp),
    /// The leased job needs its lease longer.
    Extend(Timestamp),
    /// The leased job failed; with a time it is tried again then, without one it is dead.
    Fail {
        /// When to try again.
        retry_at: Option<Timestamp>,
        /// Why it failed, without any message text.
        error: String,
    },
    /// A dead job gets another chance.
    Revive {
        /// Which.
        job: GeneratedId,
        /// When it is due.
        run_at: Timestamp,
    },
}

/// What a commit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// The space's version after it; 0 for a tenant's own tables.
    pub version: u64,
}
