use memoir_model::{SpaceKey, Speaker};

use super::fixtures::{Empty, at, name, session, space, terms};
use super::room::{Room, edited};
use crate::{IndexDelta, IndexPoint, IndexRow, MessageRow, Piece, Row};

async fn delta(store: &Empty, key: &SpaceKey, known: Option<IndexPoint>) -> IndexDelta {
    store.index_delta(key, known).await.unwrap().unwrap()
}

async fn whole(store: &Empty, room: &Room) -> IndexDelta {
    delta(store, room.key(), None).await
}

/// What the index sees of a stored message.
fn seen(row: &MessageRow) -> IndexRow {
    let message = &row.message;
    IndexRow {
        seq: message.seq,
        said_at: message.said_at,
        author: message.author.as_str().to_owned(),
        role: message.role,
        session_no: row.session_no,
        terms: Some(row.terms.clone()),
    }
}

fn numbers(rows: &[IndexRow]) -> Vec<u64> {
    rows.iter().map(|row| row.seq).collect()
}

fn piece(no: u64, built_version: u64) -> Row {
    Row::Piece { no, built_version, bytes: format!("piece {no} of {built_version}\0\u{1}").into_bytes() }
}

/// Seals a piece with what can be read now.
async fn seal(store: &Empty, room: &Room, no: u64) -> Piece {
    let (version, _) = store.piece_rows(room.key(), no).await.unwrap();
    room.put(vec![piece(no, version)]).await.unwrap();
    Piece { no, bytes: format!("piece {no} of {version}\0\u{1}").into_bytes() }
}

pub async fn a_new_index_gets_every_row_in_order(store: Empty) {
    let mut room = Room::simple(&store).await;
    let empty = whole(&store, &room).await;
    assert_eq!((empty.point.last_seq, empty.rows, empty.pieces), (0, vec![], vec![]));

    room.put_session(session(2, "aside")).await.unwrap();
    let one = room.say_at("m1", at(50)).await;
    let mut two = room.draft("m2", "茶");
    (two.session_no, two.message.author, two.message.role) = (2, name("bot"), Speaker::Assistant);
    two.terms = vec![0, 255, 1];
    room.append(vec![two.clone()]).await.unwrap();
    let full = whole(&store, &room).await;
    assert_eq!(full.point, IndexPoint { version: room.space().await.version, last_seq: 2 });
    assert_eq!(full.rows, [seen(&one), seen(&two)]);
}

pub async fn an_index_that_is_up_to_date_gets_nothing(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    let known = whole(&store, &room).await.point;
    let same = delta(&store, room.key(), Some(known)).await;
    assert_eq!(same, IndexDelta { point: known, pieces: vec![], rows: vec![] });

    // A commit without messages moves the version and brings no rows.
    room.put_session(session(9, "aside")).await.unwrap();
    let moved = delta(&store, room.key(), Some(known)).await;
    assert!(moved.point.version > known.version);
    assert_eq!((moved.point.last_seq, moved.rows, moved.pieces), (known.last_seq, vec![], vec![]));
}

pub async fn an_index_that_is_behind_gets_only_what_is_new(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(3).await;
    let known = whole(&store, &room).await.point;
    let (four, five) = (room.say("m4", "four").await, room.say("m5", "five").await);
    let news = delta(&store, room.key(), Some(known)).await;
    assert_eq!(news.rows, [seen(&four), seen(&five)]);
    assert_eq!(news.point, IndexPoint { version: room.space().await.version, last_seq: 5 });
    assert_eq!(delta(&store, room.key(), Some(news.point)).await.rows, []);
}

