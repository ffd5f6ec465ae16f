//! Small builders for the things that a store keeps, and [`Room`], a space whose sessions are kept in step with its
//! messages. A backend's own tests may use them too.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use memoir_model::{
    ApiKey, AuditAction, AuditEntry, Confidence, DecayPolicy, ErrorCode, GeneratedId, Importance, Job, JobKind,
    KeyId, Kind, KindName, Lane, LoadPolicy, Memory, MemoryId, MemoryStatus, Message, MessageId, MessageState,
    MessageVersion, Metadata, Name, NewJob, Period, Preset, Result, Role, Session, SessionId, Space, SpaceId,
    SpaceKey, SpaceNo, Speaker, Summary, SummaryLevel, Taxonomy, TaxonomyName, TenantId, Thread, Zone, ZoneHistory,
};

use crate::{
    Claim, Commit, Committed, IndexDelta, JobChange, JobQuery, MemoryQuery, MessageQuery, MessageRow, Row, Store,
    WriteSet,
};

/// What every behaviour gets: a store with nothing in it.
pub type Empty = Arc<dyn Store>;

/// Ids that break a backend which pastes text into SQL, folds case, normalises or counts characters as bytes.
pub const AWKWARD: [&str; 10] = [
    "'; DROP TABLE messages; --",
    "\" OR 1=1 --",
    "a%b_c\\d",
    "👩‍👩‍👧 family",
    "张三李四",
    "e\u{301}",
    "é",
    "NULL",
    "0012",
    "12",
];

/// So many seconds after noon of 7 January 2026, UTC.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_787_200 + seconds).unwrap()
}

/// The smallest step that a store has to keep.
pub const STEP: SignedDuration = SignedDuration::from_micros(1);

pub fn tenant(text: &str) -> TenantId {
    TenantId::new(text).unwrap()
}

pub fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub fn space_id(text: &str) -> SpaceId {
    text.parse().unwrap()
}

pub fn message_id(text: &str) -> MessageId {
    MessageId::new(text).unwrap()
}

pub fn session_id(text: &str) -> SessionId {
    SessionId::new(text).unwrap()
}

pub fn thread(text: &str) -> Thread {
    Thread::new(text).unwrap()
}

pub fn metadata(value: serde_json::Value) -> Metadata {
    serde_json::from_value(value).unwrap()
}

/// An id as the engine makes them; `n` keeps those of one space apart and in order.
pub fn generated(no: SpaceNo, n: u16) -> GeneratedId {
    GeneratedId::compose(at(0).as_millisecond() + i64::from(n), no, n, 0)
}

pub fn space(tenant_id: &str, id: &str, bits: u64) -> Space {
    Space {
        no: SpaceNo::from_low_bits(bits),
        tenant: tenant(tenant_id),
        id: space_id(id),
        zones: ZoneHistory::new(Zone::utc()),
        preset: Preset::General,
        metadata: Metadata::new(),
        created_at: at(0),
        version: 0,
        last_seq: 0,
        last_session: 0,
    }
}

/// A session that the caller named, without messages.
pub fn session(no: u64, id: &str) -> Session {
    Session {
        no,
        id: session_id(id),
        thread: Thread::default(),
        explicit: true,
        task: None,
        first_said_at: at(0),
        last_said_at: at(0),
        active_at: at(0),
        ended: None,
        messages: 0,
        stale: false,
        metadata: Metadata::new(),
    }
}

/// A session that the flow of messages made, from one moment to another.
pub fn unnamed(no: u64, thread: &Thread, first: Timestamp, last: Timestamp) -> Session {
    let mut session = session(no, &format!("unnamed-{no}"));
    (session.explicit, session.thread) = (false, thread.clone());
    (session.first_said_at, session.last_said_at) = (first, last);
    session
}

pub fn memory(id: &str, kind: &str, status: MemoryStatus) -> Memory {
    Memory {
        id: MemoryId::new(id).unwrap(),
        content: format!("what {id} says"),
        kind: KindName::new(kind).unwrap(),
        taxonomy: (TaxonomyName::new("general").unwrap(), 1),
        subject: Some(name("alice")),
        slot: Some("home/city".to_owned().try_into().unwrap()),
        confidence: Confidence::new(0.75).unwrap(),
        importance: Importance::new(0.5).unwrap(),
        task: None,
        valid_from: Some(at(0)),
        valid_to: None,
        sources: vec![1, 2],
        merged_from: Vec::new(),
        superseded_by: None,
        version: 1,
        status,
        pinned: false,
        access_count: 0,
        accessed_at: None,
        expires_at: None,
        metadata: metadata(serde_json::json!({"from": "tests"})),
        created_at: at(0),
        updated_at: at(0),
    }
}

