//! `POST /v1/messages`, and the lists and single messages of a space.

use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{column, got, refusal, say, say_all, whole_list};

async fn remember(server: &TestServer, body: Value) -> crate::Reply {
    server.send(Method::POST, "/v1/messages", body).await
}

fn statuses(body: &Value) -> Vec<&str> {
    body["results"].as_array().unwrap().iter().map(|receipt| receipt["status"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn one_message_is_created_and_gets_a_receipt() {
    let server = TestServer::open().await;
    let (status, body) =
        remember(&server, json!({"space": "user:alice", "id": "m1", "content": "hello"})).await;
    assert_eq!(status, 201);
    let session = body["results"][0]["session"].clone();
    assert!(session.is_string());
    let receipt =
        json!({"status": "created", "space": "user:alice", "id": "m1", "seq": 1, "session": session});
    assert_eq!(body, json!({"results": [receipt]}));
}

#[tokio::test]
async fn a_message_without_an_id_gets_one_by_which_it_is_found() {
    let server = TestServer::open().await;
    let receipt = say(&server, json!({"space": "user:alice", "content": "hello"})).await;
    let id = receipt["id"].as_str().unwrap();
    assert_eq!(id.len(), 36, "{id} is no UUID");
    let message = got(&server, &format!("/v1/spaces/user:alice/messages/{id}")).await;
    assert_eq!(message["content"], "hello");
}

#[tokio::test]
async fn the_same_message_again_exists_and_is_not_stored_twice() {
    let server = TestServer::open().await;
    let message = json!({"space": "user:alice", "id": "m1", "content": "hello"});
    say(&server, message.clone()).await;
    let (status, body) = remember(&server, message).await;
    assert_eq!(status, 200);
    assert_eq!(body, json!({"results": [{"status": "exists", "space": "user:alice", "id": "m1", "seq": 1}]}));
    assert_eq!(got(&server, "/v1/spaces/user:alice").await["messages"], 1);
}

#[tokio::test]
async fn of_many_who_send_the_same_message_at_once_one_creates_it() {
    let server = TestServer::open().await;
    let message = json!({"space": "user:alice", "id": "m1", "session": "s", "content": "hello"});
    let replies = futures::future::join_all((0..20).map(|_| remember(&server, message.clone()))).await;
    let created = replies.iter().filter(|(status, _)| *status == 201).count();
    let existed = replies.iter().filter(|(_, body)| body["results"][0]["status"] == "exists").count();
    assert_eq!((created, existed), (1, 19));
    assert_eq!(got(&server, "/v1/spaces/user:alice/sessions/s").await["messages"], 1);
}

#[tokio::test]
async fn many_who_write_at_once_into_one_space_all_find_their_place() {
    let server = TestServer::open().await;
    let message =
        |n: u32| json!({"space": "user:alice", "id": format!("m{n}"), "content": format!("word {n}")});
    let replies = futures::future::join_all((0..50).map(|n| remember(&server, message(n)))).await;
    let mut seqs: Vec<u64> =
        replies.iter().map(|(_, body)| body["results"][0]["seq"].as_u64().unwrap()).collect();
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=50).collect::<Vec<_>>());
    crate::assert_sound(&server).await;
}

#[tokio::test]
async fn the_same_id_with_other_words_is_a_conflict_and_the_first_words_stay() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:alice", "id": "m1", "content": "hello"})).await;
    let reply = remember(&server, json!({"space": "user:alice", "id": "m1", "content": "bye"})).await;
    assert_eq!(refusal(reply), "409 id_conflict id");
    assert_eq!(got(&server, "/v1/spaces/user:alice/messages/m1").await["content"], "hello");
}

#[tokio::test]
async fn the_same_id_in_another_space_is_another_message() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:alice", "id": "m1", "content": "hello"})).await;
    say(&server, json!({"space": "user:bob", "id": "m1", "content": "bye"})).await;
    assert_eq!(got(&server, "/v1/spaces/user:alice/messages/m1").await["content"], "hello");
    assert_eq!(got(&server, "/v1/spaces/user:bob/messages/m1").await["content"], "bye");
}

