use memoir_model::{Message, MessageState, SessionId, Space, SpaceKey, SpaceNo};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::cache::ByteCache;
use crate::remember::SpaceState;

/// The most messages a window can show.
pub(crate) const LONGEST_WINDOW: usize = 200;
/// How many sessions of one space are kept.
const MOST_SESSIONS: usize = 64;

/// The ends of recent sessions, in memory (A1). Each space's windows are good for one version of the space: a commit
/// of this process carries them along, a commit of another makes them read again.
pub(crate) struct Windows {
    spaces: Mutex<ByteCache<SpaceNo, SpaceWindows>>,
}

struct SpaceWindows {
    key: SpaceKey,
    version: u64,
    sessions: HashMap<SessionId, VecDeque<Arc<Message>>>,
}

impl SpaceWindows {
    fn bytes(&self) -> usize {
        self.sessions.values().flatten().map(|m| m.content.len() + 512).sum::<usize>() + 256
    }
}

impl Windows {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Windows { spaces: Mutex::new(ByteCache::new(most_bytes)) }
    }

    /// The last `limit` messages of a session, if they are known as of the space's version.
    pub(crate) fn get(&self, space: &Space, session: &SessionId, limit: usize) -> Option<Vec<Arc<Message>>> {
        let mut spaces = self.spaces.lock();
        let windows = spaces.get(&space.no).filter(|windows| windows.version == space.version)?;
        windows.sessions.get(session).map(|window| last(window, limit))
    }

    /// Keeps the end of a session as it was read at the space's version, and returns its last `limit` messages.
    pub(crate) fn put(
        &self,
        space: &Space,
        session: &SessionId,
        messages: VecDeque<Arc<Message>>,
        limit: usize,
    ) -> Vec<Arc<Message>> {
        let window = last(&messages, limit);
        let mut spaces = self.spaces.lock();
        let mut windows = spaces
            .remove(&space.no)
            .filter(|windows| windows.version == space.version && windows.sessions.len() < MOST_SESSIONS)
            .unwrap_or_else(|| SpaceWindows {
                key: space.key(),
                version: space.version,
                sessions: HashMap::new(),
            });
        windows.sessions.insert(session.clone(), messages);
        let bytes = windows.bytes();
        spaces.insert(space.no, windows, bytes);
        window
    }

    /// Whether anything of a space is in memory.
    pub(crate) fn knows(&self, space: SpaceNo) -> bool {
        self.spaces.lock().get(&space).is_some()
    }

    /// Carries the windows of a space over a commit of ours; without the messages they are read again.
    pub(crate) fn appended(
        &self,
        after: &SpaceState,
        before_version: u64,
        messages: Option<Vec<Arc<Message>>>,
    ) {
        let mut spaces = self.spaces.lock();
        let no = after.space.no;
        let Some(windows) = spaces.get(&no) else { return };
        let Some(messages) = messages.filter(|_| windows.version == before_version) else {
            spaces.remove(&no);
            return;
        };
        windows.version = after.space.version;
        for message in messages {
            let Some(window) = windows.sessions.get_mut(&message.session) else { continue };
            let place = window.partition_point(|m| (m.said_at, m.seq) < (message.said_at, message.seq));
            // Whoever read the window between the commit and now has seen the message already.
            if window.get(place).is_some_and(|known| known.seq == message.seq) {
                continue;
            }
            window.insert(place, message);
            if window.len() > LONGEST_WINDOW {
                window.pop_front();
            }
        }
        let bytes = windows.bytes();
        spaces.resize(&no, bytes);
    }

    /// The spaces that are in memory.
    pub(crate) fn keys(&self) -> Vec<SpaceKey> {
        self.spaces.lock().values().map(|windows| windows.key.clone()).collect()
    }

    /// Forgets a space's windows.
    pub(crate) fn forget(&self, space: SpaceNo) {
        self.spaces.lock().remove(&space);
    }
}

fn last(window: &VecDeque<Arc<Message>>, limit: usize) -> Vec<Arc<Message>> {
    let active = window.iter().rev().filter(|message| message.state == MessageState::Active);
    let mut messages: Vec<_> = active.take(limit).cloned().collect();
    messages.reverse();
    messages
}