pub fn memory_row(memory: Memory) -> Row {
    let terms = terms(&memory.content);
    Row::Memory { memory: Box::new(memory), terms }
}

pub fn summary(period: Period, text: &str) -> Summary {
    Summary {
        period,
        text: text.to_owned(),
        topics: vec!["tea".into(), "茶".into()],
        sessions: 1,
        messages: 2,
        sources: Some((1, 2)),
        zone: Zone::utc(),
        made_by: "rules".into(),
        made_at: at(0),
        stale: false,
    }
}

pub fn summary_row(summary: Summary) -> Row {
    let terms = terms(&summary.text);
    Row::Summary { summary: Box::new(summary), terms }
}

pub fn api_key(id: &str, owner: &str) -> ApiKey {
    ApiKey {
        id: KeyId::new(id).unwrap(),
        tenant: tenant(owner),
        role: Role::Write,
        space: None,
        label: format!("key {id}"),
        secret_sha256: [7; 32],
        created_at: at(0),
        revoked_at: None,
    }
}

pub fn taxonomy(text: &str, version: u32, guidance: &str) -> Taxonomy {
    let kind = Kind {
        name: KindName::new("PREF").unwrap(),
        guidance: guidance.to_owned(),
        base_importance: Importance::new(0.5).unwrap(),
        load: LoadPolicy::Always,
        decay: DecayPolicy::Never,
    };
    Taxonomy::new(TaxonomyName::new(text).unwrap(), version, vec![kind]).unwrap()
}

pub fn audit(owner: &str, n: u16) -> AuditEntry {
    AuditEntry {
        id: generated(SpaceNo::from_low_bits(0), n),
        tenant: tenant(owner),
        at: at(i64::from(n)),
        actor: "command line".into(),
        action: AuditAction::SpaceChanged,
        space: Some(space_id("user:alice")),
        target: Some(format!("target {n}")),
    }
}

/// Stands for analysed text. It has the words in it, so that whoever looks for erased words finds these too.
pub fn terms(content: &str) -> Vec<u8> {
    format!("terms of {content}").into_bytes()
}

pub fn set(rows: Vec<Row>) -> WriteSet {
    WriteSet { rows, ..WriteSet::default() }
}

/// Writes rows into a tenant's own tables.
pub async fn to_tenant(store: &Empty, owner: &str, rows: Vec<Row>) -> Result<Committed> {
    store.commit(Commit::to_tenant(tenant(owner), set(rows))).await
}

/// Why it was refused.
pub fn refusal<T: std::fmt::Debug>(result: Result<T>) -> ErrorCode {
    result.unwrap_err().code()
}

/// The kinds of work that [`claim`] asks for.
pub const KINDS: [&str; 2] = ["embed", "digest"];

/// What a worker with room for everything asks for: leases of 60 seconds.
pub fn wish(now: Timestamp) -> Claim {
    Claim {
        now,
        lease_until: now + SignedDuration::from_secs(60),
        room: KINDS.iter().map(|kind| (JobKind::Borrowed(*kind), 100)).collect(),
        limit: 100,
    }
}

/// Every job that is to be had now, leased for 60 seconds.
pub async fn claim(store: &Empty, now: Timestamp) -> Vec<Job> {
    store.claim_jobs(wish(now)).await.unwrap()
}

/// The one job that is to be had now.
pub async fn claim_one(store: &Empty, now: Timestamp) -> Job {
    let mut jobs = claim(store, now).await;
    assert_eq!(jobs.len(), 1, "one job is due: {jobs:?}");
    jobs.remove(0)
}

/// The keys of jobs, to compare with what was expected.
pub fn keys_of(jobs: &[Job]) -> Vec<&str> {
    jobs.iter().map(|job| job.key.as_str()).collect()
}

/// A space, the sessions in it and how many messages it has: appends messages as the engine would.
pub struct Room {
    store: Empty,
    key: SpaceKey,
    last_seq: u64,
    sessions: BTreeMap<u64, Session>,
}

impl Room {
    /// Makes a space with one named session, number 1.
    pub async fn open(store: &Empty, tenant: &str, id: &str, bits: u64) -> Room {
        Room::build(store, space(tenant, id, bits)).await.unwrap()
    }

    /// The room that most behaviours need.
    pub async fn simple(store: &Empty) -> Room {
        Room::open(store, "acme", "user:alice", 0x12_3456_789a).await
    }

