use jiff::{SignedDuration, Timestamp};
use memoir_model::{EndReason, Event, Metadata, Result, Session, SessionId, SpaceKey, Thread};
use memoir_store::{Row, Store};
use std::collections::BTreeMap;

use super::lane::SpaceState;
use super::placement::{self, Placement};
use crate::engine::Inner;

/// The sessions of a space while a commit is being planned: what the lane knows, what the store knows, and what this
/// commit will change.
pub(crate) struct Ledger<'a> {
    inner: &'a Inner,
    key: SpaceKey,
    state: &'a mut SpaceState,
    now: Timestamp,
    touched: BTreeMap<u64, SessionId>,
    pub(crate) events: Vec<Event>,
}

/// What a new session starts with, besides its place in time.
#[derive(Default)]
pub(crate) struct Opening {
    pub(crate) id: Option<SessionId>,
    pub(crate) thread: Thread,
    pub(crate) task: Option<String>,
    pub(crate) metadata: Metadata,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(inner: &'a Inner, state: &'a mut SpaceState, now: Timestamp) -> Self {
        let key = state.space.key();
        Ledger { inner, key, state, now, touched: BTreeMap::new(), events: Vec::new() }
    }

    fn store(&self) -> &dyn Store {
        self.inner.store.as_ref()
    }

    fn idle(&self) -> SignedDuration {
        self.inner.settings.session_idle
    }

    /// The session with that id, if there is one.
    pub(crate) async fn find(&mut self, id: &SessionId) -> Result<Option<Session>> {
        if !self.state.sessions.contains_key(id)
            && !self.state.is_new
            && let Some(session) = self.store().session(&self.key, id).await?
        {
            self.state.sessions.insert(id.clone(), session);
        }
        Ok(self.state.sessions.get(id).cloned())
    }

    async fn open_implicit(&mut self, thread: &Thread) -> Result<Option<Session>> {
        if !self.state.open.contains_key(thread) {
            let open = match self.state.is_new {
                true => None,
                false => self.store().open_implicit_session(&self.key, thread).await?,
            };
            self.state.open.insert(thread.clone(), open.as_ref().map(|session| session.id.clone()));
            if let Some(session) = open {
                self.state.sessions.insert(session.id.clone(), session);
            }
        }
        let id = self.state.open.get(thread).cloned().flatten();
        Ok(id.and_then(|id| self.state.sessions.get(&id).cloned()))
    }

    /// Puts a message said at that time into its session, which is opened, reopened or ended as the flow of talk
    /// asks. Returns the session.
    pub(crate) async fn place(
        &mut self,
        named: Option<&SessionId>,
        thread: &Thread,
        said_at: Timestamp,
    ) -> Result<Session> {
        let live = placement::is_live(said_at, self.now, self.idle());
        let placement = match named {
            Some(id) => match self.find(id).await? {
                Some(session) => self.place_in_named(&session, said_at, live).await?,
                None => Placement::Open { ending: None },
            },
            None => self.place_in_flow(thread, said_at).await?,
        };
        let no = match placement {
            Placement::Join(no) | Placement::Reopen(no) => no,
            Placement::Open { ending } => {
                if let Some((old, at)) = ending {
                    self.end(old, at, EndReason::Idle)?;
                }
                let opening = Opening { id: named.cloned(), thread: thread.clone(), ..Opening::default() };
                self.open(opening, said_at)
            }
            Placement::OpenEnded => {
                let opening = Opening { thread: thread.clone(), ..Opening::default() };
                self.open_ended(opening, said_at)
            }
        };
        let reopened = matches!(placement, Placement::Reopen(_));
        let now = self.now;
        let session = self.change(no)?;
        if session.messages == 0 {
            // Until now it had only the moment at which it was opened.
            (session.first_said_at, session.last_said_at) = (said_at, said_at);
        }
        session.first_said_at = session.first_said_at.min(said_at);
        session.last_said_at = session.last_said_at.max(said_at);
        session.active_at = now;
        session.messages += 1;
        let late = !session.is_open();
        if reopened {
            session.ended = None;
        }
        let outdated = (late || reopened) && session.messages > 1;
        session.stale |= outdated;
        let session = session.clone();
        if session.is_open() && session.messages.is_multiple_of(self.inner.settings.layer_every.max(1)) {
            let grown = Event::SessionGrown { session: session.id.clone() };
            if !self.events.contains(&grown) {
                self.events.push(grown);
            }
        }
        if reopened {
            if !session.explicit {
                self.state.open.insert(session.thread.clone(), Some(session.id.clone()));
            }
            self.events.push(Event::SessionOpened { session: session.id.clone() });
        }
        if outdated {
            self.events.push(Event::SessionStale { session: session.id.clone() });
        }
        Ok(session)
    }

    async fn place_in_named(
        &mut self,
        session: &Session,
        said_at: Timestamp,
        live: bool,
    ) -> Result<Placement> {
        let placement = placement::explicit(session, said_at, live);
        // A thread has one open talk. Who calls an earlier one by its id adds to it, but does not push the other out.
        if matches!(placement, Placement::Reopen(_))
            && !session.explicit
            && self.open_implicit(&session.thread).await?.is_some()
        {
            return Ok(Placement::Join(session.no));
        }
        Ok(placement)
    }

