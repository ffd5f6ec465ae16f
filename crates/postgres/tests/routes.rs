//! Every group of routes, answered from PostgreSQL.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_engine::Engine;
use memoir_model::Role;
use memoir_testkit::{FakeClock, HttpServer, TestDatabase, TestEngine};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

async fn server() -> (TestDatabase, Engine, HttpServer) {
    let database = TestDatabase::new().await;
    let engine = database.engine(&FakeClock::at(TestEngine::NOON)).await;
    let server = HttpServer::with_keys(engine.clone()).await;
    (database, engine, server)
}

async fn ok(server: &HttpServer, method: Method, path: &str, body: Value) -> Value {
    let (status, reply) = server.send(method.clone(), path, body).await;
    assert!(status.is_success(), "{method} {path}: {status} {reply}");
    reply
}

async fn got(server: &HttpServer, path: &str) -> Value {
    let (status, reply) = server.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {reply}");
    reply
}

fn contents(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().filter_map(|item| item["content"].as_str()).collect()
}

async fn talk(server: &HttpServer) {
    let messages: Vec<Value> = ["我的猫叫 Miso", "I run on Mondays", "周末去爬山"]
        .iter()
        .enumerate()
        .map(|(n, content)| json!({ "space": "user:alice", "id": format!("m{n}"), "session": "s1", "content": content }))
        .collect();
    let reply = ok(server, Method::POST, "/v1/messages", json!({ "messages": messages })).await;
    let statuses: Vec<&str> =
        reply["results"].as_array().unwrap().iter().map(|r| r["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["created"; 3]);
}

#[tokio::test]
async fn remember() {
    let (_database, _engine, server) = server().await;
    talk(&server).await;
    let again = json!({ "space": "user:alice", "id": "m1", "content": "I run on Mondays", "session": "s1" });
    assert_eq!(ok(&server, Method::POST, "/v1/messages", again).await["results"][0]["status"], "exists");
    let other = json!({ "space": "user:alice", "id": "m1", "content": "I never run" });
    assert_eq!(server.send(Method::POST, "/v1/messages", other).await.0, StatusCode::CONFLICT);
}

#[tokio::test]
async fn recall() {
    let (_database, _engine, server) = server().await;
    talk(&server).await;
    for (message, words) in
        [("我的猫叫什么名字？", "我的猫叫 Miso"), ("on which days do I run", "I run on Mondays")]
    {
        let body = json!({ "space": "user:alice", "message": message, "explain": true });
        let found = ok(&server, Method::POST, "/v1/recall", body).await;
        assert_eq!(found["items"][0]["message"]["content"], words, "{found}");
        assert_eq!(found["explanation"][0]["message"], found["items"][0]["message"]["id"]);
        let body = json!({ "space": "user:alice", "message": message });
        let context = async || ok(&server, Method::POST, "/v1/context", body.clone()).await;
        let (first, second) = (context().await, context().await);
        assert!(first["text"].as_str().unwrap().contains(words), "{first}");
        assert_eq!((&first["cached"], &second["cached"]), (&json!(false), &json!(true)));
    }
    let known = json!({ "space": "user:alice", "message": "run", "known_at": "2020-01-01T00:00:00Z" });
    assert_eq!(ok(&server, Method::POST, "/v1/recall", known).await["items"], json!([]));
}

#[tokio::test]
async fn spaces() {
    let (_database, _engine, server) = server().await;
    talk(&server).await;
    let changed = json!({ "zone": "Europe/Paris", "metadata": { "plan": "pro" } });
    assert_eq!(ok(&server, Method::PUT, "/v1/spaces/user:alice", changed).await["zone"], "Europe/Paris");
    assert_eq!(got(&server, "/v1/spaces/user:alice").await["metadata"], json!({ "plan": "pro" }));
    assert_eq!(got(&server, "/v1/spaces").await["items"].as_array().unwrap().len(), 1);
    let export = got(&server, "/v1/spaces/user:alice/export").await;
    assert_eq!(
        export.as_str().unwrap().lines().filter(|line| line.contains("\"type\":\"message\"")).count(),
        3
    );
    ok(&server, Method::DELETE, "/v1/spaces/user:alice", Value::Null).await;
    assert_eq!(server.get("/v1/spaces/user:alice").await.0, StatusCode::NOT_FOUND);
    talk(&server).await;
    assert_eq!(contents(&got(&server, "/v1/spaces/user:alice/messages").await).len(), 3);
}

#[tokio::test]
async fn messages() {
    let (_database, _engine, server) = server().await;
    talk(&server).await;
    let place = "/v1/spaces/user:alice/messages";
    let first = got(&server, &format!("{place}?limit=2")).await;
    assert_eq!(contents(&first), ["我的猫叫 Miso", "I run on Mondays"]);
    let rest = got(&server, &format!("{place}?limit=2&cursor={}", first["next"].as_str().unwrap())).await;
    assert_eq!((contents(&rest), &rest["next"]), (vec!["周末去爬山"], &Value::Null));
    let hits = async |query: &str| {
        let page = got(&server, &format!("{place}/search?q={query}")).await;
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["message"]["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let nothing: Vec<String> = vec![];
    assert_eq!(
        (hits("猫").await, hits("running").await, hits("tea").await),
        (vec!["m0".to_owned()], vec!["m1".into()], nothing)
    );
    ok(&server, Method::PATCH, &format!("{place}/m1"), json!({ "content": "I swim on Mondays" })).await;
    assert_eq!(hits("swimming").await, ["m1"]);
    assert_eq!(hits("running").await, [""; 0]);
    ok(&server, Method::DELETE, &format!("{place}/m1"), Value::Null).await;
    assert_eq!(hits("swimming").await, [""; 0]);
    assert!(!got(&server, &format!("{place}/m1")).await.to_string().contains("swim"));
}

#[tokio::test]
async fn sessions() {
    let (_database, _engine, server) = server().await;
    talk(&server).await;
    let place = "/v1/spaces/user:alice/sessions";
    ok(&server, Method::POST, place, json!({ "id": "s2", "task": "stretch" })).await;
    let listed = got(&server, place).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    let window = got(&server, &format!("{place}/s1/window")).await.to_string();
    assert!(window.contains("我的猫叫 Miso") && window.contains("周末去爬山"), "{window}");
    let ended = ok(&server, Method::POST, &format!("{place}/s1/end"), json!({})).await;
    assert!(ended["ended_at"].is_string(), "{ended}");
    assert_eq!(got(&server, &format!("{place}/s1")).await["ended_at"], ended["ended_at"]);
}

#[tokio::test]
async fn layers() {
    let (_database, _engine, server) = server().await;
    let messages: Vec<Value> = ["我想给猫换猫粮，鸡肉的它过敏", "可以试试鸭肉或者三文鱼的猫粮，换粮要花一周", "好，那我周末去买三文鱼的，预算两百元"]
        .iter()
        .enumerate()
        .map(|(n, content)| {
            json!({ "space": "user:alice", "id": format!("y{n}"), "session": "cat", "content": content,
                "author": if n == 1 { "helper" } else { "alice" }, "role": if n == 1 { "assistant" } else { "user" },
                "said_at": format!("2026-01-06T20:0{n}:00+08:00") })
        })
        .collect();
    ok(&server, Method::POST, "/v1/messages", json!({ "messages": messages })).await;
    let place = "/v1/spaces/user:alice";
    let made = ok(&server, Method::POST, &format!("{place}/sessions/cat/summarize"), json!({})).await;
    assert_eq!((&made["made"], &made["summary"]["messages"]), (&json!(true), &json!(3)), "{made}");
    let again = ok(&server, Method::POST, &format!("{place}/sessions/cat/summarize"), json!({})).await;
    assert_eq!((&again["made"], &again["summary"]), (&json!(false), &made["summary"]));
    assert_eq!(got(&server, &format!("{place}/messages?session=cat")).await["summary"], made["summary"]);
    let day = got(&server, &format!("{place}/days/2026-01-06")).await;
    assert_eq!(
        (&day["spoken"], &day["ready"], &day["goes_on"]),
        (&json!(true), &json!(false), &json!(false))
    );
    let source = day["summary"]["lines"][0]["sources"][0].as_str().unwrap();
    assert!(["y0", "y1", "y2"].contains(&source), "{day}");
    let would =
        ok(&server, Method::POST, "/v1/upkeep/backfill?space=user:alice&dry_run=true", json!({})).await;
    assert!(would["would"]["made"].as_u64().unwrap() >= 1, "{would}");
    let asked = json!({ "space": "user:alice", "message": "昨天我们聊了什么？" });
    let context = ok(&server, Method::POST, "/v1/context", asked.clone()).await;
    assert_eq!(context["history"]["from"], "2026-01-06", "{context}");
    let answer = ok(&server, Method::POST, "/v1/answer", asked).await;
    assert!(answer["by"] == "rules" && answer["answer"].as_str().unwrap().contains("猫"), "{answer}");
    got(&server, &format!("{place}/portrait")).await;
}

#[tokio::test]
async fn upkeep() {
    let (_database, engine, server) = server().await;
    talk(&server).await;
    let jobs = got(&server, "/v1/jobs").await;
    let job = &jobs["items"][0];
    assert_eq!(job["kind"], "close_idle", "{jobs}");
    let path = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    assert_eq!(got(&server, &path).await["id"], job["id"]);
    let retry = server.send(Method::POST, &format!("{path}/retry"), Value::Null).await;
    assert_eq!(retry.0, StatusCode::CONFLICT, "{}", retry.1);
    let workers = engine.start_workers();
    workers.drain(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn administration() {
    let (_database, _engine, server) = server().await;
    talk(&server).await;
    ok(&server, Method::POST, "/v1/tenants", json!({ "id": "acme", "label": "Acme" })).await;
    let tenants = got(&server, "/v1/tenants").await.to_string();
    assert!(tenants.contains("acme") && tenants.contains("default"), "{tenants}");
    let reader = server.key("acme", Role::Read, None).await;
    assert_eq!(server.get_as(&reader, "/v1/spaces").await.1["items"], json!([]));
    let keys = got(&server, "/v1/keys?tenant=acme").await;
    let id = keys["items"][0]["id"].as_str().unwrap();
    ok(&server, Method::DELETE, &format!("/v1/keys/{id}"), Value::Null).await;
    assert_eq!(server.get_as(&reader, "/v1/spaces").await.0, StatusCode::UNAUTHORIZED);
    assert!(got(&server, "/v1/audit").await.to_string().contains("key"));
    let stats = got(&server, "/v1/stats").await;
    assert_eq!((&stats["spaces"], &stats["messages"], &stats["sessions"]), (&json!(1), &json!(3), &json!(1)));
}

#[tokio::test]
async fn health() {
    let (_database, _engine, server) = server().await;
    assert_eq!(got(&server, "/healthz").await, "ok\n");
    assert_eq!(got(&server, "/readyz").await, "ready\n");
    assert!(got(&server, "/metrics").await.as_str().unwrap().contains("memoir_"));
}
