//! `/v1/keys`, and how a key is shown.

use memoir_model::Role;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{column, got, refusal};

async fn issue(server: &TestServer, body: Value) -> (String, Value) {
    let (status, mut issued) = server.send(Method::POST, "/v1/keys", body).await;
    assert_eq!(status, 201, "{issued}");
    (issued["token"].as_str().unwrap().to_owned(), issued["key"].take())
}

async fn revoke(server: &TestServer, id: &str) -> crate::Reply {
    server.send(Method::DELETE, &format!("/v1/keys/{id}"), json!({})).await
}

#[tokio::test]
async fn a_key_is_made_and_its_token_works() {
    let server = TestServer::with_keys().await;
    let (token, key) = issue(&server, json!({"role": "read", "label": "dashboard"})).await;
    let id = key["id"].as_str().unwrap();
    assert_eq!(
        key,
        json!({"id": id, "tenant": "default", "role": "read", "label": "dashboard", "created_at": "2026-01-07T04:00:00Z"})
    );
    assert_eq!(server.get_as(&token, "/v1/spaces").await.0, 200);
    let (_, bound) = issue(&server, json!({"role": "self", "space": "user:a"})).await;
    assert_eq!(
        (&bound["role"], &bound["space"], &bound["label"]),
        (&json!("self"), &json!("user:a"), &json!(""))
    );
}

#[tokio::test]
async fn a_token_is_shown_once_and_never_again() {
    let server = TestServer::with_keys().await;
    let (token, key) = issue(&server, json!({"role": "write"})).await;
    // The secret may have such a mark itself.
    let secret = token.splitn(3, '_').last().unwrap();
    let id = key["id"].as_str().unwrap();
    let list = got(&server, "/v1/keys").await;
    assert_eq!(list["items"].as_array().unwrap().len(), 2, "this key and the caller's own");
    let (_, revoked) = revoke(&server, id).await;
    for shown in [list, revoked, got(&server, "/v1/audit").await, got(&server, "/v1/keys").await] {
        let text = shown.to_string();
        assert!(!text.contains(secret) && !text.contains("token") && !text.contains("secret"), "{text}");
    }
}

#[tokio::test]
async fn a_revoked_key_works_no_more_from_the_next_request_on() {
    let server = TestServer::with_keys().await;
    let (token, key) = issue(&server, json!({"role": "admin"})).await;
    let id = key["id"].as_str().unwrap();
    assert_eq!(server.get_as(&token, "/v1/spaces").await.0, 200);
    let (status, revoked) = revoke(&server, id).await;
    assert_eq!((status.as_u16(), &revoked["revoked_at"]), (200, &json!("2026-01-07T04:00:00Z")));
    assert_eq!(refusal(server.get_as(&token, "/v1/spaces").await), "401 unauthenticated");
    server.memoir.clock.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!(revoke(&server, id).await.1, revoked, "revoked once");
    let list = got(&server, "/v1/keys").await;
    let shown = list["items"].as_array().unwrap().iter().find(|shown| shown["id"] == id).unwrap();
    assert_eq!(*shown, revoked);
    assert_eq!(column(&got(&server, "/v1/audit").await, "action")[0], "key_revoked");
    assert_eq!(refusal(revoke(&server, "nothing").await), "404 not_found");
}

#[tokio::test]
async fn a_key_revoked_by_another_process_works_at_most_five_seconds_longer() {
    let server = TestServer::with_keys().await;
    let (token, key) = issue(&server, json!({"role": "read"})).await;
    assert_eq!(server.get_as(&token, "/v1/spaces").await.0, 200);
    let id = memoir_model::KeyId::new(key["id"].as_str().unwrap()).unwrap();
    server.memoir.neighbour().revoke_key(&memoir_testkit::caller(), &id).await.unwrap();
    server.memoir.clock.advance(jiff::SignedDuration::from_millis(5_001));
    assert_eq!(refusal(server.get_as(&token, "/v1/spaces").await), "401 unauthenticated");
}

