//! A message that its product edits, withdraws or erases, and everything that shows it (X7).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_engine::{Edit, Engine, MessageQuery, NewMessage, ReceiptStatus};
use memoir_model::{
    Attachment, AuditAction, EndReason, ErrorCode, Message, MessageState, Metadata, Result, limits,
};
use memoir_testkit::{
    TestEngine, author, caller, found, message, message_id, messages, remember, say, sessions, space,
};
use std::path::Path;

const ROOM: &str = "user:a";

fn words(text: &str) -> Edit {
    Edit { content: Some(text.into()), ..Edit::default() }
}

async fn edit(engine: &Engine, id: &str, edit: Edit) -> Result<Message> {
    engine.edit_message(&caller(), &space(ROOM), &message_id(id), edit).await
}

async fn recall(engine: &Engine, id: &str) -> Result<Message> {
    engine.recall_message(&caller(), &space(ROOM), &message_id(id)).await
}

async fn erase(engine: &Engine, id: &str) -> Result<Message> {
    engine.erase_message(&caller(), &space(ROOM), &message_id(id)).await
}

async fn detail(engine: &Engine, id: &str) -> memoir_engine::MessageDetail {
    engine.message(&caller(), &space(ROOM), &message_id(id)).await.unwrap()
}

/// A message with a word in every part that words can be in.
fn telling(id: &str, word: &str) -> NewMessage {
    let metadata: Metadata = serde_json::from_value(serde_json::json!({ "note": word })).unwrap();
    let attachment = Attachment {
        reference: format!("ref-{word}"),
        media_type: format!("image/{word}"),
        caption: Some(format!("a picture of {word}")),
    };
    NewMessage {
        mentions: vec![author(word)],
        attachments: vec![attachment],
        metadata,
        reply_to: Some(message_id(&format!("about-{word}"))),
        ..message(ROOM, id, &format!("{word}, they said, {word}"))
    }
}

/// In how many places of the folder's files a word stands.
fn occurrences(folder: &Path, word: &str) -> usize {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files.map(|bytes| bytes.windows(word.len()).filter(|part| *part == word.as_bytes()).count()).sum()
}

#[tokio::test]
async fn an_edit_keeps_the_earlier_wordings_with_their_times() {
    let memoir = TestEngine::new();
    let first = telling("m1", "alpha");
    say(&memoir.engine, first.clone()).await;
    let begun = memoir.engine.now();
    memoir.clock.advance(jiff::SignedDuration::from_mins(5));
    let edited = edit(&memoir.engine, "m1", words("beta")).await.unwrap();
    assert_eq!((edited.content.as_str(), edited.version, edited.seq), ("beta", 2, 1));
    assert_eq!((edited.said_at, edited.recorded_at), (begun, begun));
    let second = memoir.engine.now();
    memoir.clock.advance(jiff::SignedDuration::from_mins(5));
    edit(&memoir.engine, "m1", Edit { attachments: Some(Vec::new()), ..words("gamma") }).await.unwrap();
    let known = detail(&memoir.engine, "m1").await;
    assert_eq!((known.message.content.as_str(), known.message.version), ("gamma", 3));
    assert_eq!(known.message.mentions, first.mentions, "what is not named stays as it is");
    assert!(known.message.attachments.is_empty());
    let versions: Vec<_> = known
        .versions
        .iter()
        .map(|v| (v.version, v.content.as_str(), v.attachments.len(), v.replaced_at))
        .collect();
    assert_eq!(versions, [(1, first.content.as_str(), 1, second), (2, "beta", 1, memoir.engine.now())],);
}

#[tokio::test]
async fn every_part_of_a_message_can_be_edited() {
    let memoir = TestEngine::new();
    say(&memoir.engine, telling("m1", "alpha")).await;
    let metadata: Metadata = serde_json::from_value(serde_json::json!({ "edited": true })).unwrap();
    let attachment = Attachment { reference: "r".into(), media_type: "text/plain".into(), caption: None };
    let change = Edit {
        content: Some("beta".into()),
        attachments: Some(vec![attachment.clone()]),
        mentions: Some(vec![author("bob")]),
        metadata: Some(metadata.clone()),
    };
    edit(&memoir.engine, "m1", change).await.unwrap();
    let known = detail(&memoir.neighbour(), "m1").await.message;
    assert_eq!(
        (known.content.as_str(), known.attachments, known.metadata),
        ("beta", vec![attachment], metadata)
    );
    assert_eq!(known.mentions, [author("bob")]);
}

#[tokio::test]
async fn search_follows_an_edit_at_once() {
    let memoir = TestEngine::new();
    say(&memoir.engine, telling("m1", "alpha")).await;
    say(&memoir.engine, message(ROOM, "m2", "alpha too")).await;
    assert_eq!(found(&memoir.engine, &space(ROOM), "alpha").await, ["m1", "m2"]);
    edit(&memoir.engine, "m1", Edit { attachments: Some(Vec::new()), ..words("beta") }).await.unwrap();
    for engine in [&memoir.engine, &memoir.neighbour()] {
        assert_eq!(found(engine, &space(ROOM), "alpha").await, ["m2"]);
        assert_eq!(found(engine, &space(ROOM), "beta").await, ["m1"]);
        assert_eq!(found(engine, &space(ROOM), "picture").await, [] as [&str; 0]);
    }
}