    /// Makes this space with one named session, number 1, unless the store refuses it.
    pub async fn build(store: &Empty, space: Space) -> Result<Room> {
        let key = space.key();
        let mut room = Room { store: store.clone(), key, last_seq: 0, sessions: BTreeMap::new() };
        let talk = session(1, "talk");
        room.put(vec![Row::NewSpace(Box::new(space)), Row::Session(Box::new(talk.clone()))]).await?;
        room.sessions.insert(talk.no, talk);
        Ok(room)
    }

    pub fn key(&self) -> &SpaceKey {
        &self.key
    }

    pub fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// The space as the store has it.
    pub async fn space(&self) -> Space {
        self.store.space_at(&self.key).await.unwrap().unwrap()
    }

    /// Writes rows that are not new messages.
    pub async fn put(&self, rows: Vec<Row>) -> Result<Committed> {
        self.store.commit(Commit::to_space(self.key.clone(), set(rows))).await
    }

    /// Adds or changes a session; messages may then name its number.
    pub async fn put_session(&mut self, session: Session) -> Result<Committed> {
        let done = self.put(vec![Row::Session(Box::new(session.clone()))]).await?;
        self.sessions.insert(session.no, session);
        Ok(done)
    }

    /// The next message, said by Alice in session 1, one second after the one before it. Not stored yet.
    pub fn draft(&self, id: &str, content: &str) -> MessageRow {
        let seq = self.last_seq + 1;
        let said_at = at(seq as i64);
        let message = Message {
            id: message_id(id),
            seq,
            session: session_id("talk"),
            thread: Thread::default(),
            author: name("alice"),
            role: Speaker::User,
            content: content.to_owned(),
            said_at,
            recorded_at: said_at,
            local: ZoneHistory::new(Zone::utc()).local(said_at),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            metadata: Metadata::new(),
            version: 1,
            state: MessageState::Active,
        };
        MessageRow { message, session_no: 1, terms: terms(content), digest: u64::MAX - seq }
    }

    /// The rows that store these messages, with their sessions brought up to date.
    pub fn rows_for(&self, messages: &[MessageRow]) -> Vec<Row> {
        let mut sessions: BTreeMap<u64, Session> = BTreeMap::new();
        let mut rows = Vec::new();
        for row in messages {
            let session =
                sessions.entry(row.session_no).or_insert_with(|| self.sessions[&row.session_no].clone());
            session.messages += 1;
            session.first_said_at = session.first_said_at.min(row.message.said_at);
            session.last_said_at = session.last_said_at.max(row.message.said_at);
            rows.push(Row::Message(Box::new(row.clone())));
        }
        rows.extend(sessions.into_values().map(|session| Row::Session(Box::new(session))));
        rows
    }

    /// Stores messages in one commit.
    pub async fn append(&mut self, messages: Vec<MessageRow>) -> Result<Committed> {
        let rows = self.rows_for(&messages);
        let done = self.put(rows.clone()).await?;
        self.last_seq += messages.len() as u64;
        for row in rows {
            if let Row::Session(session) = row {
                self.sessions.insert(session.no, *session);
            }
        }
        Ok(done)
    }

    /// Stores one message.
    pub async fn say(&mut self, id: &str, content: &str) -> MessageRow {
        let row = self.draft(id, content);
        self.append(vec![row.clone()]).await.unwrap();
        row
    }

    /// Stores one message that was said at that time.
    pub async fn say_at(&mut self, id: &str, said_at: Timestamp) -> MessageRow {
        let mut row = self.draft(id, id);
        row.message.said_at = said_at;
        self.append(vec![row.clone()]).await.unwrap();
        row
    }

    /// Stores short messages in one commit until there are so many.
    pub async fn fill_to(&mut self, last_seq: u64) {
        let mut messages = Vec::new();
        for seq in self.last_seq + 1..=last_seq {
            let mut row = self.draft(&format!("m{seq}"), "tea");
            (row.message.seq, row.message.said_at) = (seq, at(seq as i64));
            messages.push(row);
        }
        self.append(messages).await.unwrap();
    }

    /// Gives a message other words.
    pub async fn edit(&self, old: &MessageRow, content: &str) -> MessageRow {
        let (row, rows) = edited(old, content);
        self.put(rows).await.unwrap();
        row
    }

    /// Withdraws a message.
    pub async fn recall(&self, old: &MessageRow) -> MessageRow {
        let mut row = old.clone();
        row.message.version += 1;
        row.message.state = MessageState::Recalled;
        let revised = Row::ReviseMessage { row: Box::new(row.clone()), previous: Box::new(previous(old)) };
        self.put(vec![revised]).await.unwrap();
        row
    }

    /// Takes the words out of a message for good.
    pub async fn erase(&self, old: &MessageRow) -> MessageRow {
        let mut row = old.clone();
        row.message = row.message.without_words();
        row.message.version += 1;
        row.message.state = MessageState::Erased;
        row.terms = Vec::new();
        self.put(vec![Row::EraseMessage(Box::new(row.clone()))]).await.unwrap();
        row
    }

