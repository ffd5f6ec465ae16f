//! Somebody tries to get at what is not theirs, on both backends, through the real server.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_model::Role;
use memoir_testkit::{FakeClock, HttpServer, TestDatabase, TestEngine};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// A word that nobody but its owner may ever see.
const SECRET: &str = "xylophone";

/// Ids that would be more than ids in a careless query.
const HOSTILE: [&str; 8] = [
    "' OR '1'='1",
    "x'; DROP TABLE messages; --",
    "m1' UNION SELECT content FROM messages --",
    "$1",
    "%",
    "user:victim",
    "\\'; SELECT pg_sleep(10); --",
    "any",
];

/// Everything outside letters and digits, as a path has it.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            },
        )
        .collect()
}

async fn remember(server: &HttpServer, key: &str, space: &str, id: &str, content: &str) {
    let body = json!({ "space": space, "id": id, "session": "s1", "content": content });
    let (status, reply) = server.send_as(key, Method::POST, "/v1/messages", body).await;
    assert_eq!(status, StatusCode::CREATED, "{reply}");
}

/// Makes every attempt and fails if one shows the secret or changes it.
async fn attempts(server: &HttpServer) {
    let victim = server.key("acme", Role::Admin, None).await;
    let thief = server.key("globex", Role::Admin, None).await;
    let (writer, reader) =
        (server.key("globex", Role::Write, None).await, server.key("globex", Role::Read, None).await);
    let bound = server.key("acme", Role::Own, Some("user:guest")).await;
    for n in 0..30 {
        remember(server, &victim, "user:victim", &format!("m{n}"), &format!("my {SECRET} number {n}")).await;
        remember(server, &thief, "user:victim", &format!("m{n}"), &format!("my own words number {n}")).await;
    }
    remember(server, &victim, "user:guest", "m1", "a word of the guest").await;
    let untouched = server.get_as(&victim, "/v1/spaces/user:victim/messages?limit=100").await.1;

    for path in ["/v1/spaces/user:victim/sessions/s1/summarize", "/v1/upkeep/backfill"] {
        let (status, reply) = server.send_as(&victim, Method::POST, path, json!({})).await;
        assert!(status.is_success(), "{path}: {status} {reply}");
    }
    let told = server.get_as(&victim, "/v1/spaces/user:victim/sessions/s1").await.1["summary"].to_string();
    assert!(told.contains(SECRET), "there is something to steal: {told}");

    // Another tenant, with names that are the same in both.
    let paths = [
        "/v1/spaces",
        "/v1/spaces/user:victim",
        "/v1/spaces/user:victim/messages?limit=100",
        "/v1/spaces/user:victim/messages/m1",
        &format!("/v1/spaces/user:victim/messages/search?q={SECRET}"),
        "/v1/spaces/user:victim/sessions",
        "/v1/spaces/user:victim/sessions/s1",
        "/v1/spaces/user:victim/sessions/s1/window",
        "/v1/spaces/user:victim/messages?session=s1",
        "/v1/spaces/user:victim/timeline",
        "/v1/spaces/user:victim/timeline?grain=session",
        "/v1/spaces/user:victim/days/2026-01-07",
        "/v1/spaces/user:victim/portrait",
        "/v1/spaces/user:victim/export",
        "/v1/spaces/user:guest",
        "/v1/spaces/user:guest/messages",
        "/v1/jobs",
        "/v1/keys",
        "/v1/keys?tenant=acme",
        "/v1/tenants",
        "/v1/audit",
        "/v1/audit?tenant=acme",
        "/v1/stats",
    ];
    for key in [&thief, &writer, &reader] {
        for path in paths {
            let (status, reply) = server.get_as(key, path).await;
            let text = reply.to_string();
            assert!(!text.contains(SECRET) && !text.contains("word of the guest"), "{path}: {status} {text}");
            // What was asked for may be said back, in a refusal.
            let asked_for = path.contains("acme") && status.is_client_error();
            assert!(asked_for || !text.contains("acme"), "{path}: {status} {text}");
            assert!(!status.is_server_error(), "{path}: {status} {text}");
        }
    }

    // A key that is bound to one space, in every other.
    for path in paths {
        let (status, reply) = server.get_as(&bound, path).await;
        let text = reply.to_string();
        let shown = status.is_success() && text.contains("victim");
        assert!(!text.contains(SECRET) && !shown, "{path}: {status} {text}");
    }
    let asked =
        json!({ "space": "user:victim", "message": format!("what did I say about my {SECRET} today?") });
    for path in ["/v1/context", "/v1/recall", "/v1/answer"] {
        for key in [&thief, &writer, &reader, &bound] {
            let (status, reply) = server.send_as(key, Method::POST, path, asked.clone()).await;
            let text = reply.to_string();
            assert!(!text.contains(&format!("my {SECRET} number")), "{path}: {status} {text}");
            assert_eq!(status == StatusCode::FORBIDDEN, key == &bound, "{path}: {status} {text}");
        }
    }
    let (status, own) = server.get_as(&bound, "/v1/spaces/user:guest/messages").await;
    assert_eq!((status, own["items"][0]["content"].as_str()), (StatusCode::OK, Some("a word of the guest")));
    let write = json!({ "space": "user:guest", "content": "x" });
    assert_eq!(server.send_as(&bound, Method::POST, "/v1/messages", write).await.0, StatusCode::FORBIDDEN);

    // A cursor made for one list, taken to another tenant's or another space's.
    let first = server.get_as(&victim, "/v1/spaces/user:victim/messages?limit=2").await.1;
    let found =
        server.get_as(&victim, &format!("/v1/spaces/user:victim/messages/search?q={SECRET}&limit=2")).await.1;
    for cursor in [&first["next"], &found["next"]] {
        let cursor = encoded(cursor.as_str().unwrap());
        for (key, path) in [
            (&thief, format!("/v1/spaces/user:victim/messages?limit=2&cursor={cursor}")),
            (&thief, format!("/v1/spaces/user:victim/messages/search?q={SECRET}&limit=2&cursor={cursor}")),
            (&thief, format!("/v1/spaces?cursor={cursor}")),
            (&bound, format!("/v1/spaces/user:guest/messages?limit=2&cursor={cursor}")),
        ] {
            let (status, reply) = server.get_as(key, &path).await;
            assert!(!reply.to_string().contains(SECRET), "{path}: {reply}");
            assert!(!status.is_server_error(), "{path}: {status} {reply}");
        }
    }

    // Ids and words with SQL in them: they are ids and words.
    for hostile in HOSTILE {
        let name = encoded(hostile);
        for path in [
            format!("/v1/spaces/user:{name}"),
            format!("/v1/spaces/{name}"),
            format!("/v1/spaces/user:victim/messages/{name}"),
            format!("/v1/spaces/user:victim/sessions/{name}"),
            format!("/v1/spaces/user:victim/days/{name}"),
            format!("/v1/spaces/user:victim/timeline?from={name}"),
            format!("/v1/spaces/user:victim/timeline?grain=session&to={name}"),
            format!("/v1/spaces/user:victim/messages?author={name}&session={name}"),
            format!("/v1/spaces/user:victim/messages/search?q={name}"),
            format!("/v1/jobs/{name}"),
            format!("/v1/keys?tenant={name}"),
        ] {
            let (status, reply) = server.get_as(&thief, &path).await;
            assert!(!reply.to_string().contains(SECRET), "{path}: {reply}");
            assert!(!status.is_server_error(), "{path}: {status} {reply}");
        }
        let body = json!({ "space": format!("user:{hostile}"), "id": hostile, "session": hostile, "thread": hostile,
            "author": hostile, "content": hostile, "metadata": { hostile: hostile } });
        let (status, reply) = server.send_as(&thief, Method::POST, "/v1/messages", body).await;
        assert_eq!(status, StatusCode::CREATED, "{hostile}: {reply}");
        let path = format!("/v1/spaces/{}/messages/{name}", encoded(&format!("user:{hostile}")));
        let kept = server.get_as(&thief, &path).await.1;
        assert_eq!(kept["message"]["content"].as_str().or(kept["content"].as_str()), Some(hostile), "{kept}");
    }

    // Keys that are none.
    let (head, tail) = victim.split_at(victim.len() - 1);
    let wrong = if tail == "a" { "b" } else { "a" };
    let forged: [&str; 5] =
        ["", "mk_", "' OR '1'='1", &format!("{head}{wrong}"), &victim.replace("mk_", "mk_x")];
    for key in forged {
        let (status, reply) = server.get_as(key, "/v1/spaces/user:victim/messages").await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{key:?}: {reply}");
    }

    // What is not theirs they cannot change either.
    for (method, path, body) in [
        (Method::PATCH, "/v1/spaces/user:guest/messages/m1", json!({ "content": "mine" })),
        (Method::DELETE, "/v1/spaces/user:guest/messages/m1", Value::Null),
        (Method::DELETE, "/v1/spaces/user:guest", Value::Null),
        (Method::POST, "/v1/spaces/user:guest/sessions/s1/end", json!({})),
        (Method::POST, "/v1/spaces/user:guest/sessions/s1/summarize", json!({})),
        (Method::POST, "/v1/upkeep/backfill?space=user:guest", json!({})),
        (Method::POST, "/v1/upkeep/backfill?space=user:guest&dry_run=true", json!({})),
        (Method::POST, "/v1/keys", json!({ "tenant": "acme", "role": "admin" })),
        (Method::POST, "/v1/tenants", json!({ "id": "acme", "label": "mine" })),
    ] {
        let (status, reply) = server.send_as(&thief, method.clone(), path, body).await;
        assert!(status.is_client_error(), "{method} {path}: {status} {reply}");
    }
    let after = server.get_as(&victim, "/v1/spaces/user:victim/messages?limit=100").await.1;
    assert_eq!(after, untouched);
}

#[tokio::test]
async fn nothing_foreign_is_read_on_sqlite() {
    let memoir = TestEngine::new();
    attempts(&HttpServer::with_keys(memoir.engine.clone()).await).await;
}

#[tokio::test]
async fn nothing_foreign_is_read_on_postgres() {
    let database = TestDatabase::new().await;
    let engine = database.engine(&FakeClock::at(TestEngine::NOON)).await;
    attempts(&HttpServer::with_keys(engine).await).await;
}
