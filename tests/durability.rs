//! SIGKILL cannot show whether the log was synced: the kernel keeps what a dead process wrote. So the system calls are
//! watched instead: between the last write into the write-ahead log and each acknowledgement there must be a sync.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use memoir_testkit::{Binary, Process};
use serde_json::json;
use std::collections::HashMap;
use std::process::{Command, Stdio};

/// What matters of a trace, in the order in which it finished.
#[derive(Debug, PartialEq)]
enum Step {
    LogWritten,
    LogSynced,
    Acknowledged,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_synced_before_each_acknowledgement() {
    let steps = trace(&[]).await;
    let acknowledged = steps.iter().filter(|step| **step == Step::Acknowledged).count();
    assert_eq!(acknowledged, REQUESTS, "{steps:?}");
    let (mut written, mut synced) = (false, false);
    for (place, step) in steps.iter().enumerate() {
        match step {
            Step::LogWritten => (written, synced) = (true, false),
            Step::LogSynced => synced = true,
            Step::Acknowledged => {
                assert!(written && synced, "acknowledgement {place} came before the sync: {steps:?}");
                (written, synced) = (false, false);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watch_would_notice_a_missing_sync() {
    // With durability `normal` the log is not synced for each commit: the same trace must then show no sync.
    let steps = trace(&[("MEMOIR_STORE_DURABILITY", "normal")]).await;
    let synced = steps.iter().filter(|step| **step == Step::LogSynced).count();
    let acknowledged = steps.iter().filter(|step| **step == Step::Acknowledged).count();
    assert_eq!(acknowledged, REQUESTS);
    assert!(synced < REQUESTS, "{synced} syncs: the test cannot tell one durability from the other");
}

const REQUESTS: usize = 20;

/// Runs the server under strace, sends single messages one after the other, and returns what was seen.
async fn trace(settings: &[(&str, &str)]) -> Vec<Step> {
    let folder = tempfile::tempdir().unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
    let log = folder.path().join("trace");
    let mut command = Command::new("strace");
    command
        // -D: the server stays our own child, so that it can be asked to stop; strace watches from the side.
        .args([
            "-D",
            "-f",
            "-y",
            "-s",
            "32",
            "-e",
            "trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg",
            "-o",
        ])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_memoir"))
        .args(["serve", "--json"])
        .env("MEMOIR_DATA_DIR", memoir.data())
        .env("MEMOIR_SERVER_LISTEN", "127.0.0.1:0")
        // What is written in the background while a request is answered would look like its own write.
        .env("MEMOIR_LAYERS_EVERY", "1000")
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let server = Process::start(command);
    let http = reqwest::Client::new();
    for n in 0..REQUESTS {
        let body = json!({ "space": "user:a", "content": format!("message {n}") });
        let reply = http.post(server.url("/v1/messages")).json(&body).send().await.unwrap();
        assert_eq!(reply.status(), 201);
    }
    let ended = format!("{} +++ exited", server.id());
    assert!(server.terminate());
    for _ in 0..200 {
        let seen = std::fs::read_to_string(&log).unwrap();
        if seen.lines().any(|line| line.split_whitespace().take(3).eq(ended.split_whitespace())) {
            return steps(&seen);
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("strace did not finish its log")
}

fn steps(trace: &str) -> Vec<Step> {
    // A call that another thread interrupts is printed in two lines; it counts when it has finished.
    let mut unfinished: HashMap<&str, &str> = HashMap::new();
    let mut steps = Vec::new();
    for line in trace.lines() {
        let Some((pid, call)) = line.split_once(char::is_whitespace) else { continue };
        let call = call.trim_start();
        let begun = match call.strip_suffix("<unfinished ...>") {
            Some(begun) => {
                unfinished.insert(pid, begun);
                continue;
            }
            None if call.starts_with("<...") => unfinished.remove(pid).unwrap_or_default(),
            None => call,
        };
        let on_log = begun.contains("memoir.db-wal>");
        if begun.starts_with("pwrite64") && on_log {
            steps.push(Step::LogWritten);
        } else if (begun.starts_with("fdatasync") || begun.starts_with("fsync")) && on_log {
            steps.push(Step::LogSynced);
        } else if begun.contains("HTTP/1.1 201") {
            steps.push(Step::Acknowledged);
        }
    }
    // What happens before the first request (the schema) and after the last acknowledgement (closing) is not at issue.
    let last = steps.iter().rposition(|step| *step == Step::Acknowledged).map_or(0, |place| place + 1);
    steps.truncate(last);
    steps
}