#[tokio::test]
async fn a_key_is_sent_as_bearer_or_as_x_api_key() {
    let server = TestServer::with_keys().await;
    let key = server.key("default", Role::Read, None).await;
    let url = server.url("/v1/spaces");
    let client = reqwest::Client::new();
    let as_header =
        async |name: &str, value: &str| client.get(&url).header(name, value).send().await.unwrap().status();
    for (name, value) in [
        ("Authorization", format!("Bearer {key}")),
        ("Authorization", format!("bearer {key}")),
        ("Authorization", format!("Bearer   {key}")),
        ("Authorization", format!("Token {key}")),
        ("X-API-Key", key.clone()),
    ] {
        assert_eq!(as_header(name, &value).await, 200, "{name}");
    }
    for (name, value) in [
        ("Authorization", key.clone()),
        ("Authorization", format!("Basic {key}")),
        ("Authorization", "Bearer".into()),
        ("Authorization", format!("Bearer {key} {key}")),
        ("X-API-Key", format!("Bearer {key}")),
        ("X-API-Key", String::new()),
        ("Cookie", format!("key={key}")),
    ] {
        assert_eq!(as_header(name, &value).await, 401, "{name}");
    }
    assert_eq!(client.get(format!("{url}?key={key}")).send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn whatever_is_wrong_with_a_key_the_answer_is_the_same() {
    let server = TestServer::with_keys().await;
    let key = server.key("default", Role::Read, None).await;
    let other = server.key("default", Role::Read, None).await;
    let (id, secret) = key.strip_prefix("mk_").unwrap().split_once('_').unwrap();
    let (other_id, other_secret) = other.strip_prefix("mk_").unwrap().split_once('_').unwrap();
    let mut answers = std::collections::BTreeSet::new();
    for wrong in [
        "x".to_owned(),
        "mk_".to_owned(),
        "mk__".to_owned(),
        format!("mk_{id}_"),
        format!("mk_{id}_{}", &secret[1..]),
        format!("mk_{id}_{secret}x"),
        format!("mk_{id}_{other_secret}"),
        format!("mk_{other_id}_{secret}"),
        format!("mk_nobody_{secret}"),
        format!("{id}_{secret}"),
        format!("MK_{id}_{secret}"),
        "x".repeat(8_000),
    ] {
        let (status, body) = server.get_as(&wrong, "/v1/spaces").await;
        assert_eq!(status, 401, "{wrong}");
        answers.insert(body.to_string());
    }
    assert_eq!(answers.len(), 1, "{answers:?}");
    let response = reqwest::Client::new().get(server.url("/v1/spaces")).send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["www-authenticate"]),
        (401, &"Bearer".parse().unwrap())
    );
}

#[tokio::test]
async fn a_key_that_makes_no_sense_is_refused_by_name() {
    let server = TestServer::with_keys().await;
    for (body, expected) in [
        (json!({}), "422 invalid role"),
        (json!({"role": "root"}), "422 invalid role"),
        (json!({"role": 1}), "422 invalid role"),
        (json!({"role": "self"}), "422 invalid space"),
        (json!({"role": "self", "space": "alice"}), "422 invalid space"),
        (json!({"role": "read", "space": "user:a"}), "422 invalid space"),
        (json!({"role": "read", "label": "x".repeat(201)}), "422 invalid label"),
        (json!({"role": "read", "tenant": "Not A Tenant"}), "422 invalid tenant"),
        (json!({"role": "read", "tenant": "nowhere"}), "404 not_found"),
        (json!({"role": "read", "secret": "letmein"}), "422 invalid secret"),
        (json!(["admin", null, "", null]), "422 invalid"),
    ] {
        let told = body.to_string();
        let reply = server.send(Method::POST, "/v1/keys", body).await;
        assert_eq!(refusal(reply), expected, "{}", &told[..told.len().min(80)]);
    }
    assert_eq!(got(&server, "/v1/keys").await["items"].as_array().unwrap().len(), 1);
    assert_eq!(refusal(server.get("/v1/keys?tenant=Not+A+Tenant").await), "422 invalid tenant");
}
