//! The one writer: what shares a transaction, what waits, what is refused.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use std::path::Path;
use std::sync::Arc;

use memoir_model::ErrorCode;
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::conformance::fixtures::{Empty, at, message_id, set, wish};
use memoir_store::conformance::room::{Contents, Room};
use memoir_store::{Commit, MessageQuery, Store};
use rusqlite::Connection;
use tempfile::TempDir;

fn options(folder: &TempDir) -> Options {
    Options::at(folder.path().join("memoir.db"))
}

/// A second process that holds the write lock: whatever is committed meanwhile waits for the writer.
struct Blockade(Connection);

impl Blockade {
    fn hold(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        Blockade(connection)
    }

    fn lift(self) {
        self.0.execute_batch("ROLLBACK").unwrap();
    }
}

/// Starts commits that each add one message to a room of its own.
fn start(store: &SqliteStore, rooms: &[Room], id: impl Fn(usize) -> String, content: &str) -> Vec<Waiting> {
    rooms
        .iter()
        .enumerate()
        .map(|(n, room)| {
            let commit =
                Commit::to_space(room.key().clone(), set(room.rows_for(&[room.draft(&id(n), content)])));
            let store = store.clone();
            tokio::spawn(async move { store.commit(commit).await.map(drop).map_err(|error| error.code()) })
        })
        .collect()
}

type Waiting = tokio::task::JoinHandle<Result<(), ErrorCode>>;

async fn rooms(store: &SqliteStore, count: usize) -> Vec<Room> {
    let store: Empty = Arc::new(store.clone());
    let mut rooms = Vec::new();
    for n in 0..count {
        rooms.push(Room::open(&store, "acme", &format!("user:{n}"), n as u64).await);
    }
    rooms
}

#[tokio::test]
async fn one_refusal_in_a_group_leaves_the_others_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&options(&folder)).unwrap();
    let mut rooms = rooms(&store, 90).await;
    for room in &mut rooms {
        room.say("taken", "first").await;
    }
    let blockade = Blockade::hold(store.path());
    let id = |n: usize| if n % 3 == 1 { "taken".to_owned() } else { format!("new {n}") };
    let waiting = start(&store, &rooms, id, "second");
    while store.queued() < rooms.len() {
        tokio::task::yield_now().await;
    }
    blockade.lift();
    for (n, (done, room)) in waiting.into_iter().zip(&rooms).enumerate() {
        let refused = n % 3 == 1;
        assert_eq!(done.await.unwrap(), if refused { Err(ErrorCode::IdConflict) } else { Ok(()) });
        let space = store.space_at(room.key()).await.unwrap().unwrap();
        assert_eq!(space.last_seq, if refused { 1 } else { 2 });
    }
    assert!(store.check().await.unwrap().iter().all(|finding| finding.remedy.is_empty()));
}

#[tokio::test]
async fn a_full_queue_answers_busy_and_loses_nothing_it_took() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&Options { queue_commits: 4, ..options(&folder) }).unwrap();
    let rooms = rooms(&store, 300).await;
    let blockade = Blockade::hold(store.path());
    let waiting = start(&store, &rooms, |_| "m1".into(), "tea");
    // 4 may wait and at most 256 share the transaction that is blocked: the rest must be turned away now.
    let mut turned_away = 0;
    while turned_away < 40 {
        tokio::task::yield_now().await;
        turned_away = waiting.iter().filter(|commit| commit.is_finished()).count();
    }
    blockade.lift();
    for (done, room) in waiting.into_iter().zip(&rooms) {
        let done = done.await.unwrap();
        let stored = store.message(room.key(), &message_id("m1")).await.unwrap().is_some();
        assert_eq!(done, if stored { Ok(()) } else { Err(ErrorCode::Busy) });
    }
    assert_eq!(store.queued(), 0);
    let again = Commit::to_space(rooms[0].key().clone(), set(Vec::new()));
    store.commit(again).await.unwrap();
}

