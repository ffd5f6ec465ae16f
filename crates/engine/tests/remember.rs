//! From a request to receipts, and to messages that are there once, in order.

use futures::FutureExt;
use jiff::SignedDuration;
use memoir_engine::{Edit, EngineSettings, NewMessage, ReceiptStatus};
use memoir_model::{Attachment, Error, ErrorCode, Metadata, Speaker, limits};
use memoir_testkit::{
    TestEngine, at, author, caller, found, message, message_id, messages, remember, say, sessions, space,
    until,
};
use std::collections::BTreeSet;

use ReceiptStatus::{Conflict, Created, Exists, Failed, Invalid};

fn statuses(receipts: &[memoir_engine::Receipt]) -> Vec<ReceiptStatus> {
    receipts.iter().map(|receipt| receipt.status).collect()
}

fn contents(messages: &[memoir_model::Message]) -> Vec<&str> {
    messages.iter().map(|message| message.content.as_str()).collect()
}

#[tokio::test]
async fn messages_of_many_spaces_in_one_call_go_to_their_spaces_and_receipts_come_in_order() {
    let memoir = TestEngine::new();
    let batch: Vec<NewMessage> = (0..30)
        .map(|n| message(&format!("user:u{}", n % 7), &format!("m{n}"), &format!("line {n}")))
        .collect();
    let receipts = remember(&memoir.engine, batch).await;
    assert_eq!(receipts.len(), 30);
    for (n, receipt) in receipts.iter().enumerate() {
        assert_eq!(receipt.status, Created);
        assert_eq!(receipt.id, Some(message_id(&format!("m{n}"))));
        assert_eq!(receipt.space, Some(space(&format!("user:u{}", n % 7))));
        assert_eq!(receipt.seq, Some(n as u64 / 7 + 1));
        assert!(receipt.session.is_some() && receipt.error.is_none());
    }
    for u in 0..7 {
        let stored = messages(&memoir.engine, &space(&format!("user:u{u}"))).await;
        let expected: Vec<String> = (u..30).step_by(7).map(|n| format!("line {n}")).collect();
        assert_eq!(contents(&stored), expected);
    }
    assert_eq!(memoir.engine.stats(&caller()).await.unwrap().messages, 30);
}

#[tokio::test]
async fn a_message_keeps_every_word_and_field_that_came_with_it() {
    let memoir = TestEngine::new();
    let metadata: Metadata =
        serde_json::from_value(serde_json::json!({"k": [1, null, {"深": "い"}]})).unwrap();
    let attachment = Attachment {
        reference: "img-1".into(),
        media_type: "image/png".into(),
        caption: Some("海边".into()),
    };
    let sent = NewMessage {
        role: Speaker::Assistant,
        author: Some(author("小助手 🤖")),
        thread: memoir_testkit::thread("话题/1"),
        reply_to: Some(message_id("not here")),
        mentions: vec![author("张三"), author("O'Brien")],
        attachments: vec![attachment.clone()],
        metadata: metadata.clone(),
        ..at(
            message("group:eng", "m 1", "  两行\r\n\t第二行 \u{200d} e\u{301}  "),
            "2026-01-06T23:30:00.123456Z",
        )
    };
    let receipt = say(&memoir.engine, sent.clone()).await;
    let stored =
        memoir.engine.message(&caller(), &space("group:eng"), &message_id("m 1")).await.unwrap().message;
    assert_eq!(stored.content, sent.content);
    assert_eq!((stored.role, stored.author.as_str()), (Speaker::Assistant, "小助手 🤖"));
    assert_eq!((stored.thread.as_str(), stored.reply_to), ("话题/1", sent.reply_to));
    assert_eq!((stored.mentions, stored.attachments), (sent.mentions, vec![attachment]));
    assert_eq!((stored.metadata, stored.version), (metadata, 1));
    assert_eq!(Some(stored.said_at), sent.said_at);
    assert_eq!(stored.recorded_at, memoir.engine.now());
    assert_eq!(Some(stored.session), receipt.session);
    // 23:30 UTC on the 6th is the 7th in Shanghai.
    assert_eq!(stored.local.date, jiff::civil::date(2026, 1, 7));
    assert_eq!(stored.local.offset_seconds, 8 * 3600);
}

