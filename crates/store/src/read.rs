use jiff::Timestamp;
use memoir_model::{
    JobKind, JobState, KindName, MemoryId, MemoryStatus, Message, MessageId, Period, Session, SpaceId,
    SpaceNo, Speaker, Summary,
};

/// Which end of a list comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The oldest first.
    #[default]
    Oldest,
    /// The newest first.
    Newest,
}

/// A part of a tenant's spaces.
#[derive(Debug, Clone)]
pub struct SpaceRange {
    /// Ids greater than this one.
    pub after: Option<SpaceId>,
    /// How many at most.
    pub limit: usize,
}

/// Which messages of a space to list, by (said_at, seq).
#[derive(Debug, Clone)]
pub struct MessageQuery {
    /// Only of this session.
    pub session_no: Option<u64>,
    /// Said at or after.
    pub from: Option<Timestamp>,
    /// Said before.
    pub until: Option<Timestamp>,
    /// Only by this author.
    pub author: Option<String>,
    /// Only in this part.
    pub role: Option<Speaker>,
    /// Only those that were not recalled or erased.
    pub active_only: bool,
    /// Only those with this number or a lower one.
    pub up_to: Option<u64>,
    /// Beyond this place, in the direction of the order.
    pub after: Option<(Timestamp, u64)>,
    /// Which end comes first.
    pub order: Order,
    /// How many at most.
    pub limit: usize,
}

impl MessageQuery {
    /// Everything, the oldest first, so many at a time.
    pub fn all(limit: usize) -> Self {
        MessageQuery {
            session_no: None,
            from: None,
            until: None,
            author: None,
            role: None,
            active_only: false,
            up_to: None,
            after: None,
            order: Order::Oldest,
            limit,
        }
    }
}

/// A session with what was said in it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionTalk {
    /// The session.
    pub session: Session,
    /// What it came to, as far as that was summed up.
    pub summary: Option<Summary>,
    /// Its messages, or some of them.
    pub messages: Vec<Message>,
}

/// What was talked of last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LatestTalk {
    /// The unnamed session of the main thread that is open.
    pub open: Option<Session>,
    /// The sessions that were the last to begin, the newest first.
    pub sessions: Vec<Session>,
    /// What those [`LatestTalk::TOLD`] of them came to in which the last words were said, as far as that was summed up.
    pub summaries: Vec<Summary>,
}

impl LatestTalk {
    /// Of how many sessions the summaries are there.
    pub const TOLD: usize = 2;

    /// The periods of the sessions whose summaries belong here.
    pub fn told(sessions: &[Session]) -> Vec<Period> {
        let mut latest: Vec<&Session> = sessions.iter().collect();
        latest.sort_by_key(|session| std::cmp::Reverse((session.last_said_at, session.no)));
        latest.truncate(Self::TOLD);
        latest.into_iter().map(|session| Period::Session(session.id.clone())).collect()
    }
}

/// An id that is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenId {
    /// Which.
    pub id: MessageId,
    /// The number of the message that has it.
    pub seq: u64,
    /// What that message said when it first came.
    pub digest: u64,
}

/// How far an index has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexPoint {
    /// The space's version then.
    pub version: u64,
    /// The newest message it has.
    pub last_seq: u64,
}

/// What an index needs of one message.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexRow {
    /// The message's number.
    pub seq: u64,
    /// When it was said.
    pub said_at: Timestamp,
    /// Who said it.
    pub author: String,
    /// In which part.
    pub role: Speaker,
    /// In which session.
    pub session_no: u64,
    /// Its analysed text; `None` when it was recalled or erased and must not be found.
    pub terms: Option<Vec<u8>>,
}

/// A sealed piece of the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its number: piece `n` covers the messages `n * 4096 ..`.
    pub no: u64,
    /// The segment.
    pub bytes: Vec<u8>,
}

impl Piece {
    /// How many message numbers one piece covers.
    pub const ROWS: u64 = 4096;

    /// The piece that covers a message.
    pub fn covering(seq: u64) -> u64 {
        seq / Self::ROWS
    }

    /// The numbers that a piece covers.
    pub fn covers(no: u64) -> std::ops::RangeInclusive<u64> {
        no * Self::ROWS..=(no + 1) * Self::ROWS - 1
    }
}

/// What brings an index up to date.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexDelta {
    /// Where it stands afterwards.
    pub point: IndexPoint,
    /// Sealed pieces; only for an index that has nothing yet.
    pub pieces: Vec<Piece>,
    /// New and changed rows.
    pub rows: Vec<IndexRow>,
}

/// Which vectors of a generation to read, in the order of their messages.
#[derive(Debug, Clone, Copy)]
pub struct VectorQuery {
    /// The generation's number in its space.
    pub generation: u32,
    /// Only what was written after the space's vectors stood here: those that are to be made again as well, so that an
    /// index which has them lets go of them. From 0 on, only those that are there.
    pub since: u64,
    /// Only of messages after this one.
    pub after: u64,
    /// How many at most.
    pub limit: usize,
}

/// The vector of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorRow {
    /// The message's number.
    pub seq: u64,
    /// The vector; `None` when it has to be made again.
    pub vector: Option<Vec<f32>>,
}

/// Which memories to list.
#[derive(Debug, Clone, Default)]
pub struct MemoryQuery {
    /// Only of this kind.
    pub kind: Option<KindName>,
    /// Only in this state.
    pub status: Option<MemoryStatus>,
    /// Ids greater than this one.
    pub after: Option<MemoryId>,
    /// How many at most.
    pub limit: usize,
}

/// Which jobs to list.
#[derive(Debug, Clone, Default)]
pub struct JobQuery {
    /// Only of this space.
    pub space: Option<SpaceNo>,
    /// Only in this state.
    pub state: Option<JobState>,
    /// Beyond this job.
    pub after: Option<memoir_model::GeneratedId>,
    /// How many at most.
    pub limit: usize,
}

/// A worker's wish for jobs.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The server's clock.
    pub now: Timestamp,
    /// Until when the leases run.
    pub lease_until: Timestamp,
    /// How many of each kind the worker can take; other kinds are left alone.
    pub room: Vec<(JobKind, usize)>,
    /// How many in all.
    pub limit: usize,
}

/// How much a tenant has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Spaces.
    pub spaces: u64,
    /// Messages ever stored.
    pub messages: u64,
    /// Sessions ever opened.
    pub sessions: u64,
    /// Jobs that wait or run.
    pub jobs_open: u64,
    /// Jobs that failed too often.
    pub jobs_dead: u64,
    /// Bytes of the whole store on disk (all tenants).
    pub store_bytes: u64,
}
