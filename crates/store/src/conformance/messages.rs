use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use memoir_model::{Attachment, ErrorCode, LocalMoment, Message, MessageState, Period, Speaker, limits};

use super::fixtures::{
    AWKWARD, Empty, STEP, at, message_id, metadata, name, refusal, session, session_id, summary, summary_row,
    thread,
};
use super::room::{Contents, Room, edited, previous};
use crate::{MessageQuery, Order, Row, Store, TakenId};

fn ids(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.id.as_str()).collect()
}

async fn listed(store: &Empty, room: &Room, query: &MessageQuery) -> Vec<String> {
    ids(&store.messages(room.key(), query).await.unwrap()).into_iter().map(str::to_owned).collect()
}

pub async fn a_message_is_read_back_as_it_was_written(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut channel = session(2, "in a channel");
    channel.thread = thread("general 频道");
    room.put_session(channel).await.unwrap();
    let mut row = room.draft("m1", "Zeile 1\n第二行\t😀 \u{202e}rtl");
    row.session_no = 2;
    row.message = Message {
        session: session_id("in a channel"),
        thread: thread("general 频道"),
        author: name("bob's \"bot\""),
        role: Speaker::Tool,
        said_at: at(5) + SignedDuration::from_micros(123_456),
        recorded_at: at(9) + SignedDuration::from_micros(1),
        local: LocalMoment { date: date(2026, 1, 8), offset_seconds: -12_600 },
        reply_to: Some(message_id("not here yet")),
        mentions: vec![name("carol"), name("张三")],
        attachments: vec![
            Attachment { reference: "img-1".into(), media_type: "image/png".into(), caption: None },
            Attachment { reference: "u".into(), media_type: "a/b".into(), caption: Some("a cat 猫".into()) },
        ],
        metadata: metadata(serde_json::json!({"nested": {"list": [1, "two", null, 1.5]}, "'quoted'": true})),
        ..row.message
    };
    room.append(vec![row.clone()]).await.unwrap();

    assert_eq!(store.message(room.key(), &row.message.id).await.unwrap(), Some(row.message.clone()));
    assert_eq!(store.messages_at(room.key(), &[1]).await.unwrap(), [row.message.clone()]);
    assert_eq!(store.messages(room.key(), &MessageQuery::all(10)).await.unwrap(), [row.message]);
    assert_eq!(store.message(room.key(), &message_id("M1")).await.unwrap(), None, "ids are case-sensitive");
}

pub async fn every_part_in_which_somebody_speaks_is_kept(store: Empty) {
    let mut room = Room::simple(&store).await;
    for role in Speaker::ALL {
        let mut row = room.draft(role.as_str(), "words");
        row.message.role = role;
        room.append(vec![row]).await.unwrap();
    }
    for role in Speaker::ALL {
        let found = store.message(room.key(), &message_id(role.as_str())).await.unwrap().unwrap();
        assert_eq!(found.role, role);
        let query = MessageQuery { role: Some(role), ..MessageQuery::all(10) };
        assert_eq!(listed(&store, &room, &query).await, [role.as_str()]);
    }
}

pub async fn words_of_every_length_are_kept(store: Empty) {
    let mut room = Room::simple(&store).await;
    let longest = "茶".repeat(limits::CONTENT_BYTES / 3);
    for (id, content) in
        [("empty", ""), ("one", "x"), ("quote", "it's; -- \"q\" \\0 %s ?1 $1 :a"), ("long", &longest)]
    {
        let mut row = room.draft(id, content);
        row.terms = content.as_bytes().repeat(2);
        room.append(vec![row]).await.unwrap();
        assert_eq!(store.message(room.key(), &message_id(id)).await.unwrap().unwrap().content, content);
    }
}

