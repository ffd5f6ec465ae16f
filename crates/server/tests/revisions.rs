//! `PATCH` and `DELETE /v1/spaces/{space}/messages/{id}`: what its owner does to a message after it was said.

use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{column, got, refusal, say};

const MESSAGE: &str = "/v1/spaces/user:a/messages/m";

async fn patch(server: &TestServer, body: Value) -> crate::Reply {
    server.send(Method::PATCH, MESSAGE, body).await
}

async fn patched(server: &TestServer, body: Value) -> Value {
    let (status, message) = patch(server, body).await;
    assert_eq!(status, 200, "{message}");
    message
}

async fn erased(server: &TestServer) -> Value {
    let (status, message) = server.send(Method::DELETE, MESSAGE, json!({})).await;
    assert_eq!(status, 200, "{message}");
    message
}

async fn finds(server: &TestServer, word: &str) -> bool {
    let reply = got(server, &format!("/v1/spaces/user:a/messages/search?q={word}")).await;
    reply["total"] == 1
}

/// Later by a millisecond, so that lines of the log are in order.
fn tick(server: &TestServer) {
    server.memoir.clock.advance(jiff::SignedDuration::from_millis(1));
}

/// A server with one message: `/v1/spaces/user:a/messages/m`.
async fn server() -> TestServer {
    let server = TestServer::open().await;
    let attachment = json!({"ref": "1", "media_type": "image/png", "caption": "sunset"});
    say(
        &server,
        json!({"space": "user:a", "id": "m", "session": "s", "content": "apple", "mentions": ["bob"],
               "attachments": [attachment], "metadata": {"k": 1}}),
    )
    .await;
    server
}

#[tokio::test]
async fn an_edit_gives_new_words_and_keeps_the_old_ones_as_a_version() {
    let server = server().await;
    tick(&server);
    let message = patched(&server, json!({"content": "pear"})).await;
    assert_eq!((&message["content"], &message["version"]), (&json!("pear"), &json!(2)));
    patched(&server, json!({"content": "plum"})).await;
    let message = got(&server, MESSAGE).await;
    assert_eq!(
        message["versions"],
        json!([{"version": 1, "content": "apple", "replaced_at": "2026-01-07T04:00:00.001Z"},
               {"version": 2, "content": "pear", "replaced_at": "2026-01-07T04:00:00.001Z"}])
    );
    assert_eq!(
        (&message["content"], &message["version"], &message["state"]),
        (&json!("plum"), &json!(3), &json!("active"))
    );
    assert_eq!((&message["mentions"], &message["metadata"]), (&json!(["bob"]), &json!({"k": 1})));
    assert!(finds(&server, "plum").await && finds(&server, "sunset").await);
    assert!(!finds(&server, "apple").await && !finds(&server, "pear").await);
}