#[tokio::test]
async fn too_many_waiting_bytes_answer_busy_with_a_time_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&Options { queue_bytes: 1 << 20, ..options(&folder) }).unwrap();
    let rooms = rooms(&store, 40).await;
    let blockade = Blockade::hold(store.path());
    let waiting = start(&store, &rooms, |_| "m1".into(), &"x".repeat(60_000));
    while waiting.iter().filter(|commit| commit.is_finished()).count() < 30 {
        tokio::task::yield_now().await;
    }
    let one_more = Commit::to_space(
        rooms[0].key().clone(),
        set(rooms[0].rows_for(&[rooms[0].draft("m2", &"x".repeat(900_000))])),
    );
    let error = store.commit(one_more).await.unwrap_err();
    assert_eq!((error.code(), error.retry_after_secs()), (ErrorCode::Busy, Some(1)));
    blockade.lift();
    let mut stored = 0;
    for done in waiting {
        stored += usize::from(done.await.unwrap().is_ok());
    }
    assert!(
        (1..=10).contains(&stored),
        "1 MiB has room for 8 of these with their terms; {stored} were taken"
    );
    assert_eq!(store.stats(&rooms[0].key().tenant).await.unwrap().messages, stored as u64);
}

#[tokio::test]
async fn one_commit_alone_may_be_larger_than_the_queue() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&Options { queue_bytes: 1, queue_commits: 1, ..options(&folder) }).unwrap();
    let mut room = rooms(&store, 1).await.remove(0);
    room.say("m1", &"x".repeat(100_000)).await;
    assert_eq!(store.queued(), 0);
}

#[tokio::test]
async fn readers_do_not_block_the_writer() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&options(&folder)).unwrap();
    let mut room = rooms(&store, 1).await.remove(0);
    room.say("m1", "before").await;
    let reader = Connection::open(store.path()).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let count = || reader.query_row("SELECT count(*) FROM messages", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count(), 1);
    for n in 2..=50 {
        room.say(&format!("m{n}"), "while somebody reads").await;
    }
    assert_eq!(count(), 1, "the reader still sees what it saw");
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(count(), 50);
}

#[tokio::test]
async fn the_writer_does_not_block_readers() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&Options { readers: 2, ..options(&folder) }).unwrap();
    let mut room = rooms(&store, 1).await.remove(0);
    room.furnish().await;
    let all: Empty = Arc::new(store.clone());
    let before = Contents::of(&all, room.key()).await;
    let writer = Blockade::hold(store.path());
    writer.0.execute("UPDATE messages SET content = 'not committed'", []).unwrap();
    assert_eq!(Contents::of(&all, room.key()).await, before);
    // More readers at once than there are connections: they take turns.
    let many: Vec<_> = (0..20)
        .map(|_| {
            let (store, key) = (store.clone(), room.key().clone());
            tokio::spawn(async move { store.messages(&key, &MessageQuery::all(10)).await.unwrap().len() })
        })
        .collect();
    for one in many {
        assert_eq!(one.await.unwrap(), 4);
    }
    writer.lift();
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store: Empty = Arc::new(SqliteStore::open(&options(&folder)).unwrap());
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    let before = Contents::of(&store, room.key()).await;
    drop(store);
    let key = room.key().clone();
    drop(room);
    let store: Empty = Arc::new(SqliteStore::open(&options(&folder)).unwrap());
    assert_eq!(Contents::of(&store, &key).await, before);
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let store: Empty = Arc::new(SqliteStore::open(&options(&folder)).unwrap());
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    let before = Contents::of(&store, room.key()).await;
    // What a crash leaves behind: the file and its log as they are now, the store not closed.
    let wreck = tempfile::tempdir().unwrap();
    for name in ["memoir.db", "memoir.db-wal"] {
        std::fs::copy(folder.path().join(name), wreck.path().join(name)).unwrap();
    }
    let store: Empty = Arc::new(SqliteStore::open(&options(&wreck)).unwrap());
    assert_eq!(Contents::of(&store, room.key()).await, before);
    assert_eq!(store.claim_jobs(wish(at(1000))).await.unwrap().len(), 1);
}
