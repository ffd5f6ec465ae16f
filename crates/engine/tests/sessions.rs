//! Which session a message belongs to, when sessions end, and that they count exactly.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::{SignedDuration, Timestamp};
use memoir_engine::{Engine, EngineSettings, NewMessage, NewSession, Severity};
use memoir_model::{AuditAction, EndReason, ErrorCode, Job, JobState, Session, SessionId};
use memoir_testkit::{
    TestEngine, at, caller, message, messages, remember, say, session_id, sessions, space, thread, until,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

const ROOM: &str = "user:a";

fn minutes(n: i64) -> SignedDuration {
    SignedDuration::from_mins(n)
}

/// So many minutes after the test began.
fn noon(minute: i64) -> Timestamp {
    TestEngine::NOON.parse::<Timestamp>().unwrap().saturating_add(minutes(minute)).unwrap()
}

/// A message of the room that was said so many minutes after the test began.
fn said(minute: i64) -> NewMessage {
    NewMessage { said_at: Some(noon(minute)), ..message(ROOM, "", "words") }
}

async fn put(engine: &Engine, message: NewMessage) -> SessionId {
    say(engine, message).await.session.unwrap()
}

async fn session(engine: &Engine, id: &SessionId) -> Session {
    engine.session(&caller(), &space(ROOM), id).await.unwrap()
}

/// The jobs that close sessions.
async fn closing(engine: &Engine) -> Vec<Job> {
    let jobs = engine.jobs(&caller(), None, None, None, 100).await.unwrap();
    jobs.into_iter().filter(|job| job.kind == "close_idle").collect()
}

async fn end(engine: &Engine, id: &SessionId) -> Session {
    engine.end_session(&caller(), &space(ROOM), id, EndReason::Call).await.unwrap()
}

/// How many messages each session of the room has, and whether it is open.
async fn shape(engine: &Engine) -> Vec<(u64, bool)> {
    sessions(engine, &space(ROOM)).await.iter().map(|session| (session.messages, session.is_open())).collect()
}

/// Nothing that can be counted is counted wrong.
async fn assert_sound(engine: &Engine) {
    let findings = engine.examine(|_| {}).await.unwrap();
    let bad: Vec<_> = findings.iter().filter(|finding| finding.severity != Severity::Fine).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

#[tokio::test]
async fn a_talk_without_a_long_silence_is_one_session() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, message(ROOM, "", "hello")).await;
    for _ in 0..5 {
        memoir.clock.advance(minutes(30));
        assert_eq!(put(&memoir.engine, message(ROOM, "", "still here")).await, first);
    }
    let session = session(&memoir.engine, &first).await;
    assert_eq!((session.messages, session.is_open(), session.explicit), (6, true, false));
    assert_eq!(
        (session.first_said_at, session.last_said_at, session.active_at),
        (noon(0), noon(150), noon(150))
    );
}

#[tokio::test]
async fn after_half_an_hour_of_silence_a_new_session_begins_and_the_old_one_ended_then() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, message(ROOM, "", "hello")).await;
    memoir.clock.advance(minutes(300));
    let second = put(&memoir.engine, message(ROOM, "", "good evening")).await;
    assert_ne!(first, second);
    assert_eq!(session(&memoir.engine, &first).await.ended, Some((noon(30), EndReason::Idle)));
    assert!(session(&memoir.engine, &second).await.is_open());
    assert_eq!(shape(&memoir.engine).await, [(1, false), (1, true)]);
}

#[tokio::test]
async fn the_idle_time_is_a_setting() {
    let settings = EngineSettings { session_idle: minutes(5), ..EngineSettings::default() };
    let memoir = TestEngine::with(settings, |_| {});
    let first = put(&memoir.engine, message(ROOM, "", "hello")).await;
    memoir.clock.advance(minutes(6));
    assert_ne!(put(&memoir.engine, message(ROOM, "", "hello")).await, first);
    assert_eq!(session(&memoir.engine, &first).await.ended, Some((noon(5), EndReason::Idle)));
}

#[tokio::test]
async fn silence_is_measured_by_the_servers_clock_while_people_talk() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, said(0)).await;
    memoir.clock.advance(minutes(40));
    // The product's clock is slow: the words seem 25 minutes apart, but they reached us 40 minutes apart.
    assert_ne!(put(&memoir.engine, said(25)).await, first);
}

