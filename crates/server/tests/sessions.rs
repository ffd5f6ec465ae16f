//! `/v1/spaces/{space}/sessions`.

use jiff::SignedDuration;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{column, got, refusal, say, say_all, whole_list};

const SESSIONS: &str = "/v1/spaces/user:a/sessions";

async fn open(server: &TestServer, body: Value) -> Value {
    let (status, session) = server.send(Method::POST, SESSIONS, body).await;
    assert_eq!(status, 201, "{session}");
    session
}

async fn end(server: &TestServer, id: &str, body: Value) -> crate::Reply {
    server.send(Method::POST, &format!("{SESSIONS}/{id}/end"), body).await
}

#[tokio::test]
async fn a_session_is_opened_with_what_the_product_says_of_it() {
    let server = TestServer::open().await;
    let body = json!({"id": "s", "thread": "#ops", "task": "write the report", "metadata": {"k": [1]}});
    let session = open(&server, body).await;
    let expected = json!({
        "id": "s", "thread": "#ops", "state": "open", "explicit": true, "task": "write the report",
        "started_at": "2026-01-07T04:00:00Z", "last_said_at": "2026-01-07T04:00:00Z", "messages": 0, "stale": false,
        "metadata": {"k": [1]},
    });
    assert_eq!(session, expected);
    assert_eq!(got(&server, &format!("{SESSIONS}/s")).await, expected);
}

#[tokio::test]
async fn a_session_without_an_id_gets_one() {
    let server = TestServer::open().await;
    let session = open(&server, json!({})).await;
    let id = session["id"].as_str().unwrap();
    assert_eq!(got(&server, &format!("{SESSIONS}/{id}")).await, session);
    let other = open(&server, json!({})).await;
    assert_ne!(other["id"], session["id"]);
}

