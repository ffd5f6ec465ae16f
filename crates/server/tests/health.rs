//! `/healthz`, `/readyz`, `/metrics`, and the id of every request.

use memoir_model::Role;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::json;

use crate::raw::Raw;
use crate::{got, say};

async fn text(server: &TestServer, path: &str) -> (u16, String, String) {
    let response = reqwest::Client::new().get(server.url(path)).send().await.unwrap();
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    (response.status().as_u16(), kind, response.text().await.unwrap())
}

#[tokio::test]
async fn whoever_asks_is_told_that_the_server_runs_and_is_ready() {
    let server = TestServer::with_keys().await;
    assert_eq!(text(&server, "/healthz").await, (200, "text/plain; charset=utf-8".into(), "ok\n".into()));
    assert_eq!(text(&server, "/readyz").await, (200, "text/plain; charset=utf-8".into(), "ready\n".into()));
}

#[tokio::test]
async fn a_request_keeps_its_id_or_gets_one() {
    let server = TestServer::open().await;
    let id = async |given: Option<&str>| {
        let mut request = reqwest::Client::new().get(server.url("/healthz"));
        if let Some(given) = given {
            request = request.header("x-request-id", given);
        }
        request.send().await.unwrap().headers()["x-request-id"].to_str().unwrap().to_owned()
    };
    assert_eq!(id(Some("abc-123:x")).await, "abc-123:x");
    assert_eq!(id(Some(&"x".repeat(64))).await, "x".repeat(64));
    let mut made = std::collections::BTreeSet::new();
    for given in [None, Some(""), Some("two words"), Some(&"x".repeat(65)), None] {
        made.insert(id(given).await);
    }
    assert_eq!(made.len(), 5);
    assert!(made.iter().all(|id| id.len() == 16), "{made:?}");
    // Not even bytes that are no text come back.
    let mut raw = Raw::to(&server).await;
    raw.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nx-request-id: \xff\xfe\r\n\r\n").await;
    assert_eq!(raw.reply().await.header("x-request-id").unwrap().len(), 16);
}

#[tokio::test]
async fn a_refusal_has_a_request_id_too() {
    let server = TestServer::with_keys().await;
    for path in ["/nowhere", "/v1/spaces", "/v1/messages"] {
        let response =
            reqwest::Client::new().get(server.url(path)).header("x-request-id", "mine").send().await.unwrap();
        assert_eq!(response.headers()["x-request-id"], "mine", "{path}");
    }
}

/// A line of Prometheus' text format: the name, the labels, the value.
fn sample(line: &str) -> (String, Vec<(String, String)>, f64) {
    let (series, value) = line.rsplit_once(' ').unwrap();
    let (name, labels) = match series.split_once('{') {
        Some((name, rest)) => (name, rest.strip_suffix('}').unwrap()),
        None => (series, ""),
    };
    assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{line}");
    let label = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_owned(), value.strip_prefix('"').unwrap().strip_suffix('"').unwrap().to_owned())
    };
    let labels = labels.split(',').filter(|pair| !pair.is_empty()).map(label).collect();
    (name.to_owned(), labels, value.parse().unwrap())
}

#[tokio::test]
async fn the_metrics_are_prometheus_text_whose_names_have_units() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "hello"})).await;
    got(&server, "/v1/spaces/user:a/messages/search?q=hello").await;
    let asked = json!({"space": "user:a", "message": "hello"});
    assert_eq!(server.send(reqwest::Method::POST, "/v1/context", asked).await.0, 200);
    let (status, kind, body) = text(&server, "/metrics").await;
    assert_eq!((status, kind.as_str()), (200, "text/plain; version=0.0.4"));
    let mut names = std::collections::BTreeSet::new();
    for line in body.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, _, value) = sample(line);
        assert!(value.is_finite() && value >= 0.0, "{line}");
        names.insert(name);
    }
    for name in &names {
        let base =
            ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        assert!(base.starts_with("memoir_"), "{name}");
        assert!(
            ["_seconds", "_bytes", "_tokens", "_total"].iter().any(|unit| base.ends_with(unit)),
            "{name} has no unit"
        );
        assert!(body.contains(&format!("# TYPE {base} ")), "{base} has no type");
    }
    for name in [
        "memoir_http_request_seconds_bucket",
        "memoir_http_request_seconds_count",
        "memoir_messages_total",
        "memoir_index_cache_bytes",
        "memoir_recall_stage_seconds_bucket",
        "memoir_contexts_total",
        "memoir_context_tokens_bucket",
    ] {
        assert!(names.contains(name), "{name} is missing in {names:?}");
    }
}

#[tokio::test]
async fn the_metrics_have_nothing_of_a_tenant_a_space_or_a_message() {
    let server = TestServer::with_keys().await;
    let key = server.key("quokkatenant", Role::Admin, None).await;
    let message = json!({"space": "user:quokkaspace", "id": "quokkaid", "session": "quokkasession", "author": "quokkaauthor",
                         "content": "quokkaword", "metadata": {"quokkakey": "quokkavalue"}});
    assert_eq!(server.send_as(&key, Method::POST, "/v1/messages", message).await.0, 201);
    for path in [
        "/v1/spaces/user:quokkaspace/messages/quokkaid",
        "/v1/spaces/user:quokkaspace/messages/search?q=quokkaword",
        "/v1/spaces/user:quokkaspace/sessions/quokkasession/window",
        "/quokkapath",
        "/v1/spaces/user:quokkanobody",
    ] {
        server.get_as(&key, path).await;
    }
    // A method is the caller's own text as well.
    let mut raw = Raw::to(&server).await;
    raw.send("QUOKKAMETHOD /v1/spaces HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!(raw.reply().await.status, 405);
    let (_, _, body) = text(&server, "/metrics").await;
    assert!(!body.to_lowercase().contains("quokka"), "{body}");
    assert!(!body.contains(&key) && !body.contains(key.split('_').nth(1).unwrap()));
}