#[tokio::test]
async fn an_edit_that_changes_nothing_writes_nothing() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "alpha")).await;
    let version = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version;
    for same in [Edit::default(), words("alpha")] {
        assert_eq!(edit(&memoir.engine, "m1", same).await.unwrap().version, 1);
    }
    assert_eq!(memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version, version);
}

#[tokio::test]
async fn an_edit_keeps_the_limits_of_a_message() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "alpha")).await;
    let long = edit(&memoir.engine, "m1", words(&"x".repeat(limits::CONTENT_BYTES + 1))).await.unwrap_err();
    assert_eq!((long.code(), long.field()), (ErrorCode::MessageTooLarge, Some("content")));
    let empty = edit(&memoir.engine, "m1", words(" ")).await.unwrap_err();
    assert_eq!((empty.code(), empty.field()), (ErrorCode::Invalid, Some("content")));
    assert_eq!(detail(&memoir.engine, "m1").await.message.content, "alpha");
}

#[tokio::test]
async fn a_recalled_message_is_shown_nowhere() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m0", "zero")).await;
    let session = say(&memoir.engine, telling("m1", "alpha")).await.session.unwrap();
    let reply = NewMessage { reply_to: Some(message_id("m1")), ..message(ROOM, "m2", "indeed") };
    say(&memoir.engine, reply).await;
    edit(&memoir.engine, "m1", words("alpha and alpha")).await.unwrap();
    let recalled = recall(&memoir.engine, "m1").await.unwrap();
    assert_eq!((recalled.state, recalled.version), (MessageState::Recalled, 3));
    let again = recall(&memoir.engine, "m1").await.unwrap();
    let neighbour = memoir.neighbour();
    for engine in [&memoir.engine, &neighbour] {
        let known = detail(engine, "m1").await;
        assert!(known.versions.is_empty(), "nor what it said before");
        let answered = detail(engine, "m2").await.answered.unwrap();
        let listed = messages(engine, &space(ROOM)).await;
        let shown = [&known.message, &answered, &listed[1], &recalled, &again];
        for (n, message) in shown.into_iter().enumerate() {
            assert_eq!((message.id.as_str(), message.state), ("m1", MessageState::Recalled));
            assert!(!format!("{:?}", (&message.content, &message.attachments)).contains("alpha"), "{n}");
            assert!(message.mentions.is_empty() && message.metadata.is_empty(), "{n}");
        }
        let window = engine.window(&caller(), &space(ROOM), &session, None).await.unwrap();
        assert_eq!(window.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["m0", "m2"]);
        assert_eq!(found(engine, &space(ROOM), "alpha picture").await, [] as [&str; 0]);
        let active = MessageQuery { active_only: true, ..MessageQuery::all(10) };
        assert_eq!(engine.messages(&caller(), &space(ROOM), None, active).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn what_was_withdrawn_can_be_erased_but_not_edited() {
    let memoir = TestEngine::new();
    say(&memoir.engine, telling("m1", "alpha")).await;
    recall(&memoir.engine, "m1").await.unwrap();
    assert_eq!(edit(&memoir.engine, "m1", words("beta")).await.unwrap_err().code(), ErrorCode::Conflict);
    assert_eq!(erase(&memoir.engine, "m1").await.unwrap().state, MessageState::Erased);
    assert_eq!(occurrences(memoir.folder(), "alpha"), 0);
}

#[tokio::test]
async fn erased_words_are_in_no_byte_of_any_file() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m0", "mulberry")).await;
    say(&memoir.engine, telling("m1", "alphaxyz")).await;
    edit(&memoir.engine, "m1", words("betaxyz for a while")).await.unwrap();
    edit(&memoir.engine, "m1", words("gammaxyz for a while")).await.unwrap();
    assert_eq!(found(&memoir.engine, &space(ROOM), "gammaxyz").await, ["m1"]);
    for word in ["alphaxyz", "betaxyz", "gammaxyz", "mulberry"] {
        assert!(occurrences(memoir.folder(), word) > 0, "{word} would be found");
    }
    let erased = erase(&memoir.engine, "m1").await.unwrap();
    assert_eq!((erased.state, erased.content.as_str(), erased.reply_to), (MessageState::Erased, "", None));
    for word in ["alphaxyz", "betaxyz", "gammaxyz"] {
        assert_eq!(occurrences(memoir.folder(), word), 0, "{word}");
    }
    assert!(occurrences(memoir.folder(), "mulberry") > 0);
    let known = detail(&memoir.engine, "m1").await;
    assert_eq!((known.message.id.as_str(), known.message.state), ("m1", MessageState::Erased));
    assert!(known.versions.is_empty() && known.message.attachments.is_empty());
    assert_eq!(found(&memoir.engine, &space(ROOM), "gammaxyz").await, [] as [&str; 0]);
}

#[tokio::test]
async fn a_repeated_erasure_is_fine_and_an_erased_message_stays_so() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "alpha")).await;
    let erased = erase(&memoir.engine, "m1").await.unwrap();
    assert_eq!(erase(&memoir.engine, "m1").await.unwrap(), erased);
    assert_eq!(erase(&memoir.neighbour(), "m1").await.unwrap(), erased);
    assert_eq!(edit(&memoir.engine, "m1", words("beta")).await.unwrap_err().code(), ErrorCode::Conflict);
    assert_eq!(recall(&memoir.engine, "m1").await.unwrap_err().code(), ErrorCode::Conflict);
    let again = remember(&memoir.engine, vec![message(ROOM, "m1", "alpha")]).await.remove(0);
    assert_eq!(again.status, ReceiptStatus::Conflict, "sending it again does not bring it back");
    assert_eq!(messages(&memoir.engine, &space(ROOM)).await[0].content, "");
}

