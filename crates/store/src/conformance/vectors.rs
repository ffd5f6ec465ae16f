use memoir_model::{Generation, GenerationId, Space};

use super::fixtures::{Empty, tenant};
use super::room::{Room, edited};
use crate::{MessageRow, NewVector, Row, VectorQuery, VectorRow};

const EVERYTHING: VectorQuery = VectorQuery { generation: 1, since: 0, after: 0, limit: 1000 };

pub fn generation(no: u32, cursor: u64) -> Generation {
    let id = GenerationId::new(format!("模型 '{no}'/mean/3")).unwrap();
    Generation { no, id, dimension: 3, cursor, serves: false }
}

/// A vector that tells which message and which generation it is of.
pub fn vector(generation: u32, row: &MessageRow) -> NewVector {
    let seq = row.message.seq;
    let vector = vec![seq as f32, -0.1 * generation as f32, f32::MIN_POSITIVE];
    NewVector { seq, message_version: row.message.version, before: None, vector }
}

fn vectors(generation: u32, rows: &[&MessageRow]) -> Row {
    Row::Vectors { generation, vectors: rows.iter().map(|row| vector(generation, row)).collect() }
}

fn kept(generation: u32, rows: &[&MessageRow]) -> Vec<VectorRow> {
    let kept = |row: &&MessageRow| {
        let NewVector { seq, vector, .. } = vector(generation, row);
        VectorRow { seq, vector: Some(vector) }
    };
    rows.iter().map(kept).collect()
}

/// A vector into which the words of the message before it went as well.
fn vector_after(before: &MessageRow, row: &MessageRow) -> NewVector {
    NewVector { before: Some((before.message.seq, before.message.version)), ..vector(1, row) }
}

async fn all(store: &Empty, room: &Room, generation: u32) -> Vec<VectorRow> {
    store.vectors(room.key(), VectorQuery { generation, ..EVERYTHING }).await.unwrap()
}

async fn wanted(store: &Empty, room: &Room, generation: u32) -> Vec<u64> {
    store.vectors_wanted(room.key(), generation, 100).await.unwrap()
}

pub async fn vectors_are_read_back_bit_for_bit_in_the_order_of_their_messages(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two, three) = (room.say("a", "a").await, room.say("b", "b").await, room.say("c", "c").await);
    room.put(vec![Row::Generation(generation(1, 3)), vectors(1, &[&three, &one])]).await.unwrap();
    room.put(vec![vectors(1, &[&two])]).await.unwrap();
    assert_eq!(all(&store, &room, 1).await, kept(1, &[&one, &two, &three]));
    let page = VectorQuery { after: 1, limit: 1, ..EVERYTHING };
    assert_eq!(store.vectors(room.key(), page).await.unwrap(), kept(1, &[&two]));
    let beyond = VectorQuery { after: u64::MAX, ..EVERYTHING };
    assert_eq!(store.vectors(room.key(), beyond).await.unwrap(), []);
    assert_eq!(all(&store, &room, 2).await, []);
    assert_eq!(all(&store, &room, 3).await.len(), 0, "a number of the same parity is another generation");
}

pub async fn vectors_move_their_own_counter_and_not_the_version(store: Empty) {
    let mut room = Room::simple(&store).await;
    let one = room.say("a", "a").await;
    let before = room.space().await;
    room.put(vec![Row::Generation(generation(1, 1)), vectors(1, &[&one])]).await.unwrap();
    let after = room.space().await;
    assert_eq!((after.version, after.vectors), (before.version, before.vectors + 1));
    room.say("b", "b").await;
    assert_eq!(room.space().await.vectors, after.vectors);
}

pub async fn an_index_that_is_behind_gets_only_new_vectors(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two) = (room.say("a", "a").await, room.say("b", "b").await);
    room.put(vec![Row::Generation(generation(1, 2)), vectors(1, &[&two])]).await.unwrap();
    let since = room.space().await.vectors;
    room.put(vec![vectors(1, &[&one])]).await.unwrap();
    let news = VectorQuery { since, ..EVERYTHING };
    assert_eq!(store.vectors(room.key(), news).await.unwrap(), kept(1, &[&one]));
    let now = VectorQuery { since: room.space().await.vectors, ..EVERYTHING };
    assert_eq!(store.vectors(room.key(), now).await.unwrap(), []);
}

