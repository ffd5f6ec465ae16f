//! Spaces: their settings, their days, and their end.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::SignedDuration;
use memoir_engine::{Edit, Engine, EngineSettings, NewMessage, NewSession, SpacePatch, SpaceRange};
use memoir_model::{
    Attachment, AuditAction, EndReason, ErrorCode, Metadata, Period, Preset, Summary, Zone, limits,
};
use memoir_sqlite::Durability;
use memoir_store::{Commit, Row, WriteSet};
use memoir_testkit::{
    TestEngine, at, caller, found, message, message_id, messages, remember, say, session_id, sessions, space,
    until,
};
use std::path::Path;

const ROOM: &str = "user:a";

async fn put(engine: &Engine, patch: SpacePatch) -> memoir_model::Space {
    engine.put_space(&caller(), &space(ROOM), patch).await.unwrap()
}

fn zone(text: &str) -> SpacePatch {
    SpacePatch { zone: Some(text.parse().unwrap()), ..SpacePatch::default() }
}

async fn days(engine: &Engine) -> Vec<String> {
    messages(engine, &space(ROOM)).await.iter().map(|message| message.local.date.to_string()).collect()
}

async fn erase(engine: &Engine, place: &str) {
    engine.erase_space(&caller(), &space(place)).await.unwrap();
}

fn occurrences(folder: &Path, word: &str) -> usize {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files.map(|bytes| bytes.windows(word.len()).filter(|part| *part == word.as_bytes()).count()).sum()
}

#[tokio::test]
async fn a_space_has_the_default_settings_until_somebody_says_otherwise() {
    let settings = EngineSettings {
        default_zone: "Europe/Paris".parse().unwrap(),
        default_preset: Preset::Coach,
        ..EngineSettings::default()
    };
    let memoir = TestEngine::with(settings, |_| {});
    say(&memoir.engine, message(ROOM, "m1", "hello")).await;
    let known = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap();
    assert_eq!((known.zones.current().to_string(), known.preset), ("Europe/Paris".into(), Preset::Coach));
    assert_eq!((known.last_seq, known.last_session, known.created_at), (1, 1, memoir.engine.now()));
}

#[tokio::test]
async fn what_a_patch_does_not_name_stays_as_it_is() {
    let memoir = TestEngine::new();
    let metadata: Metadata = serde_json::from_value(serde_json::json!({"plan": "gold"})).unwrap();
    let made = put(&memoir.engine, SpacePatch { metadata: Some(metadata.clone()), ..zone("UTC") }).await;
    assert_eq!((made.metadata.clone(), made.preset), (metadata.clone(), Preset::General));
    let patched =
        put(&memoir.engine, SpacePatch { preset: Some(Preset::Reading), ..SpacePatch::default() }).await;
    assert_eq!((patched.metadata.clone(), patched.preset), (metadata.clone(), Preset::Reading));
    assert_eq!(patched.zones, made.zones);
    let known = memoir.neighbour().space(&caller(), &space(ROOM)).await.unwrap();
    assert_eq!(known, patched);
    let emptied =
        put(&memoir.engine, SpacePatch { metadata: Some(Metadata::new()), ..SpacePatch::default() }).await;
    assert!(emptied.metadata.is_empty());
}

#[tokio::test]
async fn a_patch_that_changes_nothing_writes_nothing() {
    let memoir = TestEngine::new();
    let made = put(&memoir.engine, zone("UTC")).await;
    memoir.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(put(&memoir.engine, zone("UTC")).await, made);
    assert_eq!(put(&memoir.engine, SpacePatch::default()).await, made);
    let log = memoir.engine.audit_log(&caller(), None, 10).await.unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!((log[0].action, log[0].space.clone()), (AuditAction::SpaceChanged, Some(space(ROOM))));
}

#[tokio::test]
async fn an_empty_patch_makes_the_space() {
    let memoir = TestEngine::new();
    let made = put(&memoir.engine, SpacePatch::default()).await;
    assert_eq!(memoir.engine.space(&caller(), &space(ROOM)).await.unwrap(), made);
}

