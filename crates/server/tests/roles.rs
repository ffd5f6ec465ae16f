//! Who may do what: every call of the surface by every role.

use memoir_model::Role;
use memoir_testkit::TestServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::collections::BTreeSet;

use crate::{got, say};

/// Which callers a call allows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Allows {
    Anybody,
    /// Whoever may read, and a key that is bound to `user:own`, of that space.
    Own,
    Readers,
    Writers,
    Admins,
}

const CALLERS: [&str; 5] = ["nobody", "self", "read", "write", "admin"];

impl Allows {
    fn allows(self, caller: &str) -> bool {
        let first = match self {
            Allows::Anybody => 0,
            Allows::Own => 1,
            Allows::Readers => 2,
            Allows::Writers => 3,
            Allows::Admins => 4,
        };
        CALLERS.iter().position(|known| *known == caller).unwrap() >= first
    }
}

/// Every call: its method, its documented path, the id in it or the query after it, what it allows.
#[rustfmt::skip]
const TABLE: &[(&str, &str, &str, Allows)] = &[
    ("post", "/v1/messages", "", Allows::Writers),
    ("post", "/v1/context", "", Allows::Own),
    ("post", "/v1/recall", "", Allows::Own),
    ("post", "/v1/answer", "", Allows::Own),
    ("get", "/v1/spaces", "", Allows::Own),
    ("put", "/v1/spaces/{space}", "", Allows::Writers),
    ("get", "/v1/spaces/{space}", "", Allows::Own),
    ("get", "/v1/spaces/{space}/export", "", Allows::Own),
    ("get", "/v1/spaces/{space}/messages", "", Allows::Own),
    ("get", "/v1/spaces/{space}/messages/search", "?q=hello", Allows::Own),
    ("get", "/v1/spaces/{space}/messages/{id}", "m", Allows::Own),
    ("patch", "/v1/spaces/{space}/messages/{id}", "m", Allows::Writers),
    ("delete", "/v1/spaces/{space}/messages/{id}", "m", Allows::Writers),
    ("post", "/v1/spaces/{space}/sessions", "", Allows::Writers),
    ("get", "/v1/spaces/{space}/sessions", "", Allows::Own),
    ("get", "/v1/spaces/{space}/sessions/{id}", "s", Allows::Own),
    ("post", "/v1/spaces/{space}/sessions/{id}/end", "s", Allows::Writers),
    ("post", "/v1/spaces/{space}/sessions/{id}/summarize", "s", Allows::Writers),
    ("get", "/v1/spaces/{space}/sessions/{id}/window", "s", Allows::Own),
    ("get", "/v1/spaces/{space}/timeline", "", Allows::Own),
    ("get", "/v1/spaces/{space}/days/{date}", "2026-01-07", Allows::Own),
    ("get", "/v1/spaces/{space}/portrait", "", Allows::Own),
    ("post", "/v1/upkeep/backfill", "", Allows::Admins),
    ("post", "/v1/upkeep/reembed", "", Allows::Admins),
    ("get", "/v1/models", "", Allows::Readers),
    ("get", "/v1/jobs", "", Allows::Admins),
    ("get", "/v1/jobs/{id}", "019a85d6-6d57-8000-8000-000000000000", Allows::Admins),
    ("post", "/v1/jobs/{id}/retry", "019a85d6-6d57-8000-8000-000000000000", Allows::Admins),
    ("get", "/v1/tenants", "", Allows::Admins),
    ("post", "/v1/tenants", "", Allows::Admins),
    ("get", "/v1/keys", "", Allows::Admins),
    ("post", "/v1/keys", "", Allows::Admins),
    ("delete", "/v1/keys/{id}", "nothing", Allows::Admins),
    ("get", "/v1/audit", "", Allows::Admins),
    ("get", "/v1/stats", "", Allows::Readers),
    ("get", "/healthz", "", Allows::Anybody),
    ("get", "/readyz", "", Allows::Anybody),
    ("get", "/metrics", "", Allows::Anybody),
    // Last, because it takes everything along.
    ("delete", "/v1/spaces/{space}", "", Allows::Admins),
];

/// A body that the call accepts.
fn body(method: &str, path: &str, space: &str) -> Value {
    match (method, path) {
        ("post", "/v1/messages") => json!({"space": space, "content": "hello again"}),
        ("post", "/v1/context" | "/v1/recall" | "/v1/answer") => json!({"space": space, "message": "hello"}),
        ("patch", _) => json!({"content": "hello, edited"}),
        ("post", "/v1/tenants") => json!({"id": "default", "label": "ours"}),
        ("post", "/v1/keys") => json!({"role": "read"}),
        _ => json!({}),
    }
}

struct Cast {
    server: TestServer,
    keys: Vec<(&'static str, Option<String>)>,
}

impl Cast {
    async fn new() -> Self {
        let server = TestServer::with_keys().await;
        for space in ["user:own", "user:other"] {
            say(&server, json!({"space": space, "id": "m", "session": "s", "content": "hello"})).await;
        }
        let keys = vec![
            ("nobody", None),
            ("self", Some(server.key("default", Role::Own, Some("user:own")).await)),
            ("read", Some(server.key("default", Role::Read, None).await)),
            ("write", Some(server.key("default", Role::Write, None).await)),
            ("admin", Some(server.key("default", Role::Admin, None).await)),
        ];
        Cast { server, keys }
    }

