//! What follows from an event: the jobs that are committed together with it.

use jiff::{SignedDuration, Timestamp};
use memoir_model::{AuditAction, AuditEntry, Event, NewJob, Period, Result, Space, SpaceId};
use memoir_store::{Commit, Committed, JobChange, Piece, Row};

use crate::access::Caller;
use crate::embedding;
use crate::engine::Inner;
use crate::layers;
use crate::upkeep::{Schedule, close_idle, seal};

/// How far ahead the night of a day may lie.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(24 * 7);

impl Inner {
    /// Commits, together with the jobs that follow from the set's events, and wakes the workers.
    pub(crate) async fn commit(&self, space: &Space, mut commit: Commit) -> Result<Committed> {
        let now = self.clock.now();
        let events = std::mem::take(&mut commit.writes.events);
        for event in &events {
            let follows = self.follow(space, event, now);
            commit.writes.jobs.extend(follows.into_iter().map(JobChange::Enqueue));
            if self.embedders.current().is_some() && wants_vectors(event) {
                let fill = embedding::job(self.ids.make(now, space.no), now);
                commit.writes.jobs.push(JobChange::Enqueue(fill));
            }
        }
        let asks = commit.writes.jobs.iter().any(|change| match change {
            JobChange::Enqueue(job) => job.run_at <= now,
            JobChange::Revive { run_at, .. } => *run_at <= now,
            _ => false,
        });
        let committed = self.store.commit(commit).await?;
        for event in &events {
            if let Event::SessionEnded { reason, .. } = event {
                metrics::counter!("memoir_sessions_ended_total", "reason" => reason.as_str()).increment(1);
            }
        }
        if asks {
            self.bell.ring();
        }
        Ok(committed)
    }

    fn follow(&self, space: &Space, event: &Event, now: Timestamp) -> Option<NewJob> {
        let id = || self.ids.make(now, space.no);
        match event {
            Event::SessionOpened { session } => {
                let due = now.saturating_add(self.settings.session_idle).unwrap_or(Timestamp::MAX);
                Some(close_idle::job(id(), session, due))
            }
            Event::MessagesAppended { first, last } => {
                let fills = Piece::covering(*first) != Piece::covering(last + 1);
                fills.then(|| seal::job(id(), now))
            }
            // The piece was dropped with the edit. Until it is sealed again its rows are read one by one, so the
            // night is early enough, and a day's edits cost one sealing.
            Event::MessageEdited { .. } | Event::MessageRecalled { .. } | Event::MessageErased { .. } => {
                let night = Schedule::daily(self.settings.upkeep_night);
                Some(seal::job(id(), night.next_after(space.zones.current(), now)))
            }
            Event::SessionGrown { session } => {
                let due = self.rests.over(space.no, session, now);
                Some(self.layer_job(space, &Period::Session(session.clone()), due))
            }
            Event::SessionEnded { session, .. } | Event::SessionStale { session } => {
                Some(self.layer_job(space, &Period::Session(session.clone()), now))
            }
            Event::DayTouched { day } => {
                let period = Period::Day(*day);
                let due = layers::due(space, &period, self.settings.layer_night).max(now);
                // Whoever lives in the far future is not waited for.
                let waits = now.duration_until(due) < LONGEST_WAIT;
                waits.then(|| self.layer_job(space, &period, due))
            }
        }
    }

    /// A line of the audit log.
    pub(crate) fn audit(
        &self,
        caller: &Caller,
        action: AuditAction,
        space: Option<&SpaceId>,
        target: Option<String>,
    ) -> Row {
        let at = self.clock.now();
        Row::Audit(Box::new(AuditEntry {
            id: self.ids.make(at, memoir_model::SpaceNo::from_low_bits(0)),
            tenant: caller.tenant.clone(),
            at,
            actor: caller.actor.clone(),
            action,
            space: space.cloned(),
            target,
        }))
    }
}

/// Whether messages want vectors after it that they did not want before. The words of a message are in the vector of the
/// turn after it, even if it has none of its own any more.
fn wants_vectors(event: &Event) -> bool {
    match event {
        Event::MessagesAppended { .. }
        | Event::MessageEdited { .. }
        | Event::MessageRecalled { .. }
        | Event::MessageErased { .. } => true,
        Event::SessionOpened { .. }
        | Event::SessionGrown { .. }
        | Event::SessionEnded { .. }
        | Event::SessionStale { .. }
        | Event::DayTouched { .. } => false,
    }
}