#[tokio::test]
async fn who_speaks_without_a_name_is_the_space_or_its_part() {
    let memoir = TestEngine::new();
    for (role, expected) in [
        (Speaker::User, "alice"),
        (Speaker::Assistant, "assistant"),
        (Speaker::System, "system"),
        (Speaker::Tool, "tool"),
    ] {
        let receipt = say(&memoir.engine, NewMessage { role, ..message("user:alice", "", "hello") }).await;
        let id = receipt.id.unwrap();
        let stored = memoir.engine.message(&caller(), &space("user:alice"), &id).await.unwrap().message;
        assert_eq!(stored.author.as_str(), expected);
    }
}

#[tokio::test]
async fn a_repeated_message_exists_and_other_words_under_its_id_conflict() {
    let memoir = TestEngine::new();
    let first = say(&memoir.engine, message("user:a", "m1", "one")).await;
    let later = at(message("user:a", "m1", "one"), "2020-01-01T00:00:00Z");
    let receipts = remember(&memoir.engine, vec![message("user:a", "m1", "one"), later]).await;
    assert_eq!(statuses(&receipts), [Exists, Exists]);
    assert!(receipts.iter().all(|receipt| receipt.seq == first.seq && receipt.error.is_none()));

    for other in [
        message("user:a", "m1", "two"),
        NewMessage { role: Speaker::Assistant, ..message("user:a", "m1", "one") },
        NewMessage { author: Some(author("b")), ..message("user:a", "m1", "one") },
        NewMessage { reply_to: Some(message_id("m0")), ..message("user:a", "m1", "one") },
    ] {
        let receipt = remember(&memoir.engine, vec![other]).await.remove(0);
        assert_eq!(receipt.status, Conflict);
        let error = receipt.error.unwrap();
        assert_eq!((error.code(), error.field()), (ErrorCode::IdConflict, Some("messages[0].id")));
    }
    assert_eq!(contents(&messages(&memoir.engine, &space("user:a")).await), ["one"]);
    assert_eq!(sessions(&memoir.engine, &space("user:a")).await[0].messages, 1);
}

#[tokio::test]
async fn the_same_id_in_another_space_is_another_message() {
    let memoir = TestEngine::new();
    let receipts =
        remember(&memoir.engine, vec![message("user:a", "m1", "one"), message("user:b", "m1", "two")]).await;
    assert_eq!(statuses(&receipts), [Created, Created]);
}

#[tokio::test]
async fn ids_repeated_inside_one_batch_are_told_apart_by_their_words() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message("user:a", "old", "before")).await;
    let batch =
        [("m1", "one"), ("m1", "one"), ("m1", "two"), ("old", "before"), ("old", "after"), ("m2", "three")];
    let batch: Vec<_> = batch.into_iter().map(|(id, words)| message("user:a", id, words)).collect();
    let receipts = remember(&memoir.engine, batch.clone()).await;
    assert_eq!(statuses(&receipts), [Created, Exists, Conflict, Exists, Conflict, Created]);
    assert_eq!(receipts[1].seq, receipts[0].seq);
    assert_eq!(receipts[5].seq, Some(3));
    let again = remember(&memoir.engine, batch).await;
    assert_eq!(statuses(&again), [Exists, Exists, Conflict, Exists, Conflict, Exists]);
    assert_eq!(contents(&messages(&memoir.engine, &space("user:a")).await), ["before", "one", "three"]);
    assert_eq!(sessions(&memoir.engine, &space("user:a")).await[0].messages, 3);
}