pub async fn a_second_message_with_the_same_id_is_refused_and_nothing_is_written(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "first").await;
    let before = Contents::of(&store, room.key()).await;

    let alone = room.draft("m1", "second");
    assert_eq!(refusal(room.append(vec![alone]).await), ErrorCode::IdConflict);

    let good = room.draft("m2", "good");
    let mut bad = room.draft("m1", "second");
    bad.message.seq += 1;
    assert_eq!(refusal(room.append(vec![good.clone(), bad]).await), ErrorCode::IdConflict);

    let mut twin = good.clone();
    twin.message.seq += 1;
    assert_eq!(refusal(room.append(vec![good, twin]).await), ErrorCode::IdConflict);

    assert_eq!(Contents::of(&store, room.key()).await, before);
}

pub async fn the_same_message_id_lives_in_two_spaces(store: Empty) {
    let mut one = Room::open(&store, "acme", "user:one", 6).await;
    let mut two = Room::open(&store, "acme", "user:two", 7).await;
    one.say("m1", "said in one").await;
    two.say("m1", "said in two").await;
    for (room, words) in [(&one, "said in one"), (&two, "said in two")] {
        assert_eq!(store.message(room.key(), &message_id("m1")).await.unwrap().unwrap().content, words);
    }
}

pub async fn a_message_number_that_is_not_the_next_is_refused(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "first").await;
    let before = Contents::of(&store, room.key()).await;
    for seq in [0, 1, 3, 1 << 24] {
        let mut row = room.draft("m2", "second");
        row.message.seq = seq;
        room.append(vec![row]).await.unwrap_err();
    }
    assert_eq!(Contents::of(&store, room.key()).await, before);
    room.say("m2", "second").await;
    assert_eq!(room.space().await.last_seq, 2);
}

pub async fn messages_are_ordered_by_time_then_number(store: Empty) {
    let mut room = Room::simple(&store).await;
    for (id, seconds) in [("late", 30), ("twin 1", 20), ("early", 10), ("twin 2", 20), ("before", -40)] {
        room.say_at(id, at(seconds)).await;
    }
    room.say_at("just after", at(20) + STEP).await;
    let mut expected = ["before", "early", "twin 1", "twin 2", "just after", "late"];
    assert_eq!(listed(&store, &room, &MessageQuery::all(10)).await, expected);
    expected.reverse();
    let newest = MessageQuery { order: Order::Newest, ..MessageQuery::all(10) };
    assert_eq!(listed(&store, &room, &newest).await, expected);
    assert_eq!(listed(&store, &room, &MessageQuery { limit: 2, ..newest }).await, expected[..2]);
}

pub async fn pages_meet_without_gap_or_repetition_in_both_directions(store: Empty) {
    // The highest bit makes a backend's packed keys negative, if it packs any.
    let mut room = Room::open(&store, "acme", "user:alice", 0x80_0000_0003).await;
    let mut neighbour = Room::open(&store, "acme", "user:bob", 0x80_0000_0004).await;
    for (n, seconds) in [5, 5, 1, 5, 9, 5, 1, 5, 5, -3].into_iter().enumerate() {
        room.say_at(&format!("m{n}"), at(seconds)).await;
        neighbour.say_at(&format!("n{n}"), at(seconds)).await;
    }
    for order in [Order::Oldest, Order::Newest] {
        let whole = listed(&store, &room, &MessageQuery { order, ..MessageQuery::all(100) }).await;
        assert_eq!(whole.len(), 10);
        for limit in 1..=4 {
            let mut query = MessageQuery { order, ..MessageQuery::all(limit) };
            let mut pages = Vec::new();
            loop {
                let page = store.messages(room.key(), &query).await.unwrap();
                assert!(page.len() <= limit);
                let Some(last) = page.last() else { break };
                query.after = Some((last.said_at, last.seq));
                pages.extend(ids(&page).into_iter().map(str::to_owned));
                assert!(pages.len() <= whole.len(), "{order:?}, {limit} at a time: {pages:?}");
            }
            assert_eq!(pages, whole, "{order:?}, {limit} at a time");
        }
    }
}