    async fn call(
        &self,
        key: Option<&String>,
        method: &str,
        path: &str,
        filled: &str,
        space: &str,
    ) -> (StatusCode, String) {
        let address = path.replace("{space}", space);
        let address = match filled.strip_prefix('?') {
            Some(_) => format!("{address}{filled}"),
            None => address.replace("{id}", filled).replace("{date}", filled),
        };
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let mut request = reqwest::Client::new().request(method.clone(), self.server.url(&address));
        if method != Method::GET {
            request = request.json(&body(method.as_str().to_lowercase().as_str(), path, space));
        }
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }
}

#[tokio::test]
async fn every_call_allows_the_roles_it_names_and_no_other() {
    let cast = Cast::new().await;
    for (method, path, filled, allows) in TABLE {
        for (caller, key) in &cast.keys {
            let (status, text) = cast.call(key.as_ref(), method, path, filled, "user:own").await;
            let refused = matches!(status.as_u16(), 401 | 403);
            assert_eq!(refused, !allows.allows(caller), "{caller}: {method} {path} gave {status} {text}");
            assert!(!status.is_server_error(), "{caller}: {method} {path} gave {status} {text}");
            assert_eq!(
                status == 401,
                refused && *caller == "nobody",
                "{caller}: {method} {path} gave {status}"
            );
        }
    }
}

#[tokio::test]
async fn a_bound_key_is_refused_everywhere_but_in_its_own_space() {
    let cast = Cast::new().await;
    let (_, key) = &cast.keys[1];
    for (method, path, filled, _) in TABLE.iter().filter(|(_, path, ..)| path.contains("{space}")) {
        let (status, there) = cast.call(key.as_ref(), method, path, filled, "user:other").await;
        assert_eq!(status, 403, "{method} {path}: {there}");
        let (status, not_there) = cast.call(key.as_ref(), method, path, filled, "user:nobody").await;
        assert_eq!(status, 403, "{method} {path}: {not_there}");
        assert_eq!(there, not_there, "{method} {path} tells whether a space exists");
    }
    // Nothing that was refused happened.
    assert_eq!(got(&cast.server, "/v1/spaces/user:other/messages/m").await["version"], 1);
    assert_eq!(got(&cast.server, "/v1/spaces").await["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_table_of_roles_has_every_call_that_is_documented() {
    let document = memoir_server::openapi();
    let documented: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, calls)| {
            calls.as_object().unwrap().keys().map(move |method| (method.clone(), path.clone()))
        })
        .collect();
    let listed: BTreeSet<(String, String)> =
        TABLE.iter().map(|(method, path, ..)| ((*method).to_owned(), (*path).to_owned())).collect();
    assert_eq!(listed, documented);
    for (method, path, _, allows) in TABLE {
        let says = document["paths"][path][method]["description"].as_str().unwrap();
        let expected = match allows {
            Allows::Anybody => "no key",
            Allows::Own | Allows::Readers => "may read",
            Allows::Writers => "role write",
            Allows::Admins => "role admin",
        };
        assert!(says.contains(expected), "{method} {path} says: {says}");
    }
}

#[tokio::test]
async fn a_bound_key_sees_its_own_space_in_lists_and_nothing_of_the_tenant() {
    let cast = Cast::new().await;
    let key = cast.keys[1].1.as_deref().unwrap();
    let (_, list) = cast.server.get_as(key, "/v1/spaces").await;
    assert_eq!(crate::column(&list, "id"), ["user:own"]);
    let (_, page) = cast.server.get_as(key, "/v1/spaces?limit=1").await;
    let (_, rest) =
        cast.server.get_as(key, &format!("/v1/spaces?cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!(rest, json!({"items": [], "next": null}));
    assert_eq!(cast.server.get_as(key, "/v1/stats").await.0, 403);
}

#[tokio::test]
async fn a_key_bound_to_a_space_that_is_not_there_yet_sees_an_empty_list() {
    let server = TestServer::with_keys().await;
    let key = server.key("default", Role::Own, Some("user:later")).await;
    assert_eq!(server.get_as(&key, "/v1/spaces").await.1, json!({"items": [], "next": null}));
    assert_eq!(server.get_as(&key, "/v1/spaces/user:later").await.0, 404);
}

#[tokio::test]
async fn only_an_admin_reads_out_what_was_withdrawn() {
    let cast = Cast::new().await;
    let server = &cast.server;
    server.send(Method::PATCH, "/v1/spaces/user:own/messages/m", json!({"state": "recalled"})).await;
    for (caller, key) in &cast.keys[1..] {
        let (_, text) = cast.call(key.as_ref(), "get", "/v1/spaces/{space}/export", "", "user:own").await;
        assert_eq!(text.contains("hello"), *caller == "admin", "{caller}: {text}");
    }
}