pub async fn a_generation_goes_on_and_keeps_what_it_is(store: Empty) {
    let room = Room::simple(&store).await;
    assert_eq!(store.generations(room.key()).await.unwrap(), []);
    room.put(vec![Row::Generation(generation(7, 0))]).await.unwrap();
    let further = Generation { cursor: 9, serves: true, ..generation(7, 0) };
    let changed = Generation { id: GenerationId::new("other").unwrap(), dimension: 5, ..further.clone() };
    room.put(vec![Row::Generation(changed), Row::Generation(generation(8, 0))]).await.unwrap();
    assert_eq!(store.generations(room.key()).await.unwrap(), [further, generation(8, 0)]);
    assert!(room.put(vec![Row::Generation(generation(10, 0))]).await.is_err(), "a third one has no place");
}

pub async fn a_dropped_generation_takes_its_vectors_along_and_no_others(store: Empty) {
    let mut room = Room::simple(&store).await;
    let one = room.say("a", "a").await;
    for no in [1, 2] {
        room.put(vec![Row::Generation(generation(no, 1)), vectors(no, &[&one])]).await.unwrap();
    }
    room.put(vec![Row::DropGeneration(1), Row::DropGeneration(5)]).await.unwrap();
    assert_eq!(store.generations(room.key()).await.unwrap(), [generation(2, 1)]);
    assert_eq!((all(&store, &room, 1).await, all(&store, &room, 2).await), (vec![], kept(2, &[&one])));
    room.put(vec![vectors(1, &[&one])]).await.unwrap();
    assert_eq!(all(&store, &room, 1).await, [], "what comes too late is left out");
    room.put(vec![Row::Generation(generation(3, 0))]).await.unwrap();
    assert_eq!(all(&store, &room, 3).await, []);
}

pub async fn a_vector_of_another_dimension_is_refused_with_all_that_came_with_it(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two) = (room.say("a", "a").await, room.say("b", "b").await);
    room.put(vec![Row::Generation(generation(1, 0))]).await.unwrap();
    let long = NewVector { vector: vec![0.5; 4], ..vector(1, &two) };
    for unfit in [vec![vector(1, &one), long.clone()], vec![long]] {
        let rows = vec![Row::Vectors { generation: 1, vectors: unfit }, Row::Generation(generation(1, 2))];
        assert!(room.put(rows).await.is_err());
    }
    assert_eq!(all(&store, &room, 1).await, []);
    assert_eq!(store.generations(room.key()).await.unwrap(), [generation(1, 0)]);
}

pub async fn an_edited_message_wants_its_vector_again(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two, three) = (room.say("a", "a").await, room.say("b", "b").await, room.say("c", "c").await);
    room.put(vec![Row::Generation(generation(1, 2)), vectors(1, &[&one, &two])]).await.unwrap();
    let edited = room.edit(&one, "other words").await;
    room.edit(&three, "not yet looked at").await;
    assert_eq!(all(&store, &room, 1).await, kept(1, &[&two]));
    assert_eq!(wanted(&store, &room, 1).await, [1], "what lies beyond the cursor is not waited for");
    let since = room.space().await.vectors;
    room.put(vec![vectors(1, &[&edited])]).await.unwrap();
    assert_eq!(
        store.vectors(room.key(), VectorQuery { since, ..EVERYTHING }).await.unwrap(),
        kept(1, &[&edited])
    );
    assert_eq!(wanted(&store, &room, 1).await, [0; 0]);
}

