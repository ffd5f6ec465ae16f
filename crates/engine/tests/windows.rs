//! The end of a session, from memory and from the store alike (A1).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::SignedDuration;
use memoir_engine::{Edit, Engine, EngineSettings, NewMessage, NewSession, SpacePatch};
use memoir_model::{ErrorCode, Preset, SessionId};
use memoir_sqlite::Durability;
use memoir_testkit::{Door, TestEngine, at, caller, message, message_id, remember, say, session_id, space};
use proptest::prelude::*;

const ROOM: &str = "user:a";
const TALK: &str = "s1";

fn talk() -> SessionId {
    session_id(TALK)
}

/// A message of the session, `second` seconds into the test's day.
fn line(id: &str, second: i64) -> NewMessage {
    let said_at = TestEngine::NOON.parse::<jiff::Timestamp>().unwrap() + SignedDuration::from_secs(second);
    NewMessage { session: Some(talk()), said_at: Some(said_at), ..message(ROOM, id, &format!("line {id}")) }
}

async fn window(engine: &Engine, limit: Option<usize>) -> Vec<String> {
    let window = engine.window(&caller(), &space(ROOM), &talk(), limit).await.unwrap();
    window.iter().map(|message| message.id.to_string()).collect()
}

/// The window as this engine shows it, after checking that one with nothing in memory shows the same.
async fn checked(memoir: &TestEngine) -> Vec<String> {
    let warm = memoir.engine.window(&caller(), &space(ROOM), &talk(), Some(200)).await.unwrap();
    let cold = memoir.neighbour().window(&caller(), &space(ROOM), &talk(), Some(200)).await.unwrap();
    assert_eq!(warm, cold);
    warm.iter().map(|message| message.id.to_string()).collect()
}

fn ids(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|n| format!("m{n}")).collect()
}

#[tokio::test]
async fn a_window_is_the_last_31_messages_and_ten_when_reading() {
    let memoir = TestEngine::new();
    let batch = (0..50).map(|n| line(&format!("m{n}"), n)).collect();
    remember(&memoir.engine, batch).await;
    assert_eq!(window(&memoir.engine, None).await, ids(19..50));
    let patch = SpacePatch { preset: Some(Preset::Reading), ..SpacePatch::default() };
    memoir.engine.put_space(&caller(), &space(ROOM), patch).await.unwrap();
    assert_eq!(window(&memoir.engine, None).await, ids(40..50));
    assert_eq!(window(&memoir.engine, Some(3)).await, ids(47..50));
    assert_eq!(window(&memoir.engine, Some(1000)).await, ids(0..50));
    assert_eq!(window(&memoir.engine, Some(0)).await, ids(0..0));
}

#[tokio::test]
async fn the_length_of_a_window_is_a_setting() {
    let settings = EngineSettings { window_messages: 7, ..EngineSettings::default() };
    let memoir = TestEngine::with(settings, |_| {});
    remember(&memoir.engine, (0..20).map(|n| line(&format!("m{n}"), n)).collect()).await;
    assert_eq!(window(&memoir.engine, None).await, ids(13..20));
}

#[tokio::test]
async fn a_window_is_never_longer_than_two_hundred() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, (0..250).map(|n| line(&format!("m{n}"), n)).collect()).await;
    assert_eq!(window(&memoir.engine, Some(1000)).await, ids(50..250));
    remember(&memoir.engine, (250..260).map(|n| line(&format!("m{n}"), n)).collect()).await;
    assert_eq!(checked(&memoir).await, ids(60..260));
}

#[tokio::test]
async fn a_window_in_memory_goes_along_with_every_write() {
    let memoir = TestEngine::new();
    say(&memoir.engine, line("m0", 0)).await;
    for n in 1..40 {
        assert_eq!(window(&memoir.engine, Some(200)).await, ids(0..n));
        say(&memoir.engine, line(&format!("m{n}"), n as i64)).await;
    }
    assert_eq!(checked(&memoir).await, ids(0..40));
}

#[tokio::test]
async fn a_window_shows_messages_in_the_order_in_which_they_were_said() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, vec![line("m3", 30), line("m1", 10)]).await;
    assert_eq!(window(&memoir.engine, None).await, ["m1", "m3"]);
    say(&memoir.engine, line("m2", 20)).await;
    say(&memoir.engine, line("m0", -50_000)).await;
    say(&memoir.engine, line("m4", 30)).await;
    assert_eq!(checked(&memoir).await, ids(0..5), "of one moment the one that came first is first");
}

#[tokio::test]
async fn an_old_message_does_not_push_a_newer_one_out() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, (0..200).map(|n| line(&format!("m{n}"), n)).collect()).await;
    window(&memoir.engine, None).await;
    say(&memoir.engine, line("old", -10)).await;
    assert_eq!(checked(&memoir).await, ids(0..200));
    say(&memoir.engine, line("between", 150)).await;
    assert_eq!(checked(&memoir).await.len(), 200);
}

