//! An examination finds nothing in a healthy store, and finds what is damaged in one that is not.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_engine::{Edit, Engine, Examination, Finding, Severity};
use memoir_model::{EndReason, TenantId};
use memoir_sqlite::Durability;
use memoir_testkit::{
    TestEngine, caller, found, message, message_id, remember, say, session_id, space, tenant, until,
};
use rusqlite::Connection;

const ROOM: &str = "user:a";

async fn examined(engine: &Engine) -> Vec<Finding> {
    engine.examine(|_| {}).await.unwrap()
}

/// What is not as it should be: the subject and the finding.
async fn complaints(engine: &Engine) -> Vec<(Severity, String, String)> {
    let findings = examined(engine).await.into_iter().filter(|finding| finding.severity != Severity::Fine);
    findings
        .map(|finding| {
            assert!(!finding.remedy.is_empty(), "{finding:?}");
            (finding.severity, finding.subject, finding.finding)
        })
        .collect()
}

/// Writes into the file behind the store's back.
fn tamper(memoir: &TestEngine, sql: &str) {
    let connection = Connection::open(memoir.path()).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    let changed = connection.execute(sql, []).unwrap();
    assert!(changed > 0, "{sql} changed nothing");
}

/// A store in which a bit of everything has happened.
async fn lived_in() -> TestEngine {
    let memoir = TestEngine::new();
    let engine = &memoir.engine;
    for place in [ROOM, "user:b", "group:g"] {
        let batch = (0..6).map(|n| message(place, &format!("m{n}"), &format!("words number {n}, 第{n}句")));
        remember(engine, batch.collect()).await;
        let edit = Edit { content: Some("other words".into()), ..Edit::default() };
        engine.edit_message(&caller(), &space(place), &message_id("m1"), edit).await.unwrap();
        engine.recall_message(&caller(), &space(place), &message_id("m2")).await.unwrap();
        engine.erase_message(&caller(), &space(place), &message_id("m3")).await.unwrap();
        let named =
            memoir_engine::NewMessage { session: Some(session_id("s")), ..message(place, "m9", "named") };
        say(engine, named).await;
        engine.end_session(&caller(), &space(place), &session_id("s"), EndReason::Call).await.unwrap();
    }
    memoir
}

#[tokio::test]
async fn a_healthy_store_has_nothing_to_complain_of() {
    let memoir = lived_in().await;
    let mut steps: Vec<Examination> = Vec::new();
    let findings = memoir.engine.examine(|step| steps.push(step)).await.unwrap();
    assert!(findings.iter().all(|finding| finding.severity == Severity::Fine), "{findings:?}");
    assert!(findings.iter().any(|finding| finding.finding == "21 messages in 3 spaces agree with it"));
    let progress: Vec<_> = steps.iter().map(|step| (step.spaces, step.messages)).collect();
    assert_eq!(progress, [(1, 7), (2, 14), (3, 21)]);
}

#[tokio::test]
async fn an_empty_store_is_healthy() {
    assert_eq!(complaints(&TestEngine::new().engine).await, []);
}

#[tokio::test]
async fn words_that_the_index_does_not_have_are_found() {
    for damage in [
        // Other words than were analysed.
        "UPDATE messages SET content = 'sabotage' WHERE id = 'm0'",
        // An analysis that cannot be read.
        "UPDATE messages SET terms = x'0105ffff' WHERE id = 'm0'",
        "UPDATE messages SET terms = x'' WHERE id = 'm0'",
        // One that is cut, and one that belongs elsewhere.
        "UPDATE messages SET terms = substr(terms, 1, length(terms) - 1) WHERE id = 'm0'",
        "UPDATE messages SET terms = (SELECT o.terms FROM messages o WHERE o.id = 'm5' LIMIT 1) WHERE id = 'm0'",
        // None at all.
        "UPDATE messages SET terms = NULL WHERE id = 'm0'",
        // A caption that nobody analysed.
        "UPDATE messages SET extra = '{\"attachments\":[{\"ref\":\"r\",\"media_type\":\"m\",\"caption\":\"more\"}]}' \
         WHERE id = 'm0'",
    ] {
        let memoir = lived_in().await;
        tamper(&memoir, damage);
        let complaints = complaints(&memoir.engine).await;
        assert_eq!(complaints.len(), 1, "{damage}: {complaints:?}");
        let (severity, subject, finding) = &complaints[0];
        assert_eq!((*severity, subject.as_str()), (Severity::Broken, "index"), "{damage}");
        assert!(
            finding.starts_with("3 messages do not agree with it (first in group:g)"),
            "{damage}: {finding}"
        );
    }
}

#[tokio::test]
async fn an_analysis_of_another_version_is_a_warning() {
    let memoir = lived_in().await;
    tamper(
        &memoir,
        "UPDATE messages SET terms = CAST(x'00' || substr(terms, 2) AS BLOB) WHERE id = 'm0' AND terms IS NOT NULL",
    );
    let complaints = complaints(&memoir.engine).await;
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert_eq!(complaints[0].0, Severity::Warning);
    assert!(complaints[0].2.starts_with("3 messages were analysed by an older version"), "{complaints:?}");
}

#[tokio::test]
async fn counts_and_numbers_that_are_wrong_are_found() {
    for (damage, subject) in [
        ("UPDATE sessions SET messages = messages + 1 WHERE id = 's'", "session counts"),
        ("UPDATE sessions SET last_said_at = last_said_at - 1 WHERE id = 's'", "session times"),
        ("UPDATE spaces SET last_seq = last_seq + 1", "message numbers"),
        ("UPDATE jobs SET space = space + 1", "orphaned jobs"),
    ] {
        let memoir = lived_in().await;
        tamper(&memoir, damage);
        let complaints = complaints(&memoir.engine).await;
        assert_eq!(complaints.len(), 1, "{damage}: {complaints:?}");
        assert_eq!((complaints[0].0, complaints[0].1.as_str()), (Severity::Broken, subject), "{damage}");
    }
}

