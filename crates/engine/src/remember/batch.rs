//! From a request to receipts.

use jiff::Timestamp;
use jiff::civil::Date;
use memoir_model::{
    Error, ErrorCode, Event, Message, MessageId, MessageState, Result, Space, SpaceId, ZoneHistory, limits,
};
use memoir_store::{Commit, MessageRow, Row, TakenId, WriteSet};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use tokio::sync::oneshot;

use super::lane::{Pending, Serving, SpaceState};
use super::ledger::Ledger;
use super::new_message::{NewMessage, Prepared};
use super::receipt::{Receipt, ReceiptStatus};
use crate::access::{Access, Caller};
use crate::engine::{Engine, Inner};

/// How often a commit is planned again when something else moved the space; only other processes can.
const TRIES: usize = 16;
/// From how many messages on the analysis leaves the async workers.
const ANALYSE_ELSEWHERE: usize = 8;

impl Engine {
    /// Stores messages, for one or many spaces. Returns a receipt for each, in order, once all of them are durable.
    /// Messages of one space are stored together or not at all; an invalid one is left out.
    pub async fn remember(&self, caller: &Caller, messages: Vec<Result<NewMessage>>) -> Result<Vec<Receipt>> {
        caller.check(Access::Write)?;
        if messages.is_empty() || messages.len() > limits::BATCH {
            return Err(Error::invalid("messages", format!("must be 1 to {} messages", limits::BATCH)));
        }
        let prepared = prepare_all(messages).await?;
        let bytes = prepared.iter().flatten().map(Prepared::bytes).sum();
        let _admitted = self.inner.lanes.admit(bytes)?;
        let mut receipts: Vec<Option<Receipt>> = Vec::with_capacity(prepared.len());
        let mut by_space: Vec<(SpaceId, Vec<usize>, Vec<Prepared>)> = Vec::new();
        for (place, message) in prepared.into_iter().enumerate() {
            match message {
                Err(receipt) => receipts.push(Some(*receipt)),
                Ok(message) => {
                    receipts.push(None);
                    let space = &message.message.space;
                    match by_space.iter_mut().find(|(id, ..)| id == space) {
                        Some((_, places, group)) => {
                            places.push(place);
                            group.push(message);
                        }
                        None => by_space.push((space.clone(), vec![place], vec![message])),
                    }
                }
            }
        }
        let written = by_space.into_iter().map(|(space, places, group)| async move {
            let ids: Vec<_> = group.iter().map(|p| p.message.id.clone()).collect();
            let result = self.write(caller, &space, group).await;
            let receipts = result.unwrap_or_else(|error| {
                let failed =
                    |id| Receipt::refused(ReceiptStatus::Failed, Some(space.clone()), id, error.clone());
                ids.into_iter().map(failed).collect()
            });
            (places, receipts)
        });
        for (places, group) in futures::future::join_all(written).await {
            for (place, mut receipt) in places.into_iter().zip(group) {
                // A conflict is found in its space, which does not know the place in the request.
                if receipt.status == ReceiptStatus::Conflict {
                    receipt.error = receipt.error.map(|error| error.inside(&format!("messages[{place}]")));
                }
                receipts[place] = Some(receipt);
            }
        }
        let receipts: Vec<Receipt> = receipts.into_iter().flatten().collect();
        for receipt in &receipts {
            metrics::counter!("memoir_messages_total", "outcome" => receipt.status.as_str()).increment(1);
        }
        Ok(receipts)
    }

    /// Gets in line at the space's lane and waits for the receipts. The line is served by a task of its own, so that
    /// a caller who hangs up takes nobody's receipts along.
    async fn write(&self, caller: &Caller, space: &SpaceId, messages: Vec<Prepared>) -> Result<Vec<Receipt>> {
        let lane = self.inner.lanes.lane(&caller.tenant, space);
        let (reply, receipts) = oneshot::channel();
        if lane.push(Pending { messages, reply }) {
            let (inner, tenant, space) = (self.inner.clone(), caller.tenant.clone(), space.clone());
            let serving = Serving::begin(lane);
            tokio::spawn(async move { serve(&inner, serving, &tenant, &space).await });
        }
        receipts.await.map_err(|_| Error::internal("the write was cut short"))?
    }
}

/// Checks and analyses; long batches away from the async workers.
async fn prepare_all(messages: Vec<Result<NewMessage>>) -> Result<Vec<Result<Prepared, Box<Receipt>>>> {
    let prepare = |(place, message): (usize, Result<NewMessage>)| {
        let (space, id) = message.as_ref().map(|m| (Some(m.space.clone()), m.id.clone())).unwrap_or_default();
        message.and_then(NewMessage::prepare).map_err(|error| {
            let error = error.inside(&format!("messages[{place}]"));
            Box::new(Receipt::refused(ReceiptStatus::Invalid, space, id, error))
        })
    };
    if messages.len() < ANALYSE_ELSEWHERE {
        return Ok(messages.into_iter().enumerate().map(prepare).collect());
    }
    tokio::task::spawn_blocking(move || messages.into_iter().enumerate().map(prepare).collect())
        .await
        .map_err(|_| Error::internal("the analysis was cut short"))
}