#[tokio::test]
async fn a_window_follows_edits_recalls_and_erasures() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, (0..5).map(|n| line(&format!("m{n}"), n)).collect()).await;
    let place = space(ROOM);
    assert_eq!(window(&memoir.engine, None).await, ids(0..5));
    let edit = Edit { content: Some("other words".into()), ..Edit::default() };
    memoir.engine.edit_message(&caller(), &place, &message_id("m2"), edit).await.unwrap();
    let shown = memoir.engine.window(&caller(), &place, &talk(), None).await.unwrap();
    assert_eq!((shown[2].content.as_str(), shown[2].version), ("other words", 2));
    memoir.engine.recall_message(&caller(), &place, &message_id("m1")).await.unwrap();
    assert_eq!(checked(&memoir).await, ["m0", "m2", "m3", "m4"]);
    memoir.engine.erase_message(&caller(), &place, &message_id("m4")).await.unwrap();
    assert_eq!(checked(&memoir).await, ["m0", "m2", "m3"]);
    say(&memoir.engine, line("m5", 5)).await;
    assert_eq!(checked(&memoir).await, ["m0", "m2", "m3", "m5"]);
}

#[tokio::test]
async fn what_was_recalled_makes_room_for_an_older_message() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, (0..40).map(|n| line(&format!("m{n}"), n)).collect()).await;
    for n in 30..40 {
        memoir.engine.recall_message(&caller(), &space(ROOM), &message_id(&format!("m{n}"))).await.unwrap();
    }
    assert_eq!(window(&memoir.engine, Some(20)).await, ids(10..30));
}

#[tokio::test]
async fn a_window_shows_what_a_neighbour_wrote_at_once() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    for n in 0..10 {
        let (writer, reader) =
            if n % 2 == 0 { (&memoir.engine, &neighbour) } else { (&neighbour, &memoir.engine) };
        say(writer, line(&format!("m{n}"), n)).await;
        assert_eq!(window(reader, None).await, ids(0..n as usize + 1));
        assert_eq!(window(writer, None).await, ids(0..n as usize + 1));
    }
    neighbour.recall_message(&caller(), &space(ROOM), &message_id("m5")).await.unwrap();
    assert!(!window(&memoir.engine, None).await.contains(&"m5".to_owned()));
}

#[tokio::test]
async fn windows_of_sessions_and_spaces_are_kept_apart() {
    let memoir = TestEngine::new();
    let other = NewMessage { session: Some(session_id("s2")), ..message(ROOM, "x", "x") };
    let elsewhere = NewMessage { session: Some(talk()), ..message("user:b", "y", "y") };
    say(&memoir.engine, line("m0", 0)).await;
    assert_eq!(window(&memoir.engine, None).await, ids(0..1));
    remember(&memoir.engine, vec![other, elsewhere, line("m1", 1)]).await;
    assert_eq!(checked(&memoir).await, ids(0..2));
    let second = memoir.engine.window(&caller(), &space(ROOM), &session_id("s2"), None).await.unwrap();
    assert_eq!(second.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["x"]);
}

#[tokio::test]
async fn more_windows_than_fit_in_memory_are_read_again() {
    let settings = EngineSettings { window_cache_bytes: 2_000, ..EngineSettings::default() };
    let memoir = TestEngine::with(settings, |_| {});
    for round in 0..3 {
        for n in 0..6 {
            let place = format!("user:{n}");
            let named = NewMessage {
                session: Some(talk()),
                ..message(&place, &format!("m{round}"), &"x".repeat(300))
            };
            say(&memoir.engine, named).await;
            let shown = memoir.engine.window(&caller(), &space(&place), &talk(), None).await.unwrap();
            assert_eq!(shown.len(), round + 1);
        }
    }
}

