//! Two processes on one file, here as two handles that know nothing of each other.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use memoir_model::ErrorCode;
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::conformance::fixtures::{Empty, at, set, wish};
use memoir_store::conformance::room::{Contents, Room};
use memoir_store::{Claim, Commit, Row, Severity};

fn open(path: &Path) -> Empty {
    Arc::new(SqliteStore::open(&Options::at(path)).unwrap())
}

#[tokio::test]
async fn each_sees_at_once_what_the_other_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    let (one, two) = (open(&path), open(&path));
    let mut room = Room::simple(&one).await;
    for n in 1..=5 {
        room.say(&format!("m{n}"), "tea").await;
        assert_eq!(Contents::of(&two, room.key()).await, Contents::of(&one, room.key()).await);
    }
    two.commit(Commit::to_space(room.key().clone(), set(vec![Row::EraseSpace]))).await.unwrap();
    assert_eq!(one.space_at(room.key()).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_write_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    let handles = [open(&path), open(&path)];
    let mut writers = Vec::new();
    for n in 0..8 {
        let store = handles[n % 2].clone();
        writers.push(tokio::spawn(async move {
            let mut room = Room::open(&store, "acme", &format!("user:{n}"), n as u64).await;
            for m in 1..=25 {
                room.say(&format!("m{m}"), "tea").await;
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    for store in &handles {
        let stats = store.stats(&memoir_model::TenantId::new("acme").unwrap()).await.unwrap();
        assert_eq!((stats.spaces, stats.messages), (8, 200));
        assert!(store.check().await.unwrap().iter().all(|finding| finding.severity == Severity::Fine));
    }
}

#[tokio::test]
async fn a_version_planned_against_holds_across_both() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    let handles = [open(&path), open(&path)];
    let room = Room::simple(&handles[0]).await;
    let version = room.space().await.version;
    let racers: Vec<_> = (0..10)
        .map(|n| {
            let store = handles[n % 2].clone();
            let rows = room.rows_for(&[room.draft(&format!("m{n}"), "mine")]);
            let commit = Commit::to_space(room.key().clone(), set(rows)).expecting(version);
            tokio::spawn(async move { store.commit(commit).await })
        })
        .collect();
    let mut won = 0;
    for racer in racers {
        match racer.await.unwrap() {
            Ok(_) => won += 1,
            Err(error) => assert_eq!(error.code(), ErrorCode::VersionMoved),
        }
    }
    assert_eq!(won, 1);
}

#[tokio::test]
async fn a_job_goes_to_one_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    let handles = [open(&path), open(&path)];
    let room = Room::simple(&handles[0]).await;
    for n in 0..30 {
        room.ask(room.job(n, "embed", &n.to_string(), at(0))).await;
    }
    let workers: Vec<_> = (0..10)
        .map(|n| {
            let store = handles[n % 2].clone();
            tokio::spawn(async move { store.claim_jobs(Claim { limit: 4, ..wish(at(0)) }).await.unwrap() })
        })
        .collect();
    let mut seen = BTreeSet::new();
    for worker in workers {
        for job in worker.await.unwrap() {
            assert!(seen.insert(job.id), "{} was handed out twice", job.key);
        }
    }
    assert_eq!(seen.len(), 30);
}

#[test]
fn many_open_a_new_file_at_the_same_time() {
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memoir.db");
        let start = Arc::new(std::sync::Barrier::new(12));
        let threads: Vec<_> = (0..12)
            .map(|_| {
                let (path, start) = (path.clone(), start.clone());
                std::thread::spawn(move || {
                    start.wait();
                    SqliteStore::open(&Options::at(&path)).map(drop)
                })
            })
            .collect();
        for thread in threads {
            let opened = thread.join().unwrap();
            assert!(opened.is_ok(), "round {round}: {opened:?}");
        }
    }
}