#[tokio::test]
async fn an_imported_history_is_split_at_its_gaps_and_counted_exactly() {
    let memoir = TestEngine::new();
    // Three days ago: 3 messages, an hour's gap, 2 messages, a gap of exactly 30 minutes, 1 message.
    let days = -3 * 24 * 60;
    let batch = [0, 10, 25, 85, 90, 120].map(|minute| said(days + minute)).to_vec();
    remember(&memoir.engine, batch).await;
    assert_eq!(shape(&memoir.engine).await, [(3, false), (3, true)]);
    let all = sessions(&memoir.engine, &space(ROOM)).await;
    assert_eq!((all[0].first_said_at, all[0].last_said_at), (noon(days), noon(days + 25)));
    assert_eq!(all[0].ended, Some((noon(days + 55), EndReason::Idle)));
    assert_eq!((all[1].first_said_at, all[1].last_said_at), (noon(days + 85), noon(days + 120)));
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_history_imported_from_its_end_has_the_same_sessions() {
    let minutes = [0, 10, 25, 85, 90, 120, 600, 700, 705].map(|minute| minute - 5_000);
    let mut spans = Vec::new();
    for backwards in [false, true] {
        let memoir = TestEngine::new();
        let mut batch: Vec<_> = minutes.iter().map(|minute| said(*minute)).collect();
        if backwards {
            batch.reverse();
        }
        // In one call and one by one.
        let (many, few) = batch.split_at(5);
        remember(&memoir.engine, many.to_vec()).await;
        for message in few {
            say(&memoir.engine, message.clone()).await;
        }
        assert_sound(&memoir.engine).await;
        let mut all = sessions(&memoir.engine, &space(ROOM)).await;
        all.sort_by_key(|session| session.first_said_at);
        spans.push(all.iter().map(|s| (s.first_said_at, s.last_said_at, s.messages)).collect::<Vec<_>>());
    }
    assert_eq!(spans[0].iter().map(|(.., n)| *n).collect::<Vec<_>>(), [3, 3, 1, 2]);
    assert_eq!(spans[0], spans[1]);
}

#[tokio::test]
async fn todays_talk_does_not_join_what_was_imported_a_minute_ago() {
    let memoir = TestEngine::new();
    let imported = put(&memoir.engine, said(-10_000)).await;
    memoir.clock.advance(minutes(1));
    let today = put(&memoir.engine, message(ROOM, "", "hello")).await;
    assert_ne!(imported, today);
    assert_eq!(session(&memoir.engine, &imported).await.ended, Some((noon(-9_970), EndReason::Idle)));
    // The rest of the import goes to its own place and leaves the talk alone.
    assert_eq!(put(&memoir.engine, said(-9_990)).await, imported);
    assert_eq!(put(&memoir.engine, message(ROOM, "", "hello again")).await, today);
    assert_eq!(shape(&memoir.engine).await, [(2, false), (2, true)]);
}

#[tokio::test]
async fn a_late_message_joins_its_session_without_reopening_it_and_makes_it_stale() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, said(0)).await;
    memoir.clock.advance(minutes(10));
    put(&memoir.engine, said(10)).await;
    memoir.clock.advance(minutes(300));
    let second = put(&memoir.engine, message(ROOM, "", "later")).await;
    let before = session(&memoir.engine, &first).await;
    assert!(!before.stale);
    assert_eq!(put(&memoir.engine, said(5)).await, first);
    let after = session(&memoir.engine, &first).await;
    assert_eq!((after.ended, after.messages, after.stale), (before.ended, 3, true));
    let open = session(&memoir.engine, &second).await;
    assert_eq!((open.messages, open.is_open(), open.stale), (1, true, false));
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_late_message_finds_its_session_after_a_restart() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, said(0)).await;
    memoir.clock.advance(minutes(300));
    let second = put(&memoir.engine, message(ROOM, "", "later")).await;
    let restarted = memoir.neighbour();
    assert_eq!(put(&restarted, said(5)).await, first);
    assert_eq!(put(&restarted, message(ROOM, "", "now")).await, second);
    assert_eq!(shape(&restarted).await, [(2, false), (2, true)]);
    assert_sound(&restarted).await;
}