pub async fn a_place_need_not_be_a_message(store: Empty) {
    let mut room = Room::simple(&store).await;
    for (id, seconds) in [("a", 1), ("b", 3), ("c", 3)] {
        room.say_at(id, at(seconds)).await;
    }
    let beyond = |said_at: Timestamp, seq: u64, order: Order| MessageQuery {
        after: Some((said_at, seq)),
        order,
        ..MessageQuery::all(10)
    };
    assert_eq!(listed(&store, &room, &beyond(at(2), 99, Order::Oldest)).await, ["b", "c"]);
    assert_eq!(listed(&store, &room, &beyond(at(2), 0, Order::Newest)).await, ["a"]);
    assert_eq!(listed(&store, &room, &beyond(at(3), 0, Order::Oldest)).await, ["b", "c"]);
    assert_eq!(listed(&store, &room, &beyond(at(3), 99, Order::Oldest)).await, [""; 0]);
}

pub async fn a_time_range_includes_its_start_and_excludes_its_end(store: Empty) {
    let mut room = Room::simple(&store).await;
    for (id, time) in
        [("before", at(10) - STEP), ("start", at(10)), ("inside", at(20) - STEP), ("end", at(20))]
    {
        room.say_at(id, time).await;
    }
    let range = MessageQuery { from: Some(at(10)), until: Some(at(20)), ..MessageQuery::all(10) };
    assert_eq!(listed(&store, &room, &range).await, ["start", "inside"]);
    let from = MessageQuery { until: None, ..range.clone() };
    assert_eq!(listed(&store, &room, &from).await, ["start", "inside", "end"]);
    let until = MessageQuery { from: None, ..range.clone() };
    assert_eq!(listed(&store, &room, &until).await, ["before", "start", "inside"]);
    let empty = MessageQuery { until: Some(at(10)), ..range };
    assert_eq!(listed(&store, &room, &empty).await, [""; 0]);
}

pub async fn messages_are_filtered_by_session_author_and_role(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.put_session(session(2, "aside")).await.unwrap();
    for (id, session_no, author, role) in [
        ("a", 1, "alice", Speaker::User),
        ("b", 2, "alice", Speaker::User),
        ("c", 2, "bot", Speaker::Assistant),
        ("d", 2, "bot", Speaker::User),
        ("e", 1, "bot", Speaker::Assistant),
    ] {
        let mut row = room.draft(id, id);
        (row.session_no, row.message.author, row.message.role) = (session_no, name(author), role);
        room.append(vec![row]).await.unwrap();
    }
    let all = MessageQuery::all(10);
    let session = MessageQuery { session_no: Some(2), ..all.clone() };
    assert_eq!(listed(&store, &room, &session).await, ["b", "c", "d"]);
    let author = MessageQuery { author: Some("bot".into()), ..all.clone() };
    assert_eq!(listed(&store, &room, &author).await, ["c", "d", "e"]);
    let three = MessageQuery { session_no: Some(2), role: Some(Speaker::Assistant), ..author.clone() };
    assert_eq!(listed(&store, &room, &three).await, ["c"]);
    let first = MessageQuery { limit: 1, order: Order::Newest, ..author };
    assert_eq!(listed(&store, &room, &first).await, ["e"], "the limit counts what is left after the filter");
    let nobody = MessageQuery { author: Some("BOT".into()), ..all };
    assert_eq!(listed(&store, &room, &nobody).await, [""; 0], "names are case-sensitive");
}

pub async fn a_session_comes_with_those_of_its_messages_that_are_asked_for(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.put_session(session(2, "aside")).await.unwrap();
    for (id, session_no) in [("a", 1), ("b", 2), ("c", 2), ("d", 2)] {
        let mut row = room.draft(id, id);
        row.session_no = session_no;
        room.append(vec![row]).await.unwrap();
    }
    let newest = MessageQuery { limit: 2, order: Order::Newest, ..MessageQuery::all(2) };
    let aside =
        async || store.session_talk(room.key(), &session_id("aside"), &newest).await.unwrap().unwrap();
    let found = aside().await;
    assert_eq!((found.session.no, found.summary, ids(&found.messages)), (2, None, vec!["d", "c"]));
    let of = |id: &str| summary(Period::Session(session_id(id)), id);
    room.put(vec![summary_row(of("aside")), summary_row(of("other"))]).await.unwrap();
    assert_eq!(aside().await.summary, Some(of("aside")));
    let nobody = store.session_talk(room.key(), &session_id("nobody"), &newest).await.unwrap();
    assert_eq!(nobody, None);
}