#[tokio::test]
async fn metadata_that_is_too_large_is_refused() {
    let memoir = TestEngine::new();
    let metadata: Metadata =
        serde_json::from_value(serde_json::json!({ "x": "y".repeat(limits::METADATA_BYTES) })).unwrap();
    let patch = SpacePatch { metadata: Some(metadata), ..SpacePatch::default() };
    let error = memoir.engine.put_space(&caller(), &space(ROOM), patch).await.unwrap_err();
    assert_eq!((error.code(), error.field()), (ErrorCode::Invalid, Some("metadata")));
    assert!(memoir.engine.spaces(&caller(), SpaceRange { after: None, limit: 10 }).await.unwrap().is_empty());
}

#[tokio::test]
async fn spaces_are_listed_in_the_order_of_their_ids_page_by_page() {
    let memoir = TestEngine::new();
    let mut names: Vec<String> = (0..17).map(|n| format!("user:u{n}")).collect();
    names.extend(["group:g".into(), "agent:x".into(), "user:张三".into()]);
    for name in &names {
        say(&memoir.engine, message(name, "m1", "hello")).await;
    }
    names.sort();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = memoir.engine.spaces(&caller(), SpaceRange { after, limit: 6 }).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.id.clone());
        seen.extend(page.iter().map(|space| space.id.to_string()));
    }
    assert_eq!(seen, names);
}