#[tokio::test]
async fn among_many_each_message_is_judged_by_itself() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:alice", "id": "old", "content": "hello"})).await;
    let (status, body) = remember(
        &server,
        json!({"messages": [
            {"space": "user:alice", "id": "new", "content": "one"},
            {"space": "user:alice", "id": "old", "content": "hello"},
            {"space": "user:alice", "id": "old", "content": "other words"},
            {"space": "user:alice", "content": "two", "said_at": "yesterday"},
            {"space": "user:alice", "content": ""},
            {"space": "nobody", "content": "three"},
            {"space": "user:alice", "content": "four", "contnet": "typo"},
            {"content": "five"},
            {"space": "user:alice", "content": 6},
            "seven",
            {"space": "group:eng", "id": "eight", "content": "eight", "author": "bob"},
        ]}),
    )
    .await;
    assert_eq!(status, 200);
    let expected = [
        "created", "exists", "conflict", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid",
        "invalid", "created",
    ];
    assert_eq!(statuses(&body), expected);
    let fields: Vec<&str> = body["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|receipt| receipt["error"]["field"].as_str())
        .collect();
    let expected = [
        "messages[2].id",
        "messages[3].said_at",
        "messages[4].content",
        "messages[5].space",
        "messages[6].contnet",
        "messages[7].space",
        "messages[8].content",
        "messages[9]",
    ];
    assert_eq!(fields, expected);
    assert_eq!(column(&got(&server, "/v1/spaces/user:alice/messages").await, "content"), ["hello", "one"]);
    assert_eq!(column(&got(&server, "/v1/spaces/group:eng/messages").await, "author"), ["bob"]);
}

#[tokio::test]
async fn many_new_messages_are_created_in_their_order() {
    let server = TestServer::open().await;
    let message =
        |n: u32| json!({"space": "user:alice", "id": format!("m{n}"), "content": format!("word {n}")});
    let messages: Vec<Value> = (0..1000).map(message).collect();
    let (status, body) = remember(&server, json!({ "messages": messages })).await;
    assert_eq!(status, 201);
    let seqs: Vec<u64> =
        body["results"].as_array().unwrap().iter().map(|r| r["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=1000).collect::<Vec<_>>());
}

#[tokio::test]
async fn many_messages_that_are_all_refused_are_no_error_of_the_request() {
    let server = TestServer::open().await;
    let (status, body) =
        remember(&server, json!({"messages": [{"space": "user:alice", "content": " "}]})).await;
    assert_eq!((status.as_u16(), statuses(&body)), (200, vec!["invalid"]));
    assert_eq!(refusal(server.get("/v1/spaces/user:alice").await), "404 not_found");
}

#[tokio::test]
async fn what_is_absent_takes_its_usual_value() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:alice", "id": "m1", "content": "hello"})).await;
    say(&server, json!({"space": "user:alice", "id": "m2", "content": "hi", "role": "assistant"})).await;
    let mut message = got(&server, "/v1/spaces/user:alice/messages/m1").await;
    let session = message["session"].take();
    assert_eq!(
        message,
        json!({
            "id": "m1", "seq": 1, "session": null, "author": "alice", "role": "user", "content": "hello",
            "said_at": "2026-01-07T12:00:00+08:00", "recorded_at": "2026-01-07T04:00:00Z",
            "local_date": "2026-01-07", "version": 1, "state": "active",
        })
    );
    let reply = got(&server, "/v1/spaces/user:alice/messages/m2").await;
    assert_eq!((&reply["author"], &reply["session"]), (&json!("assistant"), &session));
}

#[tokio::test]
async fn everything_a_product_sends_comes_back() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "group:eng", "id": "q", "content": "who is on call?", "author": "bob"}))
        .await;
    say(
        &server,
        json!({
            "space": "group:eng", "id": "a", "session": "standup", "thread": "#ops", "author": "alice",
            "role": "user", "content": "I am 🙋\u{200d}♀️\u{200b}, 今天", "said_at": "2026-01-06T23:30:00.25-05:00",
            "reply_to": "q", "mentions": ["bob", "张三"],
            "attachments": [{"ref": "img-1", "media_type": "image/png", "caption": "the rota"},
                            {"ref": "https://x/y.pdf", "media_type": "application/pdf"}],
            "metadata": {"b": [1, 2.5, null, true], "a": {"nested": "值"}},
        }),
    )
    .await;
    let mut message = got(&server, "/v1/spaces/group:eng/messages/a").await;
    let answered = message["answered"].take();
    assert_eq!(answered["content"], "who is on call?");
    assert_eq!(
        message,
        json!({
            "id": "a", "seq": 2, "session": "standup", "thread": "#ops", "author": "alice", "role": "user",
            "content": "I am 🙋\u{200d}♀️\u{200b}, 今天",
            "said_at": "2026-01-07T12:30:00.25+08:00", "recorded_at": "2026-01-07T04:00:00Z",
            "local_date": "2026-01-07", "reply_to": "q", "mentions": ["bob", "张三"],
            "attachments": [{"ref": "img-1", "media_type": "image/png", "caption": "the rota"},
                            {"ref": "https://x/y.pdf", "media_type": "application/pdf"}],
            "metadata": {"a": {"nested": "值"}, "b": [1, 2.5, null, true]},
            "version": 1, "state": "active", "answered": null,
        })
    );
}