/// Serves a lane until nobody stands in line.
async fn serve(inner: &Arc<Inner>, serving: Serving, tenant: &memoir_model::TenantId, space: &SpaceId) {
    loop {
        let mut state = serving.lane.state.lock().await;
        let pending = serving.lane.pop();
        if pending.is_empty() {
            drop(state);
            serving.done();
            return;
        }
        let (counts, messages, replies) = split(pending);
        let result = append(inner, &mut state, tenant, space, messages).await;
        drop(state);
        match result {
            Ok(mut receipts) => {
                for (count, reply) in counts.into_iter().zip(replies) {
                    let rest = receipts.split_off(count);
                    drop(reply.send(Ok(std::mem::replace(&mut receipts, rest))));
                }
            }
            Err(error) => replies.into_iter().for_each(|reply| drop(reply.send(Err(error.clone())))),
        }
    }
}

type Replies = Vec<oneshot::Sender<Result<Vec<Receipt>>>>;

fn split(pending: Vec<Pending>) -> (Vec<usize>, Vec<Prepared>, Replies) {
    let (mut counts, mut messages, mut replies) = (Vec::new(), Vec::new(), Vec::new());
    for request in pending {
        counts.push(request.messages.len());
        messages.extend(request.messages);
        replies.push(request.reply);
    }
    (counts, messages, replies)
}

