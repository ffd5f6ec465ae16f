//! Two processes on one store: each engine here knows nothing of what the other has in memory.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_engine::{Edit, Engine, NewMessage, NewSession, ReceiptStatus, SpacePatch};
use memoir_model::{EndReason, ErrorCode, Preset};
use memoir_testkit::{
    Door, TestEngine, caller, found, message, message_id, messages, remember, say, session_id, sessions,
    space, tenant,
};
use std::collections::BTreeSet;

const ROOM: &str = "user:a";

fn named(id: &str) -> NewMessage {
    NewMessage { session: Some(session_id("s1")), ..message(ROOM, id, "words") }
}

async fn preset(engine: &Engine, preset: Preset) {
    let patch = SpacePatch { preset: Some(preset), ..SpacePatch::default() };
    assert_eq!(engine.put_space(&caller(), &space(ROOM), patch).await.unwrap().preset, preset);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_write_the_same_space_at_the_same_time_and_nothing_is_lost_or_doubled() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let engine = if writer % 2 == 0 { memoir.engine.clone() } else { neighbour.clone() };
            tokio::spawn(async move {
                for turn in 0..12 {
                    say(&engine, message(ROOM, &format!("w{writer}t{turn}"), &format!("turn {turn}"))).await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    for engine in [&memoir.engine, &neighbour] {
        let stored = messages(engine, &space(ROOM)).await;
        let seqs: Vec<_> = stored.iter().map(|message| message.seq).collect();
        assert_eq!(seqs, (1..=96).collect::<Vec<_>>());
        let ids: BTreeSet<_> = stored.iter().map(|message| &message.id).collect();
        assert_eq!(ids.len(), 96);
        assert_eq!(found(engine, &space(ROOM), "turn").await.len(), 96);
        let sessions = sessions(engine, &space(ROOM)).await;
        assert_eq!((sessions.len(), sessions[0].messages), (1, 96));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_id_sent_to_both_is_stored_once() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    for round in 0..10 {
        let id = format!("m{round}");
        let send = |engine: Engine| {
            let message = message(ROOM, &id, "same words");
            tokio::spawn(async move { remember(&engine, vec![message]).await.remove(0).status })
        };
        let (one, two) = (send(memoir.engine.clone()), send(neighbour.clone()));
        let mut statuses = [one.await.unwrap(), two.await.unwrap()];
        statuses.sort_by_key(|status| status.as_str());
        assert_eq!(statuses, [ReceiptStatus::Created, ReceiptStatus::Exists]);
    }
    assert_eq!(messages(&memoir.engine, &space(ROOM)).await.len(), 10);
}

#[tokio::test]
async fn each_sees_at_once_what_the_other_wrote() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let engines = [&memoir.engine, &neighbour];
    for (n, (word, other)) in
        [("tea", "milk"), ("bread", "rice"), ("rain", "snow"), ("cat", "dog")].iter().enumerate()
    {
        let (writer, reader) = (engines[n % 2], engines[(n + 1) % 2]);
        let id = format!("m{n}");
        say(writer, message(ROOM, &id, word)).await;
        assert_eq!(found(reader, &space(ROOM), word).await, [id.as_str()]);
        assert_eq!(messages(reader, &space(ROOM)).await.len(), n + 1);
        let edit = Edit { content: Some((*other).into()), ..Edit::default() };
        reader.edit_message(&caller(), &space(ROOM), &message_id(&id), edit).await.unwrap();
        assert_eq!(found(writer, &space(ROOM), other).await, [id]);
        assert_eq!(found(writer, &space(ROOM), word).await, [] as [&str; 0]);
    }
}

#[tokio::test]
async fn the_flow_of_talk_is_one_whoever_writes_it() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let first = say(&memoir.engine, message(ROOM, "", "one")).await.session;
    assert_eq!(say(&neighbour, message(ROOM, "", "two")).await.session, first);
    let id = first.clone().unwrap();
    neighbour.end_session(&caller(), &space(ROOM), &id, EndReason::Call).await.unwrap();
    memoir.clock.advance(jiff::SignedDuration::from_mins(1));
    let second = say(&memoir.engine, message(ROOM, "", "three")).await.session;
    assert_ne!(first, second);
    assert_eq!(say(&neighbour, message(ROOM, "", "four")).await.session, second);
}

#[tokio::test]
async fn a_session_that_the_neighbour_reopened_can_be_ended_again() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let end = async |engine: &Engine| {
        engine.end_session(&caller(), &space(ROOM), &session_id("s1"), EndReason::Call).await.unwrap()
    };
    say(&memoir.engine, named("m1")).await;
    assert!(!end(&memoir.engine).await.is_open());
    memoir.clock.advance(jiff::SignedDuration::from_mins(1));
    say(&neighbour, named("m2")).await;
    assert!(neighbour.session(&caller(), &space(ROOM), &session_id("s1")).await.unwrap().is_open());
    // This engine last saw the session ended.
    let ended = end(&memoir.engine).await;
    assert_eq!((ended.is_open(), ended.messages), (false, 2));
    let stored = neighbour.session(&caller(), &space(ROOM), &session_id("s1")).await.unwrap();
    assert_eq!(stored, ended);
}

#[tokio::test]
async fn a_session_is_returned_as_the_neighbour_left_it() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    say(&memoir.engine, named("m1")).await;
    neighbour.end_session(&caller(), &space(ROOM), &session_id("s1"), EndReason::Call).await.unwrap();
    let new = NewSession { id: Some(session_id("s1")), ..NewSession::default() };
    let known = memoir.engine.open_session(&caller(), &space(ROOM), new).await.unwrap();
    assert_eq!(known, neighbour.session(&caller(), &space(ROOM), &session_id("s1")).await.unwrap());
}

