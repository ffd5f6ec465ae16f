use memoir_model::{AuditAction, AuditEntry, ErrorCode, MemoryStatus, Message, MessageState};

use super::fixtures::{
    Empty, at, audit, claim, claim_one, memory, memory_row, message_id, name, refusal, set, space, space_id,
    tenant,
};
use super::room::{Contents, Room};
use crate::{Commit, JobChange, JobQuery, Row, WriteSet};

pub async fn an_erased_message_keeps_its_place_and_loses_its_words(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut row = room.draft("m1", "a secret");
    row.message.mentions = vec![name("carol")];
    row.message.metadata.insert("secret".into(), "too".into());
    room.append(vec![row.clone()]).await.unwrap();
    let row = room.edit(&row, "a deeper secret").await;
    let other = room.say("m2", "no secret").await;
    let other = room.edit(&other, "still none").await;
    let erased = room.erase(&row).await;

    let found = store.message(room.key(), &message_id("m1")).await.unwrap().unwrap();
    assert_eq!(found, erased.message);
    let words = (found.content.as_str(), found.mentions.len(), found.metadata.len());
    assert_eq!((words, found.state), (("", 0, 0), MessageState::Erased));
    assert_eq!((found.seq, found.said_at, found.session), (1, row.message.said_at, row.message.session));
    assert_eq!(store.message_versions(room.key(), 1).await.unwrap(), [], "no earlier wording is left");
    assert_eq!(
        store.message_versions(room.key(), 2).await.unwrap().len(),
        1,
        "another message keeps its own"
    );
    assert_eq!(store.messages_at(room.key(), &[2]).await.unwrap(), [other.message]);
}

pub async fn the_id_of_an_erased_message_stays_taken(store: Empty) {
    let mut room = Room::simple(&store).await;
    let row = room.say("m1", "a secret").await;
    room.erase(&row).await;
    assert_eq!(store.taken_ids(room.key(), &[message_id("m1")]).await.unwrap().len(), 1);
    let again = room.draft("m1", "a secret");
    room.append(vec![again]).await.unwrap_err();
}

pub async fn erasing_a_space_takes_everything_in_it(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    room.put(vec![Row::EraseSpace]).await.unwrap();

    assert_eq!(store.space(&tenant("acme"), &space_id("user:alice")).await.unwrap(), None);
    let nothing = Contents {
        space: None,
        messages: vec![],
        versions: vec![],
        sessions: vec![],
        memories: vec![],
        summaries: vec![],
        index: None,
        generations: vec![],
        vectors: vec![],
        jobs: vec![],
        audit: vec![],
    };
    assert_eq!(Contents::of(&store, room.key()).await, nothing);
    for seq in 1..=4 {
        assert_eq!(store.message_versions(room.key(), seq).await.unwrap(), []);
    }
    assert_eq!(store.messages_at(room.key(), &[1, 2, 3, 4]).await.unwrap(), [] as [Message; 0]);
    assert_eq!(store.piece_rows(room.key(), 0).await.unwrap().1, []);
    assert_eq!(claim(&store, at(5000)).await, []);
    room.put(vec![Row::EraseSpace]).await.unwrap_err();
}

pub async fn erasing_a_space_leaves_the_others_alone(store: Empty) {
    for (victim, near) in [(0x80_0000_0000, 0x80_0000_0001), (0, 1), (0xff_ffff_ffff, 0xff_ffff_fffe)] {
        let neighbours = [
            ("acme", "user:near", near),
            ("acme", "user:far", victim ^ 0x40_0000_0000),
            ("globex", "user:victim", victim ^ 0x80_0000_0000),
        ];
        let mut rooms = Vec::new();
        for (owner, id, bits) in neighbours {
            let mut room = Room::open(&store, owner, id, bits).await;
            room.furnish().await;
            rooms.push(room);
        }
        let mut before = Vec::new();
        for room in &rooms {
            before.push(Contents::of(&store, room.key()).await);
        }
        let mut room = Room::open(&store, "acme", "user:victim", victim).await;
        room.furnish().await;
        room.put(vec![Row::EraseSpace]).await.unwrap();
        for (room, before) in rooms.iter().zip(before) {
            assert_eq!(Contents::of(&store, room.key()).await, before);
        }
        for room in rooms {
            room.put(vec![Row::EraseSpace]).await.unwrap();
        }
    }
}

