//! `memoir export`, its way back through `memoir import`, and `memoir erase`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use memoir_testkit::{Binary, Process};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

struct Setup {
    folder: TempDir,
    memoir: Binary,
}

impl Setup {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
        Setup { folder, memoir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Exports a space into a file of that name.
    fn exported(&self, space: &str, name: &str) -> PathBuf {
        self.memoir.succeed(&["export", space, "--out", self.path(name).to_str().unwrap()]);
        self.path(name)
    }
}

fn import(memoir: &Binary, file: &Path, further: &[&str]) -> (i32, Value) {
    let output = memoir.run(&[&["import", file.to_str().unwrap(), "--json"], further].concat());
    let summary = serde_json::from_slice(&output.stdout);
    (
        output.status.code().unwrap(),
        summary.unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr))),
    )
}

async fn send(server: &Process, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
    let reply = Client::new().request(method, server.url(path)).json(&body).send().await.unwrap();
    let status = reply.status();
    let text = reply.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// A space in which everything has happened that can: two zones, sessions of every kind, edits, a recall, an erasure.
async fn furnish(setup: &Setup) {
    let talks = [
        r#"{"space":"user:a","id":"1","content":"我对头孢过敏。","said_at":"2026-01-05T15:50:00Z"}"#,
        r#"{"space":"user:a","id":"2","role":"assistant","author":"coach","content":"Noted.","reply_to":"1","said_at":"2026-01-05T16:10:00Z"}"#,
        r#"{"space":"user:a","id":"3","content":"A day later.","mentions":["bo"],"metadata":{"mood":"好"},"said_at":"2026-01-06T20:00:00.123456Z"}"#,
        r#"{"space":"user:a","id":"4","content":"","attachments":[{"ref":"img-1","media_type":"image/png","caption":"血红蛋白 148"}],"said_at":"2026-01-07T20:00:00Z"}"#,
        r#"{"space":"user:a","id":"5","session":"named","thread":"work","content":"In a named session.","said_at":"2026-01-08T20:00:00Z"}"#,
    ];
    let file = setup.file("talks.ndjson", &talks.join("\n"));
    let server = setup.memoir.serve(&[("MEMOIR_SPACE_DEFAULT_ZONE", "America/New_York")]);
    assert_eq!(
        send(
            &server,
            Method::PUT,
            "/v1/spaces/user:a",
            json!({ "preset": "coach", "metadata": { "plan": "pro" } })
        )
        .await
        .0,
        200
    );
    assert_eq!(import(&setup.memoir, &file, &[]).0, 0);
    for (method, path, body, status) in [
        (Method::PUT, "", json!({ "zone": "Asia/Shanghai" }), 200),
        (
            Method::POST,
            "/sessions",
            json!({ "id": "task", "task": "plan a trip", "metadata": { "n": 1 } }),
            201,
        ),
        (Method::POST, "/sessions/task/end", json!({ "reason": "call" }), 200),
        (Method::POST, "/sessions/named/end", json!({ "reason": "disconnect" }), 200),
        (Method::PATCH, "/messages/1", json!({ "content": "我对青霉素过敏。" }), 200),
        (Method::PATCH, "/messages/1", json!({ "content": "我对头孢和青霉素都过敏。" }), 200),
        (Method::PATCH, "/messages/2", json!({ "state": "recalled" }), 200),
        (Method::PATCH, "/messages/3", json!({ "content": "Edited, then recalled." }), 200),
        (Method::PATCH, "/messages/3", json!({ "state": "recalled" }), 200),
    ] {
        let (told, reply) = send(&server, method, &format!("/v1/spaces/user:a{path}"), body).await;
        assert_eq!(told, status, "{path}: {reply}");
    }
    let live = json!({ "space": "user:a", "id": "6", "content": "说在上海 now" });
    assert_eq!(send(&server, Method::POST, "/v1/messages", live).await.0, 201);
    let gone =
        json!({ "space": "user:a", "id": "7", "content": "to be erased", "said_at": "2026-01-05T16:00:00Z" });
    assert_eq!(send(&server, Method::POST, "/v1/messages", gone).await.0, 201);
    assert_eq!(send(&server, Method::DELETE, "/v1/spaces/user:a/messages/7", Value::Null).await.0, 200);
    assert!(server.terminate());
}

/// An export without what cannot be the same in another store: internal numbers, and when things were written down.
fn comparable(lines: Vec<Value>) -> Vec<Value> {
    let erased: Vec<Value> =
        lines.iter().filter(|l| l["state"] == "erased").map(|l| l["session"].clone()).collect();
    let mut kept = Vec::new();
    for mut line in lines.into_iter().filter(|line| line["state"] != "erased") {
        // An erased message counts in its session and is no longer there to be brought along.
        let without = erased.iter().filter(|session| **session == line["id"]).count() as u64;
        line["messages"] = json!(line["messages"].as_u64().map(|count| count - without));
        let object = line.as_object_mut().unwrap();
        for name in ["no", "seq", "last_seq", "recorded_at", "active_at", "created_at", "explicit", "stale"] {
            object.remove(name);
        }
        if object["type"] == "space" {
            object.remove("version");
        }
        for version in object.get_mut("versions").and_then(Value::as_array_mut).into_iter().flatten() {
            version.as_object_mut().unwrap().remove("replaced_at");
        }
        // A session without messages has only the moment at which it was opened.
        if object["type"] == "session" && object["messages"] == 0 {
            object.remove("first_said_at");
            object.remove("last_said_at");
        }
        kept.push(line);
    }
    kept.retain(|line| line["type"] != "end");
    kept
}

#[test]
fn an_export_goes_to_the_output_or_to_a_new_file() {
    let setup = Setup::new();
    let file = setup.file("in.ndjson", "{\"space\":\"user:a\",\"id\":\"1\",\"content\":\"你好\"}\n");
    assert_eq!(import(&setup.memoir, &file, &[]).0, 0);
    let text = setup.memoir.succeed(&["export", "user:a"]);
    let kinds: Vec<Value> = setup.memoir.export("user:a").iter().map(|line| line["type"].clone()).collect();
    assert_eq!(kinds, ["space", "session", "message", "end"]);
    let out = setup.exported("user:a", "out.ndjson");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    for name in ["out.ndjson", "in.ndjson"] {
        let path = setup.path(name);
        let before = std::fs::read(&path).unwrap();
        let (code, errors) = setup.memoir.fail(&["export", "user:a", "--out", path.to_str().unwrap()]);
        assert_eq!(code, 1);
        assert!(errors.contains("an existing file is not overwritten"), "{errors}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    let none = setup.path("none.ndjson");
    setup.memoir.fail(&["export", "user:nobody", "--out", none.to_str().unwrap()]);
    assert!(!none.exists(), "a space that does not exist leaves no file");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_exported_is_the_same_after_an_import_elsewhere() {
    let setup = Setup::new();
    furnish(&setup).await;
    let lines = setup.memoir.export("user:a");
    let dates = |id: &str| lines.iter().find(|line| line["id"] == id).unwrap()["local"]["date"].clone();
    assert_eq!(
        (dates("1"), dates("2")),
        (json!("2026-01-05"), json!("2026-01-05")),
        "10:50 and 11:10 in New York"
    );
    let recalled = lines.iter().find(|line| line["id"] == "2").unwrap();
    assert_eq!(
        (&recalled["state"], &recalled["content"]),
        (&json!("recalled"), &json!("Noted.")),
        "its owner keeps it"
    );
    let file = setup.exported("user:a", "out.ndjson");
    let other = Binary::new(env!("CARGO_BIN_EXE_memoir"), setup.path("other"));
    let (code, summary) = import(&other, &file, &[]);
    assert_eq!((code, &summary["created"]), (0, &json!(6)), "{summary}");
    let (left, right) = (comparable(lines), comparable(other.export("user:a")));
    for (left, right) in left.iter().zip(&right) {
        assert_eq!(left, right);
    }
    assert_eq!(left.len(), right.len());
    other.succeed(&["doctor"]);
    // What was withdrawn is found there as little as here.
    let server = other.serve(&[]);
    let (_, found) =
        send(&server, Method::GET, "/v1/spaces/user:a/messages/search?q=Noted", Value::Null).await;
    assert_eq!(found["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_brought_back_into_its_own_store_changes_nothing() {
    let setup = Setup::new();
    furnish(&setup).await;
    let before = setup.memoir.export("user:a");
    let file = setup.exported("user:a", "out.ndjson");
    for _ in 0..2 {
        let (code, summary) = import(&setup.memoir, &file, &["--restart"]);
        assert_eq!((code, &summary["created"], &summary["existed"]), (0, &json!(0), &json!(6)), "{summary}");
    }
    assert_eq!(setup.memoir.export("user:a"), before);
    let other = Binary::new(env!("CARGO_BIN_EXE_memoir"), setup.path("other"));
    assert_eq!(import(&other, &file, &[]).0, 0);
    let once = other.export("user:a");
    assert_eq!(import(&other, &file, &[]).1["existed"], 6);
    assert_eq!(other.export("user:a"), once, "a second import there changes nothing either");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_can_go_to_another_space() {
    let setup = Setup::new();
    furnish(&setup).await;
    let file = setup.exported("user:a", "out.ndjson");
    assert_eq!(import(&setup.memoir, &file, &["--space", "group:g"]).1["created"], 6);
    let contents = |space: &str| -> Vec<Value> {
        let lines = comparable(setup.memoir.export(space)).into_iter();
        lines.filter(|line| line["type"] == "message").map(|line| line["content"].clone()).collect()
    };
    assert_eq!(contents("group:g"), contents("user:a"));
}

#[test]
fn exports_that_were_put_into_one_file_stay_apart() {
    let setup = Setup::new();
    let line = |space: &str, n: usize| json!({ "space": space, "id": format!("{space}-{n}"), "content": format!("of {space}") });
    let text: String =
        (0..2_000).flat_map(|n| ["user:a", "user:b"].map(|space| format!("{}\n", line(space, n)))).collect();
    assert_eq!(import(&setup.memoir, &setup.file("in.ndjson", &text), &[]).0, 0);
    let both: String = ["user:a", "user:b"].map(|space| setup.memoir.succeed(&["export", space])).concat();
    let file = setup.file("both.ndjson", &both);
    let other = Binary::new(env!("CARGO_BIN_EXE_memoir"), setup.path("other"));
    // It is interrupted on its way, so that it has to find out again whose messages the rest are.
    let (_, errors) = other.fail(&["import", file.to_str().unwrap(), "--set", "store.max_bytes=900KiB"]);
    assert!(errors.contains("store.max_bytes"), "{errors}");
    let (code, summary) = import(&other, &file, &[]);
    assert_eq!(code, 0, "{summary}");
    assert!(summary["resumed_at_entry"].as_u64().unwrap() > 0, "{summary}");
    for space in ["user:a", "user:b"] {
        let messages: Vec<Value> =
            other.export(space).into_iter().filter(|line| line["type"] == "message").collect();
        assert_eq!(messages.len(), 2_000);
        assert!(messages.iter().all(|message| message["content"] == format!("of {space}")), "{space}");
    }
}

#[test]
fn an_export_that_was_cut_off_is_noticed() {
    let setup = Setup::new();
    let file = setup.file("in.ndjson", "{\"space\":\"user:a\",\"id\":\"1\",\"content\":\"one\"}\n{\"space\":\"user:a\",\"id\":\"2\",\"content\":\"two\"}\n");
    assert_eq!(import(&setup.memoir, &file, &[]).0, 0);
    let whole = setup.memoir.succeed(&["export", "user:a"]);
    let lines: Vec<&str> = whole.lines().collect();
    let cut = setup.file("cut.ndjson", &lines[..3].join("\n"));
    let other = Binary::new(env!("CARGO_BIN_EXE_memoir"), setup.path("other"));
    let (code, summary) = import(&other, &cut, &[]);
    assert_eq!((code, &summary["created"], &summary["refused"]), (1, &json!(1), &json!(1)), "{summary}");
    assert!(summary["errors"][0].as_str().unwrap().contains("the export is cut off"), "{summary}");
    let headless = setup.file("headless.ndjson", &lines[1..].join("\n"));
    let (code, summary) = import(&other, &headless, &["--space", "user:b"]);
    assert_eq!((code, &summary["created"]), (0, &json!(2)), "{summary}");
}

/// Whether any file below a folder has these bytes.
fn holds(folder: &Path, words: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, words);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    })
}

const SECRETS: &[&str] =
    &["Zanzibar", "zanzibar", "秘密花园", "Quetzalcoatl", "Ouagadougou", "Timbuktu", "Vladivostok"];

fn secrets() -> String {
    [
        r#"{"space":"user:a","id":"1","session":"s","content":"We meet in Zanzibar, zanzibar 秘密花园.","metadata":{"k":"Timbuktu"}}"#,
        r#"{"space":"user:a","id":"2","session":"s","content":"x","attachments":[{"ref":"r","media_type":"image/png","caption":"Quetzalcoatl"}]}"#,
        r#"{"space":"user:a","id":"3","session":"s","content":"Ouagadougou"}"#,
        r#"{"space":"user:b","id":"1","content":"what somebody else said stays"}"#,
    ]
    .join("\n")
}

#[test]
fn erasing_asks_first() {
    let setup = Setup::new();
    assert_eq!(import(&setup.memoir, &setup.file("in.ndjson", &secrets()), &[]).0, 0);
    let before = setup.memoir.export("user:a");
    let output = setup.memoir.run(&["erase", "user:a"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "user:a has 3 messages in 1 sessions. Nothing was erased; repeat with --yes.\n");
    let output = setup.memoir.run(&["erase", "user:a", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), told),
        (Some(1), json!({ "space": "user:a", "messages": 3, "sessions": 1, "erased": false }))
    );
    assert_eq!(setup.memoir.export("user:a"), before);
    let (code, errors) = setup.memoir.fail(&["erase", "user:nobody", "--yes"]);
    assert_eq!(code, 1);
    assert!(errors.contains("there is no space user:nobody"), "{errors}");
}

#[test]
fn what_was_erased_is_in_no_byte_of_the_data_folder() {
    let setup = Setup::new();
    assert_eq!(import(&setup.memoir, &setup.file("in.ndjson", &secrets()), &[]).0, 0);
    assert!(
        holds(setup.memoir.data(), "秘密花园") && holds(setup.memoir.data(), "Timbuktu"),
        "the test looks in the right place"
    );
    assert_eq!(setup.memoir.json(&["erase", "user:a", "--yes"])["erased"], true);
    for secret in SECRETS {
        assert!(!holds(setup.memoir.data(), secret), "{secret} is still there");
    }
    let (code, errors) = setup.memoir.fail(&["export", "user:a"]);
    assert_eq!(code, 1, "{errors}");
    assert!(setup.memoir.succeed(&["export", "user:b"]).contains("what somebody else said stays"));
    setup.memoir.succeed(&["doctor"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_space_can_be_erased_under_a_running_server() {
    let setup = Setup::new();
    let server = setup.memoir.serve(&[]);
    let said: Vec<Value> = secrets().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(send(&server, Method::POST, "/v1/messages", json!({ "messages": said })).await.0, 201);
    let edit = json!({ "content": "Vladivostok" });
    assert_eq!(send(&server, Method::PATCH, "/v1/spaces/user:a/messages/3", edit).await.0, 200);
    // The server has the space in its index, in a window and in a lane.
    let search = "/v1/spaces/user:a/messages/search?q=zanzibar";
    assert_eq!(send(&server, Method::GET, search, Value::Null).await.1["items"].as_array().unwrap().len(), 1);
    let window = "/v1/spaces/user:a/sessions/s/window";
    assert_eq!(send(&server, Method::GET, window, Value::Null).await.0, 200);
    setup.memoir.succeed(&["erase", "user:a", "--yes"]);
    for secret in SECRETS {
        assert!(!holds(setup.memoir.data(), secret), "{secret} is still there");
    }
    for path in [
        search,
        window,
        "/v1/spaces/user:a",
        "/v1/spaces/user:a/messages",
        "/v1/spaces/user:a/messages/1",
        "/v1/spaces/user:a/export",
    ] {
        assert_eq!(send(&server, Method::GET, path, Value::Null).await.0, 404, "{path}");
    }
    // Who comes back begins anew, at once.
    let anew = json!({ "space": "user:a", "id": "1", "session": "s", "content": "a new life" });
    let (status, reply) = send(&server, Method::POST, "/v1/messages", anew).await;
    assert_eq!((status.as_u16(), &reply["results"][0]["seq"]), (201, &json!(1)), "{reply}");
    assert_eq!(send(&server, Method::GET, search, Value::Null).await.1["items"], json!([]));
    let shown = send(&server, Method::GET, window, Value::Null).await.1;
    assert_eq!(shown["items"].as_array().unwrap().len(), 1, "{shown}");
    assert_eq!(send(&server, Method::GET, "/v1/spaces/user:b", Value::Null).await.1["messages"], 1);
    assert!(server.terminate());
    setup.memoir.succeed(&["doctor"]);
}
