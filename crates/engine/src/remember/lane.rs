use jiff::civil::Date;
use memoir_model::{Error, Result, Session, SessionId, Space, SpaceId, TenantId, Thread};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::oneshot;

use super::new_message::Prepared;
use super::receipt::Receipt;

/// How many lanes are remembered before idle ones are forgotten.
const MOST_LANES: usize = 8_192;
/// How many messages one commit of a lane takes.
const COMMIT_MESSAGES: usize = 1_000;
/// How many sessions a lane remembers.
const MOST_SESSIONS: usize = 256;

type LaneKey = (TenantId, SpaceId);

/// One lane per space: everything that writes into a space in this process goes through its lane, one after the
/// other, so that planning never races. What arrives while a lane is committing shares its next commit.
pub(crate) struct Lanes {
    lanes: Mutex<HashMap<LaneKey, Arc<Lane>>>,
    bytes: AtomicUsize,
    most_bytes: usize,
}

impl Lanes {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Lanes { lanes: Mutex::default(), bytes: AtomicUsize::new(0), most_bytes }
    }

    pub(crate) fn lane(&self, tenant: &TenantId, space: &SpaceId) -> Arc<Lane> {
        let mut lanes = self.lanes.lock();
        if lanes.len() >= MOST_LANES {
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1);
        }
        lanes.entry((tenant.clone(), space.clone())).or_default().clone()
    }

    /// Takes note of bytes on their way to the store; refuses when there are too many already.
    pub(crate) fn admit(&self, bytes: usize) -> Result<Admitted<'_>> {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let admitted = Admitted { lanes: self, bytes };
        if before > 0 && before + bytes > self.most_bytes {
            return Err(Error::busy("too many messages are being written", 1));
        }
        Ok(admitted)
    }
}

/// Bytes that are on their way; no longer when this is dropped.
pub(crate) struct Admitted<'a> {
    lanes: &'a Lanes,
    bytes: usize,
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.lanes.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Messages of one request for one space, and where to send the receipts.
pub(crate) struct Pending {
    pub(crate) messages: Vec<Prepared>,
    pub(crate) reply: oneshot::Sender<Result<Vec<Receipt>>>,
}

/// The writers of one space stand in line here.
#[derive(Default)]
pub(crate) struct Lane {
    queue: Mutex<Queue>,
    /// What the last commit left; `None` when it is not known. Whoever holds the lock is the one writer.
    pub(crate) state: tokio::sync::Mutex<Option<SpaceState>>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Pending>,
    served: bool,
}

impl Lane {
    /// Gets in line. Returns whether nobody is serving the line, so that the caller has to.
    pub(crate) fn push(&self, pending: Pending) -> bool {
        let mut queue = self.queue.lock();
        queue.waiting.push_back(pending);
        !std::mem::replace(&mut queue.served, true)
    }

    /// The next requests that fit into one commit; empty when the line is, and then nobody serves it any more.
    pub(crate) fn pop(&self) -> Vec<Pending> {
        let mut queue = self.queue.lock();
        let mut taken = Vec::new();
        let mut messages = 0;
        while let Some(next) = queue.waiting.front() {
            if messages > 0 && messages + next.messages.len() > COMMIT_MESSAGES {
                break;
            }
            messages += next.messages.len();
            taken.extend(queue.waiting.pop_front());
        }
        queue.served = !taken.is_empty();
        taken
    }
}

/// Somebody serves a line. If the task that does so ends early (it panicked, or its runtime went away), those who wait
/// are told, and whoever comes next serves the line again.
pub(crate) struct Serving {
    pub(crate) lane: Arc<Lane>,
    done: bool,
}

impl Serving {
    pub(crate) fn begin(lane: Arc<Lane>) -> Self {
        Serving { lane, done: false }
    }

    /// The line is empty; from now on it may be somebody else's.
    pub(crate) fn done(mut self) {
        self.done = true;
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !self.done {
            *self.lane.queue.lock() = Queue::default();
        }
    }
}

/// What a lane knows of its space after its last commit. The store refuses a commit that was planned on something
/// older, so knowing too little costs a re-read and never a wrong write.
#[derive(Debug, Clone)]
pub(crate) struct SpaceState {
    pub(crate) space: Space,
    /// The space is not in the store yet.
    pub(crate) is_new: bool,
    pub(crate) sessions: HashMap<SessionId, Session>,
    /// The open unnamed session of each thread that was asked for.
    pub(crate) open: HashMap<Thread, Option<SessionId>>,
    /// The day that goes on and that somebody has asked to be summed up already.
    pub(crate) asked_day: Option<Date>,
}

impl SpaceState {
    pub(crate) fn new(space: Space, is_new: bool) -> Self {
        SpaceState { space, is_new, sessions: HashMap::new(), open: HashMap::new(), asked_day: None }
    }

    /// What a lane knows, unless the space was seen at a later version.
    pub(crate) fn newer(known: Option<SpaceState>, seen: Space) -> Self {
        let is_newer = |known: &SpaceState| known.space.no == seen.no && known.space.version >= seen.version;
        known.filter(is_newer).unwrap_or_else(|| SpaceState::new(seen, false))
    }

    /// Forgets sessions when there are too many to keep.
    pub(crate) fn shrink(&mut self) {
        if self.sessions.len() > MOST_SESSIONS {
            self.sessions.clear();
            self.open.clear();
        }
    }
}
