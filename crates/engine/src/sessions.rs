use jiff::Timestamp;
use memoir_model::{
    AuditAction, EndReason, Error, Lease, Message, Metadata, Result, Session, SessionId, Space, SpaceId,
    TenantId, Thread,
};
use memoir_store::{Commit, JobChange, MessageQuery, Order, Row, WriteSet};
use std::sync::Arc;

use crate::access::{Access, Caller};
use crate::engine::{Engine, Inner};
use crate::remember::{Ledger, Opening, SpaceState};
use crate::window::LONGEST_WINDOW;

/// A session that a product opens.
#[derive(Debug, Clone, Default)]
pub struct NewSession {
    /// The product's own id; one is made when absent.
    pub id: Option<SessionId>,
    /// The strand of talk.
    pub thread: Thread,
    /// What the talk is for.
    pub task: Option<String>,
    /// What the product attaches.
    pub metadata: Metadata,
}

/// How a session comes to its end.
#[derive(Clone)]
pub(crate) struct Ending {
    pub(crate) reason: EndReason,
    /// When it was, if that is known already.
    pub(crate) at: Option<Timestamp>,
    /// The job whose effect this is; it is finished in the same commit.
    pub(crate) lease: Option<Lease>,
    /// Who called, for the audit log.
    pub(crate) caller: Option<Caller>,
}

impl Engine {
    /// Opens a session, or returns the one that has the id.
    pub async fn open_session(&self, caller: &Caller, space: &SpaceId, new: NewSession) -> Result<Session> {
        caller.check_space(Access::Write, space)?;
        Session::check_limits(new.task.as_deref(), &new.metadata)?;
        self.in_lane(&caller.tenant, space, move |inner, state| {
            let new = new.clone();
            async move { inner.open_session(state, new).await }
        })
        .await
    }

    /// Ends a session. One that has ended stays as it is.
    pub async fn end_session(
        &self,
        caller: &Caller,
        space: &SpaceId,
        id: &SessionId,
        reason: EndReason,
    ) -> Result<Session> {
        caller.check_space(Access::Write, space)?;
        let ending = Ending { reason, at: None, lease: None, caller: Some(caller.clone()) };
        self.end(&caller.tenant, space, id, ending).await
    }

    /// Ends a session that was over at that time already, such as one that is brought in from an export.
    pub async fn end_session_at(
        &self,
        caller: &Caller,
        space: &SpaceId,
        id: &SessionId,
        at: Timestamp,
        reason: EndReason,
    ) -> Result<Session> {
        caller.check_space(Access::Write, space)?;
        let ending = Ending { reason, at: Some(at), lease: None, caller: Some(caller.clone()) };
        self.end(&caller.tenant, space, id, ending).await
    }

    pub(crate) async fn end(
        &self,
        tenant: &TenantId,
        space: &SpaceId,
        id: &SessionId,
        ending: Ending,
    ) -> Result<Session> {
        let id = id.clone();
        self.in_lane(tenant, space, move |inner, state| {
            let (id, ending) = (id.clone(), ending.clone());
            async move { inner.end_session(state, &id, ending).await }
        })
        .await
    }

    /// A session.
    pub async fn session(&self, caller: &Caller, space: &SpaceId, id: &SessionId) -> Result<Session> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let session = self.inner.store.session(&space.key(), id).await?;
        session.ok_or_else(|| Error::not_found("session", id))
    }

    /// Sessions of a space, the newest first, below a number.
    pub async fn sessions(
        &self,
        caller: &Caller,
        space: &SpaceId,
        below: Option<u64>,
        limit: usize,
    ) -> Result<Vec<Session>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        self.inner.store.sessions(&space.key(), below, limit).await
    }

    /// The last messages of a session, in the order in which they were said (A1). From memory when it is there.
    pub async fn window(
        &self,
        caller: &Caller,
        space: &SpaceId,
        id: &SessionId,
        limit: Option<usize>,
    ) -> Result<Vec<Arc<Message>>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        self.window_of(&space, id, limit).await
    }

    /// How many messages a window of a space has, unless somebody says.
    pub(crate) fn window_messages(&self, space: &Space) -> usize {
        match self.inner.settings.window_messages {
            0 => space.preset.window_messages(),
            configured => configured,
        }
    }

    /// The last messages of a session of a space that is open already.
    pub(crate) async fn window_of(
        &self,
        space: &Space,
        id: &SessionId,
        limit: Option<usize>,
    ) -> Result<Vec<Arc<Message>>> {
        let limit = limit.unwrap_or(self.window_messages(space)).min(LONGEST_WINDOW);
        if let Some(window) = self.inner.windows.get(space, id, limit) {
            return Ok(window);
        }
        let query =
            MessageQuery { active_only: true, order: Order::Newest, ..MessageQuery::all(LONGEST_WINDOW) };
        let found = self.inner.store.session_talk(&space.key(), id, &query).await?;
        let found = found.ok_or_else(|| Error::not_found("session", id))?;
        let messages = found.messages.into_iter().rev().map(Arc::new).collect();
        Ok(self.inner.windows.put(space, id, messages, limit))
    }
}

