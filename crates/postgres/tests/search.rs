//! The same search finds the same, in the same order and with the same scores, whatever lies below.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_engine::{Edit, Engine, NewMessage, SearchRequest};
use memoir_model::{Author, MessageId, Speaker};
use memoir_testkit::{FakeClock, TestDatabase, TestEngine, caller};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::sync::atomic::{AtomicU32, Ordering};

/// Words that overlap in many ways.
const WORDS: [&str; 24] = [
    "猫",
    "熊猫",
    "大熊猫",
    "我的",
    "喜欢",
    "喜歡",
    "北京",
    "北京大学",
    "医院",
    "今天",
    "爬山",
    "火锅",
    "run",
    "running",
    "ran",
    "tea",
    "Tea",
    "iPhone15",
    "café",
    "cat",
    "cats",
    "１２３",
    "123",
    "3.5",
];

/// What becomes of one message.
#[derive(Debug, Clone)]
struct Said {
    words: Vec<usize>,
    author: bool,
    assistant: bool,
    minutes: i64,
    /// Nothing, an edit, a recall, an erasure.
    fate: u8,
}

fn said() -> impl Strategy<Value = Said> {
    (prop::collection::vec(0..WORDS.len(), 1..9), any::<bool>(), any::<bool>(), 0..2_000i64, 0..8u8).prop_map(
        |(words, author, assistant, minutes, fate)| Said { words, author, assistant, minutes, fate },
    )
}

fn text(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
}

/// A query: words, perhaps as a phrase, perhaps narrowed.
#[derive(Debug, Clone)]
struct Asked {
    words: Vec<usize>,
    phrase: bool,
    author: bool,
    role: bool,
    from: Option<i64>,
    offset: usize,
}

fn asked() -> impl Strategy<Value = Asked> {
    let words = prop::collection::vec(0..WORDS.len(), 1..4);
    (words, any::<bool>(), any::<bool>(), any::<bool>(), prop::option::of(0..2_000i64), 0..4usize).prop_map(
        |(words, phrase, author, role, from, offset)| Asked { words, phrase, author, role, from, offset },
    )
}

fn minute(minutes: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_767_000_000 + minutes * 60).unwrap()
}

/// Says it all, and returns what came of it.
async fn tell(engine: &Engine, space: &str, talk: &[Said]) -> Vec<String> {
    let messages = talk.iter().enumerate().map(|(n, said)| {
        Ok(NewMessage {
            id: Some(MessageId::new(format!("m{n}")).unwrap()),
            author: said.author.then(|| Author::new("bob").unwrap()),
            role: if said.assistant { Speaker::Assistant } else { Speaker::User },
            said_at: Some(minute(said.minutes)),
            ..NewMessage::text(space.parse().unwrap(), text(&said.words))
        })
    });
    let receipts = engine.remember(&caller(), messages.collect()).await.unwrap();
    let mut outcomes: Vec<String> =
        receipts.iter().map(|receipt| receipt.status.as_str().to_owned()).collect();
    for (n, said) in talk.iter().enumerate() {
        let (place, id) = (space.parse().unwrap(), MessageId::new(format!("m{n}")).unwrap());
        let reversed: Vec<usize> = said.words.iter().rev().copied().collect();
        let edit = Edit { content: Some(format!("{} 火锅", text(&reversed))), ..Edit::default() };
        let changed = match said.fate {
            5 => engine.edit_message(&caller(), &place, &id, edit).await.err(),
            6 => engine.recall_message(&caller(), &place, &id).await.err(),
            7 => engine.erase_message(&caller(), &place, &id).await.err(),
            _ => None,
        };
        outcomes.extend(changed.map(|error| error.to_string()));
    }
    outcomes
}

/// Everything that a search says, to be compared to the last bit.
async fn ask(engine: &Engine, space: &str, asked: &Asked) -> String {
    let words = text(&asked.words);
    let request = SearchRequest {
        query: if asked.phrase { format!("\"{words}\"") } else { words },
        author: asked.author.then(|| Author::new("bob").unwrap()),
        role: asked.role.then_some(Speaker::User),
        from: asked.from.map(minute),
        offset: asked.offset,
        limit: 10,
        ..SearchRequest::default()
    };
    let page = engine.search_messages(&caller(), &space.parse().unwrap(), request).await.unwrap();
    let hits: Vec<String> = page
        .hits
        .iter()
        .map(|hit| format!("{} {:08x} {}", hit.message.id, hit.score.to_bits(), hit.message.content))
        .collect();
    format!("{} of {}: {hits:?}", hits.len(), page.total)
}

#[test]
fn both_backends_give_identical_lists() {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (database, clock) = (runtime.block_on(TestDatabase::new()), FakeClock::at(TestEngine::NOON));
    let sqlite = runtime.block_on(async { TestEngine::new() });
    // Two nodes: one is written to, the other only watches.
    let postgres = runtime.block_on(database.engine(&clock));
    let watcher = runtime.block_on(database.engine(&clock));
    let talks = (
        prop::collection::vec(said(), 1..40),
        prop::collection::vec(said(), 0..10),
        prop::collection::vec(asked(), 1..8),
    );
    let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    runner
        .run(&talks, |(first, later, questions)| {
            let space = format!("user:{}", NEXT.fetch_add(1, Ordering::Relaxed));
            runtime.block_on(async {
                for talk in [&first, &later] {
                    if talk.is_empty() {
                        continue;
                    }
                    // The second talk repeats ids of the first: what is known already must stay as it is on both.
                    let expected = tell(&sqlite.engine, &space, talk).await;
                    prop_assert_eq!(tell(&postgres, &space, talk).await, expected);
                    // One node has written, one has watched, one comes fresh.
                    let fresh = database.engine(&clock).await;
                    for question in &questions {
                        let expected = ask(&sqlite.engine, &space, question).await;
                        prop_assert_eq!(&ask(&postgres, &space, question).await, &expected);
                        prop_assert_eq!(&ask(&watcher, &space, question).await, &expected);
                        prop_assert_eq!(&ask(&fresh, &space, question).await, &expected);
                    }
                }
                Ok(())
            })
        })
        .unwrap();
    drop(database);
}