#[tokio::test]
async fn a_body_may_be_left_out_where_nothing_must_be_said() {
    let server = TestServer::open().await;
    let response = server.request(Method::POST, SESSIONS).send().await.unwrap();
    assert_eq!(response.status(), 201);
    let session: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    let end = format!("{SESSIONS}/{}/end", session["id"].as_str().unwrap());
    assert_eq!(server.request(Method::POST, &end).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn opening_the_same_session_again_returns_it_as_it_is() {
    let server = TestServer::open().await;
    let first = open(&server, json!({"id": "s", "task": "one"})).await;
    server.memoir.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(open(&server, json!({"id": "s", "task": "two"})).await, first);
    assert_eq!(got(&server, "/v1/spaces/user:a").await["sessions"], 1);
    end(&server, "s", json!({})).await;
    assert_eq!(open(&server, json!({"id": "s"})).await["state"], "ended");
}

#[tokio::test]
async fn a_session_ends_once() {
    let server = TestServer::open().await;
    open(&server, json!({"id": "s"})).await;
    server.memoir.clock.advance(SignedDuration::from_mins(1));
    let (status, ended) = end(&server, "s", json!({"reason": "disconnect"})).await;
    assert_eq!(status, 200);
    assert_eq!((&ended["state"], &ended["end_reason"]), (&json!("ended"), &json!("disconnect")));
    assert_eq!(ended["ended_at"], "2026-01-07T04:01:00Z");
    server.memoir.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(end(&server, "s", json!({"reason": "call"})).await, (status, ended));
    let log = got(&server, "/v1/audit").await;
    assert_eq!((column(&log, "action"), column(&log, "target")), (vec!["session_ended"], vec!["s"]));
}

#[tokio::test]
async fn only_the_server_finds_idleness() {
    let server = TestServer::open().await;
    open(&server, json!({"id": "s"})).await;
    for (body, expected) in [
        (json!({"reason": "idle"}), "422 invalid reason"),
        (json!({"reason": "bored"}), "422 invalid reason"),
        (json!({"reason": 1}), "422 invalid reason"),
        (json!({"why": "call"}), "422 invalid why"),
    ] {
        assert_eq!(refusal(end(&server, "s", body).await), expected);
    }
    assert_eq!(got(&server, &format!("{SESSIONS}/s")).await["state"], "open");
}

#[tokio::test]
async fn what_is_not_there_cannot_be_ended_and_is_not_made_by_trying() {
    let server = TestServer::open().await;
    assert_eq!(refusal(end(&server, "s", json!({})).await), "404 not_found");
    assert_eq!(refusal(server.get("/v1/spaces/user:a").await), "404 not_found");
    open(&server, json!({"id": "s"})).await;
    assert_eq!(refusal(end(&server, "t", json!({})).await), "404 not_found");
    assert_eq!(refusal(server.get(&format!("{SESSIONS}/t")).await), "404 not_found");
    assert_eq!(refusal(server.get(&format!("{SESSIONS}/t/window")).await), "404 not_found");
    assert_eq!(refusal(server.get("/v1/spaces/user:b/sessions/s/window").await), "404 not_found");
}

#[tokio::test]
async fn what_does_not_fit_a_session_is_refused_by_name() {
    let server = TestServer::open().await;
    for (body, expected) in [
        (json!({"id": ""}), "422 invalid id"),
        (json!({"id": "x".repeat(257)}), "422 invalid id"),
        (json!({"thread": "a\nb"}), "422 invalid thread"),
        (json!({"task": "x".repeat(4097)}), "422 invalid task"),
        (json!({"task": "a\u{0}"}), "422 invalid task"),
        (json!({"metadata": {"k": "x".repeat(16 * 1024)}}), "422 invalid metadata"),
        (json!({"metadata": []}), "422 invalid metadata"),
        (json!({"name": "s"}), "422 invalid name"),
    ] {
        let told = body.to_string();
        let reply = server.send(Method::POST, SESSIONS, body).await;
        assert_eq!(refusal(reply), expected, "{}", &told[..told.len().min(80)]);
    }
    assert_eq!(refusal(server.get("/v1/spaces/user:a").await), "404 not_found");
}

#[tokio::test]
async fn sessions_are_listed_the_newest_first() {
    let server = TestServer::open().await;
    for n in 0..5 {
        open(&server, json!({"id": format!("s{n}")})).await;
    }
    for limit in [1, 2, 5, 50] {
        let sessions = whole_list(&server, SESSIONS, limit).await;
        let ids: Vec<&str> = sessions.iter().map(|session| session["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["s4", "s3", "s2", "s1", "s0"], "{limit}");
    }
    let cursor = got(&server, &format!("{SESSIONS}?limit=1")).await["next"].as_str().unwrap().to_owned();
    open(&server, json!({"id": "s5"})).await;
    assert_eq!(
        column(&got(&server, &format!("{SESSIONS}?cursor={cursor}&limit=2")).await, "id"),
        ["s3", "s2"]
    );
}

#[tokio::test]
async fn the_window_is_the_end_of_a_session_in_the_order_it_was_said() {
    let server = TestServer::open().await;
    let message = |n: u32| {
        // Every second message arrives late.
        let minute = if n.is_multiple_of(2) { n } else { n.saturating_sub(3) };
        json!({"space": "user:a", "session": "s", "id": format!("m{n}"), "content": "x",
               "said_at": format!("2026-01-07T03:{minute:02}:00Z")})
    };
    say_all(&server, (0..40).map(message)).await;
    let path = format!("{SESSIONS}/s/window");
    let usual = got(&server, &path).await;
    assert_eq!(usual["items"].as_array().unwrap().len(), 31);
    assert!(column(&usual, "said_at").is_sorted());
    assert_eq!(column(&got(&server, &format!("{path}?limit=3")).await, "id"), ["m36", "m39", "m38"]);
    assert_eq!(got(&server, &format!("{path}?limit=200")).await["items"].as_array().unwrap().len(), 40);
    // What comes now stands in the window at once.
    say(&server, json!({"space": "user:a", "session": "s", "id": "now", "content": "x"})).await;
    assert_eq!(column(&got(&server, &format!("{path}?limit=2")).await, "id"), ["m38", "now"]);
    for limit in ["0", "201", "-1", "many"] {
        assert_eq!(
            refusal(server.get(&format!("{path}?limit={limit}")).await),
            "422 invalid limit",
            "{limit}"
        );
    }
}

#[tokio::test]
async fn the_window_of_a_reading_companion_is_shorter() {
    let server = TestServer::open().await;
    assert_eq!(server.send(Method::PUT, "/v1/spaces/user:a", json!({"preset": "reading"})).await.0, 200);
    say_all(
        &server,
        (0..15).map(|n| json!({"space": "user:a", "session": "s", "content": format!("word {n}")})),
    )
    .await;
    let window = got(&server, &format!("{SESSIONS}/s/window")).await;
    assert_eq!(window["items"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn messages_find_their_session_by_the_flow_of_talk() {
    let server = TestServer::open().await;
    let speak = async |id: &str| {
        say(&server, json!({"space": "user:a", "id": id, "content": id})).await["session"].clone()
    };
    let first = speak("one").await;
    server.memoir.clock.advance(SignedDuration::from_mins(29));
    assert_eq!(speak("two").await, first);
    server.memoir.clock.advance(SignedDuration::from_mins(31));
    let second = speak("three").await;
    assert_ne!(second, first);
    let told = got(&server, &format!("{SESSIONS}/{}", first.as_str().unwrap())).await;
    assert_eq!(
        (&told["state"], &told["end_reason"], &told["messages"]),
        (&json!("ended"), &json!("idle"), &json!(2))
    );
    assert_eq!((&told["explicit"], &told["ended_at"]), (&json!(false), &json!("2026-01-07T04:59:00Z")));
}

#[tokio::test]
async fn a_named_session_goes_on_when_somebody_comes_back_to_it() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "session": "s", "content": "one"})).await;
    end(&server, "s", json!({})).await;
    server.memoir.clock.advance(SignedDuration::from_mins(5));
    say(&server, json!({"space": "user:a", "session": "s", "content": "two"})).await;
    let told = got(&server, &format!("{SESSIONS}/s")).await;
    assert_eq!(
        (&told["state"], &told["stale"], &told["messages"]),
        (&json!("open"), &json!(true), &json!(2))
    );
    assert_eq!((told.get("ended_at"), told.get("end_reason")), (None, None));
}
