use memoir_model::{ErrorCode, Lease, MemoryStatus, Period};

use super::fixtures::{
    Empty, at, audit, claim, claim_one, memory, memory_row, refusal, session, session_id, set, summary,
    summary_row, wish,
};
use super::room::{Contents, Room, edited};
use crate::{Claim, Commit, JobChange, Row, WriteSet};

pub async fn every_write_of_rows_raises_the_version(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut version = room.space().await.version;
    let row = room.draft("m1", "tea");
    let mut grew = |done: crate::Committed| {
        assert!(done.version > version, "{} after {version}", done.version);
        version = done.version;
    };
    grew(room.append(vec![row.clone()]).await.unwrap());
    grew(room.put(edited(&row, "coffee").1).await.unwrap());
    grew(room.put_session(session(2, "aside")).await.unwrap());
    grew(room.put(vec![memory_row(memory("m", "PREF", MemoryStatus::Active))]).await.unwrap());
    grew(room.put(vec![summary_row(summary(Period::Session(session_id("talk")), "tea"))]).await.unwrap());
    grew(room.put(vec![Row::Space(Box::new(room.space().await))]).await.unwrap());
    grew(room.put(vec![Row::EraseMessage(Box::new(row))]).await.unwrap());
    assert_eq!(room.space().await.version, version);
}

pub async fn a_commit_against_an_old_version_is_refused_and_writes_nothing(store: Empty) {
    let mut room = Room::simple(&store).await;
    let planned = room.space().await.version;
    room.say("m1", "somebody was faster").await;
    let before = Contents::of(&store, room.key()).await;
    let mut writes = set(room.rows_for(&[room.draft("m2", "too late")]));
    writes.jobs.push(JobChange::Enqueue(room.job(1, "embed", "all", at(0))));
    for version in [planned, 0, planned + 2, u64::MAX] {
        let commit = Commit::to_space(room.key().clone(), writes.clone()).expecting(version);
        assert_eq!(refusal(store.commit(commit).await), ErrorCode::VersionMoved, "{version}");
    }
    assert_eq!(Contents::of(&store, room.key()).await, before);
    let current = room.space().await.version;
    store.commit(Commit::to_space(room.key().clone(), writes).expecting(current)).await.unwrap();
}

pub async fn of_many_commits_against_one_version_exactly_one_wins(store: Empty) {
    let room = Room::simple(&store).await;
    let version = room.space().await.version;
    let writers: Vec<_> = (0..20)
        .map(|n| {
            let rows = room.rows_for(&[room.draft(&format!("m{n}"), "mine")]);
            let commit = Commit::to_space(room.key().clone(), set(rows)).expecting(version);
            let store = store.clone();
            tokio::spawn(async move { store.commit(commit).await })
        })
        .collect();
    let mut won = 0;
    for writer in writers {
        match writer.await.unwrap() {
            Ok(_) => won += 1,
            Err(error) => assert_eq!(error.code(), ErrorCode::VersionMoved),
        }
    }
    assert_eq!((won, room.space().await.last_seq), (1, 1));
}

pub async fn a_commit_is_all_or_nothing(store: Empty) {
    let mut room = Room::simple(&store).await;
    let first = room.say("m1", "tea").await;
    room.ask(room.job(1, "embed", "all", at(100))).await;
    let before = Contents::of(&store, room.key()).await;

    let mut settings = room.space().await;
    settings.metadata.insert("changed".into(), true.into());
    let mut rows = vec![Row::Space(Box::new(settings)), Row::Audit(Box::new(audit("acme", 1)))];
    rows.extend(room.rows_for(&[room.draft("m2", "new words")]));
    rows.extend(edited(&first, "other words").1);
    rows.push(Row::Session(Box::new(session(2, "aside"))));
    rows.push(memory_row(memory("m", "PREF", MemoryStatus::Active)));
    rows.push(summary_row(summary(Period::Session(session_id("talk")), "tea")));
    let jobs = vec![
        JobChange::Enqueue(room.job(1, "embed", "all", at(1))),
        JobChange::Enqueue(room.job(2, "digest", "all", at(1))),
    ];

    let mut taken = rows.clone();
    taken.push(Row::Session(Box::new(session(3, "talk"))));
    let writes = WriteSet { rows: taken, jobs: jobs.clone(), ..WriteSet::default() };
    let refused = store.commit(Commit::to_space(room.key().clone(), writes)).await;
    assert_eq!(refusal(refused), ErrorCode::IdConflict);
    assert_eq!(Contents::of(&store, room.key()).await, before, "a row was refused");

    let mut not_ours = jobs.clone();
    not_ours.push(JobChange::Finish);
    let writes = WriteSet { rows: rows.clone(), jobs: not_ours, ..WriteSet::default() };
    store.commit(Commit::to_space(room.key().clone(), writes)).await.unwrap_err();
    assert_eq!(Contents::of(&store, room.key()).await, before, "a job was refused");

    let writes = WriteSet { rows, jobs, ..WriteSet::default() };
    store.commit(Commit::to_space(room.key().clone(), writes)).await.unwrap();
    let after = Contents::of(&store, room.key()).await;
    assert_eq!((after.messages.len(), after.sessions.len(), after.jobs.len()), (2, 2, 2));
    assert_eq!((after.memories.len(), after.summaries.len(), after.audit.len()), (1, 1, 1));
}

