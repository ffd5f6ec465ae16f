//! The server is killed without warning, again and again, while it is being written to. Whatever was acknowledged must
//! be there afterwards, once and in order, and the store must fit together.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

use memoir_testkit::{Binary, Process};
use rand::Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many clients write at once.
const CLIENTS: usize = 6;
/// How many spaces they write to.
const SPACES: usize = 4;

/// What was acknowledged: for each space, id and number of each message, in the order each client got it.
type Acknowledged = Arc<Mutex<BTreeMap<String, Vec<(usize, String, u64)>>>>;

/// Fewer rounds in an ordinary run; `CRASH_ROUNDS=50 cargo test -p memoir --test crash` for the long one.
fn rounds() -> usize {
    std::env::var("CRASH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_sigkill() {
    let folder = tempfile::tempdir().unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path());
    let acknowledged: Acknowledged = Arc::default();
    for round in 0..rounds() {
        // Short leases and idle times make jobs run, fail and overlap with the kill as well.
        let server = memoir.serve(&[("MEMOIR_SESSION_IDLE", "150ms"), ("MEMOIR_JOBS_POLL", "20ms")]);
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| tokio::spawn(write(server.url(""), round, client, acknowledged.clone())))
            .collect();
        let pause = rand::rng().random_range(30..500);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        server.kill();
        for client in clients {
            client.await.unwrap();
        }
        check(&memoir, &acknowledged.lock().unwrap());
    }
    let total: usize = acknowledged.lock().unwrap().values().map(Vec::len).sum();
    assert!(total > 100, "the clients wrote {total} messages; that shows nothing");
}

/// Writes until the server is gone: single messages, batches, edits, sessions, in its own order.
async fn write(server: String, round: usize, client: usize, acknowledged: Acknowledged) {
    let http = reqwest::Client::new();
    for n in 0.. {
        let space = format!("group:g{}", (n + client) % SPACES);
        let batch = if n % 7 == 3 { 20 } else { 1 };
        let messages: Vec<Value> = (0..batch)
            .map(|k| {
                let id = format!("r{round}-c{client}-n{n}-{k}");
                let session = (n % 3 == 0).then(|| format!("s{}", n % 5));
                json!({ "space": space, "id": id, "author": format!("c{client}"), "session": session,
                        "content": format!("第{n}条 message {k} of client {client}: 头孢克肟 每日两次") })
            })
            .collect();
        let body = json!({ "messages": messages });
        let Ok(reply) = http.post(format!("{server}/v1/messages")).json(&body).send().await else { return };
        let Ok(reply) = reply.json::<Value>().await else { return };
        for receipt in reply["results"].as_array().expect("receipts") {
            assert_eq!(receipt["status"], "created", "{receipt}");
            let id = receipt["id"].as_str().unwrap().to_owned();
            let seq = receipt["seq"].as_u64().unwrap();
            acknowledged.lock().unwrap().entry(space.clone()).or_default().push((client, id, seq));
        }
        if n % 5 == 4 {
            let id = messages[0]["id"].as_str().unwrap();
            let path = format!("{server}/v1/spaces/{space}/messages/{id}");
            let edited = http.patch(path).json(&json!({ "content": "edited 改过的" })).send().await;
            if edited.is_err() {
                return;
            }
        }
    }
}

fn check(memoir: &Binary, acknowledged: &BTreeMap<String, Vec<(usize, String, u64)>>) {
    let findings = memoir.json(&["doctor"]);
    let broken: Vec<_> = findings.as_array().unwrap().iter().filter(|f| f["severity"] == "broken").collect();
    assert!(broken.is_empty(), "{broken:?}");
    for (space, messages) in acknowledged {
        let export = memoir.succeed(&["export", space]);
        let mut stored: HashMap<String, u64> = HashMap::new();
        for line in export.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["type"] == "message" {
                let id = line["id"].as_str().unwrap().to_owned();
                let twice = stored.insert(id, line["seq"].as_u64().unwrap());
                assert_eq!(twice, None, "{line} is there twice");
            }
        }
        let mut last = HashMap::new();
        for (client, id, seq) in messages {
            assert_eq!(stored.get(id), Some(seq), "{id} was acknowledged as {seq} in {space}");
            let before = last.insert(client, *seq);
            assert!(before < Some(*seq), "{id} stands before what its client sent earlier");
        }
    }
}

#[test]
fn a_server_that_was_killed_starts_again_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path());
    for _ in 0..3 {
        Process::kill(memoir.serve(&[]));
    }
    assert!(memoir.serve(&[]).terminate());
}