#[tokio::test]
async fn an_answer_may_arrive_before_its_question() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "a", "content": "yes", "reply_to": "q"})).await;
    assert_eq!(got(&server, "/v1/spaces/user:a/messages/a").await.get("answered"), None);
    say(&server, json!({"space": "user:a", "id": "q", "content": "really?"})).await;
    assert_eq!(got(&server, "/v1/spaces/user:a/messages/a").await["answered"]["content"], "really?");
}

#[tokio::test]
async fn a_picture_without_words_is_a_message() {
    let server = TestServer::open().await;
    let picture = json!({"space": "user:a", "attachments": [{"ref": "1", "media_type": "image/png"}]});
    let receipt = say(&server, picture).await;
    assert_eq!(receipt["status"], "created");
}

#[tokio::test]
async fn times_of_old_days_are_still_written_as_rfc_3339() {
    let server = TestServer::open().await;
    // Before 1901 Shanghai was 8 hours, 5 minutes and 43 seconds ahead.
    for (id, said_at) in
        [("first", "0001-01-02T00:00:00Z"), ("ada", "1815-12-10T12:00:00Z"), ("last", "9998-12-31T00:00:00Z")]
    {
        say(&server, json!({"space": "user:a", "id": id, "content": "x", "said_at": said_at})).await;
        let message = got(&server, &format!("/v1/spaces/user:a/messages/{id}")).await;
        let told = message["said_at"].as_str().unwrap();
        // 0001-01-02T08:05:00+08:05 and the like: 25 characters, and the same moment.
        assert_eq!(told.len(), 25, "{told}");
        let (told, said): (jiff::Timestamp, jiff::Timestamp) =
            (told.parse().unwrap(), said_at.parse().unwrap());
        assert_eq!(told, said);
    }
}

#[tokio::test]
async fn messages_are_listed_by_the_time_they_were_said() {
    let server = TestServer::open().await;
    let message =
        |(id, time): (&str, &str)| json!({"space": "user:a", "id": id, "content": id, "said_at": time});
    let said = [
        ("c", "2026-01-03T00:00:00Z"),
        ("a", "2026-01-01T00:00:00Z"),
        ("b", "2026-01-02T00:00:00Z"),
        ("b2", "2026-01-02T00:00:00Z"),
    ];
    say_all(&server, said.map(message)).await;
    assert_eq!(column(&got(&server, "/v1/spaces/user:a/messages").await, "id"), ["a", "b", "b2", "c"]);
    let newest = got(&server, "/v1/spaces/user:a/messages?order=newest").await;
    assert_eq!(column(&newest, "id"), ["c", "b2", "b", "a"]);
    assert_eq!(refusal(server.get("/v1/spaces/user:a/messages?order=random").await), "422 invalid order");
}

