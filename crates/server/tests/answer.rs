//! `POST /v1/answer`: by a model, word by word or whole, and by rules when there is none or when it fails.

use memoir_engine::{Embedders, Engine, Models};
use memoir_llm::{Registry, RegistryConfig, Surroundings};
use memoir_server::ServerSettings;
use memoir_testkit::{Act, FakeModels, HttpServer, TestEngine, TestServer};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

use crate::refusal;

const ANSWER: &str = "/v1/answer";
const QUESTION: &str = "昨天我们聊了什么？";

/// A server whose chats are asked of the model `m1`, of which one call is made at a time.
struct World {
    models: FakeModels,
    _memoir: TestEngine,
    server: HttpServer,
}

impl World {
    async fn new() -> Self {
        let models = FakeModels::start().await;
        let config = json!({
            "roles": { "chat": ["one:m1"] },
            "providers": [{ "name": "one", "kind": "other", "base_url": models.url(), "key_env": "THE_KEY",
                            "timeout": "30s", "concurrency": 1 }],
        });
        let config: RegistryConfig = serde_json::from_value(config).unwrap();
        let variable = &|name: &str| (name == "THE_KEY").then(|| "sk-test".to_owned());
        let registry = Registry::new(&config, &Surroundings { variable, ..Surroundings::real() }).unwrap();
        let memoir = TestEngine::new();
        let engine = Engine::with_models(
            Arc::new(memoir.store.clone()),
            Arc::new(memoir.clock.clone()),
            memoir.engine.settings().clone(),
            Models { embedders: Embedders::none(), registry: Some(registry), reranker: None },
        );
        let settings =
            ServerSettings { request_timeout: Duration::from_secs(20), ..ServerSettings::default() };
        let server = HttpServer::start(engine, settings, true).await;
        talk(&server).await;
        World { models, _memoir: memoir, server }
    }

    async fn answer(&self, body: Value) -> Value {
        answer(&self.server, body).await
    }
}

/// Yesterday's talk.
async fn talk(server: &HttpServer) {
    let said = [
        "我想给猫换猫粮，鸡肉的它过敏，吃了就吐。",
        "可以试试三文鱼的猫粮，一点点加。",
        "好，那我周末去买三文鱼的，预算两百元。",
    ];
    let messages: Vec<Value> = said
        .iter()
        .enumerate()
        .map(|(n, content)| {
            json!({"space": "user:a", "id": format!("m{n}"), "session": "s", "content": content,
                   "said_at": format!("2026-01-06T20:0{n}:00+08:00")})
        })
        .collect();
    let (status, reply) = server.send(Method::POST, "/v1/messages", json!({ "messages": messages })).await;
    assert_eq!(status, 201, "{reply}");
}

fn question() -> Value {
    json!({"space": "user:a", "message": QUESTION})
}

fn streamed() -> Value {
    json!({"space": "user:a", "message": QUESTION, "stream": true})
}

async fn answer(server: &HttpServer, body: Value) -> Value {
    let (status, reply) = server.send(Method::POST, ANSWER, body).await;
    assert_eq!(status, 200, "{reply}");
    reply
}

async fn begin(server: &HttpServer, body: Value) -> Response {
    let response = server.request(Method::POST, ANSWER).json(&body).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    response
}

/// What every event of a stream says, in their order.
async fn events(server: &HttpServer, body: Value) -> Vec<Value> {
    let text = begin(server, body).await.text().await.unwrap();
    let said = text.lines().filter_map(|line| line.strip_prefix("data: "));
    said.map(|json| serde_json::from_str(json).unwrap()).collect()
}

/// The words of a stream, put together.
fn words(events: &[Value]) -> String {
    events.iter().filter_map(|event| event["data"].as_str()).collect()
}

#[tokio::test]
async fn without_a_model_the_summary_that_was_found_is_the_answer() {
    let server = TestServer::open().await;
    talk(&server).await;
    let reply = answer(&server, question()).await;
    assert_eq!(reply["by"], "rules");
    assert!(reply["answer"].as_str().unwrap().contains("猫粮"), "{reply}");
    assert_eq!(
        (&reply["history"]["from"], &reply["history"]["found"]),
        (&json!("2026-01-06"), &json!("made"))
    );
    assert!(!reply["context_id"].as_str().unwrap().is_empty());
    assert!(reply["sources"].as_array().unwrap().contains(&json!("day:2026-01-06")), "{reply}");
    let events = events(&server, streamed()).await;
    assert_eq!(json!(words(&events)), reply["answer"]);
    let last = events.last().unwrap();
    assert_eq!(
        (&last["done"], &last["by"], &last["sources"]),
        (&json!(true), &json!("rules"), &reply["sources"])
    );
}

#[tokio::test]
async fn without_a_model_and_without_anything_found_it_says_so_in_the_language_of_the_question() {
    let server = TestServer::open().await;
    talk(&server).await;
    for (message, language, says) in [
        ("what did we talk about last Friday?", None, "We did not talk on 2026-01-02 Fri."),
        ("what did we talk about last Friday?", Some("zh"), "那天我们没有聊过天"),
    ] {
        let reply =
            answer(&server, json!({"space": "user:a", "message": message, "language": language})).await;
        assert!(reply["answer"].as_str().unwrap().contains(says), "{reply}");
        assert_eq!(reply["history"]["found"], "nothing");
    }
}

