//! A server without keys: it trusts this machine, but no web page in a browser on it.

use jiff::SignedDuration;
use memoir_engine::NewKey;
use memoir_model::Role;
use memoir_testkit::{TestServer, caller};
use reqwest::Method;
use serde_json::json;

use crate::raw::{Raw, RawReply};
use crate::{got, refusal, say};

async fn get(server: &TestServer, headers: &str) -> RawReply {
    let mut raw = Raw::to(server).await;
    raw.send(format!("GET /v1/spaces HTTP/1.1\r\n{headers}\r\n")).await;
    raw.reply().await
}

#[tokio::test]
async fn this_machine_is_served_under_every_name_it_has() {
    let server = TestServer::open().await;
    for host in [
        "localhost",
        "localhost:8080",
        "LocalHost",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.1.2.3",
        "[::1]",
        "[::1]:8080",
    ] {
        assert_eq!(get(&server, &format!("Host: {host}\r\n")).await.status, 200, "{host}");
    }
}

#[tokio::test]
async fn a_page_that_made_its_own_name_resolve_to_this_machine_is_refused() {
    let server = TestServer::open().await;
    for host in [
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "notlocalhost",
        "0.0.0.0",
        "192.168.0.1",
        "[::]",
        "[2001:db8::1]",
        "",
        "localhost@evil.example",
    ] {
        let reply = get(&server, &format!("Host: {host}\r\n")).await;
        assert_eq!(refusal(reply.json()), "403 forbidden Host", "{host}");
    }
    let mut raw = Raw::to(&server).await;
    raw.send("GET /v1/spaces HTTP/1.0\r\n\r\n").await;
    assert_eq!(raw.reply().await.status, 403, "HTTP/1.0 without a Host");
}

#[tokio::test]
async fn a_page_of_another_origin_is_refused_even_if_it_asks_for_localhost() {
    let server = TestServer::open().await;
    for origin in [
        "http://evil.example",
        "https://evil.example:8080",
        "null",
        "http://localhost.evil.example",
        "chrome-extension://abc",
    ] {
        let reply = get(&server, &format!("Host: localhost\r\nOrigin: {origin}\r\n")).await;
        assert_eq!(refusal(reply.json()), "403 forbidden Origin", "{origin}");
    }
    // A body without a type is what a page may send without asking first.
    let mut raw = Raw::to(&server).await;
    let body = r#"{"space":"user:a","content":"planted"}"#;
    raw.send(format!(
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ))
    .await;
    assert_eq!(raw.reply().await.status, 403);
    assert_eq!(got(&server, "/v1/spaces").await["items"], json!([]));
    for origin in ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8080"] {
        assert_eq!(
            get(&server, &format!("Host: localhost\r\nOrigin: {origin}\r\n")).await.status,
            200,
            "{origin}"
        );
    }
}

#[tokio::test]
async fn no_other_origin_is_ever_invited() {
    let open = TestServer::open().await;
    let keyed = TestServer::with_keys().await;
    for server in [&open, &keyed] {
        for method in ["GET", "OPTIONS"] {
            let mut raw = Raw::to(server).await;
            raw.send(format!(
                "{method} /v1/spaces HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\
                 Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n"
            ))
            .await;
            let reply = raw.reply().await;
            for name in ["origin", "methods", "headers", "credentials"] {
                assert_eq!(reply.header(&format!("access-control-allow-{name}")), None, "{reply:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_first_key_closes_the_server() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "hello"})).await;
    let (status, issued) = server.send(Method::POST, "/v1/keys", json!({"role": "admin"})).await;
    assert_eq!(status, 201);
    assert_eq!(refusal(server.get("/v1/spaces").await), "401 unauthenticated");
    let token = issued["token"].as_str().unwrap();
    assert_eq!(server.get_as(token, "/v1/spaces").await.1["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_key_made_by_another_process_closes_the_server_within_a_second() {
    let server = TestServer::open().await;
    assert_eq!(server.get("/v1/spaces").await.0, 200);
    let new = NewKey { tenant: None, role: Role::Admin, space: None, label: String::new() };
    let issued = server.memoir.neighbour().create_key(&caller(), new).await.unwrap();
    server.memoir.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(refusal(server.get("/v1/spaces").await), "401 unauthenticated");
    assert_eq!(server.get_as(&issued.token, "/v1/spaces").await.0, 200);
}

#[tokio::test]
async fn a_server_that_was_closed_stays_closed_when_its_last_key_is_revoked() {
    let server = TestServer::open().await;
    let (_, issued) = server.send(Method::POST, "/v1/keys", json!({"role": "admin"})).await;
    let (token, id) = (issued["token"].as_str().unwrap(), issued["key"]["id"].as_str().unwrap());
    assert_eq!(server.send_as(token, Method::DELETE, &format!("/v1/keys/{id}"), json!({})).await.0, 200);
    server.memoir.clock.advance(SignedDuration::from_secs(10));
    assert_eq!(refusal(server.get("/v1/spaces").await), "401 unauthenticated");
}

#[tokio::test]
async fn a_wrong_key_is_refused_even_where_none_is_needed() {
    let server = TestServer::open().await;
    assert_eq!(refusal(server.get_as("mk_nobody_nothing", "/v1/spaces").await), "401 unauthenticated");
}

#[tokio::test]
async fn without_keys_only_loopback_is_listened_on() {
    for (address, fine) in [
        ("127.0.0.1:80", true),
        ("[::1]:80", true),
        ("0.0.0.0:80", false),
        ("10.0.0.1:80", false),
        ("[::]:80", false),
    ] {
        let address = address.parse().unwrap();
        assert_eq!(memoir_server::check_address(address, false).is_ok(), fine, "{address}");
        assert!(memoir_server::check_address(address, true).is_ok(), "{address}");
    }
}
