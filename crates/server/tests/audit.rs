//! `GET /v1/audit`.

use jiff::SignedDuration;
use memoir_model::Role;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::json;

use crate::{got, say, whole_list};

#[tokio::test]
async fn the_log_tells_who_did_what_when_the_newest_first() {
    let server = TestServer::with_keys().await;
    let writer = server.key("default", Role::Write, None).await;
    let writer_id = writer.split('_').nth(1).unwrap();
    server.memoir.clock.advance(SignedDuration::from_secs(1));
    server.send_as(&writer, Method::PUT, "/v1/spaces/user:a", json!({"zone": "UTC"})).await;
    let log = got(&server, "/v1/audit").await;
    let line = &log["items"][0];
    assert_eq!(
        *line,
        json!({"id": line["id"], "at": "2026-01-07T04:00:01Z", "actor": writer_id, "action": "space_changed",
               "space": "user:a"})
    );
}

#[tokio::test]
async fn the_log_is_read_page_by_page() {
    let server = TestServer::open().await;
    for n in 0..7 {
        server.memoir.clock.advance(SignedDuration::from_secs(1));
        server.send(Method::PUT, &format!("/v1/spaces/user:{n}"), json!({})).await;
    }
    for limit in [1, 3, 7, 50] {
        let lines = whole_list(&server, "/v1/audit", limit).await;
        let spaces: Vec<&str> = lines.iter().map(|line| line["space"].as_str().unwrap()).collect();
        assert_eq!(spaces, ["user:6", "user:5", "user:4", "user:3", "user:2", "user:1", "user:0"], "{limit}");
    }
}

#[tokio::test]
async fn reading_and_remembering_are_not_in_the_log() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "content": "hello"})).await;
    got(&server, "/v1/spaces/user:a/messages").await;
    got(&server, "/v1/spaces/user:a/messages/search?q=hello").await;
    assert_eq!(got(&server, "/v1/audit").await, json!({"items": [], "next": null}));
}

#[tokio::test]
async fn what_was_refused_is_not_in_the_log() {
    let server = TestServer::open().await;
    server.send(Method::PUT, "/v1/spaces/user:a", json!({"zone": "nowhere"})).await;
    server.send(Method::DELETE, "/v1/spaces/user:a", json!({})).await;
    server.send(Method::POST, "/v1/keys", json!({"role": "nobody"})).await;
    assert_eq!(got(&server, "/v1/audit").await["items"], json!([]));
}
