//! `POST /v1/recall`.

use memoir_model::Role;
use memoir_server::ServerSettings;
use memoir_testkit::{HttpServer, TestEngine, TestServer, WordEmbedder, until};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{Reply, refusal, say, say_all};

/// A talk of two people over several days, each day a session of its own.
const TALK: &[(&str, &str, &str, &str)] = &[
    ("m1", "2025-12-01", "ann", "My cat Miso is allergic to chicken."),
    ("m2", "2025-12-01", "bob", "Poor thing, so it gets fish?"),
    ("m3", "2025-12-01", "ann", "Salmon, twice a day."),
    ("m4", "2025-12-10", "bob", "We moved to Berlin, the flat is on the third floor."),
    ("m5", "2025-12-10", "ann", "How is the neighbourhood?"),
    ("m6", "2025-12-10", "bob", "Quiet, apart from the trams."),
    ("m7", "2026-01-02", "ann", "膝盖又疼了，医生让我停跑两周。"),
    ("m8", "2026-01-02", "bob", "那马拉松还报名吗？"),
    ("m9", "2026-01-02", "ann", "不报了，改游泳。"),
];

fn talk(space: &str) -> Vec<Value> {
    let message = |(id, day, author, content): &(&str, &str, &str, &str)| {
        json!({"space": space, "id": id, "session": day, "author": author, "content": content,
               "said_at": format!("{day}T20:00:0{}+08:00", &id[1..])})
    };
    TALK.iter().map(message).collect()
}

/// A server with the talk in `user:a`.
async fn with_talk() -> TestServer {
    let server = TestServer::open().await;
    say_all(&server, talk("user:a")).await;
    server
}

async fn ask(server: &HttpServer, body: Value) -> Reply {
    server.send(Method::POST, "/v1/recall", body).await
}

/// A recall in `user:a` that must be answered, with these fields besides.
async fn recall(server: &HttpServer, message: &str, fields: Value) -> Value {
    let mut body = json!({"space": "user:a", "message": message});
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    let (status, reply) = ask(server, body).await;
    assert_eq!(status, 200, "{reply}");
    reply
}