#[tokio::test]
async fn a_list_is_read_page_by_page_in_both_orders() {
    let server = TestServer::open().await;
    // Seven messages said at three moments: pages end in the middle of one.
    let message = |n: u32| json!({"space": "user:a", "id": format!("m{n}"), "content": "x", "said_at": format!("2026-01-0{}T00:00:00Z", 1 + n / 3)});
    say_all(&server, (0..7).map(message)).await;
    let expected: Vec<String> = (0..7).map(|n| format!("m{n}")).collect();
    let ids = |items: Vec<Value>| {
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for limit in [1, 2, 3, 6, 7, 8] {
        assert_eq!(ids(whole_list(&server, "/v1/spaces/user:a/messages", limit).await), expected, "{limit}");
        let mut newest = ids(whole_list(&server, "/v1/spaces/user:a/messages?order=newest", limit).await);
        newest.reverse();
        assert_eq!(newest, expected, "{limit}");
    }
}

#[tokio::test]
async fn what_arrives_while_a_list_is_read_moves_no_page() {
    let server = TestServer::open().await;
    let message = |n: u32| json!({"space": "user:a", "id": format!("m{n}"), "content": "x", "said_at": format!("2026-01-0{n}T00:00:00Z")});
    say_all(&server, [message(1), message(3), message(5)]).await;
    let first = got(&server, "/v1/spaces/user:a/messages?limit=2").await;
    say_all(&server, [message(2), message(4)]).await;
    let next = first["next"].as_str().unwrap();
    let second = got(&server, &format!("/v1/spaces/user:a/messages?limit=2&cursor={next}")).await;
    assert_eq!((column(&first, "id"), column(&second, "id")), (vec!["m1", "m3"], vec!["m4", "m5"]));
}

#[tokio::test]
async fn a_list_is_narrowed_by_session_time_author_and_role() {
    let server = TestServer::open().await;
    let message = |id: &str, author: &str, role: &str, session: &str, day: u32| {
        json!({"space": "group:g", "id": id, "content": id, "author": author, "role": role, "session": session,
               "said_at": format!("2026-01-0{day}T12:00:00+08:00")})
    };
    let said = [
        message("a", "ann", "user", "s1", 1),
        message("b", "bob", "user", "s1", 2),
        message("c", "bot", "assistant", "s2", 3),
        message("d", "ann", "user", "s2", 4),
    ];
    say_all(&server, said).await;
    for (query, expected) in [
        ("session=s2", vec!["c", "d"]),
        ("author=ann", vec!["a", "d"]),
        ("role=assistant", vec!["c"]),
        ("from=2026-01-02T12:00:00%2B08:00", vec!["b", "c", "d"]),
        ("until=2026-01-02T12:00:00%2B08:00", vec!["a"]),
        ("from=2026-01-02T04:00:00Z&until=2026-01-04T04:00:00Z&author=bob", vec!["b"]),
        ("session=s1&role=assistant", vec![]),
        ("from=2027-01-01T00:00:00Z&until=2020-01-01T00:00:00Z", vec![]),
    ] {
        let list = got(&server, &format!("/v1/spaces/group:g/messages?{query}")).await;
        assert_eq!(column(&list, "id"), expected, "{query}");
    }
    for (query, expected) in [
        ("session=s9", "404 not_found"),
        ("role=narrator", "422 invalid role"),
        ("from=today", "422 invalid from"),
        ("until=2026-01-02T12:00:00", "422 invalid until"),
        ("colour=red", "422 invalid colour"),
        ("role=user&role=tool", "422 invalid role"),
        ("session=", "422 invalid session"),
    ] {
        let reply = server.get(&format!("/v1/spaces/group:g/messages?{query}")).await;
        assert_eq!(refusal(reply), expected, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_is_good_for_the_list_it_was_made_for_only() {
    let server = TestServer::open().await;
    for space in ["user:a", "user:b"] {
        let message =
            |n: u32| json!({"space": space, "content": format!("word {n}"), "session": format!("s{n}")});
        say_all(&server, (0..3).map(message)).await;
    }
    let list = "/v1/spaces/user:a/messages?limit=1";
    let cursor = got(&server, list).await["next"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&format!("{list}&cursor={cursor}")).await.0, 200);
    for other in [
        "/v1/spaces/user:b/messages?limit=1",
        "/v1/spaces/user:a/sessions?limit=1",
        "/v1/spaces/user:a/messages/search?q=word&limit=1",
        "/v1/spaces?limit=1",
        "/v1/jobs?limit=1",
        "/v1/audit?limit=1",
    ] {
        let reply = server.get(&format!("{other}&cursor={cursor}")).await;
        assert_eq!(refusal(reply), "400 invalid_cursor cursor", "{other}");
    }
    for forged in ["", "x", "%00", "AAAA", &cursor[1..], &"A".repeat(5000)] {
        let reply = server.get(&format!("{list}&cursor={forged}")).await;
        assert_eq!(refusal(reply), "400 invalid_cursor cursor", "{forged}");
    }
}

#[tokio::test]
async fn a_page_has_1_to_500_items() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "hello"})).await;
    for list in
        ["/v1/spaces", "/v1/spaces/user:a/messages", "/v1/spaces/user:a/sessions", "/v1/jobs", "/v1/audit"]
    {
        for limit in ["1", "500"] {
            assert_eq!(server.get(&format!("{list}?limit={limit}")).await.0, 200, "{list} {limit}");
        }
        for limit in ["0", "501", "-1", "1.5", "ten", "", "99999999999999999999", "0x10"] {
            let reply = server.get(&format!("{list}?limit={limit}")).await;
            assert_eq!(refusal(reply), "422 invalid limit", "{list} {limit}");
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "content": "hello"})).await;
    for path in [
        "/v1/spaces/user:b/messages",
        "/v1/spaces/user:b/messages/m",
        "/v1/spaces/user:a/messages/M",
        "/v1/spaces/user:b/messages/search?q=hello",
        "/v1/spaces/user:a/messages/m/more",
        "/v1/message",
        "/",
        "//v1/spaces",
    ] {
        assert_eq!(refusal(server.get(path).await), "404 not_found", "{path}");
    }
}