pub async fn an_edited_row_reaches_an_index_that_is_behind(store: Empty) {
    let mut room = Room::simple(&store).await;
    let one = room.say("m1", "green tea").await;
    let two = room.say("m2", "good night").await;
    let start = whole(&store, &room).await.point;
    let one = room.edit(&one, "black tea").await;
    let halfway = whole(&store, &room).await.point;
    let three = room.say("m3", "new").await;
    let one = room.edit(&one, "white tea").await;

    let news = delta(&store, room.key(), Some(start)).await;
    assert_eq!(news.rows, [seen(&one), seen(&three)], "each row once, in its newest wording");
    assert_eq!(delta(&store, room.key(), Some(halfway)).await.rows, [seen(&one), seen(&three)]);
    let four = room.say("m4", "newer").await;
    assert_eq!(
        delta(&store, room.key(), Some(news.point)).await.rows,
        [seen(&four)],
        "an edit is not sent twice"
    );
    assert_eq!(whole(&store, &room).await.rows, [&one, &two, &three, &four].map(seen));
}

pub async fn an_edit_within_the_news_comes_once(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "known").await;
    let known = whole(&store, &room).await.point;
    let two = room.say("m2", "new").await;
    let two = room.edit(&two, "new and edited").await;
    assert_eq!(delta(&store, room.key(), Some(known)).await.rows, [seen(&two)]);

    // Stored and edited by one and the same commit.
    let three = room.draft("m3", "three");
    let mut rows = room.rows_for(std::slice::from_ref(&three));
    let (three, edit) = edited(&three, "three and edited");
    rows.extend(edit);
    room.put(rows).await.unwrap();
    assert_eq!(delta(&store, room.key(), Some(known)).await.rows, [seen(&two), seen(&three)]);
}

pub async fn a_recalled_or_erased_row_reaches_an_index_without_its_terms(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (one, two) = (room.say("m1", "one").await, room.say("m2", "two").await);
    let three = room.say("m3", "three").await;
    let known = whole(&store, &room).await.point;
    room.recall(&one).await;
    room.erase(&two).await;
    let gone = |row: &MessageRow| IndexRow { terms: None, ..seen(row) };
    let news = delta(&store, room.key(), Some(known)).await;
    assert_eq!(news.rows, [gone(&one), gone(&two)]);
    assert_eq!(whole(&store, &room).await.rows, [gone(&one), gone(&two), seen(&three)]);
    let (_, rows) = store.piece_rows(room.key(), 0).await.unwrap();
    assert_eq!(rows, [gone(&one), gone(&two), seen(&three)], "nor are they sealed");
}

pub async fn a_restored_row_reaches_an_index_with_its_terms(store: Empty) {
    let mut room = Room::simple(&store).await;
    let one = room.say("m1", "one").await;
    let recalled = room.recall(&one).await;
    let known = whole(&store, &room).await.point;
    let mut back = recalled.clone();
    back.message.state = one.message.state;
    room.edit(&back, "one").await;
    assert_eq!(delta(&store, room.key(), Some(known)).await.rows, [seen(&one)]);
}

pub async fn an_index_of_a_space_that_is_gone_is_told_so(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    let known = whole(&store, &room).await.point;
    room.put(vec![Row::EraseSpace]).await.unwrap();
    assert_eq!(store.index_delta(room.key(), Some(known)).await.unwrap(), None);
    assert_eq!(store.index_delta(room.key(), None).await.unwrap(), None);
}

pub async fn full_pieces_that_are_not_sealed_are_listed(store: Empty) {
    let mut room = Room::simple(&store).await;
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0; 0]);
    room.fill_to(Piece::ROWS - 2).await;
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0; 0], "one short of full");
    room.fill_to(Piece::ROWS - 1).await;
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0]);
    room.fill_to(3 * Piece::ROWS).await;
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0, 1, 2]);
    assert_eq!(store.unsealed_pieces(room.key(), 2).await.unwrap(), [0, 1]);
    seal(&store, &room, 1).await;
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0, 2]);
    assert_eq!(store.unsealed_pieces(room.key(), 1).await.unwrap(), [0]);
}

pub async fn the_rows_of_a_piece_are_those_it_covers(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(2 * Piece::ROWS + 1).await;
    for (no, first, last) in [(0, 1, 4095), (1, 4096, 8191), (2, 8192, 8193)] {
        let (version, rows) = store.piece_rows(room.key(), no).await.unwrap();
        assert_eq!(version, room.space().await.version);
        assert_eq!(numbers(&rows), (first..=last).collect::<Vec<_>>(), "piece {no}");
        assert!(rows.iter().all(|row| row.terms.as_deref() == Some(&terms("tea"))));
    }
    assert_eq!(store.piece_rows(room.key(), 3).await.unwrap().1, []);
}