fn ids(reply: &Value) -> Vec<&str> {
    reply["items"].as_array().unwrap().iter().map(|item| item["message"]["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_matters_comes_first_in_english_and_in_chinese() {
    let server = with_talk().await;
    for (message, best) in [
        ("What is the cat Miso allergic to?", "m1"),
        ("on which floor is the flat in Berlin", "m4"),
        ("我的膝盖疼，医生怎么说的？", "m7"),
    ] {
        let reply = recall(&server, message, json!({})).await;
        assert_eq!(ids(&reply)[0], best, "{message}: {reply}");
        assert_eq!(reply["nothing_relevant"], false, "{message}");
        let scores: Vec<f64> =
            reply["items"].as_array().unwrap().iter().map(|item| item["score"].as_f64().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        let confident = |item: &Value| (0.0..=1.0).contains(&item["confidence"].as_f64().unwrap());
        assert!(reply["items"].as_array().unwrap().iter().all(confident), "{reply}");
        assert!(reply["occasion"].is_string() && reply.get("explanation").is_none(), "{reply}");
        assert_eq!(reply["unavailable"], "no_embedder");
        let timings = reply["timings_ms"].as_object().unwrap();
        assert!(timings.len() > 3 && timings.values().all(|spent| spent.as_f64().unwrap() >= 0.0));
    }
    let message = &recall(&server, "Miso", json!({})).await["items"][0]["message"];
    assert_eq!((&message["author"], &message["local_date"]), (&json!("ann"), &json!("2025-12-01")));
}

#[tokio::test]
async fn as_many_are_given_as_are_asked_for_and_ten_if_nobody_says() {
    let server = TestServer::open().await;
    say_all(&server, (0..30).map(|n| json!({"space": "user:a", "content": format!("tea number {n}")}))).await;
    for (limit, given) in [(json!({}), 10), (json!({"limit": 3}), 3), (json!({"limit": 200}), 30)] {
        assert_eq!(ids(&recall(&server, "tea", limit).await).len(), given);
    }
}

#[tokio::test]
async fn query_is_another_name_for_the_message() {
    let server = with_talk().await;
    let (status, reply) = ask(&server, json!({"space": "user:a", "query": "the cat Miso"})).await;
    assert_eq!((status.as_u16(), ids(&reply)[0]), (200, "m1"));
    let both = json!({"space": "user:a", "query": "the cat", "message": "the cat"});
    assert_eq!(refusal(ask(&server, both).await), "422 invalid message");
}

#[tokio::test]
async fn what_was_said_or_known_later_is_not_there() {
    let server = TestServer::open().await;
    let message = |id: &str, day: u32| {
        json!({"space": "user:a", "id": id, "content": format!("tea on day {day}"),
               "said_at": format!("2026-01-0{day}T09:00:00+08:00")})
    };
    say(&server, message("first", 1)).await;
    server.memoir.clock.set("2026-01-08T12:00:00+08:00");
    // It reaches the server last and was said in between.
    say(&server, message("third", 3)).await;
    say(&server, message("second", 2)).await;
    let found = async |fields: Value| {
        let reply = recall(&server, "tea", fields).await;
        let mut ids: Vec<String> = ids(&reply).into_iter().map(str::to_owned).collect();
        ids.sort();
        ids
    };
    assert_eq!(found(json!({})).await, ["first", "second", "third"]);
    assert_eq!(found(json!({"as_of": "2026-01-03T00:00:00+08:00"})).await, ["first", "second"]);
    assert_eq!(found(json!({"known_at": "2026-01-08T00:00:00+08:00"})).await, ["first"]);
    assert_eq!(
        found(json!({"as_of": "2026-01-01T00:00:00Z", "known_at": "2026-01-09T00:00:00Z"})).await,
        [""; 0]
    );
    let nothing = recall(&server, "tea", json!({"as_of": "2025-01-01T00:00:00Z"})).await;
    assert_eq!((&nothing["items"], &nothing["nothing_relevant"]), (&json!([]), &json!(true)));
}

#[tokio::test]
async fn by_keyword_only_what_shares_words_is_found() {
    let server = with_talk().await;
    let reply = recall(&server, "Miso salmon", json!({"mode": "keyword", "explain": true})).await;
    assert_eq!(ids(&reply).iter().copied().collect::<std::collections::BTreeSet<_>>(), ["m1", "m3"].into());
    assert_eq!((&reply["occasion"], reply.get("unavailable")), (&Value::Null, None));
    let ranks = &reply["explanation"][0]["ranks"];
    assert_eq!((ranks.as_array().unwrap().len(), &ranks[0]["query"]), (1, &json!("message")));
    let nothing = recall(&server, "helicopter", json!({"mode": "keyword"})).await;
    assert_eq!((&nothing["items"], &nothing["nothing_relevant"]), (&json!([]), &json!(true)));
}

#[tokio::test]
async fn an_explanation_has_ranks_signals_and_a_reason_for_each_message() {
    let server = with_talk().await;
    let reply =
        recall(&server, "What is the cat Miso allergic to?", json!({"explain": true, "limit": 3})).await;
    let explained = reply["explanation"].as_array().unwrap();
    let of: Vec<&str> = explained.iter().map(|line| line["message"].as_str().unwrap()).collect();
    assert_eq!(of, ids(&reply));
    let best = &explained[0];
    assert_eq!(best["score"], reply["items"][0]["score"]);
    assert_eq!(best["confidence"], reply["items"][0]["confidence"]);
    let asked = &best["ranks"][0];
    assert_eq!((&asked["query"], &asked["by_words"]), (&json!("message"), &json!(1)), "{best}");
    assert_eq!(
        (&asked["text"], &asked["by_meaning"]),
        (&json!("What is the cat Miso allergic to?"), &Value::Null)
    );
    let signals = best["signals"].as_array().unwrap();
    let weights: Vec<f64> = signals
        .iter()
        .map(|signal| (signal["value"].as_f64().unwrap() * signal["weight"].as_f64().unwrap()).abs())
        .collect();
    assert!(!weights.is_empty() && weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    assert!(signals.iter().all(|signal| !signal["name"].as_str().unwrap().is_empty()));
    assert!(best["reason"].as_str().unwrap().contains(' '), "{best}");
}

#[tokio::test]
async fn the_turns_before_may_be_words_or_objects_and_are_asked_with() {
    let server = with_talk().await;
    let turns = json!(["We talked about the cat Miso", {"role": "assistant", "author": "bot", "content": "Yes, allergic"}]);
    let reply = recall(&server, "to what?", json!({"turns": turns, "explain": true, "speaker": "ann"})).await;
    let talk =
        reply["explanation"][0]["ranks"].as_array().unwrap().iter().find(|rank| rank["query"] == "talk");
    assert_eq!(talk.unwrap()["text"], "We talked about the cat Miso\nYes, allergic\nto what?");
}

#[tokio::test]
async fn with_an_embedder_meaning_is_compared() {
    let memoir = TestEngine::restless();
    let engine = memoir.with_embedders(WordEmbedder::new("words", 4096), vec![]);
    let _workers = engine.start_workers();
    let server = HttpServer::start(engine, ServerSettings::default(), true).await;
    let (status, _) = server.send(Method::POST, "/v1/messages", json!({"messages": talk("user:a")})).await;
    assert_eq!(status, 201);
    let reply = until("all have their vectors", async || {
        let reply = recall(&server, "the cat Miso", json!({"explain": true})).await;
        reply.get("unavailable").is_none().then_some(reply)
    })
    .await;
    assert_eq!(ids(&reply)[0], "m1");
    assert_eq!(reply["explanation"][0]["ranks"][0]["by_meaning"], 1, "{reply}");
}

#[tokio::test]
async fn a_key_that_may_read_is_enough_and_a_bound_one_reads_its_own_space() {
    let server = TestServer::with_keys().await;
    for space in ["user:own", "user:other"] {
        say(&server, json!({"space": space, "id": "m", "content": "green tea"})).await;
    }
    let read = server.key("default", Role::Read, None).await;
    let own = server.key("default", Role::Own, Some("user:own")).await;
    let abroad = server.key("elsewhere", Role::Admin, None).await;
    for path in ["/v1/recall", "/v1/context"] {
        let ask = async |key: &str, space: &str| {
            server.send_as(key, Method::POST, path, json!({"space": space, "message": "green tea"})).await
        };
        for (key, space) in [(&read, "user:own"), (&read, "user:other"), (&own, "user:own")] {
            let (status, reply) = ask(key, space).await;
            assert!(status == 200 && reply.to_string().contains("green tea"), "{path} {space}: {reply}");
        }
        for space in ["user:other", "user:nobody"] {
            let (status, reply) = ask(&own, space).await;
            assert!(refusal((status, reply.clone())).starts_with("403 forbidden"), "{path} {space}: {reply}");
        }
        for (key, space) in [(&read, "user:nobody"), (&abroad, "user:own")] {
            assert!(refusal(ask(key, space).await).starts_with("404 not_found"), "{path} {space}");
        }
        let nobody = reqwest::Client::new().post(server.url(path)).json(&json!({"space": "user:own"})).send();
        assert_eq!(nobody.await.unwrap().status(), 401, "{path}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_its_field() {
    let server = with_talk().await;
    let long = "x".repeat(65_537);
    for (field, value, expected) in [
        ("space", json!("alice"), "422 invalid space"),
        ("space", json!(7), "422 invalid space"),
        ("message", json!(""), "422 invalid message"),
        ("message", json!(" \n"), "422 invalid message"),
        ("message", json!(["tea"]), "422 invalid message"),
        ("message", json!(long), "422 invalid message"),
        ("turns", json!("tea"), "422 invalid turns"),
        ("turns", json!([7]), "422 invalid turns[0]"),
        ("turns", json!(["tea", {"role": "user"}]), "422 invalid turns[1].content"),
        ("turns", json!([{"content": "tea", "mood": "good"}]), "422 invalid turns[0].mood"),
        ("turns", json!([{"content": "tea", "role": "narrator"}]), "422 invalid turns[0].role"),
        ("turns", json!([{"content": "tea", "author": ""}]), "422 invalid turns[0].author"),
        ("turns", json!(vec!["tea"; 65]), "422 invalid turns"),
        ("turns", json!([long]), "422 invalid turns"),
        ("speaker", json!(""), "422 invalid speaker"),
        ("now", json!("yesterday"), "422 invalid now"),
        ("as_of", json!("2026-01-07"), "422 invalid as_of"),
        ("known_at", json!(1_767_758_400), "422 invalid known_at"),
        ("mode", json!("fuzzy"), "422 invalid mode"),
        ("model", json!("yes"), "422 invalid model"),
        ("explain", json!(1), "422 invalid explain"),
        ("limit", json!(0), "422 invalid limit"),
        ("limit", json!(201), "422 invalid limit"),
        ("limit", json!(-1), "422 invalid limit"),
        ("budget", json!(100), "422 invalid budget"),
    ] {
        let mut body = json!({"space": "user:a", "message": "tea"});
        body[field] = value;
        assert_eq!(refusal(ask(&server, body.clone()).await), expected, "{body}");
    }
    for (body, expected) in [
        (json!({"message": "tea"}), "422 invalid space"),
        (json!({"space": "user:a"}), "422 invalid message"),
        (json!({"space": "user:nobody", "message": "tea"}), "404 not_found"),
        (json!([]), "422 invalid"),
    ] {
        assert_eq!(refusal(ask(&server, body.clone()).await), expected, "{body}");
    }
}