pub async fn an_erased_space_can_be_made_again_and_is_empty(store: Empty) {
    for same_number in [false, true] {
        let mut room = Room::simple(&store).await;
        room.furnish().await;
        room.put(vec![Row::EraseSpace]).await.unwrap();
        let bits = if same_number { room.key().no.get() } else { 5 };
        let mut again = Room::build(&store, space("acme", "user:alice", bits)).await.unwrap();
        let fresh = Contents::of(&store, again.key()).await;
        assert_eq!((fresh.messages.len(), fresh.versions.len(), fresh.sessions.len()), (0, 0, 1));
        assert_eq!((fresh.memories.len(), fresh.summaries.len(), fresh.jobs.len()), (0, 0, 0));
        assert_eq!(fresh.index.unwrap().point.last_seq, 0);
        again.say("m1", "a new life").await;
        let known = store.index_delta(again.key(), None).await.unwrap().unwrap().point;
        again.say("m2", "goes on").await;
        let news = store.index_delta(again.key(), Some(known)).await.unwrap().unwrap();
        assert_eq!(news.rows.len(), 1, "no change of the old space is remembered");
        again.put(vec![Row::EraseSpace]).await.unwrap();
    }
}

pub async fn the_audit_line_of_an_erasure_outlives_it(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    let line = |n, action| AuditEntry { action, ..audit("acme", n) };
    room.put(vec![Row::Audit(Box::new(line(1, AuditAction::SpaceChanged)))]).await.unwrap();
    room.put(vec![Row::EraseSpace, Row::Audit(Box::new(line(2, AuditAction::SpaceErased)))]).await.unwrap();
    let log = store.audit(&tenant("acme"), None, 10).await.unwrap();
    assert_eq!(log, [line(2, AuditAction::SpaceErased), line(1, AuditAction::SpaceChanged)]);
}

pub async fn an_erasure_against_an_old_version_is_refused(store: Empty) {
    let mut room = Room::simple(&store).await;
    let planned = room.space().await.version;
    room.furnish().await;
    let before = Contents::of(&store, room.key()).await;
    let commit = Commit::to_space(room.key().clone(), set(vec![Row::EraseSpace])).expecting(planned);
    store.commit(commit).await.unwrap_err();
    assert_eq!(Contents::of(&store, room.key()).await, before);
}

pub async fn who_planned_on_a_space_that_was_erased_is_told_to_plan_again(store: Empty) {
    let room = Room::simple(&store).await;
    let planned = room.space().await.version;
    let row = room.draft("m1", "too late");
    room.put(vec![Row::EraseSpace]).await.unwrap();
    let write = || Commit::to_space(room.key().clone(), set(vec![Row::Message(Box::new(row.clone()))]));
    assert_eq!(refusal(store.commit(write().expecting(planned)).await), ErrorCode::VersionMoved);
    assert_eq!(refusal(store.commit(write()).await), ErrorCode::NotFound);
}

pub async fn a_worker_of_an_erased_space_writes_nothing(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "digest", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.put(vec![Row::EraseSpace]).await.unwrap();
    assert_eq!(store.spaces_of_jobs(std::slice::from_ref(&job)).await.unwrap(), [None]);

    let effect = || WriteSet {
        rows: vec![memory_row(memory("late", "PREF", MemoryStatus::Active))],
        jobs: vec![JobChange::Finish],
        ..WriteSet::default()
    };
    store.commit(Commit::to_space(room.key().clone(), effect()).under(job.lease())).await.unwrap_err();
    let again = Room::build(&store, space("acme", "user:alice", room.key().no.get())).await.unwrap();
    store.commit(Commit::to_space(again.key().clone(), effect()).under(job.lease())).await.unwrap_err();
    assert_eq!(Contents::of(&store, again.key()).await.memories, []);
    assert_eq!(store.jobs(&tenant("acme"), &JobQuery { limit: 9, ..JobQuery::default() }).await.unwrap(), []);
}