#[tokio::test]
async fn a_day_is_a_day_in_the_spaces_own_zone() {
    let memoir = TestEngine::new();
    let times =
        ["2026-03-08T04:59:59Z", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z", "2026-03-09T04:00:00Z"];
    put(&memoir.engine, zone("America/New_York")).await;
    remember(&memoir.engine, times.iter().map(|time| at(message(ROOM, "", "x"), time)).collect()).await;
    // The 8th of March has 23 hours in New York.
    assert_eq!(days(&memoir.engine).await, ["2026-03-07", "2026-03-08", "2026-03-08", "2026-03-09"]);
}

#[tokio::test]
async fn travel_moves_the_days_to_come_and_rewrites_none() {
    let memoir = TestEngine::new();
    say(&memoir.engine, at(message(ROOM, "", "in Shanghai"), "2026-01-06T20:00:00Z")).await;
    put(&memoir.engine, zone("America/Los_Angeles")).await;
    memoir.clock.advance(SignedDuration::from_hours(24));
    say(&memoir.engine, message(ROOM, "", "in Los Angeles")).await;
    // Said before the journey, but it comes only now.
    say(&memoir.engine, at(message(ROOM, "", "late"), "2026-01-06T21:00:00Z")).await;
    put(&memoir.engine, zone("+09:00")).await;
    memoir.clock.advance(SignedDuration::from_hours(24));
    say(&memoir.engine, message(ROOM, "", "in Tokyo")).await;
    assert_eq!(days(&memoir.engine).await, ["2026-01-07", "2026-01-07", "2026-01-07", "2026-01-09"]);
    let offsets: Vec<_> =
        messages(&memoir.engine, &space(ROOM)).await.iter().map(|m| m.local.offset_seconds / 3600).collect();
    assert_eq!(offsets, [8, 8, -8, 9]);
}

#[tokio::test]
async fn an_offset_is_a_zone_and_javascript_counts_the_other_way() {
    let memoir = TestEngine::new();
    for (zone, hours) in
        [(Zone::from_minutes_east(330).unwrap(), "+05:30"), (Zone::from_js_offset(480).unwrap(), "-08:00")]
    {
        let patch = SpacePatch { zone: Some(zone), ..SpacePatch::default() };
        assert_eq!(put(&memoir.engine, patch).await.zones.current().to_string(), hours);
        memoir.clock.advance(SignedDuration::from_mins(1));
    }
}

/// A space with words in every table that a space has.
async fn furnished(memoir: &TestEngine, place: &str, word: &str) {
    let metadata: Metadata = serde_json::from_value(serde_json::json!({ "note": word })).unwrap();
    let engine = &memoir.engine;
    let patch = SpacePatch { metadata: Some(metadata.clone()), ..SpacePatch::default() };
    engine.put_space(&caller(), &space(place), patch).await.unwrap();
    let task = Some(format!("the task of {word}"));
    let session = session_id(&format!("{word}-session"));
    let new =
        NewSession { id: Some(session.clone()), task, metadata: metadata.clone(), ..NewSession::default() };
    engine.open_session(&caller(), &space(place), new).await.unwrap();
    let attachment =
        Attachment { reference: word.into(), media_type: "image/png".into(), caption: Some(word.into()) };
    for n in 0..30 {
        let told = NewMessage {
            session: Some(session.clone()),
            metadata: metadata.clone(),
            attachments: vec![attachment.clone()],
            ..message(place, &format!("{word}-{n}"), &format!("{word} {}", "and so on ".repeat(n * 20)))
        };
        say(engine, told).await;
    }
    let edit = Edit { content: Some(format!("now {word}")), ..Edit::default() };
    engine.edit_message(&caller(), &space(place), &message_id(&format!("{word}-3")), edit).await.unwrap();
    engine.recall_message(&caller(), &space(place), &message_id(&format!("{word}-4"))).await.unwrap();
    engine.end_session(&caller(), &space(place), &session, EndReason::Call).await.unwrap();
    let summary = Summary {
        text: format!("they spoke of {word}"),
        topics: vec![word.into()],
        ..Summary::blank(Period::Session(session.clone()), Zone::utc(), engine.now())
    };
    let rows = vec![Row::Summary { summary: Box::new(summary), terms: word.as_bytes().to_vec() }];
    let key = engine.space(&caller(), &space(place)).await.unwrap().key();
    engine.store().commit(Commit::to_space(key, WriteSet { rows, ..WriteSet::default() })).await.unwrap();
}

#[tokio::test]
async fn an_erased_space_leaves_its_name_in_the_log_and_no_other_byte() {
    let memoir = TestEngine::new();
    furnished(&memoir, "user:ada", "quincework").await;
    furnished(&memoir, "user:bob", "medlarwork").await;
    let session = session_id("quincework-session");
    assert!(!found(&memoir.engine, &space("user:ada"), "quincework").await.is_empty());
    memoir.engine.window(&caller(), &space("user:ada"), &session, None).await.unwrap();
    // What the log says of single messages and sessions are their ids, which here contain the word.
    let in_log = async || {
        let log = memoir.engine.audit_log(&caller(), None, 100).await.unwrap();
        log.iter().filter(|entry| entry.target.as_ref().is_some_and(|t| t.contains("quincework"))).count()
    };
    assert_eq!(in_log().await, 3);
    assert!(occurrences(memoir.folder(), "quincework") > 100);
    memoir.clock.advance(SignedDuration::from_millis(1));
    erase(&memoir.engine, "user:ada").await;
    assert_eq!(occurrences(memoir.folder(), "quincework"), in_log().await);

    for engine in [&memoir.engine, &memoir.neighbour()] {
        let place = space("user:ada");
        let gone = [
            engine.space(&caller(), &place).await.err(),
            engine.messages(&caller(), &place, None, memoir_engine::MessageQuery::all(10)).await.err(),
            engine.window(&caller(), &place, &session, None).await.err(),
            engine.session(&caller(), &place, &session).await.err(),
            engine.search_messages(&caller(), &place, memoir_engine::SearchRequest::default()).await.err(),
            engine.erase_space(&caller(), &place).await.err(),
        ];
        for error in gone {
            assert_eq!(error.unwrap().code(), ErrorCode::NotFound);
        }
        assert_eq!(messages(engine, &space("user:bob")).await.len(), 30);
        assert_eq!(found(engine, &space("user:bob"), "medlarwork").await.len(), 29);
    }
    let log = memoir.engine.audit_log(&caller(), None, 1).await.unwrap();
    assert_eq!((log[0].action, log[0].space.clone()), (AuditAction::SpaceErased, Some(space("user:ada"))));
    assert_eq!((log[0].target.clone(), log[0].actor.as_str()), (None, "test"));
    let findings = memoir.engine.examine(|_| {}).await.unwrap();
    assert!(findings.iter().all(|f| f.severity == memoir_engine::Severity::Fine), "{findings:?}");
}

#[tokio::test]
async fn a_sealed_space_is_erased_with_its_pieces() {
    let memoir = TestEngine::with(TestEngine::restless_settings(), |options| {
        options.durability = Durability::Normal;
    });
    for start in (0..5000).step_by(1000) {
        let batch = (start..start + 1000).map(|n| message(ROOM, &format!("m{n}"), "quincework tea"));
        remember(&memoir.engine, batch.collect()).await;
    }
    let workers = memoir.engine.start_workers();
    let jobs = async || memoir.engine.jobs(&caller(), None, None, None, 10).await.unwrap();
    until("it is sealed", async || jobs().await.iter().all(|job| job.kind != "seal").then_some(())).await;
    erase(&memoir.engine, ROOM).await;
    workers.drain(std::time::Duration::from_secs(10)).await;
    assert_eq!(occurrences(memoir.folder(), "quincework"), 0);
    assert_eq!(occurrences(memoir.folder(), "mseg"), 0, "no piece is left either");
    assert!(jobs().await.is_empty());
}

#[tokio::test]
async fn a_space_that_is_made_again_after_its_erasure_is_another() {
    let memoir = TestEngine::new();
    let session = say(&memoir.engine, message(ROOM, "m1", "old words")).await.session.unwrap();
    put(&memoir.engine, zone("UTC")).await;
    let before = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap();
    assert_eq!(found(&memoir.engine, &space(ROOM), "words").await.len(), 1);
    erase(&memoir.engine, ROOM).await;
    let receipt = say(&memoir.engine, message(ROOM, "m1", "new words")).await;
    assert_eq!(receipt.seq, Some(1));
    assert_ne!(receipt.session, Some(session));
    let after = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap();
    assert_ne!(after.no, before.no);
    assert_eq!(after.zones.current().to_string(), "Asia/Shanghai");
    assert_eq!(found(&memoir.engine, &space(ROOM), "old").await, [] as [&str; 0]);
    assert_eq!(sessions(&memoir.engine, &space(ROOM)).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_space_that_is_erased_while_it_is_used_ends_whole_or_begins_anew() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let engine = if writer % 2 == 0 { memoir.engine.clone() } else { neighbour.clone() };
            tokio::spawn(async move {
                for turn in 0..25 {
                    say(&engine, message(ROOM, &format!("w{writer}t{turn}"), "words")).await;
                    drop(engine.search_messages(&caller(), &space(ROOM), Default::default()).await);
                }
            })
        })
        .collect();
    for _ in 0..5 {
        match memoir.engine.erase_space(&caller(), &space(ROOM)).await {
            Ok(()) => {}
            Err(error) => assert_eq!(error.code(), ErrorCode::NotFound),
        }
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let findings = neighbour.examine(|_| {}).await.unwrap();
    assert!(findings.iter().all(|f| f.severity == memoir_engine::Severity::Fine), "{findings:?}");
    let stored = messages(&neighbour, &space(ROOM)).await;
    let mut seqs: Vec<_> = stored.iter().map(|message| message.seq).collect();
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=stored.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn counts_of_a_tenant_follow_its_spaces() {
    let memoir = TestEngine::new();
    for place in ["user:a", "user:b"] {
        for n in 0..3 {
            say(&memoir.engine, message(place, &format!("m{n}"), "words")).await;
        }
    }
    let stats = memoir.engine.stats(&caller()).await.unwrap();
    assert_eq!((stats.spaces, stats.messages, stats.sessions, stats.jobs_open), (2, 6, 2, 4));
    assert!(stats.store_bytes > 0);
    erase(&memoir.engine, "user:b").await;
    let stats = memoir.engine.stats(&caller()).await.unwrap();
    assert_eq!((stats.spaces, stats.messages, stats.sessions, stats.jobs_open), (1, 3, 1, 2));
}