#[tokio::test]
async fn a_session_without_messages_has_an_empty_window_and_an_unknown_one_has_none() {
    let memoir = TestEngine::new();
    let new = NewSession { id: Some(talk()), ..NewSession::default() };
    memoir.engine.open_session(&caller(), &space(ROOM), new).await.unwrap();
    assert_eq!(window(&memoir.engine, None).await, ids(0..0));
    say(&memoir.engine, line("m0", 0)).await;
    assert_eq!(checked(&memoir).await, ids(0..1));
    let error = memoir.engine.window(&caller(), &space(ROOM), &session_id("s9"), None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    let error = memoir.engine.window(&caller(), &space("user:nobody"), &talk(), None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_window_read_while_a_message_is_being_stored_shows_it_once() {
    let memoir = TestEngine::new();
    let (engine, doors) = memoir.with_doors();
    say(&engine, line("m0", 0)).await;
    // Somebody asks for the window and has seen the space as it was…
    let mut reading = doors.shut(Door::BeforeMessages);
    let reader = tokio::spawn({
        let engine = engine.clone();
        async move { window(&engine, None).await }
    });
    reading.came().await;
    // …a message becomes durable, but the engine does not know yet…
    let mut committed = doors.shut(Door::AfterCommit);
    let writer = tokio::spawn({
        let engine = engine.clone();
        async move { say(&engine, line("m1", 1)).await }
    });
    committed.came().await;
    // …the reader goes on, and then the writer hears of its success.
    reading.release();
    assert_eq!(reader.await.unwrap(), ids(0..2));
    committed.release();
    writer.await.unwrap();
    assert_eq!(window(&engine, None).await, ids(0..2));
    say(&engine, line("m2", 2)).await;
    assert_eq!(window(&engine, None).await, ids(0..3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_in_the_middle_of_writes_see_every_message_once_and_in_order() {
    let memoir = TestEngine::new();
    say(&memoir.engine, line("m0", 0)).await;
    let writer = tokio::spawn({
        let engine = memoir.engine.clone();
        async move {
            for n in 1..60 {
                say(&engine, line(&format!("m{n}"), n)).await;
            }
        }
    });
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let engine = memoir.engine.clone();
            tokio::spawn(async move {
                let mut longest = 0;
                for _ in 0..1_000_000 {
                    let shown = window(&engine, Some(200)).await;
                    assert_eq!(shown, ids(0..shown.len()));
                    assert!(shown.len() >= longest, "what was seen is seen again");
                    longest = shown.len();
                    if longest == 60 {
                        return;
                    }
                }
                panic!("the last message never came");
            })
        })
        .collect();
    writer.await.unwrap();
    for reader in readers {
        reader.await.unwrap();
    }
}

#[tokio::test]
async fn the_window_of_an_imported_talk_is_its_own_end() {
    let memoir = TestEngine::new();
    let talks = (0..3).flat_map(|day| (0..4).map(move |n| (day, n)));
    let batch = talks.map(|(day, n)| {
        at(message(ROOM, &format!("d{day}n{n}"), "x"), &format!("2025-03-0{}T10:0{n}:00Z", day + 1))
    });
    let receipts = remember(&memoir.engine, batch.collect()).await;
    let second = receipts[4].session.clone().unwrap();
    let shown = memoir.engine.window(&caller(), &space(ROOM), &second, Some(3)).await.unwrap();
    assert_eq!(shown.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["d1n1", "d1n2", "d1n3"]);
}

/// Something that changes what a window shows, or shows it.
#[derive(Debug, Clone)]
enum Step {
    Say(Vec<(i64, bool)>),
    Edit(usize),
    Recall(usize),
    Erase(usize),
    Look(bool),
    Neighbour(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let which = || 0..30usize;
    prop_oneof![
        4 => prop::collection::vec((-90..90i64, any::<bool>()), 1..4).prop_map(Step::Say),
        1 => which().prop_map(Step::Edit),
        1 => which().prop_map(Step::Recall),
        1 => which().prop_map(Step::Erase),
        4 => any::<bool>().prop_map(Step::Look),
        1 => (-90..90i64).prop_map(Step::Neighbour),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_a_window_in_memory_is_the_window_in_the_store(
        steps in prop::collection::vec(step(), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let memoir =
                TestEngine::with(EngineSettings::default(), |options| options.durability = Durability::Normal);
            let (engine, neighbour, place) = (&memoir.engine, memoir.neighbour(), space(ROOM));
            let session = |first: bool| session_id(if first { TALK } else { "s2" });
            let mut said = 0;
            let mut next = |second: i64, first: bool| {
                said += 1;
                NewMessage { session: Some(session(first)), ..line(&format!("m{}", said - 1), second) }
            };
            say(engine, next(0, true)).await;
            say(engine, next(0, false)).await;
            for step in steps {
                // What cannot be done any more is refused, and that is fine.
                match step {
                    Step::Say(batch) => {
                        let batch = batch.into_iter().map(|(second, first)| next(second, first)).collect();
                        remember(engine, batch).await;
                    }
                    Step::Neighbour(second) => drop(say(&neighbour, next(second, true)).await),
                    Step::Edit(n) => {
                        let edit = Edit { content: Some("other words".into()), ..Edit::default() };
                        drop(engine.edit_message(&caller(), &place, &message_id(&format!("m{n}")), edit).await);
                    }
                    Step::Recall(n) => {
                        drop(engine.recall_message(&caller(), &place, &message_id(&format!("m{n}"))).await);
                    }
                    Step::Erase(n) => {
                        drop(engine.erase_message(&caller(), &place, &message_id(&format!("m{n}"))).await);
                    }
                    Step::Look(first) => {
                        drop(engine.window(&caller(), &place, &session(first), None).await.unwrap());
                    }
                }
            }
            let cold = memoir.neighbour();
            for first in [true, false] {
                let warm = engine.window(&caller(), &place, &session(first), Some(200)).await.unwrap();
                let stored = cold.window(&caller(), &place, &session(first), Some(200)).await.unwrap();
                assert_eq!(warm, stored);
            }
        });
    }
}