#[tokio::test]
async fn without_a_model_a_particular_is_answered_with_the_words_that_were_said_wherever_they_stand() {
    let server = TestServer::open().await;
    talk(&server).await;
    let message = "昨天说的预算具体是多少钱？";
    // Found among what was said before, or in the window of the talk that goes on.
    for session in [None, Some("s")] {
        let body = json!({"space": "user:a", "message": message, "session": session});
        let reply = answer(&server, body).await;
        assert_eq!(reply["history"]["reason"], "asks_for_particulars");
        assert!(reply["answer"].as_str().unwrap().contains("预算两百元"), "{session:?}: {reply}");
    }
}

#[tokio::test]
async fn a_model_answers_from_the_context_in_one_call() {
    let world = World::new().await;
    world.models.next("m1", Act::parts(&["昨天我们聊了", "给猫换猫粮的事。"]));
    let reply = world.answer(question()).await;
    assert_eq!((&reply["answer"], &reply["by"]), (&json!("昨天我们聊了给猫换猫粮的事。"), &json!("m1")));
    let asked = world.models.requests_for("m1");
    assert_eq!(asked.len(), 1);
    let messages = asked[0].body["messages"].to_string();
    assert!(messages.contains("三文鱼") && messages.contains(QUESTION), "{messages}");
}

#[tokio::test]
async fn the_words_of_a_model_are_passed_on_as_they_come() {
    let world = World::new().await;
    world.models.next("m1", Act::parts(&["昨天我们聊了", "给猫换猫粮的事。", "\n\n预算是两百元。"]));
    let events = events(&world.server, streamed()).await;
    assert_eq!(words(&events), "昨天我们聊了给猫换猫粮的事。\n\n预算是两百元。");
    assert!(events.len() > 2, "in more than one piece: {events:?}");
    let (last, before) = events.split_last().unwrap();
    assert!(before.iter().all(|event| event.as_object().unwrap().keys().eq(["data"])), "{before:?}");
    assert_eq!((&last["done"], &last["by"]), (&json!(true), &json!("m1")));
    assert_eq!(last["history"]["words"], "昨天");
}

#[tokio::test]
async fn a_stream_that_breaks_off_ends_with_an_error_that_says_so_and_nothing_more() {
    let world = World::new().await;
    world.models.next("m1", Act::hangup_midway(&["昨天我们聊了", "给猫"]));
    let events = events(&world.server, streamed()).await;
    let (last, before) = events.split_last().unwrap();
    assert!(!before.is_empty() && "昨天我们聊了给猫".starts_with(&words(before)), "{events:?}");
    let error = &last["error"];
    assert_eq!(error["code"], "model_interrupted", "{last}");
    assert_eq!(error["message"], "the model broke off in the middle of its answer");
    assert!(events.iter().all(|event| event.get("done").is_none()));
}

#[tokio::test]
async fn an_answer_that_nobody_has_seen_yet_is_given_by_rules_when_the_model_breaks_off() {
    let world = World::new().await;
    world.models.next("m1", Act::hangup_midway(&["昨天我们聊了", "给猫"]));
    let reply = world.answer(question()).await;
    assert_eq!(reply["by"], "rules");
    assert!(reply["answer"].as_str().unwrap().contains("猫粮"), "{reply}");
}

#[tokio::test]
async fn a_model_that_refuses_to_begin_leaves_the_answer_to_the_rules_streamed_or_not() {
    let world = World::new().await;
    world.models.always("m1", Act::Status(400));
    let reply = world.answer(question()).await;
    let events = events(&world.server, streamed()).await;
    assert_eq!((&reply["by"], &events.last().unwrap()["by"]), (&json!("rules"), &json!("rules")));
    assert_eq!(json!(words(&events)), reply["answer"]);
}

#[tokio::test]
async fn who_hangs_up_stops_the_model() {
    let world = World::new().await;
    world.models.next("m1", Act::stall(&["昨天我们聊了"])).next("m1", Act::answer("猫粮。"));
    let mut response = begin(&world.server, streamed()).await;
    let first = response.chunk().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("昨天"), "{first:?}");
    drop(response);
    // One call at a time: the second begins when the first is over, and that one would never end by itself.
    let reply = world.answer(question()).await;
    assert_eq!((&reply["answer"], &reply["by"]), (&json!("猫粮。"), &json!("m1")));
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_before_anything_is_streamed() {
    let world = World::new().await;
    for (field, value, expected) in [
        ("stream", json!("yes"), "422 invalid stream"),
        ("message", json!(" "), "422 invalid message"),
        ("budget", json!(1), "422 invalid budget"),
        ("include", json!(["everything"]), "422 invalid include[0]"),
        ("space", json!("user:nobody"), "404 not_found space"),
        ("tone", json!("warm"), "422 invalid tone"),
    ] {
        let mut body = streamed();
        body[field] = value;
        let reply = world.server.send(Method::POST, ANSWER, body).await;
        assert_eq!(refusal(reply), expected, "{field}");
    }
    for body in [json!([]), json!("hello"), json!(null)] {
        assert_eq!(refusal(world.server.send(Method::POST, ANSWER, body).await), "422 invalid");
    }
    assert_eq!(world.models.calls("m1"), 0);
}