#[tokio::test]
async fn a_message_older_than_everything_gets_a_session_that_is_over() {
    let memoir = TestEngine::new();
    let talk = put(&memoir.engine, message(ROOM, "", "hello")).await;
    let old = put(&memoir.engine, said(-500)).await;
    assert_ne!(old, talk);
    assert_eq!(session(&memoir.engine, &old).await.ended, Some((noon(-470), EndReason::Idle)));
    assert!(!session(&memoir.engine, &old).await.stale, "it has all that it ever had");
    assert_eq!(put(&memoir.engine, message(ROOM, "", "hello again")).await, talk);
}

#[tokio::test]
async fn who_ended_the_talk_and_speaks_again_begins_a_new_one() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, message(ROOM, "", "hello")).await;
    memoir.clock.advance(minutes(1));
    let ended = end(&memoir.engine, &first).await;
    assert_eq!(ended.ended, Some((noon(1), EndReason::Call)));
    memoir.clock.advance(minutes(1));
    let second = put(&memoir.engine, message(ROOM, "", "one more thing")).await;
    assert_ne!(first, second);
    // Said before the end, but it comes only now.
    assert_eq!(put(&memoir.engine, said(0)).await, first);
    assert_eq!(session(&memoir.engine, &first).await.ended, ended.ended);
    assert_eq!(shape(&memoir.engine).await, [(2, false), (1, true)]);
}

#[tokio::test]
async fn each_thread_has_a_session_of_its_own() {
    let memoir = TestEngine::new();
    let in_thread = |name: &str| NewMessage { thread: thread(name), ..message(ROOM, "", "words") };
    let plain = put(&memoir.engine, message(ROOM, "", "words")).await;
    let one = put(&memoir.engine, in_thread("one")).await;
    let two = put(&memoir.engine, in_thread("two")).await;
    assert!(plain != one && one != two && plain != two);
    let batch = vec![in_thread("two"), message(ROOM, "", "words"), in_thread("one"), in_thread("two")];
    let placed: Vec<_> =
        remember(&memoir.engine, batch).await.into_iter().map(|receipt| receipt.session.unwrap()).collect();
    assert_eq!(placed, [two.clone(), plain.clone(), one.clone(), two.clone()]);
    end(&memoir.engine, &one).await;
    memoir.clock.advance(minutes(1));
    assert_ne!(put(&memoir.engine, in_thread("one")).await, one);
    assert_eq!(put(&memoir.engine, in_thread("two")).await, two);
    assert_eq!(session(&memoir.engine, &two).await.messages, 4);
    // A late message looks for its place in its own thread.
    memoir.clock.advance(minutes(300));
    assert_eq!(put(&memoir.engine, NewMessage { thread: thread("two"), ..said(1) }).await, two);
}

#[tokio::test]
async fn named_sessions_overlap_each_other_and_the_flow_of_talk() {
    let memoir = TestEngine::new();
    let named = |id: &str| NewMessage { session: Some(session_id(id)), ..message(ROOM, "", "words") };
    for _ in 0..3 {
        assert_eq!(put(&memoir.engine, named("s1")).await, session_id("s1"));
        assert_eq!(put(&memoir.engine, named("s2")).await, session_id("s2"));
        put(&memoir.engine, message(ROOM, "", "words")).await;
        memoir.clock.advance(minutes(1));
    }
    assert_eq!(shape(&memoir.engine).await, [(3, true), (3, true), (3, true)]);
    end(&memoir.engine, &session_id("s1")).await;
    assert_eq!(shape(&memoir.engine).await, [(3, false), (3, true), (3, true)]);
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_named_session_goes_on_when_somebody_comes_back_to_it() {
    let memoir = TestEngine::new();
    let named = |message: NewMessage| NewMessage { session: Some(session_id("s1")), ..message };
    put(&memoir.engine, named(message(ROOM, "", "one"))).await;
    memoir.clock.advance(minutes(10));
    end(&memoir.engine, &session_id("s1")).await;
    // A late one fills a gap.
    put(&memoir.engine, named(said(5))).await;
    let ended = session(&memoir.engine, &session_id("s1")).await;
    assert_eq!((ended.ended, ended.stale, ended.messages), (Some((noon(10), EndReason::Call)), true, 2));
    // One from long ago does so too, however late its words are said to be.
    memoir.clock.advance(minutes(200));
    put(&memoir.engine, named(said(60))).await;
    assert!(!session(&memoir.engine, &session_id("s1")).await.is_open());
    put(&memoir.engine, named(message(ROOM, "", "I am back"))).await;
    let reopened = session(&memoir.engine, &session_id("s1")).await;
    assert_eq!((reopened.is_open(), reopened.stale, reopened.messages), (true, true, 4));
    assert_eq!(reopened.last_said_at, noon(210));
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn an_unnamed_session_that_is_called_by_its_id_goes_on_and_stays_the_talk() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, message(ROOM, "", "one")).await;
    let called = |message: NewMessage| NewMessage { session: Some(first.clone()), ..message };
    end(&memoir.engine, &first).await;
    memoir.clock.advance(minutes(5));
    assert_eq!(put(&memoir.engine, called(message(ROOM, "", "two"))).await, first);
    assert!(session(&memoir.engine, &first).await.is_open());
    memoir.clock.advance(minutes(5));
    assert_eq!(put(&memoir.engine, message(ROOM, "", "three")).await, first, "it is the open talk again");
    assert_eq!(shape(&memoir.engine).await, [(3, true)]);
}

