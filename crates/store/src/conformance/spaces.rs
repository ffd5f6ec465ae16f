use jiff::SignedDuration;
use memoir_model::{ErrorCode, Preset, SpaceId, SpaceNo, Zone};

use super::fixtures::{AWKWARD, Empty, at, claim, metadata, refusal, set, space, space_id, tenant};
use super::room::{Contents, Room};
use crate::{Commit, Row, SpaceRange};

pub async fn a_new_space_is_read_back_as_it_was_written(store: Empty) {
    let mut new = space("acme", "group:eng", 0xab_cdef);
    new.preset = Preset::Coach;
    new.metadata =
        metadata(serde_json::json!({"plan": {"name": "gold", "seats": [1, 2.5, null]}, "名": "茶"}));
    new.created_at = at(3) + SignedDuration::from_micros(7);
    new.zones.change(at(100), "Asia/Shanghai".parse::<Zone>().unwrap());
    new.zones.change(at(200), "-03:30".parse::<Zone>().unwrap());
    let done = store
        .commit(Commit::to_space(new.key(), set(vec![Row::NewSpace(Box::new(new.clone()))])))
        .await
        .unwrap();

    let by_id = store.space(&new.tenant, &new.id).await.unwrap().unwrap();
    assert_eq!(by_id.version, done.version);
    assert!(by_id.version > 0, "an index that knows nothing is at 0");
    new.version = done.version;
    assert_eq!(by_id, new);
    assert_eq!(store.space_at(&new.key()).await.unwrap(), Some(new));
}

pub async fn what_does_not_exist_is_none(store: Empty) {
    let missing = space("acme", "user:nobody", 1);
    assert_eq!(store.space(&missing.tenant, &missing.id).await.unwrap(), None);
    assert_eq!(store.space_at(&missing.key()).await.unwrap(), None);
    let nothing = Contents::of(&store, &missing.key()).await;
    assert!(nothing.messages.is_empty() && nothing.sessions.is_empty() && nothing.index.is_none());
}

pub async fn a_space_id_is_taken_only_once_in_a_tenant(store: Empty) {
    let first = Room::open(&store, "acme", "user:alice", 1).await;
    let before = Contents::of(&store, first.key()).await;
    let second = Room::build(&store, space("acme", "user:alice", 2)).await;
    assert_eq!(refusal(second.map(drop)), ErrorCode::IdConflict);
    assert_eq!(Contents::of(&store, first.key()).await, before);
    assert_eq!(store.space_at(&space("acme", "user:alice", 2).key()).await.unwrap(), None);
}

pub async fn a_space_number_is_taken_only_once(store: Empty) {
    let first = Room::open(&store, "acme", "user:alice", 1).await;
    let before = Contents::of(&store, first.key()).await;
    for other in [space("acme", "user:bob", 1), space("globex", "user:alice", 1)] {
        let (owner, id) = (other.tenant.clone(), other.id.clone());
        assert_eq!(refusal(Room::build(&store, other).await.map(drop)), ErrorCode::IdConflict);
        assert_eq!(store.space(&owner, &id).await.unwrap(), None);
    }
    assert_eq!(Contents::of(&store, first.key()).await, before);
}

pub async fn two_tenants_may_use_the_same_space_id(store: Empty) {
    Room::open(&store, "acme", "user:alice", 1).await;
    Room::open(&store, "globex", "user:alice", 2).await;
    for (owner, bits) in [("acme", 1), ("globex", 2)] {
        let found = store.space(&tenant(owner), &space_id("user:alice")).await.unwrap().unwrap();
        assert_eq!((found.tenant, found.no), (tenant(owner), SpaceNo::from_low_bits(bits)));
    }
}