pub async fn a_vector_of_an_older_wording_is_not_kept(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two) = (room.say("a", "a").await, room.say("b", "b").await);
    room.put(vec![Row::Generation(generation(1, 0))]).await.unwrap();
    let edited = room.edit(&one, "other words").await;
    // The words were read before the edit; the cursor passes the message all the same.
    room.put(vec![vectors(1, &[&one, &two]), Row::Generation(generation(1, 2))]).await.unwrap();
    assert_eq!((all(&store, &room, 1).await, wanted(&store, &room, 1).await), (kept(1, &[&two]), vec![1]));
    room.put(vec![vectors(1, &[&edited])]).await.unwrap();
    assert_eq!(all(&store, &room, 1).await, kept(1, &[&edited, &two]));
}

pub async fn a_vector_with_an_older_wording_of_the_message_before_is_not_kept(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two, three) = (room.say("a", "a").await, room.say("b", "b").await, room.say("c", "c").await);
    let four = room.say("d", "d").await;
    room.put(vec![Row::Generation(generation(1, 0))]).await.unwrap();
    let edited = room.edit(&one, "other words").await;
    room.recall(&three).await;
    // All words were read before the edit and the recall.
    let read = vec![vector_after(&one, &two), vector_after(&three, &four)];
    let rows = vec![Row::Vectors { generation: 1, vectors: read }, Row::Generation(generation(1, 4))];
    room.put(rows).await.unwrap();
    assert_eq!((all(&store, &room, 1).await, wanted(&store, &room, 1).await), (vec![], vec![2, 4]));
    let made = vec![vector_after(&edited, &two), vector(1, &four)];
    room.put(vec![Row::Vectors { generation: 1, vectors: made }]).await.unwrap();
    assert_eq!(all(&store, &room, 1).await, kept(1, &[&two, &four]));
    for gone in [99, u64::MAX] {
        let of_nobody = NewVector { before: Some((gone, 1)), ..vector(1, &two) };
        room.put(vec![Row::Vectors { generation: 1, vectors: vec![of_nobody] }]).await.unwrap();
        assert_eq!(
            (all(&store, &room, 1).await, wanted(&store, &room, 1).await),
            (kept(1, &[&four]), vec![2])
        );
        room.put(vec![vectors(1, &[&two])]).await.unwrap();
    }
}

pub async fn an_outdated_vector_is_wanted_again_wherever_the_cursor_has_passed(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two, three) = (room.say("a", "a").await, room.say("b", "b").await, room.say("c", "c").await);
    room.put(vec![Row::Generation(generation(1, 2)), vectors(1, &[&one, &two])]).await.unwrap();
    room.put(vec![Row::Generation(generation(2, 1)), vectors(2, &[&one])]).await.unwrap();
    let before = room.space().await;
    room.put([&two, &three].map(|row| Row::OutdateVector { seq: row.message.seq }).into()).await.unwrap();
    let after = room.space().await;
    assert_eq!((after.version, after.vectors), (before.version, before.vectors + 1));
    assert_eq!((all(&store, &room, 1).await, wanted(&store, &room, 1).await), (kept(1, &[&one]), vec![2]));
    assert_eq!((all(&store, &room, 2).await, wanted(&store, &room, 2).await), (kept(2, &[&one]), vec![]));
    room.put(vec![vectors(1, &[&two])]).await.unwrap();
    assert_eq!(
        (all(&store, &room, 1).await, wanted(&store, &room, 1).await),
        (kept(1, &[&one, &two]), vec![])
    );
    let numbers = [0, 99, Space::MOST_MESSAGES + 2, u64::MAX];
    room.put(numbers.map(|seq| Row::OutdateVector { seq }).into()).await.unwrap();
    assert_eq!(all(&store, &room, 1).await, kept(1, &[&one, &two]), "numbers that no message has");
}