#[tokio::test]
async fn settings_that_the_neighbour_changed_can_be_changed_back() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    preset(&memoir.engine, Preset::Reading).await;
    preset(&neighbour, Preset::Coach).await;
    preset(&memoir.engine, Preset::Reading).await;
    assert_eq!(neighbour.space(&caller(), &space(ROOM)).await.unwrap().preset, Preset::Reading);
}

#[tokio::test]
async fn settings_and_messages_of_two_writers_do_not_undo_each_other() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    say(&memoir.engine, message(ROOM, "", "one")).await;
    preset(&neighbour, Preset::Coach).await;
    let patch = SpacePatch { zone: Some("UTC".parse().unwrap()), ..SpacePatch::default() };
    let patched = memoir.engine.put_space(&caller(), &space(ROOM), patch).await.unwrap();
    assert_eq!(patched.preset, Preset::Coach);
    say(&neighbour, message(ROOM, "", "two")).await;
    let known = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap();
    assert_eq!(
        (known.preset, known.zones.current().to_string(), known.last_seq),
        (Preset::Coach, "UTC".into(), 2)
    );
}

#[tokio::test]
async fn after_the_neighbour_erased_the_space_everything_starts_anew() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let erase = async || neighbour.erase_space(&caller(), &space(ROOM)).await.unwrap();
    let session = say(&memoir.engine, message(ROOM, "m1", "forget me")).await.session.unwrap();
    assert_eq!(found(&memoir.engine, &space(ROOM), "forget").await, ["m1"]);
    memoir.engine.window(&caller(), &space(ROOM), &session, None).await.unwrap();
    erase().await;
    let gone = memoir.engine.window(&caller(), &space(ROOM), &session, None).await.unwrap_err();
    assert_eq!(gone.code(), ErrorCode::NotFound);
    assert_eq!(say(&memoir.engine, message(ROOM, "m1", "who are you?")).await.seq, Some(1));
    assert_eq!(found(&memoir.engine, &space(ROOM), "forget").await, [] as [&str; 0]);
    assert_eq!(messages(&memoir.engine, &space(ROOM)).await.len(), 1);
    erase().await;
    preset(&memoir.engine, Preset::Coach).await;
    erase().await;
    let new = NewSession { id: Some(session_id("s1")), ..NewSession::default() };
    memoir.engine.open_session(&caller(), &space(ROOM), new).await.unwrap();
    erase().await;
    let missing = memoir
        .engine
        .end_session(&caller(), &space(ROOM), &session_id("s1"), EndReason::Call)
        .await
        .unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn forgetting_what_the_neighbour_erased_leaves_the_rest_alone() {
    let memoir = TestEngine::new();
    for place in [ROOM, "user:b"] {
        let session = say(&memoir.engine, message(place, "m1", "tea")).await.session.unwrap();
        assert_eq!(found(&memoir.engine, &space(place), "tea").await, ["m1"]);
        memoir.engine.window(&caller(), &space(place), &session, None).await.unwrap();
    }
    memoir.neighbour().erase_space(&caller(), &space(ROOM)).await.unwrap();
    memoir.engine.forget_erased_spaces().await.unwrap();
    assert_eq!(found(&memoir.engine, &space("user:b"), "tea").await, ["m1"]);
    assert_eq!(messages(&memoir.engine, &space("user:b")).await.len(), 1);
    say(&memoir.engine, message(ROOM, "m1", "coffee")).await;
    assert_eq!(found(&memoir.engine, &space(ROOM), "tea coffee").await, ["m1"]);
}

#[tokio::test]
async fn both_make_the_same_space_at_the_same_time() {
    let memoir = TestEngine::new();
    for turn in ["messages", "session", "settings"] {
        let place = space(&format!("user:{turn}"));
        let (engine, doors) = memoir.with_doors();
        let mut held = doors.shut(Door::AfterSpace);
        let task = tokio::spawn({
            let (engine, place) = (engine.clone(), place.clone());
            async move {
                match turn {
                    "messages" => drop(say(&engine, message(&place.to_string(), "m2", "words")).await),
                    "session" => {
                        let new = NewSession { id: Some(session_id("s2")), ..NewSession::default() };
                        engine.open_session(&caller(), &place, new).await.unwrap();
                    }
                    _ => {
                        let patch = SpacePatch { preset: Some(Preset::Coach), ..SpacePatch::default() };
                        engine.put_space(&caller(), &place, patch).await.unwrap();
                    }
                }
            }
        });
        // It has seen that there is no such space; now there is one.
        held.came().await;
        say(&memoir.engine, message(&place.to_string(), "m1", "words")).await;
        held.release();
        task.await.unwrap();
        assert_eq!(messages(&engine, &place).await[0].id, message_id("m1"), "{turn}");
    }
}

#[tokio::test]
async fn a_tenant_and_its_keys_are_known_to_both() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    memoir.engine.put_tenant(&caller(), tenant("acme"), "Acme".into()).await.unwrap();
    let tenants = neighbour.tenants(&caller()).await.unwrap();
    assert!(tenants.iter().any(|known| known.id == tenant("acme") && known.label == "Acme"));
}