pub async fn messages_up_to_a_number_are_those_that_came_before_it(store: Empty) {
    let mut room = Room::simple(&store).await;
    for (id, said) in [("a", 10), ("b", 30), ("c", 20), ("d", 40), ("e", 5)] {
        room.say_at(id, at(said)).await;
    }
    let up_to = |seq| MessageQuery { up_to: Some(seq), session_no: Some(1), ..MessageQuery::all(10) };
    assert_eq!(listed(&store, &room, &up_to(2)).await, ["a", "b"]);
    assert_eq!(listed(&store, &room, &up_to(4)).await, ["a", "c", "b", "d"]);
    assert_eq!(listed(&store, &room, &up_to(0)).await, [""; 0]);
    assert_eq!(listed(&store, &room, &up_to(u64::MAX)).await.len(), 5);
    let next = MessageQuery { after: Some((at(20), 3)), limit: 1, ..up_to(3) };
    assert_eq!(listed(&store, &room, &next).await, ["b"]);
}

pub async fn recalled_and_erased_messages_are_left_out_of_active_lists(store: Empty) {
    let mut room = Room::simple(&store).await;
    let (recalled, erased) = (room.say("a", "words").await, room.say("b", "words").await);
    room.say("c", "words").await;
    room.recall(&recalled).await;
    room.erase(&erased).await;
    let active = MessageQuery { active_only: true, ..MessageQuery::all(10) };
    assert_eq!(listed(&store, &room, &active).await, ["c"]);
    let all = store.messages(room.key(), &MessageQuery::all(10)).await.unwrap();
    let states: Vec<_> = all.iter().map(|message| message.state).collect();
    assert_eq!(states, [MessageState::Recalled, MessageState::Erased, MessageState::Active]);
}

pub async fn times_from_year_1_to_year_9998_are_kept_and_ordered(store: Empty) {
    let mut room = Room::simple(&store).await;
    let times = [
        "9998-12-31T23:59:59.999999Z",
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "1970-01-01T00:00:00Z",
        "0001-01-01T00:00:00.000001Z",
        "2262-04-12T00:00:00Z",
    ];
    for time in times {
        room.say_at(time, time.parse().unwrap()).await;
    }
    for time in times {
        let found = store.message(room.key(), &message_id(time)).await.unwrap().unwrap();
        assert_eq!(found.said_at, time.parse::<Timestamp>().unwrap());
    }
    let mut expected = times;
    expected.sort_unstable_by_key(|time| time.parse::<Timestamp>().unwrap());
    assert_eq!(listed(&store, &room, &MessageQuery::all(10)).await, expected);
    let ancient =
        MessageQuery { until: Some("1970-01-01T00:00:00Z".parse().unwrap()), ..MessageQuery::all(10) };
    assert_eq!(listed(&store, &room, &ancient).await, expected[..3]);
}

pub async fn messages_come_back_in_the_order_asked_for(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(5).await;
    let found = store.messages_at(room.key(), &[4, 1, 99, 5, 0, 2]).await.unwrap();
    assert_eq!(ids(&found), ["m4", "m1", "m5", "m2"]);
    assert_eq!(store.messages_at(room.key(), &[]).await.unwrap(), []);
}

pub async fn a_limit_as_large_as_can_be_gives_everything(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.fill_to(3).await;
    assert_eq!(listed(&store, &room, &MessageQuery::all(usize::MAX)).await, ["m1", "m2", "m3"]);
    assert_eq!(listed(&store, &room, &MessageQuery::all(0)).await, [""; 0]);
}