pub async fn an_index_that_is_behind_learns_which_vectors_are_outdated(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two, three) = (room.say("a", "a").await, room.say("b", "b").await, room.say("c", "c").await);
    room.put(vec![Row::Generation(generation(1, 3)), vectors(1, &[&one, &two, &three])]).await.unwrap();
    let since = room.space().await.vectors;
    let news = async || store.vectors(room.key(), VectorQuery { since, ..EVERYTHING }).await.unwrap();
    assert_eq!(news().await, []);
    // As the engine does it: with the edit of the message whose words it holds.
    let (_, mut rows) = edited(&one, "other words");
    rows.push(Row::OutdateVector { seq: 2 });
    room.put(rows).await.unwrap();
    let gone = |seq| VectorRow { seq, vector: None };
    assert_eq!(news().await, [gone(1), gone(2)]);
    let page = VectorQuery { since, after: 1, limit: 1, ..EVERYTHING };
    assert_eq!(store.vectors(room.key(), page).await.unwrap(), [gone(2)]);
    room.put(vec![vectors(1, &[&two])]).await.unwrap();
    assert_eq!(news().await, [vec![gone(1)], kept(1, &[&two])].concat());
}

pub async fn an_outdated_vector_of_a_message_that_is_not_active_is_not_wanted(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two) = (room.say("a", "a").await, room.say("b", "b").await);
    room.put(vec![Row::Generation(generation(1, 2)), vectors(1, &[&one, &two])]).await.unwrap();
    room.recall(&one).await;
    room.erase(&two).await;
    room.put([1, 2].map(|seq| Row::OutdateVector { seq }).into()).await.unwrap();
    assert_eq!((all(&store, &room, 1).await, wanted(&store, &room, 1).await), (vec![], vec![]));
}

pub async fn a_recalled_or_erased_message_loses_its_vectors(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two, three) = (room.say("a", "a").await, room.say("b", "b").await, room.say("c", "c").await);
    for no in [1, 2] {
        room.put(vec![Row::Generation(generation(no, 3)), vectors(no, &[&one, &two, &three])]).await.unwrap();
    }
    let recalled = room.recall(&one).await;
    room.erase(&two).await;
    for no in [1, 2] {
        assert_eq!(all(&store, &room, no).await, kept(no, &[&three]));
        assert_eq!(wanted(&store, &room, no).await, [0; 0]);
    }
    room.put(vec![vectors(1, &[&recalled, &two])]).await.unwrap();
    assert_eq!(all(&store, &room, 1).await, kept(1, &[&three]), "nor does a late one bring them back");
    let mut back = recalled.clone();
    back.message.state = one.message.state;
    room.edit(&back, "a").await;
    assert_eq!(wanted(&store, &room, 1).await, [1]);
}

pub async fn vectors_of_two_spaces_and_tenants_do_not_mix(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut other = Room::open(&store, "acme", "user:bob", 2).await;
    let (one, _) = (room.say("a", "a").await, other.say("a", "a").await);
    room.put(vec![Row::Generation(generation(1, 1)), vectors(1, &[&one])]).await.unwrap();
    assert_eq!(store.generations(other.key()).await.unwrap(), []);
    assert_eq!(all(&store, &other, 1).await, []);
    let mut stranger = room.key().clone();
    stranger.tenant = tenant("stranger");
    assert_eq!(store.generations(&stranger).await.unwrap(), []);
    assert_eq!(store.vectors(&stranger, EVERYTHING).await.unwrap(), []);
    assert_eq!(store.vectors_wanted(&stranger, 1, 10).await.unwrap(), [0; 0]);
    let writes = crate::WriteSet { rows: vec![Row::DropGeneration(1)], ..Default::default() };
    assert!(store.commit(crate::Commit::to_space(stranger, writes)).await.is_err());
    assert_eq!(all(&store, &room, 1).await.len(), 1);
}

pub async fn an_erased_space_leaves_no_vectors(store: Empty) {
    let mut room = Room::simple(&store).await;
    let one = room.say("a", "a").await;
    for no in [1, 2] {
        room.put(vec![Row::Generation(generation(no, 1)), vectors(no, &[&one])]).await.unwrap();
    }
    room.put(vec![Row::EraseSpace]).await.unwrap();
    let mut again = Room::simple(&store).await;
    again.say("a", "a").await;
    assert_eq!(store.generations(again.key()).await.unwrap(), []);
    again.put(vec![Row::Generation(generation(1, 0)), Row::Generation(generation(2, 0))]).await.unwrap();
    assert_eq!((all(&store, &again, 1).await, all(&store, &again, 2).await), (vec![], vec![]));
}