pub async fn a_sealed_piece_stands_for_its_rows(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(2 * Piece::ROWS + 4).await;
    let second = seal(&store, &room, 1).await;
    let around = whole(&store, &room).await;
    assert_eq!(around.pieces, std::slice::from_ref(&second));
    let expected: Vec<u64> = (1..=4095).chain(8192..=8196).collect();
    assert_eq!(numbers(&around.rows), expected, "the rows before and after the piece, not those in it");

    let first = seal(&store, &room, 0).await;
    let sealed = whole(&store, &room).await;
    assert_eq!(sealed.pieces, [first, second]);
    assert_eq!(numbers(&sealed.rows), [8192, 8193, 8194, 8195, 8196]);
    let known = IndexPoint { version: sealed.point.version - 1, last_seq: 8195 };
    let news = delta(&store, room.key(), Some(known)).await;
    assert_eq!(
        (news.pieces, numbers(&news.rows)),
        (vec![], vec![8196]),
        "pieces are for those who have nothing"
    );
}

pub async fn a_stale_piece_is_left_out(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(2 * Piece::ROWS).await;
    let (built, _) = store.piece_rows(room.key(), 0).await.unwrap();
    let mut row = room.draft("m7", "tea");
    (row.message.seq, row.message.said_at) = (7, at(7));
    room.erase(&row).await;

    // Built before the erasure: the segment still has the words. The neighbour is not concerned.
    room.put(vec![piece(0, built), piece(1, built)]).await.unwrap();
    let after = whole(&store, &room).await;
    assert_eq!(after.pieces.iter().map(|piece| piece.no).collect::<Vec<_>>(), [1]);
    assert_eq!(after.rows.len(), 4095 + 1);
    assert_eq!(after.rows[6].terms, None);
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0]);

    seal(&store, &room, 0).await;
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [0; 0], "built again it fits");
}

pub async fn an_edit_unseals_its_piece_and_no_other(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut other = Room::open(&store, "acme", "user:other", 1).await;
    for room in [&mut room, &mut other] {
        room.fill_to(2 * Piece::ROWS - 1).await;
        seal(&store, room, 0).await;
        seal(&store, room, 1).await;
    }
    let mut row = room.draft("m4096", "tea");
    (row.message.seq, row.message.said_at) = (4096, at(4096));
    let row = room.edit(&row, "coffee").await;
    let after = whole(&store, &room).await;
    assert_eq!(after.pieces.iter().map(|piece| piece.no).collect::<Vec<_>>(), [0]);
    assert_eq!(numbers(&after.rows), (4096..=8191).collect::<Vec<_>>());
    assert_eq!(after.rows[0], seen(&row));
    assert_eq!(whole(&store, &other).await.pieces.len(), 2);

    // An edit and a piece built before it in one commit: whatever comes first, the old words are out.
    let (built, _) = store.piece_rows(room.key(), 1).await.unwrap();
    let mut rows = vec![piece(1, built)];
    rows.extend(edited(&row, "cocoa").1);
    rows.push(piece(1, built));
    room.put(rows).await.unwrap();
    assert_eq!(store.unsealed_pieces(room.key(), 10).await.unwrap(), [1]);
}

pub async fn a_space_made_again_has_no_pieces_of_the_old_one(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(Piece::ROWS - 1).await;
    seal(&store, &room, 0).await;
    room.put(vec![Row::EraseSpace]).await.unwrap();
    let mut again = Room::build(&store, space("acme", "user:alice", room.key().no.get())).await.unwrap();
    let one = again.say("m1", "tea").await;
    let full = whole(&store, &again).await;
    assert_eq!((full.pieces, full.rows), (vec![], vec![seen(&one)]));
}
