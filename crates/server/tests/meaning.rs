//! Search by meaning, and the vectors behind it, over HTTP.

use memoir_engine::Engine;
use memoir_server::ServerSettings;
use memoir_testkit::{HttpServer, TestEngine, WordEmbedder, until};
use reqwest::Method;
use serde_json::{Value, json};

use crate::refusal;

const SEARCH: &str = "/v1/spaces/user:a/messages/search";

async fn serve(engine: Engine) -> HttpServer {
    HttpServer::start(engine, ServerSettings::default(), true).await
}

async fn say(server: &HttpServer, id: &str, content: &str) {
    let message = json!({ "space": "user:a", "id": id, "content": content });
    assert_eq!(server.send(Method::POST, "/v1/messages", message).await.0, 201);
}

async fn by_meaning(server: &HttpServer, query: &str) -> Value {
    let (status, body) = server.get(&format!("{SEARCH}?by=meaning&{query}")).await;
    assert_eq!(status, 200, "{body}");
    body
}

fn ids(reply: &Value) -> Vec<&str> {
    reply["items"].as_array().unwrap().iter().map(|hit| hit["message"]["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_is_near_is_found_page_by_page() {
    let memoir = TestEngine::restless();
    let engine = memoir.with_embedders(WordEmbedder::new("words", 4096), vec![]);
    let _workers = engine.start_workers();
    let server = serve(engine).await;
    for (id, words) in [("a", "green tea"), ("b", "black tea"), ("c", "the weather")] {
        say(&server, id, words).await;
    }
    let whole = until("all have their vectors", async || {
        let reply = by_meaning(&server, "q=green%20tea").await;
        (reply["total"] == 3).then_some(reply)
    })
    .await;
    assert_eq!(ids(&whole), ["a", "b", "c"]);
    let score = |place: usize| whole["items"][place]["score"].as_f64().unwrap();
    assert!(score(0) > 0.8 && score(0) > score(1) && score(1) > score(2), "{whole}");
    assert_eq!((&whole["next"], whole.get("unavailable")), (&Value::Null, None));
    let first = by_meaning(&server, "q=green%20tea&limit=2").await;
    assert_eq!(ids(&first), ["a", "b"]);
    let cursor = first["next"].as_str().unwrap();
    let second = by_meaning(&server, &format!("q=green%20tea&limit=2&cursor={cursor}")).await;
    assert_eq!((ids(&second), &second["next"]), (vec!["c"], &Value::Null));
    // A cursor of one list is none of the other.
    let (status, body) = server.get(&format!("{SEARCH}?q=green%20tea&limit=2&cursor={cursor}")).await;
    assert_eq!(refusal((status, body)), "400 invalid_cursor cursor");
    assert_eq!(ids(&by_meaning(&server, "q=green%20tea&role=assistant").await), [""; 0]);
}

#[tokio::test]
async fn without_an_embedder_a_search_by_meaning_says_so_and_fails_nothing() {
    let memoir = TestEngine::restless();
    let server = serve(memoir.engine.clone()).await;
    say(&server, "a", "green tea").await;
    let reply = by_meaning(&server, "q=tea").await;
    assert_eq!((ids(&reply), &reply["unavailable"]), (vec![], &json!("no_embedder")));
    let (status, body) = server.get(&format!("{SEARCH}?q=tea&by=magic")).await;
    assert_eq!(refusal((status, body)), "422 invalid by");
    let (_, answer) = server.send(Method::POST, "/v1/upkeep/reembed", Value::Null).await;
    assert_eq!(answer, json!({ "spaces": 0, "dry_run": false, "unavailable": "no_embedder" }));
}

#[tokio::test]
async fn spaces_that_lack_vectors_are_counted_and_filled() {
    let memoir = TestEngine::restless();
    {
        let before = serve(memoir.engine.clone()).await;
        say(&before, "a", "green tea").await;
    }
    let engine = memoir.with_embedders(WordEmbedder::new("words", 64), vec![]);
    let _workers = engine.start_workers();
    let server = serve(engine).await;
    let ask = async |query: &str| {
        server.send(Method::POST, &format!("/v1/upkeep/reembed{query}"), Value::Null).await
    };
    assert_eq!(
        ask("?dry_run=true").await,
        (200.try_into().unwrap(), json!({ "spaces": 1, "dry_run": true }))
    );
    assert_eq!(by_meaning(&server, "q=tea").await["unavailable"], "no_vectors");
    assert_eq!(refusal(ask("?space=user:nobody").await), "404 not_found");
    assert_eq!(refusal(ask("?dry_run=maybe").await), "422 invalid dry_run");
    assert_eq!(
        ask("?space=user:a").await,
        (202.try_into().unwrap(), json!({ "spaces": 1, "dry_run": false }))
    );
    until("it has its vector", async || (by_meaning(&server, "q=tea").await["total"] == 1).then_some(()))
        .await;
    assert_eq!(ask("").await.1["spaces"], 0);
}
