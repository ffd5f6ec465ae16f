//! Small builders for the things that a store keeps. A backend's own tests may use them too.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use memoir_model::{
    ApiKey, AuditAction, AuditEntry, Confidence, DecayPolicy, ErrorCode, GeneratedId, Importance, Job,
    JobKind, KeyId, Kind, KindName, LoadPolicy, Memory, MemoryId, MemoryStatus, MessageId, Metadata, Name,
    Period, Preset, Result, Role, Session, SessionId, Space, SpaceId, SpaceNo, Summary, Taxonomy,
    TaxonomyName, TenantId, Thread, Zone, ZoneHistory,
};

use crate::{Claim, Commit, Committed, Row, Store, WriteSet};

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
        vectors: 0,
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
        text: text.to_owned(),
        topics: vec!["tea".into(), "茶".into()],
        sessions: 1,
        messages: 2,
        sources: Some((1, 2)),
        ..Summary::blank(period, Zone::utc(), at(0))
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
