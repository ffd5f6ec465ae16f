//! A disk that fills: a clear error, nothing half written, and the store opens again.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

use memoir_testkit::{Binary, Process};
use serde_json::{Value, json};
use std::process::Stdio;

/// Writes until the store refuses; returns how many messages were acknowledged and the refusal.
async fn fill(server: &Process) -> (u64, reqwest::StatusCode, Value) {
    let http = reqwest::Client::new();
    let mut stored = 0;
    for n in 0..2_000 {
        let messages: Vec<Value> = (0..20)
            .map(|k| json!({ "space": "user:a", "id": format!("{n}-{k}"), "content": format!("{n} {k} {}", "说".repeat(400)) }))
            .collect();
        let reply = http.post(server.url("/v1/messages")).json(&json!({ "messages": messages })).send().await;
        let reply = reply.expect("a full disk is no reason to hang up");
        let status = reply.status();
        let body: Value = reply.json().await.unwrap();
        if !status.is_success() {
            return (stored, status, body);
        }
        stored += 20;
    }
    panic!("the store never filled up")
}

fn messages(memoir: &Binary) -> u64 {
    let export = memoir.succeed(&["export", "user:a"]);
    export.lines().filter(|line| line.contains("\"type\":\"message\"")).count() as u64
}

fn assert_healthy(memoir: &Binary) {
    let findings = memoir.json(&["doctor"]);
    let broken: Vec<_> = findings.as_array().unwrap().iter().filter(|f| f["severity"] == "broken").collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_at_its_size_limit_refuses_clearly_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path());
    let server = memoir.serve(&[("MEMOIR_STORE_MAX_BYTES", "2MiB")]);
    let (stored, status, body) = fill(&server).await;
    assert_eq!((status.as_u16(), &body["error"]["code"]), (507, &json!("storage_full")), "{body}");
    assert!(body["error"]["remedy"].as_str().unwrap().contains("store.max_bytes"));
    // Reading goes on.
    let space: Value = reqwest::get(server.url("/v1/spaces/user:a")).await.unwrap().json().await.unwrap();
    assert_eq!(space["messages"], stored);
    server.kill();
    assert_eq!(messages(&memoir), stored);
    assert_healthy(&memoir);
    // With more room the same store takes more.
    let server = memoir.serve(&[("MEMOIR_STORE_MAX_BYTES", "64MiB")]);
    let body = json!({ "space": "user:a", "id": "afterwards", "content": "there is room again" });
    let reply = reqwest::Client::new().post(server.url("/v1/messages")).json(&body).send().await.unwrap();
    assert_eq!(reply.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_the_system_lets_grow_no_further_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path());
    // The limit is the kernel's (in KiB for bash): a write beyond it fails in the middle, as on a full disk.
    let mut command = std::process::Command::new("bash");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 3000; exec \"$0\" serve --json", env!("CARGO_BIN_EXE_memoir")])
        .env("MEMOIR_DATA_DIR", memoir.data())
        .env("MEMOIR_SERVER_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let server = Process::start(command);
    let (stored, status, body) = fill(&server).await;
    assert!(status.is_server_error(), "{status} {body}");
    assert!(
        ["storage_full", "storage_unavailable"].contains(&body["error"]["code"].as_str().unwrap()),
        "{body}"
    );
    server.kill();
    assert_eq!(messages(&memoir), stored);
    assert_healthy(&memoir);
}