#[tokio::test]
async fn an_unnamed_session_that_is_called_by_its_id_does_not_break_the_talk_that_replaced_it() {
    let memoir = TestEngine::new();
    let first = put(&memoir.engine, message(ROOM, "", "on the phone")).await;
    memoir.clock.advance(minutes(40));
    let second = put(&memoir.engine, message(ROOM, "", "on the laptop")).await;
    // The phone still has the old session's id.
    let phone = NewMessage { session: Some(first.clone()), ..message(ROOM, "", "on the phone again") };
    assert_eq!(put(&memoir.engine, phone.clone()).await, first);
    assert_eq!(put(&memoir.neighbour(), phone).await, first);
    assert_eq!(put(&memoir.engine, message(ROOM, "", "on the laptop")).await, second);
    assert_eq!(shape(&memoir.engine).await, [(3, false), (2, true)]);
    assert!(session(&memoir.engine, &first).await.stale);
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_session_is_opened_once_and_takes_its_times_from_its_messages() {
    let memoir = TestEngine::new();
    let new = NewSession {
        id: Some(session_id("s1")),
        thread: thread("t"),
        task: Some("learn to swim".into()),
        metadata: serde_json::from_value(serde_json::json!({"level": 2})).unwrap(),
    };
    let opened = memoir.engine.open_session(&caller(), &space(ROOM), new.clone()).await.unwrap();
    assert_eq!((opened.messages, opened.is_open(), opened.explicit), (0, true, true));
    assert_eq!((opened.task.as_deref(), opened.thread.as_str()), (Some("learn to swim"), "t"));
    memoir.clock.advance(minutes(3));
    let other = NewSession { task: Some("another".into()), ..new };
    let again = memoir.engine.open_session(&caller(), &space(ROOM), other.clone()).await.unwrap();
    assert_eq!(again, opened);
    assert_eq!(memoir.neighbour().open_session(&caller(), &space(ROOM), other).await.unwrap(), opened);
    put(&memoir.engine, NewMessage { session: Some(session_id("s1")), ..said(-90) }).await;
    let begun = session(&memoir.engine, &session_id("s1")).await;
    assert_eq!((begun.first_said_at, begun.last_said_at, begun.messages), (noon(-90), noon(-90), 1));
    assert_eq!(begun.metadata, opened.metadata);

    let unnamed = memoir.engine.open_session(&caller(), &space(ROOM), NewSession::default()).await.unwrap();
    let another = memoir.engine.open_session(&caller(), &space(ROOM), NewSession::default()).await.unwrap();
    assert_ne!(unnamed.id, another.id);
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_session_that_is_too_large_or_not_there_is_refused() {
    let memoir = TestEngine::new();
    let new = NewSession { task: Some("x".repeat(Session::TASK_BYTES + 1)), ..NewSession::default() };
    let error = memoir.engine.open_session(&caller(), &space(ROOM), new).await.unwrap_err();
    assert_eq!((error.code(), error.field()), (ErrorCode::Invalid, Some("task")));
    say(&memoir.engine, message("user:b", "", "hello")).await;
    for place in [ROOM, "user:b"] {
        let ended =
            memoir.engine.end_session(&caller(), &space(place), &session_id("s"), EndReason::Call).await;
        assert_eq!(ended.unwrap_err().code(), ErrorCode::NotFound);
    }
    let missing = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound, "asking for a session makes no space");
}

#[tokio::test]
async fn an_ended_session_stays_as_it_ended() {
    let memoir = TestEngine::new();
    let id = put(&memoir.engine, message(ROOM, "", "hello")).await;
    let ended = memoir.engine.end_session(&caller(), &space(ROOM), &id, EndReason::Disconnect).await.unwrap();
    assert_eq!(ended.ended, Some((noon(0), EndReason::Disconnect)));
    memoir.clock.advance(minutes(9));
    let version = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version;
    assert_eq!(end(&memoir.engine, &id).await, ended);
    assert_eq!(end(&memoir.neighbour(), &id).await, ended);
    assert_eq!(memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version, version);
    let log = memoir.engine.audit_log(&caller(), None, 10).await.unwrap();
    let ends: Vec<_> = log.iter().filter(|entry| entry.action == AuditAction::SessionEnded).collect();
    assert_eq!(ends.len(), 1);
    assert_eq!(ends[0].target.as_deref(), Some(id.as_str()));
}

#[tokio::test]
async fn a_silent_session_is_closed_by_its_job_and_the_job_is_gone() {
    let memoir = TestEngine::restless();
    let workers = memoir.engine.start_workers();
    let id = put(&memoir.engine, message(ROOM, "", "hello")).await;
    let named = NewMessage { session: Some(session_id("s1")), ..message(ROOM, "", "hello") };
    put(&memoir.engine, named).await;
    let jobs = async || closing(&memoir.engine).await;
    assert_eq!(jobs().await.len(), 2, "one job per open session, however many messages it has");
    memoir.clock.advance(minutes(30));
    until("both sessions are closed", async || {
        sessions(&memoir.engine, &space(ROOM)).await.iter().all(|s| !s.is_open()).then_some(())
    })
    .await;
    for id in [id, session_id("s1")] {
        let closed = session(&memoir.engine, &id).await;
        assert_eq!((closed.ended, closed.stale), (Some((noon(30), EndReason::Idle)), false));
    }
    until("the jobs are gone", async || jobs().await.is_empty().then_some(())).await;
    workers.drain(std::time::Duration::from_secs(10)).await;
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_session_in_which_nothing_was_said_is_closed_too() {
    let memoir = TestEngine::restless();
    let workers = memoir.engine.start_workers();
    let new = NewSession { id: Some(session_id("s1")), ..NewSession::default() };
    memoir.engine.open_session(&caller(), &space(ROOM), new).await.unwrap();
    memoir.clock.advance(minutes(30));
    let ended = until("it is closed", async || session(&memoir.engine, &session_id("s1")).await.ended).await;
    assert_eq!(ended, (noon(30), EndReason::Idle));
    workers.drain(std::time::Duration::from_secs(10)).await;
}

#[tokio::test]
async fn the_job_of_a_session_that_ended_otherwise_goes_away_and_changes_nothing() {
    let memoir = TestEngine::restless();
    let called = put(&memoir.engine, message(ROOM, "", "one")).await;
    memoir.clock.advance(minutes(5));
    end(&memoir.engine, &called).await;
    memoir.clock.advance(minutes(5));
    put(&memoir.engine, message(ROOM, "", "two")).await;
    memoir.clock.advance(minutes(45));
    // This one ends the second session by itself.
    put(&memoir.engine, message(ROOM, "", "three")).await;
    let before = sessions(&memoir.engine, &space(ROOM)).await;
    let workers = memoir.engine.start_workers();
    until("only the open session's job is left", async || {
        let jobs = closing(&memoir.engine).await;
        (jobs.len() == 1 && jobs[0].key == before[2].id.as_str()).then_some(())
    })
    .await;
    assert_eq!(sessions(&memoir.engine, &space(ROOM)).await, before);
    workers.drain(std::time::Duration::from_secs(10)).await;
}

#[tokio::test]
async fn a_session_in_which_people_still_talk_is_looked_at_again_later() {
    let memoir = TestEngine::restless();
    let id = put(&memoir.engine, message(ROOM, "", "hello")).await;
    memoir.clock.advance(minutes(20));
    put(&memoir.engine, message(ROOM, "", "still here")).await;
    memoir.clock.advance(minutes(15));
    let workers = memoir.engine.start_workers();
    let job = until("the job was put off", async || {
        let jobs = closing(&memoir.engine).await;
        jobs.into_iter().find(|job| job.run_at > noon(35) && job.state == JobState::Waiting)
    })
    .await;
    assert_eq!((job.run_at, job.attempts), (noon(50), 0));
    assert!(session(&memoir.engine, &id).await.is_open());
    memoir.clock.advance(minutes(15));
    until("the session is closed", async || (!session(&memoir.engine, &id).await.is_open()).then_some(()))
        .await;
    assert_eq!(session(&memoir.engine, &id).await.ended, Some((noon(50), EndReason::Idle)));
    workers.drain(std::time::Duration::from_secs(10)).await;
}

#[tokio::test]
async fn a_session_that_was_reopened_is_closed_again_when_it_falls_silent() {
    let memoir = TestEngine::restless();
    let workers = memoir.engine.start_workers();
    let named = || NewMessage { session: Some(session_id("s1")), ..message(ROOM, "", "words") };
    put(&memoir.engine, named()).await;
    for round in 1..=2 {
        memoir.clock.advance(minutes(45));
        until("the session is closed", async || {
            (!session(&memoir.engine, &session_id("s1")).await.is_open()).then_some(())
        })
        .await;
        memoir.clock.advance(minutes(1));
        put(&memoir.engine, named()).await;
        let reopened = session(&memoir.engine, &session_id("s1")).await;
        assert_eq!((reopened.is_open(), reopened.messages), (true, round + 1));
    }
    workers.drain(std::time::Duration::from_secs(10)).await;
}

#[tokio::test]
async fn an_imported_session_is_closed_by_its_words_and_not_by_its_arrival() {
    let memoir = TestEngine::restless();
    let workers = memoir.engine.start_workers();
    let id = put(&memoir.engine, said(-10_000)).await;
    memoir.clock.advance(minutes(30));
    let closed = until("the session is closed", async || {
        let known = session(&memoir.engine, &id).await;
        known.ended
    })
    .await;
    assert_eq!(closed, (noon(-9_970), EndReason::Idle));
    workers.drain(std::time::Duration::from_secs(10)).await;
}

#[tokio::test]
async fn when_the_clock_goes_back_the_talk_stays_together() {
    let memoir = TestEngine::new();
    put(&memoir.engine, message(ROOM, "", "before")).await;
    memoir.clock.advance(SignedDuration::from_hours(-3));
    let after = put(&memoir.engine, message(ROOM, "", "after")).await;
    for _ in 0..5 {
        memoir.clock.advance(minutes(2));
        assert_eq!(put(&memoir.engine, message(ROOM, "", "and on")).await, after);
    }
    assert_eq!(shape(&memoir.engine).await, [(1, false), (6, true)]);
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn one_message_from_the_future_does_not_scatter_the_talk() {
    let memoir = TestEngine::new();
    let before = put(&memoir.engine, message(ROOM, "", "before")).await;
    put(&memoir.engine, at(message(ROOM, "", "hello from 9998"), "9998-01-01T00:00:00Z")).await;
    memoir.clock.advance(minutes(1));
    let after = put(&memoir.engine, message(ROOM, "", "after")).await;
    for _ in 0..5 {
        memoir.clock.advance(minutes(2));
        assert_eq!(put(&memoir.engine, message(ROOM, "", "and on")).await, after);
    }
    assert_eq!(session(&memoir.engine, &after).await.messages, if after == before { 7 } else { 6 });
    assert_sound(&memoir.engine).await;
}

#[tokio::test]
async fn a_talk_that_crosses_midnight_is_one_session_of_two_days() {
    let memoir = TestEngine::new();
    memoir.clock.set("2026-01-07T23:50:00+08:00");
    let id = put(&memoir.engine, message(ROOM, "", "late")).await;
    memoir.clock.advance(minutes(20));
    assert_eq!(put(&memoir.engine, message(ROOM, "", "early")).await, id);
    let days: Vec<_> =
        messages(&memoir.engine, &space(ROOM)).await.iter().map(|m| m.local.date.to_string()).collect();
    assert_eq!(days, ["2026-01-07", "2026-01-08"]);
}

#[tokio::test]
async fn sessions_are_listed_the_newest_first_page_by_page() {
    let memoir = TestEngine::new();
    for n in 0..25 {
        put(
            &memoir.engine,
            NewMessage { session: Some(session_id(&format!("s{n}"))), ..message(ROOM, "", "x") },
        )
        .await;
    }
    let (mut seen, mut below) = (Vec::new(), None);
    loop {
        let page = memoir.engine.sessions(&caller(), &space(ROOM), below, 10).await.unwrap();
        let Some(last) = page.last() else { break };
        below = Some(last.no);
        seen.extend(page.into_iter().map(|session| session.id));
    }
    assert_eq!(seen, (0..25).rev().map(|n| session_id(&format!("s{n}"))).collect::<Vec<_>>());
}

#[tokio::test]
async fn more_sessions_than_are_remembered_stay_exact() {
    let memoir = TestEngine::new();
    for round in 0..2 {
        let batch: Vec<_> = (0..700)
            .map(|n| NewMessage {
                session: Some(session_id(&format!("s{}", n % 350))),
                ..message(ROOM, &format!("r{round}m{n}"), "x")
            })
            .collect();
        remember(&memoir.engine, batch).await;
    }
    assert_eq!(shape(&memoir.engine).await, vec![(4, true); 350]);
    assert_sound(&memoir.engine).await;
}

/// Something that happens to a space.
#[derive(Debug, Clone)]
enum Step {
    /// Messages come: how many minutes ago each was said, in which thread, in which named session.
    Come(Vec<(i64, u8, Option<u8>)>),
    /// The clock moves.
    Pass(i64),
    /// The newest session is ended.
    End,
    /// What is in memory is lost.
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let ago = prop_oneof![4 => Just(0), 2 => 0..90i64, 1 => -60..2_000i64];
    let named = prop_oneof![3 => Just(None), 1 => (0..3u8).prop_map(Some)];
    prop_oneof![
        6 => prop::collection::vec((ago, 0..2u8, named), 1..6).prop_map(Step::Come),
        3 => prop_oneof![3 => 0..20i64, 2 => 20..200i64, 1 => -200..0i64].prop_map(Step::Pass),
        1 => Just(Step::End),
        1 => Just(Step::Restart),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_sessions_count_their_messages_and_a_thread_has_one_open_talk(
        steps in prop::collection::vec(step(), 1..14),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let memoir = TestEngine::with(EngineSettings::default(), |options| {
                options.durability = memoir_sqlite::Durability::Normal;
            });
            let mut engine = memoir.engine.clone();
            let mut sent = 0;
            for step in steps {
                match step {
                    Step::Come(batch) => {
                        let now = engine.now();
                        let batch: Vec<_> = batch
                            .into_iter()
                            .map(|(ago, strand, named)| NewMessage {
                                said_at: Some(now.saturating_sub(minutes(ago)).unwrap()),
                                thread: if strand == 0 { Default::default() } else { thread("t") },
                                session: named.map(|n| session_id(&format!("s{n}"))),
                                ..message(ROOM, "", "words")
                            })
                            .collect();
                        sent += batch.len();
                        for receipt in remember(&engine, batch).await {
                            assert_eq!(receipt.status, memoir_engine::ReceiptStatus::Created, "{receipt:?}");
                        }
                    }
                    Step::Pass(by) => memoir.clock.advance(minutes(by)),
                    Step::End if sent > 0 => {
                        let newest = engine.sessions(&caller(), &space(ROOM), None, 1).await.unwrap().remove(0);
                        assert!(!end(&engine, &newest.id).await.is_open());
                    }
                    Step::End => {}
                    Step::Restart => engine = memoir.neighbour(),
                }
            }
            if sent == 0 {
                return;
            }
            assert_sound(&engine).await;
            let all = sessions(&engine, &space(ROOM)).await;
            assert_eq!(all.iter().map(|session| session.messages).sum::<u64>(), sent as u64);
            let mut open = BTreeMap::new();
            for session in all.iter().filter(|session| session.is_open() && !session.explicit) {
                *open.entry(session.thread.clone()).or_insert(0) += 1;
            }
            assert!(open.values().all(|count| *count == 1), "{open:?}");
            for message in messages(&engine, &space(ROOM)).await {
                let home = all.iter().find(|session| session.id == message.session).unwrap();
                assert_eq!(home.thread, message.thread);
            }
        });
    }
}
