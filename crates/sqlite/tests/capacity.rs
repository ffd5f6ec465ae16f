//! A file that may grow no further.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use std::sync::Arc;

use memoir_model::ErrorCode;
use memoir_sqlite::{Options, SqliteStore, verify};
use memoir_store::conformance::fixtures::{Empty, at, claim_one, refusal, set};
use memoir_store::conformance::room::Room;
use memoir_store::{Commit, JobChange, MessageQuery, Row, Store};
use tempfile::TempDir;

const LIMIT: u64 = 1 << 20;

fn open(folder: &TempDir, max_bytes: u64) -> Empty {
    Arc::new(
        SqliteStore::open(&Options { max_bytes, ..Options::at(folder.path().join("memoir.db")) }).unwrap(),
    )
}

/// Says things until the store is full; gives what was acknowledged.
async fn fill(room: &mut Room, length: usize) -> Vec<String> {
    let mut stored = Vec::new();
    loop {
        let id = format!("m{}", room.last_seq() + 1);
        match room.append(vec![room.draft(&id, &"x".repeat(length))]).await {
            Ok(_) => stored.push(id),
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::StorageFull, "{error}");
                return stored;
            }
        }
    }
}

async fn ids(store: &dyn Store, room: &Room) -> Vec<String> {
    let messages = store.messages(room.key(), &MessageQuery::all(usize::MAX)).await.unwrap();
    messages.into_iter().map(|message| message.id.to_string()).collect()
}

#[tokio::test]
async fn a_full_store_keeps_and_shows_what_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder, LIMIT);
    let mut room = Room::simple(&store).await;
    let stored = fill(&mut room, 3_000).await;
    assert!(stored.len() > 50);
    assert_eq!(ids(&*store, &room).await, stored);
    store.ping().await.unwrap();
    assert!(store.check().await.unwrap().iter().all(|finding| finding.remedy.is_empty()));
    assert!(store.stats(&room.key().tenant).await.unwrap().store_bytes <= LIMIT);
    assert_eq!(
        refusal(room.append(vec![room.draft("again", &"x".repeat(30_000))]).await),
        ErrorCode::StorageFull
    );
    drop(store);

    let store = open(&folder, LIMIT);
    assert_eq!(ids(&*store, &room).await, stored, "it opens and reads while it is full");
    drop(store);
    verify(&folder.path().join("memoir.db")).unwrap();
}

#[tokio::test]
async fn a_full_store_writes_again_once_it_may_grow() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder, LIMIT);
    let mut room = Room::simple(&store).await;
    let mut stored = fill(&mut room, 3_000).await;
    let rows = room.rows_for(&[room.draft("more", &"x".repeat(30_000))]);
    drop(store);
    let store = open(&folder, 2 * LIMIT);
    store.commit(Commit::to_space(room.key().clone(), set(rows))).await.unwrap();
    stored.push("more".into());
    assert_eq!(ids(&*store, &room).await, stored);
}

#[tokio::test]
async fn a_full_store_still_erases_and_then_has_room() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder, LIMIT);
    let mut room = Room::open(&store, "acme", "user:one", 1).await;
    let mut other = Room::open(&store, "acme", "user:two", 2).await;
    other.say("m1", "tea").await;
    fill(&mut room, 3_000).await;
    fill(&mut room, 10).await;
    room.put(vec![Row::EraseSpace]).await.unwrap();
    other.append(vec![other.draft("m2", &"x".repeat(60_000))]).await.unwrap();
    assert_eq!(ids(&*store, &other).await, ["m1", "m2"]);
}

#[tokio::test]
async fn jobs_can_be_claimed_and_finished_in_a_full_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder, LIMIT);
    let mut room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    fill(&mut room, 3_000).await;
    let job = claim_one(&store, at(0)).await;
    room.settle(&job, JobChange::Finish).await.unwrap();
}