impl Inner {
    async fn open_session(
        self: Arc<Self>,
        mut state: SpaceState,
        new: NewSession,
    ) -> Result<(SpaceState, Session)> {
        let now = self.clock.now();
        let mut rows = Vec::new();
        if state.is_new {
            rows.push(Row::NewSpace(Box::new(state.space.clone())));
        }
        let base_version = state.space.version;
        let no = state.space.no;
        let mut ledger = Ledger::new(&self, &mut state, now);
        if let Some(id) = &new.id
            && let Some(session) = ledger.find(id).await?
        {
            return Ok((state, session));
        }
        let id = new.id.unwrap_or_else(|| self.ids.make(now, no).into());
        let opening =
            Opening { id: Some(id.clone()), thread: new.thread, task: new.task, metadata: new.metadata };
        ledger.open(opening, now);
        rows.extend(ledger.rows());
        let events = std::mem::take(&mut ledger.events);
        let writes = WriteSet { rows, jobs: Vec::new(), events };
        let session = state.sessions.get(&id).cloned();
        let state = self.commit_planned(state, base_version, writes, None).await?;
        session.map(|session| (state, session)).ok_or_else(|| Error::internal("the session was not planned"))
    }

    async fn end_session(
        self: Arc<Self>,
        mut state: SpaceState,
        id: &SessionId,
        ending: Ending,
    ) -> Result<(SpaceState, Session)> {
        let now = self.clock.now();
        let base_version = state.space.version;
        let idle = self.settings.session_idle;
        let mut ledger = Ledger::new(&self, &mut state, now);
        let session = ledger.find(id).await?.ok_or_else(|| Error::not_found("session", id))?;
        let idle_end = session.last_said_at.saturating_add(idle).unwrap_or(Timestamp::MAX);
        let woke = ending.reason == EndReason::Idle
            && ending.at.is_none()
            && session.active_at.duration_until(now) < idle;
        if session.is_open() && !woke {
            let at = ending.at.unwrap_or(if ending.reason == EndReason::Idle { idle_end } else { now });
            ledger.end(session.no, at.min(now), ending.reason)?;
        }
        let (mut rows, events) = (ledger.rows(), std::mem::take(&mut ledger.events));
        if let Some(caller) = ending.caller.filter(|_| !rows.is_empty()) {
            rows.push(self.audit(
                &caller,
                AuditAction::SessionEnded,
                Some(&state.space.id),
                Some(id.to_string()),
            ));
        }
        let jobs = match ending.lease {
            // Somebody spoke in the meantime: look again when it could be idle next.
            Some(_) if session.is_open() && woke => {
                vec![JobChange::Postpone(session.active_at.saturating_add(idle).unwrap_or(Timestamp::MAX))]
            }
            Some(_) => vec![JobChange::Finish],
            None => Vec::new(),
        };
        let writes = WriteSet { rows, jobs, events };
        let session = state.sessions.get(id).cloned().unwrap_or(session);
        let state = self.commit_planned(state, base_version, writes, ending.lease).await?;
        Ok((state, session))
    }

    /// Commits what was planned on `base_version` and returns what the lane knows afterwards.
    pub(crate) async fn commit_planned(
        &self,
        mut state: SpaceState,
        base_version: u64,
        writes: WriteSet,
        lease: Option<Lease>,
    ) -> Result<SpaceState> {
        if writes.rows.is_empty() && writes.jobs.is_empty() {
            return Ok(state);
        }
        let mut commit = Commit::to_space(state.space.key(), writes).expecting(base_version);
        commit.lease = lease;
        let committed = self.commit(&state.space, commit).await?;
        state.is_new = false;
        state.space.version = committed.version;
        self.windows.appended(&state, base_version, Some(Vec::new()));
        state.shrink();
        Ok(state)
    }
}
