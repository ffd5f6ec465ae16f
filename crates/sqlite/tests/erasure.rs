//! What was erased is in none of the store's files any more.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use std::path::Path;
use std::sync::Arc;

use memoir_model::{Attachment, MemoryStatus, Period};
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::conformance::fixtures::{
    Empty, at, memory, memory_row, metadata, name, session, session_id, summary, summary_row,
};
use memoir_store::conformance::room::Room;
use memoir_store::{MessageRow, Row};

fn open(folder: &Path) -> Empty {
    Arc::new(SqliteStore::open(&Options::at(folder.join("memoir.db"))).unwrap())
}

/// How often the words occur in the files of the folder.
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
    row.message.attachments =
        vec![Attachment { reference: words.into(), media_type: "image/png".into(), caption }];
    row
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
async fn an_erased_space_leaves_nothing_in_any_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut room = Room::open(&store, "acme", "user:mulberry", 2).await;
    let mut other = Room::open(&store, "acme", "user:blackberry", 1).await;
    for n in 0..20 {
        // From a few bytes to some that need pages of their own.
        let length = [10, 300, 5_000, 20_000][n % 4];
        let row = telling(&room, &format!("mulberry {n}"), "mulberry", length);
        room.append(vec![row.clone()]).await.unwrap();
        if n % 3 == 0 {
            room.edit(&row, &"mulberry".repeat(length / 5)).await;
        }
        other.append(vec![telling(&other, &format!("m{n}"), "blackberry", length)]).await.unwrap();
    }
    let mut talk = session(2, "mulberry");
    talk.task = Some("mulberry".into());
    talk.metadata = metadata(serde_json::json!({ "note": "mulberry" }));
    let mut settings = room.space().await;
    settings.metadata = metadata(serde_json::json!({ "note": "mulberry" }));
    room.put(vec![
        Row::Space(Box::new(settings)),
        Row::Session(Box::new(talk)),
        memory_row(memory("mulberry", "PREF", MemoryStatus::Active)),
        summary_row(summary(Period::Session(session_id("mulberry")), "mulberry")),
        Row::Piece { no: 9, built_version: 99, bytes: "mulberry".repeat(2_000).into_bytes() },
    ])
    .await
    .unwrap();
    room.ask(room.job(1, "embed", "mulberry", at(0))).await;
    assert!(occurrences(folder.path(), "mulberry") > 1_000, "the search would find it");
    let before = occurrences(folder.path(), "blackberry");
    room.put(vec![Row::EraseSpace]).await.unwrap();
    assert_eq!(occurrences(folder.path(), "mulberry"), 0);
    assert!(before > 0 && occurrences(folder.path(), "blackberry") > 0);
}

/// When SQLite moves rows between pages (`rebuildPage` in its `btree.c`) it leaves their old bytes in the unused
/// middle of the page, and `secure_delete` does not reach them there; the store cleans them itself.
#[tokio::test]
async fn erased_messages_leave_no_copy_where_rows_were_moved() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut seed = 1u64;
    let mut below = move |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let mut rooms = Vec::new();
    for n in 0..12 {
        let room = Room::open(&store, "acme", &format!("user:{n}"), below(1 << 31) << 9).await;
        rooms.push((room, Vec::new(), format!("mulberry {n:02}.")));
    }
    // The rooms grow in turns and their messages are edited, so that rows are moved again and again.
    for turn in 0..900 {
        let (room, rows, words) = &mut rooms[below(12) as usize];
        let length = [60, 60, 60, 700, 6_000][below(5) as usize];
        let row = room.draft(&format!("m{turn}"), &format!("{words} {}", "z".repeat(below(length) as usize)));
        room.append(vec![row.clone()]).await.unwrap();
        rows.push(row);
        if turn % 3 == 0 {
            let old = below(rows.len() as u64) as usize;
            rows[old] =
                room.edit(&rows[old], &format!("{words} {}", "y".repeat(below(1_500) as usize))).await;
        }
    }
    for (n, (room, rows, words)) in rooms.iter().enumerate() {
        if n % 2 == 0 {
            room.put(vec![Row::EraseSpace]).await.unwrap();
        } else {
            for row in rows {
                room.erase(row).await;
            }
        }
        assert_eq!(occurrences(folder.path(), words), 0, "{words}");
    }
}

#[tokio::test]
async fn an_open_reader_does_not_hold_up_an_erasure_and_the_log_is_emptied_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut room = Room::simple(&store).await;
    let row = room.say("m1", "mulberry").await;
    let reader = rusqlite::Connection::open(folder.path().join("memoir.db")).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let words =
        || reader.query_row("SELECT content FROM messages", [], |row| row.get::<_, String>(0)).unwrap();
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
