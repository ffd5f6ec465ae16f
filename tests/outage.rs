//! PostgreSQL is killed and comes back, again and again, while two nodes write to it. Requests wait or fail clearly,
//! nothing that was acknowledged is lost, and the nodes recover by themselves.
#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_testkit::{Binary, PostgresServer, Process};
use rand::Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many clients write at once, in turn to either node.
const CLIENTS: usize = 6;
/// How many spaces they write to.
const SPACES: usize = 4;
/// How often the database is killed; `OUTAGES=20 cargo test -p memoir --test outage` for a long run.
const OUTAGES: usize = 3;

/// For each space, the client, the id and the number of each acknowledged message, in the order each client got it.
type Acknowledged = BTreeMap<String, Vec<(usize, String, u64)>>;

/// What the clients have seen.
#[derive(Default)]
struct Seen {
    acknowledged: Mutex<Acknowledged>,
    /// The ways in which requests failed.
    failures: Mutex<BTreeSet<String>>,
    /// How many requests were acknowledged since the last outage.
    recent: AtomicUsize,
    stop: AtomicBool,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_killed_costs_nothing_that_was_acknowledged() {
    let outages = std::env::var("OUTAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(OUTAGES);
    let database = PostgresServer::own("outage");
    let folder = tempfile::tempdir().unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path());
    let settings = [
        ("MEMOIR_STORE_URL", database.url()),
        ("MEMOIR_STORE_PATIENCE", "1s"),
        ("MEMOIR_SESSION_IDLE", "200ms"),
    ];
    // Both start at once on an empty database.
    let nodes = std::thread::scope(|scope| {
        [0, 1].map(|_| scope.spawn(|| memoir.serve(&settings))).map(|node| node.join().unwrap())
    });
    let seen = Arc::new(Seen::default());
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| tokio::spawn(write(nodes.each_ref().map(|node| node.url("")), client, seen.clone())))
        .collect();
    for _ in 0..outages {
        work(&seen).await;
        database.kill();
        let away = rand::rng().random_range(100..2_500);
        tokio::time::sleep(Duration::from_millis(away)).await;
        database.start();
    }
    work(&seen).await;
    seen.stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
    check(&memoir, database.url(), &seen.acknowledged.lock().unwrap());
    let failures = seen.failures.lock().unwrap();
    let clear = ["503 storage_unavailable", "503 busy", "504 timeout"];
    assert!(failures.iter().all(|failure| clear.contains(&failure.as_str())), "{failures:?}");
    assert!(nodes.into_iter().all(Process::terminate), "both nodes are there to the end");
}

/// Waits until the nodes acknowledge again. They do so by themselves, or this test fails.
async fn work(seen: &Seen) {
    seen.recent.store(0, Ordering::Relaxed);
    for _ in 0..600 {
        if seen.recent.load(Ordering::Relaxed) >= 60 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (recent, failures) = (seen.recent.load(Ordering::Relaxed), seen.failures.lock().unwrap());
    assert!(recent >= 60, "the nodes did not recover: {recent} acknowledged, {failures:?}");
}

/// Writes one message after the other and repeats each until it is acknowledged, as a careful product would.
async fn write(nodes: [String; 2], client: usize, seen: Arc<Seen>) {
    let http = reqwest::Client::new();
    for n in 0.. {
        let space = format!("group:g{}", (n + client) % SPACES);
        let id = format!("c{client}-n{n}");
        let message = json!({ "space": space, "id": id, "author": format!("c{client}"),
                              "content": format!("第{n}条 message of client {client}: 头孢克肟 每日两次") });
        for attempt in 0.. {
            let url = format!("{}/v1/messages", nodes[(n + attempt) % 2]);
            // A node must answer, whatever becomes of its database.
            let reply = http.post(url).json(&message).send().await.unwrap();
            let status = reply.status();
            let reply: Value = reply.json().await.unwrap();
            if let Some(seq) = reply["results"][0]["seq"].as_u64() {
                seen.recent.fetch_add(1, Ordering::Relaxed);
                seen.acknowledged.lock().unwrap().entry(space.clone()).or_default().push((
                    client,
                    id.clone(),
                    seq,
                ));
                break;
            }
            let code = reply["error"]["code"].as_str().or(reply["results"][0]["error"]["code"].as_str());
            seen.failures.lock().unwrap().insert(format!("{} {}", status.as_u16(), code.unwrap_or("?")));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if seen.stop.load(Ordering::Relaxed) {
            return;
        }
    }
}

fn check(memoir: &Binary, url: &str, acknowledged: &Acknowledged) {
    let findings = memoir.json(&["doctor", "--store", url]);
    let broken: Vec<_> = findings.as_array().unwrap().iter().filter(|f| f["severity"] == "broken").collect();
    assert!(broken.is_empty(), "{broken:?}");
    assert_eq!(acknowledged.len(), SPACES);
    for (space, messages) in acknowledged {
        let mut stored: HashMap<String, u64> = HashMap::new();
        for line in memoir.succeed(&["export", space, "--store", url]).lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["type"] == "message" {
                let twice =
                    stored.insert(line["id"].as_str().unwrap().to_owned(), line["seq"].as_u64().unwrap());
                assert_eq!(twice, None, "{line} is there twice");
            }
        }
        let mut last = HashMap::new();
        for (client, id, seq) in messages {
            assert_eq!(stored.get(id), Some(seq), "{id} was acknowledged as {seq} in {space}");
            let before = last.insert(client, *seq);
            assert!(before < Some(*seq), "{id} stands before what its client sent earlier");
        }
        assert_eq!(stored.len(), messages.len(), "there is nothing that nobody was told of");
    }
}