#[tokio::test]
async fn what_is_not_there_cannot_be_revised() {
    let memoir = TestEngine::new();
    for place in ["user:nobody", ROOM] {
        let target = space(place);
        let missing = memoir.engine.edit_message(&caller(), &target, &message_id("m9"), words("x")).await;
        assert_eq!(missing.unwrap_err().code(), ErrorCode::NotFound);
        let missing = memoir.engine.erase_message(&caller(), &target, &message_id("m9")).await;
        assert_eq!(missing.unwrap_err().code(), ErrorCode::NotFound);
        say(&memoir.engine, message(ROOM, "", "now the room is there")).await;
    }
    let missing = memoir.engine.space(&caller(), &space("user:nobody")).await;
    assert_eq!(missing.unwrap_err().code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_revision_makes_an_ended_session_stale_and_an_open_one_not() {
    let memoir = TestEngine::new();
    let session = say(&memoir.engine, message(ROOM, "m1", "alpha")).await.session.unwrap();
    edit(&memoir.engine, "m1", words("beta")).await.unwrap();
    assert!(!sessions(&memoir.engine, &space(ROOM)).await[0].stale);
    let ended = memoir.engine.end_session(&caller(), &space(ROOM), &session, EndReason::Call).await.unwrap();
    edit(&memoir.neighbour(), "m1", words("gamma")).await.unwrap();
    let stale = sessions(&memoir.engine, &space(ROOM)).await.remove(0);
    assert_eq!((stale.stale, stale.ended, stale.messages), (true, ended.ended, 1));
}

#[tokio::test]
async fn the_audit_log_keeps_that_it_happened_and_never_the_words() {
    let memoir = TestEngine::new();
    // Lines of one millisecond have no order.
    let tick = || memoir.clock.advance(jiff::SignedDuration::from_millis(1));
    say(&memoir.engine, message(ROOM, "m1", "alpha")).await;
    edit(&memoir.engine, "m1", words("beta")).await.unwrap();
    tick();
    recall(&memoir.engine, "m1").await.unwrap();
    tick();
    recall(&memoir.engine, "m1").await.unwrap();
    tick();
    erase(&memoir.engine, "m1").await.unwrap();
    let log = memoir.engine.audit_log(&caller(), None, 10).await.unwrap();
    let actions: Vec<_> = log.iter().rev().map(|entry| entry.action).collect();
    assert_eq!(
        actions,
        [AuditAction::MessageEdited, AuditAction::MessageRecalled, AuditAction::MessageErased]
    );
    for entry in log {
        assert_eq!((entry.target.as_deref(), entry.space.as_ref()), (Some("m1"), Some(&space(ROOM))));
        assert_eq!(entry.actor, "test");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_at_the_same_time_are_all_kept_as_versions() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    say(&memoir.engine, message(ROOM, "m1", "version 1")).await;
    let editors: Vec<_> = (0..12)
        .map(|n| {
            let engine = if n % 2 == 0 { memoir.engine.clone() } else { neighbour.clone() };
            tokio::spawn(async move { edit(&engine, "m1", words(&format!("by editor {n}"))).await.unwrap() })
        })
        .collect();
    let mut numbers = Vec::new();
    for editor in editors {
        numbers.push(editor.await.unwrap().version);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (2..=13).collect::<Vec<_>>());
    let known = detail(&memoir.engine, "m1").await;
    let versions: Vec<_> = known.versions.iter().map(|version| version.version).collect();
    assert_eq!(versions, (1..=12).collect::<Vec<_>>());
    let mut wordings: Vec<_> = known.versions.iter().map(|version| version.content.clone()).collect();
    wordings.push(known.message.content);
    wordings.sort();
    wordings.dedup();
    assert_eq!(wordings.len(), 13);
}