pub async fn a_jobs_effect_and_its_end_are_one(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "tea").await;
    room.ask(room.job(1, "digest", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    let effect = |rows| {
        let writes = WriteSet { rows, jobs: vec![JobChange::Finish], ..WriteSet::default() };
        store.commit(Commit::to_space(room.key().clone(), writes).under(job.lease()))
    };
    let before = Contents::of(&store, room.key()).await;
    let refused = effect(vec![
        memory_row(memory("tea", "PREF", MemoryStatus::Active)),
        Row::Session(Box::new(session(2, "talk"))),
    ]);
    assert_eq!(refusal(refused.await), ErrorCode::IdConflict);
    assert_eq!(Contents::of(&store, room.key()).await, before, "the job is still held");

    effect(vec![memory_row(memory("tea", "PREF", MemoryStatus::Active))]).await.unwrap();
    let after = Contents::of(&store, room.key()).await;
    assert_eq!((after.memories.len(), after.jobs.len()), (1, 0));
}

pub async fn a_lost_lease_writes_nothing(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "digest", "all", at(0))).await;
    let slow = claim_one(&store, at(0)).await;
    let quick = claim_one(&store, at(60)).await;
    let before = Contents::of(&store, room.key()).await;
    for change in [
        JobChange::Finish,
        JobChange::Postpone(at(900)),
        JobChange::Extend(at(900)),
        JobChange::Fail { retry_at: None, error: "late".into() },
        JobChange::Enqueue(room.job(2, "embed", "more", at(0))),
    ] {
        let rows = vec![memory_row(memory("late", "PREF", MemoryStatus::Active))];
        let writes = WriteSet { rows, jobs: vec![change], ..WriteSet::default() };
        let late = Commit::to_space(room.key().clone(), writes).under(slow.lease());
        assert_eq!(refusal(store.commit(late).await), ErrorCode::LeaseLost);
    }
    assert_eq!(Contents::of(&store, room.key()).await, before);
    room.settle(&quick, JobChange::Finish).await.unwrap();
}

pub async fn a_late_worker_may_finish_while_nobody_else_took_the_job(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "digest", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    // The lease ended at 60; a claim at 70 that has no room for the kind leaves the job alone.
    let elsewhere = Claim { room: vec![("embed".into(), 9)], ..wish(at(70)) };
    assert_eq!(store.claim_jobs(elsewhere).await.unwrap(), []);
    room.settle(&job, JobChange::Finish).await.unwrap();
    assert_eq!(claim(&store, at(80)).await, []);
}

pub async fn a_settled_lease_is_worth_nothing(store: Empty) {
    let room = Room::simple(&store).await;
    for (n, change) in (1..).zip([
        JobChange::Finish,
        JobChange::Postpone(at(1000)),
        JobChange::Fail { retry_at: Some(at(1000)), error: "no".into() },
        JobChange::Fail { retry_at: None, error: "no".into() },
    ]) {
        room.ask(room.job(n, "digest", &n.to_string(), at(0))).await;
        let job = claim_one(&store, at(0)).await;
        room.settle(&job, change).await.unwrap();
        let before = Contents::of(&store, room.key()).await;
        assert_eq!(refusal(room.settle(&job, JobChange::Finish).await), ErrorCode::LeaseLost);
        assert_eq!(Contents::of(&store, room.key()).await, before);
    }
    assert_eq!(claim(&store, at(0)).await, []);
}

pub async fn an_invented_lease_is_refused(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "digest", "all", at(0))).await;
    let waiting =
        store.job(&room.key().tenant, room.job(1, "digest", "all", at(0)).id).await.unwrap().unwrap();
    assert_eq!(
        refusal(room.settle(&waiting, JobChange::Finish).await),
        ErrorCode::LeaseLost,
        "nobody holds it"
    );
    let job = claim_one(&store, at(0)).await;
    let before = Contents::of(&store, room.key()).await;
    for token in [0, job.token + 1, u64::MAX] {
        let lease = Lease { token, ..job.lease() };
        let commit = Commit::to_space(room.key().clone(), set(Vec::new())).under(lease);
        assert_eq!(refusal(store.commit(commit).await), ErrorCode::LeaseLost);
    }
    let lease = Lease { job: room.job(9, "digest", "x", at(0)).id, ..job.lease() };
    let commit = Commit::to_space(room.key().clone(), set(Vec::new())).under(lease);
    assert_eq!(refusal(store.commit(commit).await), ErrorCode::LeaseLost);
    assert_eq!(Contents::of(&store, room.key()).await, before);
}

pub async fn a_job_is_settled_only_under_a_lease(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "digest", "all", at(0))).await;
    claim_one(&store, at(0)).await;
    let before = Contents::of(&store, room.key()).await;
    for change in [
        JobChange::Finish,
        JobChange::Postpone(at(900)),
        JobChange::Extend(at(900)),
        JobChange::Fail { retry_at: None, error: "no".into() },
    ] {
        let writes = WriteSet { jobs: vec![change], ..WriteSet::default() };
        store.commit(Commit::to_space(room.key().clone(), writes)).await.unwrap_err();
    }
    assert_eq!(Contents::of(&store, room.key()).await, before);
}
