//! Models as whoever operates the server meets them: an embedder over the network and one that runs here, what is shown of
//! them, and how a model is fetched.
#![expect(clippy::unwrap_used, reason = "these are tests")]

use axum::extract::{Path as InPath, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use memoir_testkit::{Act, Binary, FakeModels, Process, until};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

fn memoir() -> (TempDir, Binary) {
    let folder = tempfile::tempdir().unwrap();
    let binary = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
    (folder, binary)
}

/// A command's exit code and everything it printed.
fn run(mut command: Command) -> (i32, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

/// Says something in a session of its own, so that nothing else is its context.
async fn say(server: &Process, id: &str, content: &str) {
    let body = json!({ "space": "user:a", "id": id, "session": id, "content": content });
    let reply = reqwest::Client::new().post(server.url("/v1/messages")).json(&body).send().await.unwrap();
    assert_eq!(reply.status(), 201);
}

/// The ids that a search by meaning finds, the nearest first, and why none can be found.
async fn nearest(server: &Process, query: &str) -> (Vec<String>, Value) {
    let url = server.url(&format!("/v1/spaces/user:a/messages/search?by=meaning&q={query}"));
    let page: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let items = page["items"].as_array().unwrap().iter();
    let ids = items.map(|item| item["message"]["id"].as_str().unwrap().to_owned());
    (ids.collect(), page["unavailable"].clone())
}

/// The folder of a small real model, from the environment or fetched.
fn minilm() -> PathBuf {
    std::env::var_os("TEST_MODEL_MINILM").map_or_else(
        || {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models");
            let output = Command::new(script).args(["fetch", "minilm"]).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
        },
        PathBuf::from,
    )
}

#[tokio::test]
async fn vectors_of_a_server_outlive_a_kill_and_an_outage_holds_up_nothing() {
    let models = FakeModels::start().await;
    let url = models.url();
    let settings = [
        ("MEMOIR_EMBEDDER_KIND", "openai"),
        ("MEMOIR_EMBEDDER_MODEL", "vectors"),
        ("MEMOIR_EMBEDDER_BASE_URL", url.as_str()),
        ("MEMOIR_EMBEDDER_DIMENSIONS", "256"),
        ("MEMOIR_EMBEDDER_TIMEOUT", "500ms"),
    ];
    let (_folder, memoir) = memoir();
    let server = memoir.serve(&settings);
    say(&server, "tea", "green tea in the morning").await;
    say(&server, "rain", "rain all day long").await;
    until("both have vectors", async || (nearest(&server, "tea").await.0.len() == 2).then_some(())).await;
    assert_eq!(nearest(&server, "green%20tea").await.0[0], "tea");
    let asked = models.calls("vectors");
    server.kill();

    models.always("vectors", Act::Status(503));
    let server = memoir.serve(&settings);
    say(&server, "late", "coffee at night").await;
    let found: Value = reqwest::get(server.url("/v1/spaces/user:a/messages/search?q=coffee"))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(found["items"][0]["message"]["id"], "late");
    assert_eq!(nearest(&server, "something%20new").await, (vec![], json!("embedder_failed")));
    assert!(models.calls("vectors") > asked);
    assert!(!server.log().contains("coffee"), "no words in the log");
    let doctor = memoir.json(&["doctor"]);
    assert!(doctor.as_array().unwrap().iter().all(|finding| finding["severity"] != "broken"), "{doctor}");
    assert!(server.terminate());
}

#[tokio::test]
async fn a_model_that_runs_here_finds_what_says_the_same_in_other_words() {
    let (_folder, memoir) = memoir();
    let model = minilm();
    let server = memoir
        .serve(&[("MEMOIR_EMBEDDER_KIND", "local"), ("MEMOIR_EMBEDDER_MODEL", model.to_str().unwrap())]);
    for (id, words) in [
        ("cat", "My cat Miso is allergic to chicken"),
        ("move", "We moved to Berlin last spring"),
        ("run", "I run five kilometres every Tuesday"),
    ] {
        say(&server, id, words).await;
    }
    until("all have vectors", async || (nearest(&server, "x").await.0.len() == 3).then_some(())).await;
    for (question, id) in
        [("what%20may%20my%20pet%20not%20eat", "cat"), ("which%20city%20do%20I%20live%20in", "move")]
    {
        assert_eq!(nearest(&server, question).await.0[0], id);
    }
    assert!(server.terminate());
}

#[tokio::test]
async fn without_simd_the_same_is_found() {
    let model = minilm();
    let mut seen = Vec::new();
    for instructions in ["auto", "scalar"] {
        let (_folder, memoir) = memoir();
        let server = memoir.serve(&[
            ("MEMOIR_EMBEDDER_KIND", "local"),
            ("MEMOIR_EMBEDDER_MODEL", model.to_str().unwrap()),
            ("MEMOIR_INDEX_INSTRUCTIONS", instructions),
        ]);
        for (id, words) in [("a", "my knee hurts"), ("b", "the tea is green"), ("c", "a joint pain medicine")]
        {
            say(&server, id, words).await;
        }
        until("all have vectors", async || (nearest(&server, "x").await.0.len() == 3).then_some(())).await;
        let url = server.url("/v1/spaces/user:a/messages/search?by=meaning&q=my%20leg%20aches");
        let page: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
        let items = page["items"].as_array().unwrap().iter();
        let hits = items.map(|item| (item["message"]["id"].clone(), item["score"].as_f64().unwrap()));
        seen.push(hits.collect::<Vec<_>>());
        assert!(server.terminate());
    }
    for (with, without) in seen[0].iter().zip(&seen[1]) {
        assert_eq!(with.0, without.0);
        assert!((with.1 - without.1).abs() < 1e-3, "{with:?} {without:?}");
    }
}

#[test]
fn an_embedder_that_cannot_be_loaded_is_said_with_its_remedy() {
    let (folder, memoir) = memoir();
    let (code, errors) = memoir.fail(&["serve", "--embedder", "multilingual-e5-small"]);
    assert_eq!(code, 1);
    assert!(errors.contains("memoir models pull multilingual-e5-small"), "{errors}");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let (_, errors) = memoir.fail(&["serve", "--embedder", empty.to_str().unwrap()]);
    assert!(errors.contains("config.json"), "{errors}");
    let (code, errors) = memoir.fail(&["serve", "--set", "embedder.kind=magic"]);
    assert!(code == 2 && errors.contains("one of auto, none, local, openai"), "{errors}");
}

/// The ids that a recall gives, the best first.
async fn recalled(server: &Process, message: &str) -> Vec<String> {
    let body = json!({ "space": "user:a", "message": message });
    let reply = reqwest::Client::new().post(server.url("/v1/recall")).json(&body).send().await.unwrap();
    assert_eq!(reply.status(), 200);
    let page: Value = reply.json().await.unwrap();
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| item["message"]["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_reranker_has_the_last_word_and_a_recall_goes_on_without_it() {
    let models = FakeModels::start().await;
    let url = models.url();
    let (_folder, memoir) = memoir();
    let server = memoir.serve(&[
        ("MEMOIR_RERANKER_KIND", "remote"),
        ("MEMOIR_RERANKER_MODEL", "judge"),
        ("MEMOIR_RERANKER_BASE_URL", url.as_str()),
        ("MEMOIR_RERANKER_KEY_ENV", "JUDGE_KEY"),
        ("JUDGE_KEY", "sk-do-not-show"),
        ("MEMOIR_RERANKER_TIMEOUT", "200ms"),
    ]);
    for (id, words) in [("a", "green tea"), ("b", "green tea and cake"), ("c", "green hats and black tea")] {
        say(&server, id, words).await;
    }
    // What the reranker is given is in the order that the recall has without it.
    models.next("judge", Act::Status(503));
    let without = recalled(&server, "green tea").await;
    assert_eq!(without.len(), 3);
    let asked = models.requests_for("judge")[0].body.clone();
    assert_eq!((&asked["query"], asked["documents"].as_array().unwrap().len()), (&json!("green tea"), 3));
    let score = |index: u32, score: f64| json!({ "index": index, "relevance_score": score });
    let results = [score(0, 0.5), score(1, 0.6), score(2, 0.9)];
    models.always("judge", Act::json(&json!({ "results": results })));
    let reversed: Vec<String> = without.iter().rev().cloned().collect();
    assert_eq!(recalled(&server, "green tea").await, reversed);
    for act in [Act::Status(500), Act::Never, Act::Garbage, Act::Hangup, Act::stall(&[])] {
        models.always("judge", act.clone());
        let calls = models.calls("judge");
        assert_eq!(recalled(&server, "green tea").await, without, "{act:?}");
        assert!(models.calls("judge") > calls, "{act:?}");
    }
    let log = server.log();
    assert!(log.contains("goes without its reranker"), "{log}");
    assert!(!log.contains("green") && !log.contains("sk-do-not-show"), "{log}");
    assert!(server.terminate());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reranker_is_shown_and_tried_like_the_embedder() {
    let models = FakeModels::start().await;
    let (_folder, memoir) = memoir();
    let base_url = format!("reranker.base_url={}", models.url());
    let set = ["--set", "reranker.kind=remote", "--set", "reranker.model=judge", "--set", &base_url];
    let shown = memoir.succeed(&[&["models", "list"], &set[..]].concat());
    assert!(shown.contains("reranker\n  judge at 127.0.0.1"), "{shown}");
    let tried = memoir.json(&[&["models", "test", "reranker"], &set[..]].concat());
    assert!(tried[0]["answer"].as_f64() > tried[0]["unrelated"].as_f64(), "{tried}");
    models.always("judge", Act::Status(500));
    let (code, failed) = run(memoir.command(&[&["models", "test", "reranker"], &set[..]].concat()));
    assert!(code == 1 && failed.contains("reranker  judge at 127.0.0.1: failed"), "{failed}");
    assert!(memoir.succeed(&["models", "list"]).contains("reranker\n  off (reranker.kind = none)"));
    for (wrong, says) in [
        (&["--set", "reranker.kind=local"] as &[&str], "name its model with reranker.model"),
        (
            &["--set", "reranker.kind=local", "--set", "reranker.model=nothing"],
            "reranker.model: there is no model at",
        ),
        (
            &[
                "--set",
                "reranker.kind=remote",
                "--set",
                "reranker.model=m",
                "--set",
                "reranker.key_file=/nowhere",
            ],
            "reranker.key_file: cannot read /nowhere",
        ),
    ] {
        let (code, errors) = memoir.fail(&[&["serve", "--listen", "127.0.0.1:0"], wrong].concat());
        assert!(code == 1 && errors.contains(says), "{errors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn chains_are_shown_and_tried_and_keys_are_not_shown() {
    let models = FakeModels::start().await;
    let (_folder, memoir) = memoir();
    let providers = json!([{ "name": "mine", "kind": "other", "base_url": models.url(), "key_env": "MINE_KEY", "timeout": "500ms" }]);
    let command = |arguments: &[&str]| {
        let mut command = memoir.command(arguments);
        command.env("MEMOIR_MODELS_SUMMARY", "mine:m1, openrouter:google/gemma-3-12b-it");
        command.env("MEMOIR_MODELS_CHAT", "mine:m2");
        command.env("MEMOIR_MODELS_PROVIDERS", providers.to_string()).env("MINE_KEY", "sk-do-not-show");
        command.env_remove("OPENROUTER_API_KEY");
        command
    };
    let (code, text) = run(command(&["models", "list"]));
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("key from MINE_KEY") && text.contains("SKIPPED: no key in OPENROUTER_API_KEY"),
        "{text}"
    );
    let (_, shown) = run(command(&["models", "list", "--json"]));
    let (_, config) = run(command(&["config"]));
    let (code, tried) = run(command(&["models", "test", "chat"]));
    assert!(code == 0 && tried.contains("mine:m2") && tried.contains("answered in"), "{tried}");
    models.always("m1", Act::Status(500));
    let (code, failed) = run(command(&["models", "test", "summary"]));
    assert!(code == 1 && failed.contains("m1") && failed.contains("no_key"), "{failed}");
    for text in [&text, &shown, &config, &tried, &failed] {
        assert!(!text.contains("sk-do-not-show"), "{text}");
    }
    let (code, unknown) = run(command(&["models", "test", "nobody"]));
    assert!(code == 1 && unknown.contains("memoir models list"), "{unknown}");
    let mut wrong = command(&["models", "list"]);
    wrong.env("MEMOIR_MODELS_JUDGE", "nowhere:x");
    let (code, told) = run(wrong);
    assert!(code == 1 && told.contains("models.judge"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backfill_that_is_interrupted_keeps_what_is_made_and_the_next_one_goes_on() {
    let models = FakeModels::start().await;
    let written = json!({ "summary": "用户想给猫换成三文鱼的猫粮，预算两百元，因为鸡肉的它过敏。", "key_topics": ["猫粮"] });
    models.next("m1", Act::json(&written)).next("m1", Act::Never).always("m1", Act::json(&written));
    let (folder, memoir) = memoir();
    let file = folder.path().join("talk.ndjson");
    let mut lines = String::new();
    for (n, content) in [
        "我想给猫换猫粮，鸡肉的它过敏，吃了就吐。",
        "可以试试三文鱼的猫粮，换粮要花一周。",
        "好，那我周末去买小包装的，预算两百元。",
    ]
    .iter()
    .enumerate()
    {
        for day in ["2025-12-01", "2025-12-02"] {
            let message = json!({ "space": "user:a", "id": format!("{day}-{n}"), "session": day, "content": content,
                "said_at": format!("{day}T20:0{n}:00+08:00") });
            lines.push_str(&format!("{message}\n"));
        }
    }
    std::fs::write(&file, lines).unwrap();
    memoir.succeed(&["import", file.to_str().unwrap()]);
    let providers = json!([{ "name": "mine", "kind": "other", "base_url": models.url(), "key_env": "MINE_KEY", "timeout": "60s" }]);
    let backfill = || {
        let mut command = memoir.command(&["backfill", "--json"]);
        command.env("MEMOIR_MODELS_SUMMARY", "mine:m1").env("MINE_KEY", "sk-test");
        command.env("MEMOIR_MODELS_PROVIDERS", providers.to_string());
        command
    };
    let child = backfill().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("the second summary is waited for", async || (models.calls("m1") == 2).then_some(())).await;
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert_eq!((&report["made"], &report["interrupted"]), (&json!(1), &json!(true)), "{report}");
    let (code, text) = run(backfill());
    let report: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((code, &report["interrupted"]), (0, &json!(false)), "{text}");
    assert!(report["kept"].as_u64() >= Some(1), "{report}");
    let days: Value = memoir.json(&["timeline", "user:a"]);
    assert!(days["items"].as_array().unwrap().iter().all(|day| day["made_by"] == "m1"), "{days}");
    let asked = models.calls("m1");
    assert_eq!(run(backfill()).0, 0);
    assert_eq!(models.calls("m1"), asked, "nobody is asked again for what is there");
}

/// A hub that has one model, the files of a folder.
async fn hub(folder: PathBuf) -> String {
    async fn list(State(folder): State<Arc<PathBuf>>) -> Response {
        let names = ["config.json", "tokenizer.json", "model.safetensors", "1_Pooling/config.json"];
        let siblings: Vec<Value> = names
            .iter()
            .map(|name| {
                let bytes = std::fs::read(folder.join(name)).unwrap();
                let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
                json!({ "rfilename": name, "size": bytes.len(), "lfs": { "sha256": sum, "size": bytes.len() } })
            })
            .collect();
        Json(json!({ "sha": "abc123", "siblings": siblings })).into_response()
    }
    async fn file(State(folder): State<Arc<PathBuf>>, InPath(name): InPath<String>) -> Response {
        match std::fs::read(folder.join(name)) {
            Ok(bytes) => bytes.into_response(),
            Err(_) => StatusCode::NOT_FOUND.into_response(),
        }
    }
    let routes = Router::new()
        .route("/api/models/acme/sentences/revision/main", get(list))
        .route("/acme/sentences/resolve/abc123/{*name}", get(file))
        .with_state(Arc::new(folder));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_pulled_once_and_used_by_itself_from_then_on() {
    let (_folder, memoir) = memoir();
    let hub = hub(minilm()).await;
    let mut pull = memoir.command(&["models", "pull", "acme/sentences", "--json"]);
    pull.env("HF_ENDPOINT", &hub);
    let (code, text) = tokio::task::spawn_blocking(move || run(pull)).await.unwrap();
    assert_eq!(code, 0, "{text}");
    let pulled: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(pulled["model"], "sentences");
    assert_eq!(memoir.json(&["models", "list"])["pulled"], json!(["sentences"]));
    let tried = memoir.json(&["models", "test", "embedder"]);
    assert!(tried[0]["milliseconds"].as_f64().unwrap() > 0.0, "{tried}");
    let server = memoir.serve(&[]);
    say(&server, "a", "green tea").await;
    until("it has its vector", async || (nearest(&server, "tea").await.0 == ["a"]).then_some(())).await;
    assert!(server.terminate());
    let mut missing = memoir.command(&["models", "pull", "acme/nothing"]);
    missing.env("HF_ENDPOINT", &hub);
    let (code, text) = tokio::task::spawn_blocking(move || run(missing)).await.unwrap();
    assert!(code == 1 && text.contains("acme/nothing"), "{text}");
}