#[tokio::test]
async fn an_edit_changes_only_what_it_names() {
    let server = server().await;
    let message = patched(&server, json!({"attachments": [], "mentions": [], "metadata": {"k": 2}})).await;
    assert_eq!((&message["content"], &message["metadata"]), (&json!("apple"), &json!({"k": 2})));
    assert_eq!((message.get("attachments"), message.get("mentions")), (None, None));
    assert!(!finds(&server, "sunset").await);
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_no_new_version() {
    let server = server().await;
    assert_eq!(patched(&server, json!({"content": "apple"})).await["version"], 1);
    assert_eq!(got(&server, "/v1/audit").await["items"], json!([]));
}

#[tokio::test]
async fn an_edit_obeys_the_limits_of_a_message() {
    let server = server().await;
    for (body, expected) in [
        (json!({}), "422 invalid content"),
        (json!({"content": null}), "422 invalid content"),
        (json!({"content": "", "attachments": []}), "422 invalid content"),
        (json!({"content": "a\u{0}b"}), "422 invalid content"),
        (json!({"content": "x".repeat(64 * 1024 + 1)}), "413 message_too_large content"),
        (json!({"content": 5}), "422 invalid content"),
        (json!({"mentions": ["ok", " no "]}), "422 invalid mentions[1]"),
        (json!({"attachments": [{"ref": "", "media_type": "image/png"}]}), "422 invalid attachments[0].ref"),
        (json!({"attachments": [{"media_type": "image/png"}]}), "422 invalid attachments[0].ref"),
        (
            json!({"attachments": [{"ref": "1", "media_type": "a", "size": 1}]}),
            "422 invalid attachments[0].size",
        ),
        (json!({"said_at": "2026-01-01T00:00:00Z"}), "422 invalid said_at"),
        (json!({"state": "erased"}), "422 invalid state"),
        (json!({"state": "active"}), "422 invalid state"),
        (json!({"state": "recalled", "content": "pear"}), "422 invalid state"),
    ] {
        let told = body.to_string();
        assert_eq!(refusal(patch(&server, body).await), expected, "{}", &told[..told.len().min(80)]);
    }
    assert_eq!(got(&server, MESSAGE).await["version"], 1);
}

#[tokio::test]
async fn a_recalled_message_is_kept_but_shown_and_found_nowhere() {
    let server = server().await;
    patched(&server, json!({"content": "pear"})).await;
    let message = patched(&server, json!({"state": "recalled"})).await;
    let expected = json!({
        "id": "m", "seq": 1, "session": "s", "author": "a", "role": "user", "content": "",
        "said_at": "2026-01-07T12:00:00+08:00", "recorded_at": "2026-01-07T04:00:00Z", "local_date": "2026-01-07",
        "version": 3, "state": "recalled",
    });
    assert_eq!(message, expected);
    assert_eq!(got(&server, MESSAGE).await, expected);
    assert_eq!(got(&server, "/v1/spaces/user:a/messages").await["items"], json!([expected]));
    assert_eq!(got(&server, "/v1/spaces/user:a/sessions/s/window").await["items"], json!([]));
    assert!(
        !finds(&server, "pear").await && !finds(&server, "apple").await && !finds(&server, "sunset").await
    );
    assert_eq!(refusal(patch(&server, json!({"content": "plum"})).await), "409 conflict");
    assert_eq!(patched(&server, json!({"state": "recalled"})).await, expected);
}

#[tokio::test]
async fn an_erased_message_leaves_only_the_fact_that_it_was_there() {
    let server = server().await;
    patched(&server, json!({"content": "pear"})).await;
    say(
        &server,
        json!({"space": "user:a", "id": "answer", "session": "s", "content": "yes", "reply_to": "m"}),
    )
    .await;
    let message = erased(&server).await;
    let expected = json!({
        "id": "m", "seq": 1, "session": "s", "author": "a", "role": "user", "content": "",
        "said_at": "2026-01-07T12:00:00+08:00", "recorded_at": "2026-01-07T04:00:00Z", "local_date": "2026-01-07",
        "version": 3, "state": "erased",
    });
    assert_eq!(message, expected);
    assert_eq!(got(&server, MESSAGE).await, expected);
    assert_eq!(got(&server, "/v1/spaces/user:a/messages/answer").await["answered"], expected);
    assert_eq!(column(&got(&server, "/v1/spaces/user:a/sessions/s/window").await, "id"), ["answer"]);
    assert_eq!(erased(&server).await, expected);
    assert_eq!(refusal(patch(&server, json!({"content": "plum"})).await), "409 conflict");
    assert_eq!(refusal(patch(&server, json!({"state": "recalled"})).await), "409 conflict");
    let export =
        server.request(Method::GET, "/v1/spaces/user:a/export").send().await.unwrap().text().await.unwrap();
    assert!(!export.contains("apple") && !export.contains("pear") && !export.contains("sunset"), "{export}");
    crate::assert_sound(&server).await;
}

#[tokio::test]
async fn the_words_of_an_erased_message_do_not_come_back_with_its_id() {
    let server = server().await;
    erased(&server).await;
    let message =
        json!({"space": "user:a", "id": "m", "session": "s", "content": "apple", "mentions": ["bob"]});
    let reply = server.send(Method::POST, "/v1/messages", message).await;
    assert_eq!(refusal(reply), "409 id_conflict id");
    assert_eq!(got(&server, MESSAGE).await["content"], "");
}

#[tokio::test]
async fn a_recalled_message_can_still_be_erased() {
    let server = server().await;
    patched(&server, json!({"state": "recalled"})).await;
    assert_eq!(erased(&server).await["state"], "erased");
}

#[tokio::test]
async fn what_happened_to_a_message_stands_in_the_audit_log_without_its_words() {
    let server = server().await;
    for change in [json!({"content": "pear"}), json!({"state": "recalled"})] {
        tick(&server);
        patched(&server, change).await;
    }
    tick(&server);
    erased(&server).await;
    let log = got(&server, "/v1/audit").await;
    assert_eq!(column(&log, "action"), ["message_erased", "message_recalled", "message_edited"]);
    for line in log["items"].as_array().unwrap() {
        assert_eq!(
            (&line["actor"], &line["space"], &line["target"]),
            (&json!("loopback"), &json!("user:a"), &json!("m"))
        );
    }
    let text = log.to_string();
    assert!(!text.contains("apple") && !text.contains("pear"), "{text}");
}

#[tokio::test]
async fn a_change_after_the_end_of_a_session_makes_it_stale() {
    let server = server().await;
    let session = "/v1/spaces/user:a/sessions/s";
    patched(&server, json!({"content": "pear"})).await;
    assert_eq!(got(&server, session).await["stale"], false);
    assert_eq!(server.send(Method::POST, &format!("{session}/end"), json!({})).await.0, 200);
    patched(&server, json!({"content": "plum"})).await;
    let told = got(&server, session).await;
    assert_eq!((&told["stale"], &told["state"]), (&json!(true), &json!("ended")));
}

#[tokio::test]
async fn what_is_not_there_cannot_be_changed_and_is_not_made_by_trying() {
    let server = server().await;
    for path in ["/v1/spaces/user:a/messages/x", "/v1/spaces/user:b/messages/m"] {
        assert_eq!(refusal(server.send(Method::PATCH, path, json!({"content": "x"})).await), "404 not_found");
        assert_eq!(refusal(server.send(Method::DELETE, path, json!({})).await), "404 not_found");
    }
    assert_eq!(refusal(server.get("/v1/spaces/user:b").await), "404 not_found");
}