pub async fn settings_change_while_counters_stay_the_stores(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "tea").await;
    let mut changed = room.space().await;
    changed.preset = Preset::Reading;
    changed.metadata = metadata(serde_json::json!({"a": 1}));
    changed.zones.change(at(50), "Asia/Tokyo".parse::<Zone>().unwrap());
    let mut sent = changed.clone();
    (sent.version, sent.last_seq, sent.last_session) = (999, 999, 999);
    let done = room.put(vec![Row::Space(Box::new(sent))]).await.unwrap();

    assert!(done.version > changed.version);
    changed.version = done.version;
    assert_eq!(room.space().await, changed);

    changed.metadata.clear();
    changed.version = room.put(vec![Row::Space(Box::new(changed.clone()))]).await.unwrap().version;
    assert_eq!(room.space().await, changed, "metadata can be taken away again");
}

pub async fn a_write_into_a_space_that_does_not_exist_is_refused(store: Empty) {
    let room = Room::simple(&store).await;
    let rows = room.rows_for(&[room.draft("m1", "tea")]);
    let missing = space("acme", "user:nobody", 77).key();
    let refused = store.commit(Commit::to_space(missing.clone(), set(rows))).await;
    assert_eq!(refusal(refused), ErrorCode::NotFound);
    assert_eq!(Contents::of(&store, &missing).await.messages, []);
}

pub async fn every_bit_pattern_of_a_space_number_works(store: Empty) {
    let patterns = [0, 1, 0x7f_ffff_fffe, 0x7f_ffff_ffff, 0x80_0000_0000, 0x80_0000_0001, 0xff_ffff_ffff];
    let mut rooms = Vec::new();
    for bits in patterns {
        let mut room = Room::open(&store, "acme", &format!("user:{bits:x}"), bits).await;
        room.furnish().await;
        rooms.push(room);
    }
    let mut claimed: Vec<u64> = claim(&store, at(1000)).await.iter().map(|job| job.space.get()).collect();
    claimed.sort_unstable();
    assert_eq!(claimed, patterns);
    for (room, bits) in rooms.iter().zip(patterns) {
        let found = Contents::of(&store, room.key()).await;
        assert_eq!(found.space.unwrap().no.get(), bits);
        assert_eq!(found.messages.iter().map(|m| m.seq).collect::<Vec<_>>(), [1, 2, 3, 4], "{bits:x}");
        assert_eq!(found.index.unwrap().rows.len(), 4, "{bits:x}");
        assert_eq!(
            (found.sessions.len(), found.memories.len(), found.summaries.len()),
            (2, 1, 2),
            "{bits:x}"
        );
        assert_eq!(found.versions.len(), 2, "{bits:x}");
    }
}

pub async fn spaces_are_listed_in_the_byte_order_of_their_ids_page_by_page(store: Empty) {
    let names =
        ["user:b", "user:B", "user:张三", "group:z", "agent:z", "user:😀", "user:a", "user:é", "user:ab"];
    for (bits, id) in names.iter().enumerate() {
        Room::open(&store, "acme", id, bits as u64).await;
    }
    Room::open(&store, "globex", "user:aa", 99).await;
    let mut expected = names.map(str::to_owned);
    expected.sort_unstable();
    for limit in [1, 2, 4, 100] {
        let mut listed: Vec<String> = Vec::new();
        let mut after: Option<SpaceId> = None;
        loop {
            let page = store.spaces(&tenant("acme"), SpaceRange { after, limit }).await.unwrap();
            assert!(page.len() <= limit);
            after = page.last().map(|space| space.id.clone());
            if after.is_none() {
                break;
            }
            listed.extend(page.iter().map(|space| space.id.to_string()));
            assert!(listed.len() <= expected.len(), "{limit} at a time: {listed:?}");
        }
        assert_eq!(listed, expected, "{limit} at a time");
    }
}

pub async fn awkward_space_ids_stay_apart(store: Empty) {
    for (bits, text) in AWKWARD.iter().enumerate() {
        Room::open(&store, "acme", &format!("user:{text}"), bits as u64).await;
    }
    for (bits, text) in AWKWARD.iter().enumerate() {
        let found = store.space(&tenant("acme"), &space_id(&format!("user:{text}"))).await.unwrap().unwrap();
        assert_eq!((found.no.get(), found.id.name()), (bits as u64, *text));
    }
}