    async fn place_in_flow(&mut self, thread: &Thread, said_at: Timestamp) -> Result<Placement> {
        let open = self.open_implicit(thread).await?;
        let idle = self.idle();
        // The common case reads nothing.
        if open.as_ref().is_some_and(|open| placement::goes_on(open, said_at)) {
            let quick = placement::implicit(open.as_ref(), &[], said_at, self.now, idle);
            if matches!(quick, Placement::Join(_)) {
                return Ok(quick);
            }
        }
        if !self.state.is_new {
            let from = said_at.saturating_sub(idle).unwrap_or(Timestamp::MIN);
            let until = said_at.saturating_add(idle).unwrap_or(Timestamp::MAX);
            for session in self.store().implicit_sessions(&self.key, thread, from, until).await? {
                self.adopt(session);
            }
        }
        let known = self.state.sessions.values();
        let near: Vec<Session> = known.filter(|s| !s.explicit && s.thread == *thread).cloned().collect();
        Ok(placement::implicit(open.as_ref(), &near, said_at, self.now, idle))
    }

    /// Opens a session.
    pub(crate) fn open(&mut self, opening: Opening, said_at: Timestamp) -> u64 {
        let session = self.blank(opening, said_at);
        let (no, id) = (session.no, session.id.clone());
        if !session.explicit {
            self.state.open.insert(session.thread.clone(), Some(id.clone()));
        }
        self.events.push(Event::SessionOpened { session: id.clone() });
        self.keep(session);
        no
    }

    fn open_ended(&mut self, opening: Opening, said_at: Timestamp) -> u64 {
        let mut session = self.blank(opening, said_at);
        session.ended = Some((placement::idle_end(&session, self.idle()).min(self.now), EndReason::Idle));
        let (no, id) = (session.no, session.id.clone());
        self.events.push(Event::SessionEnded { session: id, reason: EndReason::Idle });
        self.keep(session);
        no
    }

    fn blank(&mut self, opening: Opening, said_at: Timestamp) -> Session {
        self.state.space.last_session += 1;
        let explicit = opening.id.is_some();
        Session {
            no: self.state.space.last_session,
            id: opening.id.unwrap_or_else(|| self.inner.ids.make(self.now, self.key.no).into()),
            thread: opening.thread,
            explicit,
            task: opening.task,
            first_said_at: said_at,
            last_said_at: said_at,
            active_at: self.now,
            ended: None,
            messages: 0,
            stale: false,
            metadata: opening.metadata,
        }
    }

    fn keep(&mut self, session: Session) {
        self.touched.insert(session.no, session.id.clone());
        self.state.sessions.insert(session.id.clone(), session);
    }

    /// Ends a session that is open; one that is not stays as it is.
    pub(crate) fn end(&mut self, no: u64, at: Timestamp, reason: EndReason) -> Result<()> {
        let session = self.change(no)?;
        if !session.is_open() {
            return Ok(());
        }
        session.ended = Some((at, reason));
        let (id, thread, explicit) = (session.id.clone(), session.thread.clone(), session.explicit);
        if !explicit {
            self.state.open.insert(thread, None);
        }
        self.events.push(Event::SessionEnded { session: id, reason });
        Ok(())
    }

    /// What was derived from a session no longer fits it.
    pub(crate) fn mark_stale(&mut self, no: u64) -> Result<()> {
        let session = self.change(no)?;
        session.stale = true;
        let id = session.id.clone();
        self.events.push(Event::SessionStale { session: id });
        Ok(())
    }

    /// What was derived from a session fits it again.
    pub(crate) fn mark_fresh(&mut self, no: u64) -> Result<()> {
        self.change(no)?.stale = false;
        Ok(())
    }

    fn change(&mut self, no: u64) -> Result<&mut Session> {
        let id = match self.touched.get(&no) {
            Some(id) => id.clone(),
            None => {
                let known = self.state.sessions.values().find(|session| session.no == no);
                let id = known.map(|session| session.id.clone());
                id.ok_or_else(|| memoir_model::Error::internal("a session was placed that nobody has read"))?
            }
        };
        self.touched.insert(no, id.clone());
        self.state
            .sessions
            .get_mut(&id)
            .ok_or_else(|| memoir_model::Error::internal("a session was placed that nobody has read"))
    }

    /// Makes sure that a session which only the store knows can be changed. What this commit has changed already
    /// counts more than what the store still says.
    pub(crate) fn adopt(&mut self, session: Session) {
        self.state.sessions.entry(session.id.clone()).or_insert(session);
    }

    /// The rows of every session that this commit changes, in the order of their numbers: what ends comes before
    /// what takes its place.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let sessions = self.touched.values().filter_map(|id| self.state.sessions.get(id));
        sessions.map(|session| Row::Session(Box::new(session.clone()))).collect()
    }
}