#[tokio::test]
async fn rows_that_cannot_be_read_are_a_finding_and_do_not_end_the_examination() {
    for (damage, subject) in [
        ("DELETE FROM sessions WHERE id = 's'", "sessions of messages"),
        ("UPDATE messages SET extra = '{' WHERE id = 'm0'", "index"),
        ("UPDATE messages SET role = 99 WHERE id = 'm0'", "index"),
        ("UPDATE messages SET local_date = 'yesterday' WHERE id = 'm0'", "index"),
    ] {
        let memoir = lived_in().await;
        tamper(&memoir, damage);
        let complaints = complaints(&memoir.engine).await;
        assert!(
            complaints.iter().any(|(severity, known, _)| *severity == Severity::Broken && known == subject),
            "{damage}: {complaints:?}"
        );
    }
}

#[tokio::test]
async fn a_damaged_space_does_not_hide_the_damage_in_another() {
    let memoir = lived_in().await;
    tamper(
        &memoir,
        "UPDATE messages SET extra = '{' WHERE id = 'm0' AND key >> 24 = (SELECT space FROM spaces WHERE id = 'group:g')",
    );
    tamper(
        &memoir,
        "UPDATE messages SET terms = NULL WHERE id = 'm0' AND key >> 24 = (SELECT space FROM spaces WHERE id = 'user:b')",
    );
    let complaints = complaints(&memoir.engine).await;
    let text = format!("{complaints:?}");
    assert!(
        text.contains("group:g") && text.contains("1 messages do not agree with it (first in user:b)"),
        "{text}"
    );
}

async fn sealed() -> TestEngine {
    let memoir = TestEngine::with(TestEngine::restless_settings(), |options| {
        options.durability = Durability::Normal;
    });
    for start in (0..4100).step_by(1000) {
        let batch =
            (start..(start + 1000).min(4100)).map(|n| message(ROOM, &format!("m{n}"), &format!("tea {n}")));
        remember(&memoir.engine, batch.collect()).await;
    }
    let workers = memoir.engine.start_workers();
    until("the piece is sealed", async || {
        let jobs = memoir.engine.jobs(&caller(), None, None, None, 10).await.unwrap();
        jobs.iter().all(|job| job.kind != "seal").then_some(())
    })
    .await;
    workers.drain(std::time::Duration::from_secs(10)).await;
    memoir
}

#[tokio::test]
async fn a_sealed_piece_that_is_damaged_is_found_and_a_search_reads_the_rows_instead() {
    let memoir = sealed().await;
    assert_eq!(complaints(&memoir.engine).await, []);
    let good: Vec<u8> = Connection::open(memoir.path())
        .unwrap()
        .query_row("SELECT bytes FROM pieces", [], |row| row.get(0))
        .unwrap();
    let (middle, flip) = (good.len() / 2, good.len() / 2 + 1);
    for damage in [
        "UPDATE pieces SET bytes = x''".to_owned(),
        "UPDATE pieces SET bytes = substr(bytes, 1, length(bytes) - 1)".to_owned(),
        format!(
            "UPDATE pieces SET bytes = CAST(substr(bytes, 1, {middle}) || x'a5' || substr(bytes, {flip} + 1) AS BLOB)"
        ),
    ] {
        tamper(&memoir, &damage);
        let complaints = complaints(&memoir.engine).await;
        assert_eq!(complaints.len(), 1, "{damage}: {complaints:?}");
        assert_eq!(complaints[0].0, Severity::Broken);
        assert_eq!(complaints[0].2, "1 sealed pieces do not agree with their rows (first in user:a)");
        assert_eq!(found(&memoir.neighbour(), &space(ROOM), "\"tea 17\"").await, ["m17"]);
        let connection = Connection::open(memoir.path()).unwrap();
        connection.execute("UPDATE pieces SET bytes = ?1", [&good]).unwrap();
    }
    assert_eq!(complaints(&memoir.engine).await, []);
    assert_eq!(found(&memoir.neighbour(), &space(ROOM), "\"tea 17\"").await, ["m17"]);
}

#[tokio::test]
async fn a_sealed_piece_of_other_rows_is_found() {
    let memoir = sealed().await;
    // A row changes behind the piece's back, words and analysis together.
    tamper(&memoir, "UPDATE messages SET author = 'somebody else' WHERE id = 'm17'");
    let complaints = complaints(&memoir.engine).await;
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert_eq!(complaints[0].2, "1 sealed pieces do not agree with their rows (first in user:a)");
}

#[tokio::test]
async fn every_tenants_spaces_are_examined() {
    let memoir = TestEngine::new();
    memoir.engine.put_tenant(&caller(), tenant("acme"), String::new()).await.unwrap();
    let acme = memoir_engine::Caller::local(tenant("acme"), "test");
    for who in [&caller(), &acme] {
        memoir.engine.remember(who, vec![Ok(message(ROOM, "m1", "words"))]).await.unwrap();
    }
    let mut last = Examination::default();
    memoir.engine.examine(|step| last = step).await.unwrap();
    assert_eq!((last.spaces, last.messages), (2, 2));
    tamper(
        &memoir,
        "UPDATE messages SET terms = NULL WHERE key >> 24 IN (SELECT space FROM spaces WHERE tenant = 'acme')",
    );
    assert_eq!(complaints(&memoir.engine).await.len(), 1);
    assert_ne!(acme.tenant, TenantId::default_tenant());
}
