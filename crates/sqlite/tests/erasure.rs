//! What was erased is in none of the store's files any more.

use std::path::Path;
use std::sync::Arc;

use memoir_model::{Attachment, MemoryStatus, Period};
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::conformance::fixtures::{
    Empty, Room, at, memory, memory_row, metadata, name, previous, session, session_id, summary, summary_row,
};
use memoir_store::{MessageRow, Row};

fn open(folder: &Path) -> Empty {
    Arc::new(SqliteStore::open(&Options::at(folder.join("memoir.db"))).unwrap())
}

/// How often the words occur in the files of the folder, and how many bytes were searched.
fn occurrences(folder: &Path, words: &str) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        count += bytes.windows(words.len()).filter(|window| *window == words.as_bytes()).count();
    }
    count
}

/// A message that has the words in every part that erasure has to reach.
fn telling(room: &Room, id: &str, words: &str, length: usize) -> MessageRow {
    let mut row = room.draft(id, &format!("{words} {}", "and so on ".repeat(length / 10)));
    row.message.mentions = vec![name(words)];
    row.message.metadata = metadata(serde_json::json!({ "note": words }));
    let caption = Some(format!("a picture of {words}"));
    row.message.attachments = vec![Attachment { reference: words.into(), media_type: "image/png".into(), caption }];
    row
}

/// Fills a file with rooms that grow in turns, so that rows are moved between pages again and again. Every message
/// of a room has the room's words in it.
async fn crowd(store: &Empty) -> Vec<(Room, Vec<MessageRow>, String)> {
    let mut rooms = Vec::new();
    for n in 0..8u64 {
        let bits = n.wrapping_mul(0x9e_3779_b97f) & 0xff_ffff_ffff;
        let room = Room::open(store, "acme", &format!("user:{n}"), bits).await;
        rooms.push((room, Vec::new(), format!("mulberry-{n}")));
    }
    for turn in 0..40 {
        for (n, (room, rows, words)) in rooms.iter_mut().enumerate() {
            // From a few bytes to some that need pages of their own.
            let length = [10, 300, 40, 900, 5_000, 120, 20_000][(turn * 3 + n) % 7];
            let row = telling(room, &format!("m{turn}"), words, length);
            room.append(vec![row.clone()]).await.unwrap();
            rows.push(row);
            if turn % 5 == 4 {
                let old = rows[turn - 2].clone();
                let mut new = telling(room, old.message.id.as_str(), words, 2_000 - length.min(1_000));
                (new.message.seq, new.message.said_at) = (old.message.seq, old.message.said_at);
                new.message.version = old.message.version + 1;
                let previous = Box::new(previous(&old));
                room.put(vec![Row::ReviseMessage { row: Box::new(new.clone()), previous }]).await.unwrap();
                rows[turn - 2] = new;
            }
        }
    }
    rooms
}

#[tokio::test]
async fn the_words_of_an_erased_message_are_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut room = Room::simple(&store).await;
    let row = telling(&room, "m1", "mulberry", 100);
    room.append(vec![row.clone()]).await.unwrap();
    let row = room.edit(&row, "mulberry again").await;
    room.say("m2", "blackberry").await;
    assert!(occurrences(folder.path(), "mulberry") > 0, "the search would find it");
    room.erase(&row).await;
    assert_eq!(occurrences(folder.path(), "mulberry"), 0);
    assert!(occurrences(folder.path(), "blackberry") > 0);
}

#[tokio::test]
async fn erased_messages_leave_no_copy_where_rows_were_moved() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let rooms = crowd(&store).await;
    let (room, rows, words) = &rooms[3];
    assert!(occurrences(folder.path(), words) > 0);
    for row in rows {
        room.erase(row).await;
    }
    assert_eq!(occurrences(folder.path(), words), 0);
    assert!(occurrences(folder.path(), &rooms[4].2) > 0);
}

#[tokio::test]
async fn an_erased_space_leaves_nothing_in_any_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let rooms = crowd(&store).await;
    let (room, _, words) = &rooms[5];
    let mut talk = session(77, words);
    talk.task = Some(words.clone());
    talk.metadata = metadata(serde_json::json!({ "note": words }));
    let mut settings = room.space().await;
    settings.metadata = metadata(serde_json::json!({ "note": words }));
    room.put(vec![
        Row::Space(Box::new(settings)),
        Row::Session(Box::new(talk)),
        memory_row(memory(words, "PREF", MemoryStatus::Active)),
        summary_row(summary(Period::Session(session_id(words)), words)),
        Row::Piece { no: 0, built_version: u64::MAX >> 1, bytes: words.repeat(2_000).into_bytes() },
    ])
    .await
    .unwrap();
    room.ask(room.job(1, "embed", words, at(0))).await;
    assert!(occurrences(folder.path(), words) > 0);
    room.put(vec![Row::EraseSpace]).await.unwrap();
    assert_eq!(occurrences(folder.path(), words), 0);
    assert!(occurrences(folder.path(), &rooms[4].2) > 0);
}

#[tokio::test]
async fn an_open_reader_does_not_hold_up_an_erasure_and_the_log_is_emptied_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut room = Room::simple(&store).await;
    let row = room.say("m1", "mulberry").await;
    let reader = rusqlite::Connection::open(folder.path().join("memoir.db")).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let words = || reader.query_row("SELECT content FROM messages", [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(words(), "mulberry");

    room.erase(&row).await;
    room.say("m2", "blackberry").await;
    assert_eq!(words(), "mulberry", "whoever began to read before the erasure may end");
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(words(), "");
    while occurrences(folder.path(), "mulberry") > 0 {
        tokio::task::yield_now().await;
    }
}