#[tokio::test]
async fn a_message_whose_id_is_search_is_stored_like_any_other() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "search", "content": "hello"})).await;
    assert_eq!(column(&got(&server, "/v1/spaces/user:a/messages").await, "id"), ["search"]);
    // Its path is taken, but not when a letter is percent-encoded.
    let path = "/v1/spaces/user:a/messages/%73earch";
    assert_eq!(got(&server, path).await["content"], "hello");
    assert_eq!(server.send(Method::PATCH, path, json!({"content": "bye"})).await.0, 200);
    assert_eq!(server.send(Method::DELETE, path, json!({})).await.1["state"], "erased");
}

#[tokio::test]
async fn ids_with_slashes_blanks_and_other_scripts_are_reached_percent_encoded() {
    let server = TestServer::open().await;
    for (id, encoded) in [
        ("a/b", "a%2Fb"),
        ("a b?c#d", "a%20b%3Fc%23d"),
        ("消息", "%E6%B6%88%E6%81%AF"),
        ("100%", "100%25"),
        ("..", "%2E%2E"),
        ("😀", "%F0%9F%98%80"),
    ] {
        say(&server, json!({"space": "user:a", "id": id, "content": id})).await;
        // A client library would rewrite some of these, so the path goes out as it is.
        let mut raw = crate::raw::Raw::to(&server).await;
        raw.send(format!("GET /v1/spaces/user:a/messages/{encoded} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            .await;
        let reply = raw.reply().await;
        assert_eq!((reply.status, &reply.value()["content"]), (200, &json!(id)), "{encoded}");
    }
}