pub async fn an_edited_message_keeps_its_place_and_its_earlier_wordings(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut first = room.draft("m1", "first words");
    first.message.attachments =
        vec![Attachment { reference: "r".into(), media_type: "a/b".into(), caption: Some("old".into()) }];
    room.append(vec![first.clone()]).await.unwrap();
    room.say("m2", "unchanged").await;
    let (mut second, mut rows) = edited(&first, "second words");
    second.message.attachments.clear();
    rows = rows
        .into_iter()
        .map(|row| match row {
            Row::ReviseMessage { previous, .. } => {
                Row::ReviseMessage { row: Box::new(second.clone()), previous }
            }
            other => other,
        })
        .collect();
    room.put(rows).await.unwrap();
    let third = room.edit(&second, "third words").await;

    assert_eq!(store.message(room.key(), &first.message.id).await.unwrap(), Some(third.message));
    assert_eq!(listed(&store, &room, &MessageQuery::all(10)).await, ["m1", "m2"]);
    let versions = store.message_versions(room.key(), 1).await.unwrap();
    assert_eq!(versions, [previous(&first), previous(&second)]);
    assert_eq!(store.message_versions(room.key(), 2).await.unwrap(), []);
    assert_eq!(room.space().await.last_seq, 2);
}

pub async fn editing_a_message_that_does_not_exist_is_refused(store: Empty) {
    let mut room = Room::simple(&store).await;
    room.say("m1", "words").await;
    let before = Contents::of(&store, room.key()).await;
    let (_, rows) = edited(&room.draft("m2", "never said"), "other words");
    assert_eq!(refusal(room.put(rows).await), ErrorCode::NotFound);
    let erase = Row::EraseMessage(Box::new(room.draft("m2", "")));
    assert_eq!(refusal(room.put(vec![erase]).await), ErrorCode::NotFound);
    assert_eq!(Contents::of(&store, room.key()).await, before);
}

pub async fn taken_ids_name_the_message_and_what_it_first_said(store: Empty) {
    let mut room = Room::simple(&store).await;
    let mut digests = [0, 1, u64::MAX, 1 << 63].into_iter();
    for id in ["a", "b", "c", "d"] {
        let mut row = room.draft(id, id);
        row.digest = digests.next().unwrap();
        room.append(vec![row.clone()]).await.unwrap();
        if id == "c" {
            room.edit(&row, "other words").await;
        }
    }
    let ask: Vec<_> = ["d", "no", "c", "a", "b", "A"].map(message_id).into();
    let mut taken = store.taken_ids(room.key(), &ask).await.unwrap();
    taken.sort_by_key(|taken| taken.seq);
    let expected = [("a", 0), ("b", 1), ("c", u64::MAX), ("d", 1 << 63)];
    let expected: Vec<_> =
        (1..).zip(expected).map(|(seq, (id, digest))| TakenId { id: message_id(id), seq, digest }).collect();
    assert_eq!(taken, expected);
    assert_eq!(store.taken_ids(room.key(), &[]).await.unwrap(), []);
}

pub async fn awkward_ids_are_kept_as_they_came(store: Empty) {
    let mut room = Room::simple(&store).await;
    for text in AWKWARD {
        let mut row = room.draft(text, text);
        row.message.author = name(text);
        row.message.reply_to = Some(message_id(text));
        room.append(vec![row]).await.unwrap();
    }
    for (seq, text) in (1..).zip(AWKWARD) {
        let found = store.message(room.key(), &message_id(text)).await.unwrap().unwrap();
        assert_eq!((found.seq, found.content.as_str(), found.author.as_str()), (seq, text, text));
        assert_eq!(found.reply_to, Some(message_id(text)));
        let query = MessageQuery { author: Some(text.into()), ..MessageQuery::all(10) };
        assert_eq!(listed(&store, &room, &query).await, [text]);
    }
    let taken = store.taken_ids(room.key(), &AWKWARD.map(message_id)).await.unwrap();
    assert_eq!(taken.len(), AWKWARD.len());
    assert_long_ids(&*store, &mut room).await;
}

async fn assert_long_ids(store: &dyn Store, room: &mut Room) {
    // 256 bytes is the longest id; these two differ in their last byte only.
    let (one, two) = ("x".repeat(255) + "1", "x".repeat(255) + "2");
    room.say(&one, "one").await;
    room.say(&two, "two").await;
    assert_eq!(store.message(room.key(), &message_id(&two)).await.unwrap().unwrap().content, "two");
}
