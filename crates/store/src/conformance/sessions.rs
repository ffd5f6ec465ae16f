use memoir_model::{EndReason, ErrorCode, Period, Session, Thread};

use super::fixtures::{
    AWKWARD, Empty, STEP, at, metadata, refusal, session, session_id, summary, summary_row, tenant, thread,
    unnamed,
};
use super::room::{Contents, Room};
use crate::{LatestTalk, Row};

fn numbers(sessions: &[Session]) -> Vec<u64> {
    sessions.iter().map(|session| session.no).collect()
}

fn ended(mut session: Session, seconds: i64) -> Session {
    session.ended = Some((at(seconds), EndReason::Idle));
    session
}

pub async fn a_session_is_read_back_as_it_was_written(store: Empty) {
    let mut room = Room::simple(&store).await;
    let full = Session {
        thread: thread("channel 频道"),
        task: Some("plan the 旅行; it's urgent".into()),
        first_said_at: "0001-01-01T00:00:00Z".parse().unwrap(),
        last_said_at: "9998-12-31T23:59:59.999999Z".parse().unwrap(),
        active_at: at(7) + STEP,
        metadata: metadata(serde_json::json!({"deep": {"er": [1, null]}})),
        ..session(2, "my session")
    };
    room.put_session(full.clone()).await.unwrap();
    assert_eq!(store.session(room.key(), &full.id).await.unwrap(), Some(full.clone()));
    assert_eq!(store.session_at(room.key(), 2).await.unwrap(), Some(full));
    assert_eq!(store.session(room.key(), &session_id("MY SESSION")).await.unwrap(), None);
    assert_eq!(store.session_at(room.key(), 3).await.unwrap(), None);
    assert_eq!(room.space().await.last_session, 2);
}

pub async fn a_session_changes_in_place(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "hello").await;
    let mut talk = store.session_at(room.key(), 1).await.unwrap().unwrap();
    for reason in [EndReason::Call, EndReason::Disconnect, EndReason::Idle] {
        talk.ended = Some((at(60), reason));
        talk.task = Some(format!("ended by {}", reason.as_str()));
        talk.stale = !talk.stale;
        talk.metadata = metadata(serde_json::json!({"why": reason.as_str()}));
        room.put_session(talk.clone()).await.unwrap();
        assert_eq!(store.session_at(room.key(), 1).await.unwrap(), Some(talk.clone()));
    }
    (talk.ended, talk.task) = (None, None);
    talk.metadata.clear();
    room.put_session(talk.clone()).await.unwrap();
    assert_eq!(store.session(room.key(), &session_id("talk")).await.unwrap(), Some(talk));
    assert_eq!(room.space().await.last_session, 1, "no session was added");
}

pub async fn a_session_id_is_taken_only_once_in_a_space(store: Empty) {
    let mut room = Room::simple(&store).await;
    let before = Contents::of(&store, room.key()).await;
    assert_eq!(refusal(room.put_session(session(2, "talk")).await), ErrorCode::IdConflict);
    assert_eq!(Contents::of(&store, room.key()).await, before);

    let other = Room::open(&store, "acme", "user:other", 2).await;
    assert!(store.session(other.key(), &session_id("talk")).await.unwrap().is_some());
}

/// What was talked of last in a room.
async fn latest_in(store: &Empty, room: &Room) -> LatestTalk {
    let room = room.space().await;
    let (space, latest) = store.space_and_talk(&room.tenant, &room.id, 3).await.unwrap().unwrap();
    assert_eq!(space, room);
    assert_eq!(store.space_and_talk(&tenant("nobody"), &room.id, 3).await.unwrap(), None, "another's space");
    latest
}

pub async fn a_talk_begins_with_the_latest_sessions_and_what_two_of_them_came_to(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.put_session(unnamed(2, &Thread::default(), at(0), at(9))).await.unwrap();
    room.put_session(unnamed(3, &thread("aside"), at(0), at(99))).await.unwrap();
    for (no, last) in [(4, 70), (5, 50), (6, 60)] {
        let talk = Session { last_said_at: at(last), ..session(no, &format!("s{no}")) };
        room.put_session(talk).await.unwrap();
    }
    let of = |id: &str| summary(Period::Session(session_id(id)), id);
    room.put(["s4", "s5", "s6"].map(|id| summary_row(of(id))).into()).await.unwrap();
    let latest = latest_in(&store, &room).await;
    assert_eq!(
        latest.open.as_ref().map(|session| session.no),
        Some(2),
        "of the main thread, however long ago"
    );
    assert_eq!(numbers(&latest.sessions), [6, 5, 4]);
    assert_eq!(latest.summaries, [of("s4"), of("s6")], "the last words were said in these");
    let other = Room::open(&store, "acme", "user:other", 2).await;
    let latest = latest_in(&store, &other).await;
    assert_eq!((latest.open, latest.sessions.len(), latest.summaries.len()), (None, 1, 0));
}

pub async fn sessions_are_listed_newest_first_below_a_number(store: Empty) {
    let mut room = Room::simple(&store).await;
    for no in 2..=7 {
        room.put_session(session(no, &format!("s{no}"))).await.unwrap();
    }
    let list = async |below, limit| numbers(&store.sessions(room.key(), below, limit).await.unwrap());
    assert_eq!(list(None, 3).await, [7, 6, 5]);
    assert_eq!(list(Some(5), 3).await, [4, 3, 2]);
    assert_eq!(list(Some(2), 3).await, [1]);
    assert_eq!(list(Some(1), 3).await, [0; 0]);
    assert_eq!(list(Some(u64::MAX), usize::MAX).await, [7, 6, 5, 4, 3, 2, 1]);
}

