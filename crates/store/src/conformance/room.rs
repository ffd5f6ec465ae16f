//! A space to play in, and everything that can be read of it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memoir_model::{
    AuditEntry, Generation, Job, Lane, Memory, MemoryStatus, Message, MessageState, MessageVersion, Metadata,
    NewJob, Period, Result, Session, Space, SpaceKey, Speaker, Summary, SummaryLevel, Thread, Zone,
    ZoneHistory,
};

use super::fixtures::{
    Empty, at, generated, memory, memory_row, message_id, name, session, session_id, set, space, summary,
    summary_row, terms, thread, unnamed,
};
use super::vectors::{generation, vector};
use crate::{
    Commit, Committed, IndexDelta, JobChange, JobQuery, MemoryQuery, MessageQuery, MessageRow, Row,
    VectorQuery, VectorRow, WriteSet,
};

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
        let said = self.say("m4", "good night").await;
        let vectors = Row::Vectors { generation: 1, vectors: vec![vector(1, &said)] };
        self.put(vec![Row::Generation(generation(1, 4)), vectors]).await.unwrap();
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
    pub generations: Vec<Generation>,
    pub vectors: Vec<VectorRow>,
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
            memories: store
                .memories(key, &MemoryQuery { limit: 1000, ..MemoryQuery::default() })
                .await
                .unwrap(),
            summaries,
            index: store.index_delta(key, None).await.unwrap(),
            generations: store.generations(key).await.unwrap(),
            vectors: store
                .vectors(key, VectorQuery { generation: 1, since: 0, after: 0, limit: 1000 })
                .await
                .unwrap(),
            jobs: store.jobs(&key.tenant, &JobQuery { limit: 1000, ..JobQuery::default() }).await.unwrap(),
            audit: store.audit(&key.tenant, None, 1000).await.unwrap(),
        }
    }
}