/// Plans and commits until the store accepts the plan. The common case (new ids, nobody else writes) reads nothing.
async fn append(
    inner: &Arc<Inner>,
    state: &mut Option<SpaceState>,
    tenant: &memoir_model::TenantId,
    space: &SpaceId,
    messages: Vec<Prepared>,
) -> Result<Vec<Receipt>> {
    let mut taken: HashMap<MessageId, TakenId> = HashMap::new();
    for _ in 0..TRIES {
        let known = match state.take() {
            Some(known) => known,
            None => inner.load_state(tenant, space).await?,
        };
        let now = inner.clock.now();
        let planned = Plan::make(inner, known, &messages, &taken, now).await?;
        if planned.writes.rows.is_empty() {
            *state = (!planned.state.is_new).then_some(planned.state);
            return Ok(planned.receipts);
        }
        let before = planned.base_version;
        // Most spaces that are written to are not being read: their messages need no copy.
        let fresh = inner.windows.knows(planned.state.space.no).then(|| planned.messages());
        let commit = Commit::to_space(planned.state.space.key(), planned.writes).expecting(before);
        match inner.commit(&planned.state.space, commit).await {
            Ok(committed) => {
                let mut after = planned.state;
                after.is_new = false;
                after.space.version = committed.version;
                inner.windows.appended(&after, before, fresh);
                after.shrink();
                *state = Some(after);
                return Ok(planned.receipts);
            }
            Err(error) if error.code() == ErrorCode::VersionMoved => {}
            Err(error) if error.code() == ErrorCode::IdConflict => {
                let space = inner.store.space(tenant, space).await?;
                if let Some(space) = space {
                    let ids: Vec<MessageId> = messages.iter().filter_map(|p| p.message.id.clone()).collect();
                    let found = inner.store.taken_ids(&space.key(), &ids).await?;
                    taken.extend(found.into_iter().map(|found| (found.id.clone(), found)));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(Error::busy("the space is being written by too many others", 1))
}

impl Inner {
    /// What the store says about a space; a new one if it has none of that name.
    pub(crate) async fn load_state(
        &self,
        tenant: &memoir_model::TenantId,
        id: &SpaceId,
    ) -> Result<SpaceState> {
        if let Some(space) = self.store.space(tenant, id).await? {
            return Ok(SpaceState::new(space, false));
        }
        let space = Space {
            no: self.ids.space_no(),
            tenant: tenant.clone(),
            id: id.clone(),
            zones: ZoneHistory::new(self.settings.default_zone.clone()),
            preset: self.settings.default_preset,
            metadata: memoir_model::Metadata::new(),
            created_at: self.clock.now(),
            version: 0,
            last_seq: 0,
            last_session: 0,
            vectors: 0,
        };
        Ok(SpaceState::new(space, true))
    }

    /// What a lane knows of a space if it is still so, else what the store says. For plans that may come to no write:
    /// there the store refuses nothing.
    pub(crate) async fn current_state(
        &self,
        known: Option<SpaceState>,
        tenant: &memoir_model::TenantId,
        id: &SpaceId,
    ) -> Result<SpaceState> {
        let stored = self.load_state(tenant, id).await?;
        let still_so = |known: &SpaceState| {
            (known.space.no, known.space.version) == (stored.space.no, stored.space.version)
        };
        Ok(known.filter(still_so).unwrap_or(stored))
    }
}

/// What a batch comes to: rows to write, receipts to hand out once they are durable.
struct Plan {
    state: SpaceState,
    base_version: u64,
    writes: WriteSet,
    receipts: Vec<Receipt>,
}

impl Plan {
    async fn make(
        inner: &Inner,
        mut state: SpaceState,
        messages: &[Prepared],
        taken: &HashMap<MessageId, TakenId>,
        now: Timestamp,
    ) -> Result<Plan> {
        let base_version = state.space.version;
        let mut writes = WriteSet::default();
        if state.is_new {
            writes.rows.push(Row::NewSpace(Box::new(state.space.clone())));
        }
        let first = state.space.last_seq + 1;
        let (no, zones) = (state.space.no, state.space.zones.clone());
        let mut last_seq = state.space.last_seq;
        let mut ledger = Ledger::new(inner, &mut state, now);
        let mut rows = Vec::with_capacity(messages.len());
        let mut receipts = Vec::with_capacity(messages.len());
        let mut batch: HashMap<MessageId, TakenId> = HashMap::new();
        let mut days: BTreeSet<Date> = BTreeSet::new();
        for prepared in messages {
            let given = &prepared.message;
            if let Some(id) = &given.id
                && let Some(earlier) = taken.get(id).or_else(|| batch.get(id))
            {
                receipts.push(repeated(prepared, id, earlier));
                continue;
            }
            if last_seq >= Space::MOST_MESSAGES {
                return Err(Error::new(ErrorCode::SpaceFull, "the space holds 16,777,215 messages"));
            }
            let said_at = given.said_at.unwrap_or(now);
            let session = ledger.place(given.session.as_ref(), &given.thread, said_at).await?;
            last_seq += 1;
            let id = given.id.clone().unwrap_or_else(|| inner.ids.make(now, no).into());
            batch.insert(id.clone(), TakenId { id: id.clone(), seq: last_seq, digest: prepared.digest });
            receipts.push(Receipt {
                status: ReceiptStatus::Created,
                space: Some(given.space.clone()),
                id: Some(id.clone()),
                seq: Some(last_seq),
                session: Some(session.id.clone()),
                error: None,
            });
            let local = zones.local(said_at);
            days.insert(local.date);
            let message = Message {
                id,
                seq: last_seq,
                session: session.id,
                thread: session.thread,
                author: prepared.author.clone(),
                role: given.role,
                content: given.content.clone(),
                said_at,
                recorded_at: now,
                local,
                reply_to: given.reply_to.clone(),
                mentions: given.mentions.clone(),
                attachments: given.attachments.clone(),
                metadata: given.metadata.clone(),
                version: 1,
                state: MessageState::Active,
            };
            rows.push(Row::Message(Box::new(MessageRow {
                message,
                session_no: session.no,
                terms: prepared.terms.clone(),
                digest: prepared.digest,
            })));
        }
        let events = std::mem::take(&mut ledger.events);
        let sessions = ledger.rows();
        if rows.is_empty() {
            writes.rows.clear();
        } else {
            writes.rows.extend(sessions);
            writes.rows.extend(rows);
            writes.events = events;
            writes.events.push(Event::MessagesAppended { first, last: last_seq });
            let outdated = inner.outdated_days(&state.space, &days, now).await?;
            writes.jobs.extend(inner.made_again(&state.space, &outdated, now));
            writes.rows.extend(outdated);
            writes.events.extend(touched(&mut state, &days, now).map(|day| Event::DayTouched { day }));
        }
        state.space.last_seq = last_seq;
        Ok(Plan { state, base_version, writes, receipts })
    }

    /// The messages that it stores.
    fn messages(&self) -> Vec<Arc<Message>> {
        let message = |row: &Row| match row {
            Row::Message(row) => Some(Arc::new(row.message.clone())),
            _ => None,
        };
        self.writes.rows.iter().filter_map(message).collect()
    }
}

/// The days that nobody has asked to be summed up yet. That a day goes on is asked for once; what comes to one that is
/// over is asked for each time.
fn touched<'d>(
    state: &mut SpaceState,
    days: &'d BTreeSet<Date>,
    now: Timestamp,
) -> impl Iterator<Item = Date> + use<'d> {
    let today = state.space.zones.local(now).date;
    let asked = state.asked_day.replace(today).filter(|asked| *asked == today);
    if !days.contains(&today) {
        state.asked_day = asked;
    }
    days.iter().copied().filter(move |day| Some(*day) != asked)
}

fn repeated(prepared: &Prepared, id: &MessageId, earlier: &TakenId) -> Receipt {
    let space = Some(prepared.message.space.clone());
    if earlier.digest == prepared.digest {
        let (status, seq) = (ReceiptStatus::Exists, Some(earlier.seq));
        return Receipt { status, space, id: Some(id.clone()), seq, session: None, error: None };
    }
    let error =
        Error::new(ErrorCode::IdConflict, format!("the id {id} belongs to a message with other words"));
    Receipt::refused(ReceiptStatus::Conflict, space, Some(id.clone()), error.at("id"))
}
