use jiff::civil::date;
use memoir_model::{
    ErrorCode, MemoryId, MemoryStatus, Message, Period, Preset, Space, SpaceKey, SpaceNo, Thread,
};

use super::fixtures::{
    Empty, api_key, at, audit, claim_one, generated, memory, memory_row, message_id, refusal, session,
    session_id, set, space_id, tenant, thread, to_tenant, unnamed,
};
use super::room::{Contents, Room, edited};
use crate::{Commit, IndexPoint, JobChange, JobQuery, Piece, Row, SpaceRange, WriteSet};

fn stolen(room: &Room) -> SpaceKey {
    SpaceKey { tenant: tenant("globex"), no: room.key().no }
}

pub async fn another_tenants_key_reads_nothing(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    room.fill_to(Piece::ROWS - 1).await;
    let known = store.index_delta(room.key(), None).await.unwrap().unwrap().point;
    let key = stolen(&room);

    let seen = Contents::of(&store, &key).await;
    assert_eq!((seen.space, seen.index), (None, None));
    assert_eq!((seen.messages.len(), seen.versions.len(), seen.sessions.len()), (0, 0, 0));
    assert_eq!((seen.memories.len(), seen.summaries.len(), seen.jobs.len()), (0, 0, 0));
    assert_eq!(store.message(&key, &message_id("m1")).await.unwrap(), None);
    assert_eq!(store.messages_at(&key, &[1, 2]).await.unwrap(), [] as [Message; 0]);
    assert_eq!(store.message_versions(&key, 1).await.unwrap(), []);
    assert_eq!(store.taken_ids(&key, &[message_id("m1")]).await.unwrap(), []);
    assert_eq!(store.session(&key, &session_id("talk")).await.unwrap(), None);
    assert_eq!(store.session_at(&key, 1).await.unwrap(), None);
    assert_eq!(store.open_implicit_session(&key, &thread("work")).await.unwrap(), None);
    assert_eq!(store.implicit_sessions(&key, &thread("work"), at(0), at(9)).await.unwrap(), []);
    assert_eq!(store.index_delta(&key, Some(known)).await.unwrap(), None);
    assert_eq!(store.piece_rows(&key, 0).await.unwrap().1, []);
    assert_eq!(store.unsealed_pieces(&key, 9).await.unwrap(), [0; 0]);
    assert_eq!(store.memory(&key, &MemoryId::new("tea").unwrap()).await.unwrap(), None);
    assert_eq!(store.summary(&key, &Period::Day(date(2026, 1, 7))).await.unwrap(), None);
    assert_eq!(store.job(&tenant("globex"), generated(room.key().no, 1)).await.unwrap(), None);
    assert_eq!(store.space(&tenant("globex"), &space_id("user:alice")).await.unwrap(), None);
}

pub async fn another_tenants_key_writes_nothing(store: Empty) {
    let mut room = Room::simple(&store).await;
    let first = room.say("m1", "tea").await;
    let before = Contents::of(&store, room.key()).await;
    let mut writes = vec![
        set(room.rows_for(&[room.draft("m2", "spam")])),
        set(edited(&first, "other words").1),
        set(vec![Row::EraseMessage(Box::new(first))]),
        set(vec![Row::EraseSpace]),
        set(vec![Row::Session(Box::new(session(2, "spam")))]),
        set(vec![Row::Space(Box::new(room.space().await))]),
        set(vec![memory_row(memory("spam", "PREF", MemoryStatus::Active))]),
        set(vec![Row::Piece { no: 0, built_version: 99, bytes: vec![1] }]),
    ];
    let jobs = vec![JobChange::Enqueue(room.job(1, "embed", "spam", at(0)))];
    writes.push(WriteSet { jobs, ..WriteSet::default() });
    for writes in writes {
        store.commit(Commit::to_space(stolen(&room), writes)).await.unwrap_err();
    }
    assert_eq!(Contents::of(&store, room.key()).await, before);
}

pub async fn a_number_that_is_too_large_never_reaches_the_next_space(store: Empty) {
    let mut rooms = Vec::new();
    for bits in [2, 3, 0x7f_ffff_ffff, 0x80_0000_0000, 0xff_ffff_ffff, 0] {
        let mut room = Room::open(&store, "acme", &format!("user:{bits}"), bits).await;
        room.say("m1", "private").await;
        rooms.push(room);
    }
    for room in &rooms {
        let beyond =
            [0, 2, 1 << 24, (1 << 24) + 1, (1 << 40) + 1, (1 << 63) + 1, u64::MAX, u64::MAX - 0xff_fffe];
        assert_eq!(store.messages_at(room.key(), &beyond).await.unwrap(), [] as [Message; 0]);
        for seq in beyond {
            assert_eq!(store.message_versions(room.key(), seq).await.unwrap(), []);
        }
        for piece in [1, 4095, 4096, 4097, 1 << 40] {
            assert_eq!(store.piece_rows(room.key(), piece).await.unwrap().1, [], "piece {piece}");
        }
        let full = IndexPoint { version: 1, last_seq: Space::MOST_MESSAGES };
        assert_eq!(store.index_delta(room.key(), Some(full)).await.unwrap().unwrap().rows, []);
    }
}

