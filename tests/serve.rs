//! `memoir serve` as whoever operates it meets it: where it listens, when it refuses to, how it stops, and what it shares
//! with other processes on the same data folder.
#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_testkit::{Binary, Process, until};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn memoir() -> (TempDir, Binary) {
    let folder = tempfile::tempdir().unwrap();
    let binary = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
    (folder, binary)
}

async fn say(server: &str, id: &str, content: &str) -> (StatusCode, Value) {
    let body = json!({ "space": "user:a", "id": id, "content": content });
    let reply = Client::new().post(format!("{server}/v1/messages")).json(&body).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

async fn get(url: String) -> (StatusCode, Value) {
    let reply = reqwest::get(url).await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

/// The contents of the messages that a search finds.
async fn found(server: &Process, query: &str) -> Vec<String> {
    let (status, page) = get(server.url(&format!("/v1/spaces/user:a/messages/search?q={query}"))).await;
    assert_eq!(status, 200, "{page}");
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| item["message"]["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn without_keys_only_loopback_is_served_and_the_remedy_is_said() {
    let (_folder, memoir) = memoir();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.7:7700"] {
        let (code, errors) = memoir.fail(&["serve", "--listen", address]);
        assert_eq!(code, 1, "{errors}");
        assert!(errors.contains("there is no API key") && errors.contains(address), "{errors}");
        assert!(errors.contains("memoir keys create --role admin"), "{errors}");
        assert!(
            !errors.contains("Use a key whose role"),
            "advice for somebody who makes a request: {errors}"
        );
    }
    memoir.succeed(&["doctor"]);
    let (code, _) = memoir.fail(&["doctor", "--set", "server.listen=0.0.0.0:7700"]);
    assert_eq!(code, 1, "the doctor says so before the server does");
}

#[tokio::test]
async fn with_a_key_every_address_is_served_and_asks_for_it() {
    let (_folder, memoir) = memoir();
    let made = memoir.json(&["keys", "create", "--role", "admin"]);
    let token = made["token"].as_str().unwrap();
    let server = memoir.serve(&[("MEMOIR_SERVER_LISTEN", "0.0.0.0:0")]);
    let url = format!("http://127.0.0.1:{}/v1/spaces", server.address.port());
    assert_eq!(Client::new().get(&url).send().await.unwrap().status(), 401);
    assert_eq!(Client::new().get(&url).bearer_auth("mk_a_b").send().await.unwrap().status(), 401);
    assert_eq!(Client::new().get(&url).bearer_auth(token).send().await.unwrap().status(), 200);
    drop(server);
    memoir.succeed(&["keys", "revoke", made["key"]["id"].as_str().unwrap()]);
    let (code, errors) = memoir.fail(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(code, 1, "a revoked key is no key: {errors}");
}

#[tokio::test]
async fn a_key_made_while_an_open_server_runs_closes_it() {
    let (_folder, memoir) = memoir();
    let server = memoir.serve(&[]);
    assert_eq!(get(server.url("/v1/spaces")).await.0, 200);
    memoir.succeed(&["keys", "create", "--role", "admin"]);
    // The server looks for keys at most once a second.
    until("the server asks for a key", async || (get(server.url("/v1/spaces")).await.0 == 401).then_some(()))
        .await;
}

#[test]
fn it_says_where_it_listens_and_what_is_off() {
    let (_folder, memoir) = memoir();
    let mut command = memoir.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut said = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        let last = line.contains("reranker");
        said.push(line);
        if last {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let said = said.join("\n");
    assert!(said.starts_with(&format!("Memoir {}\n", env!("CARGO_PKG_VERSION"))), "{said}");
    for part in [
        "listening  http://127.0.0.1:",
        "/docs",
        "durability full, schema",
        "keys       none",
        "model      off",
        "embedder   off",
        "reranker   off",
    ] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    assert!(said.contains(memoir.store().to_str().unwrap()), "{said}");
    assert!(!said.contains(":0\n"), "the port is the one that was taken: {said}");
}

#[tokio::test]
async fn a_server_that_is_asked_to_stop_ends_well_and_leaves_one_file() {
    for signal in ["TERM", "INT"] {
        let (_folder, memoir) = memoir();
        let mut command = memoir.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("listening") {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "the server did not start");
        }
        let server = line.trim().trim_start_matches("listening").trim().to_owned();
        assert_eq!(say(&server, "1", "kept").await.0, 201);
        assert_eq!(get(format!("{server}/v1/spaces/user:a")).await.0, 200);
        let asked = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "SIG{signal}");
        // Whoever copies the file of a stopped server has everything.
        assert!(!memoir.data().join("memoir.db-wal").exists(), "the log was not emptied into the file");
        assert_eq!(memoir.export("user:a").len(), 4);
    }
}

#[test]
fn a_port_in_use_is_named() {
    let (_folder, memoir) = memoir();
    let server = memoir.serve(&[]);
    let address = server.address.to_string();
    let (code, errors) = memoir.fail(&["serve", "--listen", &address]);
    assert_eq!(code, 1);
    assert!(errors.contains(&format!("cannot listen on {address}")), "{errors}");
    assert!(errors.contains("choose another server.listen"), "{errors}");
    assert!(server.terminate(), "the first one is not disturbed");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_folder_see_each_others_writes() {
    let (_folder, memoir) = memoir();
    let (one, two) = (memoir.serve(&[]), memoir.serve(&[]));
    // Both have the space warm: in the lane, in the index and in the window.
    for (n, server) in [&one, &two].into_iter().cycle().take(20).enumerate() {
        let (status, reply) = say(&server.url(""), &format!("m{n}"), &format!("message {n} 第{n}条")).await;
        assert_eq!(status, 201, "{reply}");
        assert_eq!(reply["results"][0]["seq"], n + 1, "{reply}");
        for reader in [&one, &two] {
            assert_eq!(found(reader, &format!("第{n}条")).await.len(), n + 1, "all of them have 第 and 条");
            assert_eq!(found(reader, "message").await.len(), n + 1);
        }
    }
    let session =
        get(one.url("/v1/spaces/user:a/sessions")).await.1["items"][0]["id"].as_str().unwrap().to_owned();
    let edit = Client::new()
        .patch(one.url("/v1/spaces/user:a/messages/m19"))
        .json(&json!({ "content": "other words" }));
    assert_eq!(edit.send().await.unwrap().status(), 200);
    for server in [&one, &two] {
        assert_eq!(found(server, "other").await, ["other words"]);
        let window = get(server.url(&format!("/v1/spaces/user:a/sessions/{session}/window"))).await.1;
        assert_eq!(window["items"].as_array().unwrap().last().unwrap()["content"], "other words", "{window}");
    }
    let repeated = say(&two.url(""), "m3", "message 3 第3条").await.1;
    assert_eq!(repeated["results"][0]["status"], "exists");
    let conflict = say(&two.url(""), "m3", "something else").await.1;
    assert_eq!(conflict["error"]["code"], "id_conflict", "{conflict}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_that_are_written_to_at_once_lose_and_double_nothing() {
    let (_folder, memoir) = memoir();
    let servers = [memoir.serve(&[]), memoir.serve(&[])];
    let clients: Vec<_> = (0..8)
        .map(|client| {
            let server = servers[client % 2].url("");
            tokio::spawn(async move {
                for n in 0..15 {
                    // Four clients send each message, two to each server: it is stored once.
                    let (status, reply) =
                        say(&server, &format!("{}-{n}", client / 4), &format!("words {n}")).await;
                    assert!(status.is_success(), "{reply}");
                    let status = &reply["results"][0]["status"];
                    assert!(status == "created" || status == "exists", "{reply}");
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let lines = memoir.export("user:a");
    let mut seqs: Vec<u64> =
        lines.iter().filter(|l| l["type"] == "message").map(|l| l["seq"].as_u64().unwrap()).collect();
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=30).collect::<Vec<u64>>());
    assert!(servers.into_iter().all(Process::terminate));
    memoir.succeed(&["doctor"]);
}