#[tokio::test]
async fn a_batch_that_exists_already_changes_nothing() {
    let memoir = TestEngine::new();
    let batch: Vec<_> = (0..20).map(|n| message("user:a", &format!("m{n}"), "again")).collect();
    remember(&memoir.engine, batch.clone()).await;
    let before = memoir.engine.space(&caller(), &space("user:a")).await.unwrap();
    let receipts = remember(&memoir.engine, batch).await;
    assert!(receipts.iter().all(|receipt| receipt.status == Exists));
    assert_eq!(memoir.engine.space(&caller(), &space("user:a")).await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_id_sent_by_many_at_once_is_stored_once() {
    let memoir = TestEngine::new();
    let callers: Vec<_> = (0..40)
        .map(|n| {
            let engine = memoir.engine.clone();
            let words = if n % 4 == 3 { "other" } else { "same" };
            tokio::spawn(
                async move { remember(&engine, vec![message("user:a", "m1", words)]).await.remove(0) },
            )
        })
        .collect();
    let mut seen = Vec::new();
    for caller in callers {
        seen.push(caller.await.unwrap().status);
    }
    let count = |status| seen.iter().filter(|seen| **seen == status).count();
    assert_eq!(count(Created), 1);
    // Either wording may win; the rest of it exists and the other conflicts.
    assert!([(29, 10), (9, 30)].contains(&(count(Exists), count(Conflict))), "{seen:?}");
    assert_eq!(messages(&memoir.engine, &space("user:a")).await.len(), 1);
}

#[tokio::test]
async fn messages_without_ids_get_ids_that_differ_and_sort_by_arrival() {
    let memoir = TestEngine::new();
    let batch = vec![message("user:a", "", "same words"); 500];
    let receipts = remember(&memoir.engine, batch).await;
    let ids: BTreeSet<_> = receipts.iter().map(|receipt| receipt.id.clone().unwrap()).collect();
    assert_eq!(ids.len(), 500);
    assert_eq!(messages(&memoir.engine, &space("user:a")).await.len(), 500);
    memoir.clock.advance(SignedDuration::from_millis(1));
    let later = say(&memoir.engine, message("user:a", "", "later")).await;
    assert!(ids.iter().all(|id| *id < later.id.clone().unwrap()));
}

#[tokio::test]
async fn an_invalid_message_among_many_is_left_out_and_named() {
    let memoir = TestEngine::new();
    let mut batch: Vec<Result<NewMessage, Error>> =
        (0..12).map(|n| Ok(message("user:a", &format!("m{n}"), "fine"))).collect();
    batch[1] = Ok(message("user:a", "empty", "  "));
    batch[3] = Err(Error::invalid("role", "must be one of …"));
    batch[5] = Ok(at(message("user:a", "ancient", "x"), "0000-01-01T00:00:00Z"));
    batch[7] = Ok(message("user:a", "huge", &"x".repeat(limits::CONTENT_BYTES + 1)));
    let bad = Attachment { reference: String::new(), media_type: "image/png".into(), caption: None };
    batch[9] = Ok(NewMessage { attachments: vec![bad], ..message("user:b", "bad", "x") });
    let receipts = memoir.engine.remember(&caller(), batch).await.unwrap();
    for (n, field) in [
        (1, "messages[1].content"),
        (3, "messages[3].role"),
        (5, "messages[5].said_at"),
        (7, "messages[7].content"),
        (9, "messages[9].attachments[0].ref"),
    ] {
        assert_eq!(receipts[n].status, Invalid, "{n}");
        assert_eq!(receipts[n].error.as_ref().and_then(Error::field), Some(field));
    }
    assert_eq!(receipts[1].id, Some(message_id("empty")));
    let seqs: Vec<_> = receipts.iter().filter_map(|receipt| receipt.seq).collect();
    assert_eq!(seqs, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(messages(&memoir.engine, &space("user:a")).await.len(), 7);
    let missing = memoir.engine.space(&caller(), &space("user:b")).await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound, "a space with nothing but invalid messages is not made");
}

#[tokio::test]
async fn a_request_has_between_one_and_a_thousand_messages() {
    let memoir = TestEngine::new();
    for n in [0, limits::BATCH + 1] {
        let batch = (0..n).map(|_| Ok(message("user:a", "", "x"))).collect();
        let error = memoir.engine.remember(&caller(), batch).await.unwrap_err();
        assert_eq!((error.code(), error.field()), (ErrorCode::Invalid, Some("messages")));
    }
    let receipts = remember(&memoir.engine, vec![message("user:a", "", "x"); limits::BATCH]).await;
    assert!(receipts.iter().all(|receipt| receipt.status == Created));
}

#[tokio::test]
async fn the_largest_message_of_every_kind_is_stored() {
    let memoir = TestEngine::new();
    let attachment = Attachment {
        reference: "r".repeat(2048),
        media_type: "m".repeat(128),
        caption: Some("字".repeat(limits::CAPTION_BYTES / 3)),
    };
    let largest = NewMessage {
        attachments: vec![attachment; limits::ATTACHMENTS],
        mentions: (0..limits::MENTIONS).map(|n| author(&format!("{n:0>256}"))).collect(),
        ..message("user:a", &"i".repeat(256), &"词".repeat(limits::CONTENT_BYTES / 3))
    };
    say(&memoir.engine, largest.clone()).await;
    let stored = messages(&memoir.engine, &space("user:a")).await.remove(0);
    assert_eq!((stored.content, stored.mentions), (largest.content, largest.mentions));
    assert_eq!(found(&memoir.engine, &space("user:a"), "词").await.len(), 1);
}

#[tokio::test]
async fn fifty_writers_at_once_share_one_commit_and_keep_their_order() {
    let memoir = TestEngine::new();
    let writes =
        (0..50).map(|n| say(&memoir.engine, message("user:a", &format!("m{n}"), &format!("line {n}"))));
    let receipts = futures::future::join_all(writes).await;
    let seqs: Vec<_> = receipts.iter().map(|receipt| receipt.seq.unwrap()).collect();
    assert_eq!(seqs, (1..=50).collect::<Vec<u64>>());
    let stored = messages(&memoir.engine, &space("user:a")).await;
    assert_eq!(contents(&stored), (0..50).map(|n| format!("line {n}")).collect::<Vec<_>>());
    // Every commit moves the version by one. All fifty stood in line before the first could be served.
    assert_eq!(memoir.engine.space(&caller(), &space("user:a")).await.unwrap().version, 1);
    let sessions = sessions(&memoir.engine, &space("user:a")).await;
    assert_eq!((sessions.len(), sessions[0].messages), (1, 50));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_writers_of_many_spaces_leave_no_gap_and_no_double() {
    let memoir = TestEngine::new();
    let writers: Vec<_> = (0..12)
        .map(|writer| {
            let engine = memoir.engine.clone();
            tokio::spawn(async move {
                for turn in 0..15 {
                    let place = format!("user:{}", (writer + turn) % 3);
                    say(&engine, message(&place, &format!("w{writer}t{turn}"), "words")).await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let mut all = 0;
    for place in ["user:0", "user:1", "user:2"] {
        let stored = messages(&memoir.engine, &space(place)).await;
        let mut seqs: Vec<_> = stored.iter().map(|message| message.seq).collect();
        seqs.sort_unstable();
        assert_eq!(seqs, (1..=stored.len() as u64).collect::<Vec<_>>());
        all += stored.len();
        let sessions = sessions(&memoir.engine, &space(place)).await;
        assert_eq!(sessions.iter().map(|session| session.messages).sum::<u64>(), stored.len() as u64);
    }
    assert_eq!(all, 12 * 15);
}

#[tokio::test]
async fn who_hangs_up_leaves_a_whole_message_and_takes_nobody_along() {
    let memoir = TestEngine::new();
    let mut hung_up = Box::pin(remember(&memoir.engine, vec![message("user:a", "m1", "one")]));
    assert!((&mut hung_up).now_or_never().is_none(), "it waits for the store");
    let other = say(&memoir.engine, message("user:a", "m2", "two"));
    let mut other = Box::pin(other);
    assert!((&mut other).now_or_never().is_none());
    drop(hung_up);
    assert_eq!(other.await.seq, Some(2));
    let again = remember(&memoir.engine, vec![message("user:a", "m1", "one")]).await;
    assert_eq!(statuses(&again), [Exists]);
}

#[tokio::test]
async fn what_is_on_its_way_is_bounded_and_the_refusal_says_when_to_come_back() {
    let settings = EngineSettings { write_bytes: 10_000, ..EngineSettings::default() };
    let memoir = TestEngine::with(settings, |_| {});
    // One request alone may be larger than the bound, or it could never be written.
    let mut first = Box::pin(remember(&memoir.engine, vec![message("user:a", "m1", &"x".repeat(20_000))]));
    assert!((&mut first).now_or_never().is_none());
    let refused =
        memoir.engine.remember(&caller(), vec![Ok(message("user:b", "m2", "x"))]).await.unwrap_err();
    assert_eq!((refused.code(), refused.retry_after_secs()), (ErrorCode::Busy, Some(1)));
    assert_eq!(statuses(&first.await), [Created]);
    say(&memoir.engine, message("user:b", "m2", "x")).await;
}

#[tokio::test]
async fn a_full_store_fails_the_messages_and_takes_them_when_there_is_room() {
    let memoir = TestEngine::with(EngineSettings::default(), |options| options.max_bytes = 400 << 10);
    say(&memoir.engine, message("user:a", "first", "x")).await;
    let big = "word ".repeat(limits::CONTENT_BYTES / 5);
    let batch: Vec<_> = (0..20).map(|n| message("user:a", &format!("m{n}"), &big)).collect();
    let receipts = remember(&memoir.engine, batch).await;
    assert!(receipts.iter().all(|receipt| receipt.status == Failed && receipt.seq.is_none()));
    assert_eq!(receipts[0].error.as_ref().map(Error::code), Some(ErrorCode::StorageFull));
    assert_eq!(say(&memoir.engine, message("user:a", "small", "x")).await.seq, Some(2));
    assert_eq!(messages(&memoir.engine, &space("user:a")).await.len(), 2);
}

#[tokio::test]
async fn a_writer_that_is_asked_too_much_at_once_refuses_some_and_stores_them_when_they_come_again() {
    let memoir = TestEngine::with(EngineSettings::default(), |options| options.queue_commits = 2);
    let batch: Vec<_> = (0..60).map(|n| message(&format!("user:{n}"), "m1", "words")).collect();
    let first = remember(&memoir.engine, batch.clone()).await;
    let refused = first.iter().filter(|receipt| receipt.status == Failed);
    for receipt in refused.clone() {
        let error = receipt.error.as_ref().unwrap();
        assert_eq!((error.code(), error.retry_after_secs()), (ErrorCode::Busy, Some(1)));
    }
    assert!(refused.count() > 0 && first.iter().any(|receipt| receipt.status == Created));
    for (message, receipt) in batch.into_iter().zip(first) {
        let again = remember(&memoir.engine, vec![message]).await.remove(0).status;
        assert_eq!(again, if receipt.status == Created { Exists } else { Created });
    }
    assert_eq!(memoir.engine.stats(&caller()).await.unwrap().messages, 60);
}

#[tokio::test]
async fn a_space_that_is_full_says_so() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message("user:a", "m1", "words")).await;
    let most = memoir_model::Space::MOST_MESSAGES;
    let connection = rusqlite::Connection::open(memoir.path()).unwrap();
    connection.execute("UPDATE spaces SET last_seq = ?1", [most as i64 - 1]).unwrap();
    let neighbour = memoir.neighbour();
    assert_eq!(say(&neighbour, message("user:a", "last", "words")).await.seq, Some(most));
    let receipt = remember(&neighbour, vec![message("user:a", "one more", "words")]).await.remove(0);
    assert_eq!(receipt.status, Failed);
    assert_eq!(receipt.error.map(|error| error.code()), Some(ErrorCode::SpaceFull));
    let stored = neighbour.message(&caller(), &space("user:a"), &message_id("last")).await.unwrap();
    assert_eq!(stored.message.seq, most);
}

#[tokio::test]
async fn dates_of_every_age_and_in_any_order_are_listed_by_when_they_were_said() {
    let memoir = TestEngine::new();
    let dates = [
        "2026-01-07T04:00:00Z",
        "0001-06-01T00:00:00Z",
        "9998-12-30T23:59:59.999999Z",
        "1969-12-31T23:59:59.999999Z",
        "1582-10-10T12:00:00Z",
        "2026-01-07T03:59:59.999999Z",
        "0001-01-02T00:00:00Z",
        "1970-01-01T00:00:00Z",
    ];
    let batch = dates.iter().map(|date| at(message("user:a", date, date), date)).collect();
    let receipts = remember(&memoir.engine, batch).await;
    assert!(receipts.iter().all(|receipt| receipt.status == Created), "{receipts:?}");
    let mut sorted = dates;
    sorted.sort_by_key(|date| date.parse::<jiff::Timestamp>().unwrap());
    let stored = messages(&memoir.engine, &space("user:a")).await;
    assert_eq!(contents(&stored), sorted);
    for message in stored {
        assert_eq!(message.said_at, message.content.parse().unwrap());
        assert_eq!(
            found(&memoir.engine, &space("user:a"), &format!("\"{}\"", message.content)).await.len(),
            1
        );
    }
}

#[tokio::test]
async fn a_clock_that_jumps_by_hours_loses_nothing_and_keeps_the_order_of_arrival() {
    let memoir = TestEngine::new();
    for (n, hours) in [0, 5, -9, 1, -30, 40, -7].into_iter().enumerate() {
        memoir.clock.advance(SignedDuration::from_hours(hours));
        let receipt = say(&memoir.engine, message("user:a", &format!("m{n}"), "tick")).await;
        assert_eq!(receipt.seq, Some(n as u64 + 1));
        let stored = memoir.engine.message(&caller(), &space("user:a"), &receipt.id.unwrap()).await.unwrap();
        assert_eq!(
            (stored.message.said_at, stored.message.recorded_at),
            (memoir.engine.now(), memoir.engine.now())
        );
    }
    assert_eq!(found(&memoir.engine, &space("user:a"), "tick").await.len(), 7);
    let findings = memoir.engine.examine(|_| {}).await.unwrap();
    assert!(findings.iter().all(|finding| finding.severity == memoir_engine::Severity::Fine), "{findings:?}");
}

#[tokio::test]
async fn a_time_finer_than_is_kept_reads_the_same_from_memory_and_from_the_store() {
    let memoir = TestEngine::new();
    let sent = at(message("user:a", "m0", "x"), "2026-01-07T04:00:00.100000999Z");
    let session = say(&memoir.engine, sent).await.session.unwrap();
    let place = space("user:a");
    memoir.engine.window(&caller(), &place, &session, None).await.unwrap();
    // Now the window is in memory and is carried along.
    for (id, time) in [("m1", "2026-01-07T04:00:00.123456789Z"), ("m2", "1969-12-31T23:59:59.999999999Z")] {
        let named = NewMessage { session: Some(session.clone()), ..at(message("user:a", id, "x"), time) };
        say(&memoir.engine, named).await;
    }
    let warm = memoir.engine.window(&caller(), &place, &session, None).await.unwrap();
    let cold = memoir.neighbour().window(&caller(), &place, &session, None).await.unwrap();
    assert_eq!(warm, cold);
    let known = memoir.engine.session(&caller(), &place, &session).await.unwrap();
    assert_eq!((known.first_said_at, known.last_said_at), (cold[0].said_at, cold[2].said_at));
}

#[tokio::test]
async fn a_reply_to_a_message_not_yet_seen_resolves_when_it_comes() {
    let memoir = TestEngine::new();
    let reply = NewMessage { reply_to: Some(message_id("question")), ..message("user:a", "answer", "42") };
    say(&memoir.engine, reply).await;
    let detail = memoir.engine.message(&caller(), &space("user:a"), &message_id("answer")).await.unwrap();
    assert!(detail.answered.is_none());
    assert_eq!(detail.message.reply_to, Some(message_id("question")));
    say(&memoir.engine, message("user:b", "question", "somewhere else")).await;
    let detail = memoir.engine.message(&caller(), &space("user:a"), &message_id("answer")).await.unwrap();
    assert!(detail.answered.is_none(), "another space's message answers nothing here");
    say(&memoir.engine, message("user:a", "question", "what is it?")).await;
    let detail = memoir.engine.message(&caller(), &space("user:a"), &message_id("answer")).await.unwrap();
    assert_eq!(detail.answered.map(|message| message.content), Some("what is it?".into()));
}

#[tokio::test]
async fn a_message_that_was_edited_since_is_still_the_same_when_it_is_sent_again() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message("user:a", "m1", "first words")).await;
    let edit = Edit { content: Some("better words".into()), ..Edit::default() };
    memoir.engine.edit_message(&caller(), &space("user:a"), &message_id("m1"), edit).await.unwrap();
    let receipts = remember(
        &memoir.engine,
        vec![message("user:a", "m1", "first words"), message("user:a", "m1", "better words")],
    )
    .await;
    assert_eq!(statuses(&receipts), [Exists, Conflict]);
    assert_eq!(contents(&messages(&memoir.engine, &space("user:a")).await), ["better words"]);
}

#[tokio::test]
async fn a_space_whose_writer_died_is_written_again() {
    // A runtime that is shut down takes the task with it that serves the space's line.
    let memoir = TestEngine::new();
    let engine = memoir.engine.clone();
    let short_lived = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut write = Box::pin(remember(&engine, vec![message("user:a", "m1", "one")]));
            assert!((&mut write).now_or_never().is_none());
        });
    });
    short_lived.join().unwrap();
    let written = until("the space can be written", async || {
        let write =
            remember(&memoir.engine, vec![message("user:a", "m1", "one"), message("user:a", "m2", "two")]);
        tokio::time::timeout(std::time::Duration::from_secs(5), write).await.ok()
    })
    .await;
    assert_eq!(written.len(), 2);
    assert_eq!(messages(&memoir.engine, &space("user:a")).await.len(), 2);
}