pub async fn the_open_unnamed_session_of_a_thread_is_found(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (plain, work) = (Thread::default(), thread("work"));
    let named = store.open_implicit_session(room.key(), &plain).await.unwrap();
    assert_eq!(named, None, "a named session is not meant");
    room.put_session(ended(unnamed(2, &plain, at(0), at(1)), 5)).await.unwrap();
    room.put_session(unnamed(3, &plain, at(6), at(7))).await.unwrap();
    room.put_session(unnamed(4, &work, at(6), at(7))).await.unwrap();
    let open = async |thread: &Thread| {
        store.open_implicit_session(room.key(), thread).await.unwrap().map(|session| session.no)
    };
    assert_eq!(open(&plain).await, Some(3));
    assert_eq!(open(&work).await, Some(4));
    assert_eq!(open(&thread("Work")).await, None);
    room.put(vec![Row::Session(Box::new(ended(unnamed(3, &plain, at(6), at(7)), 9)))]).await.unwrap();
    assert_eq!(open(&plain).await, None);
    assert_eq!(open(&work).await, Some(4));
}

pub async fn a_thread_has_one_open_unnamed_session_at_most(store: Empty) {
    let mut room = Room::simple(&store).await;
    let work = thread("work");
    room.put_session(unnamed(2, &work, at(0), at(1))).await.unwrap();
    let before = Contents::of(&store, room.key()).await;
    room.put_session(unnamed(3, &work, at(2), at(3))).await.unwrap_err();
    assert_eq!(Contents::of(&store, room.key()).await, before);

    let mut named = session(3, "named");
    named.thread = work;
    room.put_session(named).await.unwrap();
}

pub async fn one_commit_ends_an_unnamed_session_and_opens_the_next(store: Empty) {
    let mut room = Room::simple(&store).await;
    let plain = Thread::default();
    room.put_session(unnamed(2, &plain, at(0), at(1))).await.unwrap();
    let over = ended(unnamed(2, &plain, at(0), at(1)), 10);
    let next = unnamed(3, &plain, at(10), at(10));
    room.put(vec![Row::Session(Box::new(over)), Row::Session(Box::new(next))]).await.unwrap();
    assert_eq!(store.open_implicit_session(room.key(), &plain).await.unwrap().unwrap().no, 3);
    assert_eq!(room.space().await.last_session, 3);
}

pub async fn unnamed_sessions_are_found_by_the_time_they_touch(store: Empty) {
    let mut room = Room::simple(&store).await;
    let plain = Thread::default();
    for (no, first, last) in [(2, 10, 20), (3, 30, 30), (4, 40, 50)] {
        room.put_session(ended(unnamed(no, &plain, at(first), at(last)), 60)).await.unwrap();
    }
    room.put_session(unnamed(5, &thread("work"), at(0), at(100))).await.unwrap();
    let touching = async |from, until| {
        let mut found = numbers(&store.implicit_sessions(room.key(), &plain, from, until).await.unwrap());
        found.sort_unstable();
        found
    };
    assert_eq!(touching(at(0), at(100)).await, [2, 3, 4], "neither the named one nor the other thread's");
    assert_eq!(touching(at(20), at(30)).await, [2, 3], "both ends belong to the range");
    assert_eq!(touching(at(20) + STEP, at(30) - STEP).await, [0; 0]);
    assert_eq!(touching(at(12), at(13)).await, [2], "a range inside a session");
    assert_eq!(touching(at(30), at(30)).await, [3], "one moment");
    assert_eq!(touching(at(50), at(100)).await, [4]);
    assert_eq!(touching(at(50) + STEP, at(100)).await, [0; 0]);
    assert_eq!(touching(at(0), at(10) - STEP).await, [0; 0]);
    let others = store.implicit_sessions(room.key(), &thread("work"), at(3), at(4)).await.unwrap();
    assert_eq!(numbers(&others), [5]);
}

pub async fn at_most_eight_unnamed_sessions_come_back_the_latest_first(store: Empty) {
    let mut room = Room::simple(&store).await;
    let plain = Thread::default();
    for no in 2..=13 {
        // Number 2 is the latest: history came in backwards.
        let start = 1000 - no as i64 * 10;
        room.put_session(ended(unnamed(no, &plain, at(start), at(start + 5)), 2000)).await.unwrap();
    }
    let found = store.implicit_sessions(room.key(), &plain, at(0), at(2000)).await.unwrap();
    assert_eq!(numbers(&found), [2, 3, 4, 5, 6, 7, 8, 9]);
}

pub async fn awkward_session_ids_and_threads_are_kept_as_they_came(store: Empty) {
    let mut room = Room::simple(&store).await;
    for (no, text) in (2..).zip(AWKWARD) {
        let mut implicit = unnamed(no, &thread(text), at(0), at(1));
        implicit.id = session_id(text);
        room.put_session(implicit).await.unwrap();
    }
    for (no, text) in (2..).zip(AWKWARD) {
        assert_eq!(store.session(room.key(), &session_id(text)).await.unwrap().unwrap().no, no);
        let open = store.open_implicit_session(room.key(), &thread(text)).await.unwrap().unwrap();
        assert_eq!((open.no, open.thread.as_str()), (no, text));
    }
}