    /// A job that may run beside anything; `n` makes its id.
    pub fn job(&self, n: u16, kind: &'static str, key: &str, run_at: Timestamp) -> NewJob {
        NewJob {
            id: generated(self.key.no, n),
            kind: kind.into(),
            key: key.to_owned(),
            payload: serde_json::json!({"n": n}),
            lane: Lane::Free,
            run_at,
        }
    }

    /// Asks for work.
    pub async fn ask(&self, job: NewJob) {
        let jobs = vec![JobChange::Enqueue(job)];
        let writes = WriteSet { jobs, ..WriteSet::default() };
        self.store.commit(Commit::to_space(self.key.clone(), writes)).await.unwrap();
    }

    /// Changes a leased job.
    pub async fn settle(&self, job: &Job, change: JobChange) -> Result<Committed> {
        let writes = WriteSet { jobs: vec![change], ..WriteSet::default() };
        self.store.commit(Commit::to_space(self.key.clone(), writes).under(job.lease())).await
    }

    /// Puts at least one row of every kind into the space: an edited, a recalled and an erased message among them.
    pub async fn furnish(&mut self) {
        let edited = self.say("m1", "green tea").await;
        self.edit(&edited, "black tea").await;
        let recalled = self.say("m2", "my secret").await;
        self.recall(&recalled).await;
        let erased = self.say("m3", "my shame").await;
        self.erase(&erased).await;
        self.say("m4", "good night").await;
        self.put_session(unnamed(2, &thread("work"), at(0), at(9))).await.unwrap();
        self.put(vec![
            memory_row(memory("tea", "PREF", MemoryStatus::Active)),
            summary_row(summary(Period::Session(session_id("talk")), "they spoke of tea")),
            summary_row(summary(Period::Day(at(0).to_zoned(jiff::tz::TimeZone::UTC).date()), "a day of tea")),
        ])
        .await
        .unwrap();
        self.ask(self.job(1, "embed", "all", at(1000))).await;
    }
}

/// The rows that give a message other words, and what it is then.
pub fn edited(old: &MessageRow, content: &str) -> (MessageRow, Vec<Row>) {
    let mut row = old.clone();
    row.message.version += 1;
    row.message.content = content.to_owned();
    row.terms = terms(content);
    let revised = Row::ReviseMessage { row: Box::new(row.clone()), previous: Box::new(previous(old)) };
    (row, vec![revised])
}

/// What a message was before it changed.
pub fn previous(old: &MessageRow) -> MessageVersion {
    MessageVersion {
        version: old.message.version,
        content: old.message.content.clone(),
        attachments: old.message.attachments.clone(),
        replaced_at: at(500),
    }
}

/// Everything that can be read of a space: two of these are equal when nothing has changed in between.
#[derive(Debug, PartialEq)]
pub struct Contents {
    pub space: Option<Space>,
    pub messages: Vec<Message>,
    pub versions: Vec<MessageVersion>,
    pub sessions: Vec<Session>,
    pub memories: Vec<Memory>,
    pub summaries: Vec<Summary>,
    pub index: Option<IndexDelta>,
    pub jobs: Vec<Job>,
    pub audit: Vec<AuditEntry>,
}

impl Contents {
    /// Reads it all. Jobs and the audit log are those of the space's tenant.
    pub async fn of(store: &Empty, key: &SpaceKey) -> Contents {
        let messages = store.messages(key, &MessageQuery::all(10_000)).await.unwrap();
        let mut versions = Vec::new();
        for seq in 1..=messages.len() as u64 {
            versions.extend(store.message_versions(key, seq).await.unwrap());
        }
        let mut summaries = Vec::new();
        for level in [SummaryLevel::Session, SummaryLevel::Day, SummaryLevel::Week, SummaryLevel::Month] {
            summaries.extend(store.summaries(key, level, "", "\u{10ffff}", 1000).await.unwrap());
        }
        Contents {
            space: store.space_at(key).await.unwrap(),
            messages,
            versions,
            sessions: store.sessions(key, None, 1000).await.unwrap(),
            memories: store.memories(key, &MemoryQuery { limit: 1000, ..MemoryQuery::default() }).await.unwrap(),
            summaries,
            index: store.index_delta(key, None).await.unwrap(),
            jobs: store.jobs(&key.tenant, &JobQuery { limit: 1000, ..JobQuery::default() }).await.unwrap(),
            audit: store.audit(&key.tenant, None, 1000).await.unwrap(),
        }
    }
}
