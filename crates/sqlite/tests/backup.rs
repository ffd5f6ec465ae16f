//! Copies of a store: made while it works, examined before they are trusted.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memoir_model::ErrorCode;
use memoir_sqlite::{Options, SCHEMA_VERSION, SqliteStore, verify};
use memoir_store::conformance::fixtures::Empty;
use memoir_store::conformance::room::{Contents, Room};
use memoir_store::{MessageQuery, Store};
use rusqlite::Connection;

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(&Options::at(path)).unwrap()
}

/// A store with a little of everything, closed again.
async fn closed_store(path: &Path) {
    let store: Empty = Arc::new(open(path));
    let mut room = Room::simple(&store).await;
    room.furnish().await;
}

#[tokio::test]
async fn a_copy_holds_everything_the_store_held() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("memoir.db"));
    let all: Empty = Arc::new(store.clone());
    let mut room = Room::simple(&all).await;
    room.furnish().await;
    let copy = folder.path().join("copy.db");
    let snapshot = store.backup(&copy).await.unwrap();
    assert_eq!((snapshot.schema, snapshot.spaces, snapshot.messages), (SCHEMA_VERSION, 1, 4));
    assert_eq!(snapshot.bytes, std::fs::metadata(&copy).unwrap().len());
    assert_eq!(verify(&copy).unwrap(), snapshot);
    let restored: Empty = Arc::new(open(&copy));
    assert_eq!(Contents::of(&restored, room.key()).await, Contents::of(&all, room.key()).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_made_while_writing_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("memoir.db"));
    let all: Empty = Arc::new(store.clone());
    let mut room = Room::simple(&all).await;
    room.fill_to(500).await;
    let key = room.key().clone();

    let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(500)));
    let writer = tokio::spawn({
        let (stop, acknowledged) = (stop.clone(), acknowledged.clone());
        async move {
            while !stop.load(Ordering::SeqCst) {
                room.fill_to(room.last_seq() + 3).await;
                acknowledged.store(room.last_seq(), Ordering::SeqCst);
            }
        }
    });
    for n in 0..3 {
        // Every copy is taken while more was being written.
        let before = acknowledged.load(Ordering::SeqCst);
        while acknowledged.load(Ordering::SeqCst) == before {
            tokio::task::yield_now().await;
        }
        let at_least = acknowledged.load(Ordering::SeqCst);
        let copy = folder.path().join(format!("copy {n}.db"));
        let snapshot = store.backup(&copy).await.unwrap();
        let at_most = acknowledged.load(Ordering::SeqCst) + 3;
        assert!((at_least..=at_most).contains(&snapshot.messages), "{at_least} {snapshot:?} {at_most}");
        let restored = open(&copy);
        let messages = restored.messages(&key, &MessageQuery::all(usize::MAX)).await.unwrap();
        assert_eq!(messages.len() as u64, snapshot.messages);
        assert_eq!(snapshot.messages % 3, 500 % 3, "no commit is in it by half");
    }
    stop.store(true, Ordering::SeqCst);
    writer.await.unwrap();
}

#[tokio::test]
async fn a_copy_never_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("memoir.db"));
    let target = folder.path().join("precious.txt");
    std::fs::write(&target, "precious").unwrap();
    assert_eq!(store.backup(&target).await.unwrap_err().code(), ErrorCode::Conflict);
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    store.backup(&folder.path().join("no such folder").join("copy.db")).await.unwrap_err();
}

#[tokio::test]
async fn what_is_not_a_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    closed_store(&path("memoir.db")).await;
    open(&path("memoir.db")).backup(&path("good.db")).await.unwrap();
    let good = std::fs::read(path("good.db")).unwrap();

    verify(&path("missing.db")).unwrap_err();
    assert!(!path("missing.db").exists(), "an examination creates nothing");
    let mut damaged = good.clone();
    let middle = damaged.len() / 2 / 4096 * 4096;
    damaged[middle..middle + 4096].fill(0x5a);
    let cases: [(&str, &[u8]); 5] = [
        ("garbage", &b"this is no database ".repeat(500)),
        ("empty", b""),
        ("cut off", &good[..good.len() / 2]),
        ("damaged", &damaged),
        ("header only", &good[..100]),
    ];
    for (name, bytes) in cases {
        std::fs::write(path(name), bytes).unwrap();
        assert_eq!(verify(&path(name)).unwrap_err().code(), ErrorCode::Corrupt, "{name}");
        assert_eq!(std::fs::read(path(name)).unwrap(), bytes, "{name} was changed");
    }
    let foreign = Connection::open(path("foreign.db")).unwrap();
    foreign.execute_batch("CREATE TABLE notes (text TEXT); PRAGMA user_version = 1;").unwrap();
    verify(&path("foreign.db")).unwrap_err();
}

#[tokio::test]
async fn a_store_whose_rows_do_not_fit_together_is_refused_by_name() {
    for (damage, subject) in [
        ("DELETE FROM messages WHERE key & 0xffffff = 2", "message numbers"),
        ("UPDATE spaces SET last_seq = 9", "message numbers"),
        ("DELETE FROM spaces", "orphaned messages"),
        ("UPDATE messages SET session = 99", "sessions of messages"),
        ("UPDATE sessions SET messages = messages + 1", "session counts"),
        ("UPDATE sessions SET last_said_at = first_said_at", "session times"),
        ("UPDATE generations SET dimension = 99", "vectors"),
        ("DELETE FROM generations", "vectors"),
        (
            "INSERT INTO generations SELECT space, no + 1, id, dimension, cursor, 1 FROM generations; \
             UPDATE generations SET serves = 1",
            "generations",
        ),
        (
            "DELETE FROM messages; DELETE FROM sessions; DELETE FROM spaces; DELETE FROM vectors_odd",
            "orphaned jobs",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memoir.db");
        closed_store(&path).await;
        verify(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch(damage).unwrap();
        let error = verify(&path).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Corrupt);
        assert!(error.message().starts_with(subject), "{damage}: {error}");
    }
}