pub async fn rows_that_name_another_space_do_not_reach_it(store: Empty) {
    let room = Room::simple(&store).await;
    let victim = Room::open(&store, "globex", "user:victim", 7).await;
    let before = Contents::of(&store, victim.key()).await;

    let mut settings = victim.space().await;
    settings.preset = Preset::Coach;
    settings.metadata.insert("spam".into(), true.into());
    // Refusing them and writing them where the commit says are both safe.
    drop(room.put(vec![Row::Space(Box::new(settings))]).await);
    drop(room.put(vec![Row::Audit(Box::new(audit("globex", 1)))]).await);
    drop(to_tenant(&store, "acme", vec![Row::Audit(Box::new(audit("globex", 2)))]).await);
    drop(room.put(vec![Row::EraseSpace, Row::Audit(Box::new(audit("globex", 3)))]).await);
    assert_eq!(Contents::of(&store, victim.key()).await, before);
}

pub async fn lists_show_a_tenant_only_its_own(store: Empty) {
    for (owner, bits) in [("acme", 1), ("globex", 2)] {
        let mut room = Room::open(&store, owner, &format!("user:of-{owner}"), bits).await;
        room.furnish().await;
        let rows = vec![Row::Key(Box::new(api_key(owner, owner))), Row::Audit(Box::new(audit(owner, 1)))];
        to_tenant(&store, owner, rows).await.unwrap();
    }
    for (owner, bits) in [("acme", 1), ("globex", 2)] {
        let owner = tenant(owner);
        let spaces = store.spaces(&owner, SpaceRange { after: None, limit: 9 }).await.unwrap();
        assert_eq!(spaces.iter().map(|space| space.no.get()).collect::<Vec<_>>(), [bits]);
        let jobs = store.jobs(&owner, &JobQuery { limit: 9, ..JobQuery::default() }).await.unwrap();
        assert_eq!(jobs.iter().map(|job| job.space.get()).collect::<Vec<_>>(), [bits]);
        let others = JobQuery { space: Some(SpaceNo::from_low_bits(3 - bits)), ..JobQuery::default() };
        assert_eq!(store.jobs(&owner, &JobQuery { limit: 9, ..others }).await.unwrap(), []);
        assert_eq!(store.keys(&owner).await.unwrap().len(), 1);
        assert_eq!(store.audit(&owner, None, 9).await.unwrap().len(), 1);
        assert_eq!(store.stats(&owner).await.unwrap().spaces, 1);
    }
}

pub async fn a_lease_of_one_space_settles_nothing_in_another(store: Empty) {
    let mine = Room::open(&store, "acme", "user:mine", 1).await;
    let other = Room::open(&store, "globex", "user:other", 2).await;
    for room in [&mine, &other] {
        // The same number makes ids that differ in nothing but the space.
        room.ask(room.job(1, "digest", "all", at(room.key().no.get() as i64))).await;
    }
    let job = claim_one(&store, at(1)).await;
    let other_job = claim_one(&store, at(2)).await;
    assert_eq!(refusal(other.settle(&job, JobChange::Finish).await), ErrorCode::LeaseLost);
    assert_eq!(store.job(&tenant("acme"), job.id).await.unwrap(), Some(job.clone()));
    mine.settle(&job, JobChange::Finish).await.unwrap();
    assert_eq!(store.job(&tenant("globex"), other_job.id).await.unwrap(), Some(other_job.clone()));
    other.settle(&other_job, JobChange::Finish).await.unwrap();
}

pub async fn sessions_and_threads_of_two_spaces_do_not_mix(store: Empty) {
    let mut one = Room::open(&store, "acme", "user:one", 1).await;
    let two = Room::open(&store, "acme", "user:two", 2).await;
    one.put_session(unnamed(2, &Thread::default(), at(0), at(9))).await.unwrap();
    assert_eq!(store.open_implicit_session(two.key(), &Thread::default()).await.unwrap(), None);
    assert_eq!(store.implicit_sessions(two.key(), &Thread::default(), at(0), at(9)).await.unwrap(), []);
    assert_eq!(store.session_at(two.key(), 2).await.unwrap(), None);
    assert_eq!(store.sessions(two.key(), None, 9).await.unwrap().len(), 1);
}
