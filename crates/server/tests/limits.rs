//! What the server does when there is too much of something.

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use memoir_engine::EngineSettings;
use memoir_model::Role;
use memoir_server::ServerSettings;
use memoir_testkit::{TestEngine, TestServer, caller};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::time::Duration;

use crate::blockade::Blockade;
use crate::raw::Raw;
use crate::{assert_sound, got, refusal};

async fn limited(settings: ServerSettings) -> TestServer {
    TestServer::start(TestEngine::new(), settings, false).await
}

async fn json_of(response: Response) -> crate::Reply {
    let status = response.status();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

fn retry_after(response: &Response) -> u32 {
    response.headers()["retry-after"].to_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_key_that_calls_too_often_is_told_when_to_come_back() {
    let server =
        limited(ServerSettings { rate_per_second: 1, rate_burst: 3, ..ServerSettings::default() }).await;
    let eager = server.key("default", Role::Read, None).await;
    let patient = server.key("default", Role::Read, None).await;
    let client = reqwest::Client::new();
    let call = async |key: &str| client.get(server.url("/v1/spaces")).bearer_auth(key).send().await.unwrap();
    for _ in 0..3 {
        assert_eq!(call(&eager).await.status(), 200);
    }
    // A slow machine may earn another call in between; it cannot earn a thousand.
    let mut refused = None;
    for _ in 0..1_000 {
        let response = call(&eager).await;
        if response.status() != 200 {
            refused = Some(response);
            break;
        }
    }
    let refused = refused.unwrap();
    assert_eq!(retry_after(&refused), 1);
    assert_eq!(refusal(json_of(refused).await), "429 rate_limited");
    assert_eq!(call(&patient).await.status(), 200, "another key is not affected");
    assert_eq!(client.get(server.url("/healthz")).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_rate_of_zero_is_no_limit() {
    let server =
        limited(ServerSettings { rate_per_second: 0, rate_burst: 0, ..ServerSettings::default() }).await;
    let key = server.key("default", Role::Read, None).await;
    for _ in 0..50 {
        assert_eq!(server.get_as(&key, "/v1/spaces").await.0, 200);
    }
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_given_up() {
    let settings = ServerSettings { request_timeout: Duration::from_millis(20), ..ServerSettings::default() };
    let server = TestServer::start(TestEngine::new(), settings, true).await;
    let mut raw = Raw::to(&server).await;
    raw.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n").await;
    let reply = raw.reply().await;
    assert_eq!(refusal(reply.json()), "504 timeout");
    assert!(reply.header("x-request-id").is_some());
}

#[tokio::test]
async fn what_was_given_up_is_still_stored_whole_or_not_at_all() {
    let settings =
        ServerSettings { request_timeout: Duration::from_millis(100), ..ServerSettings::default() };
    let server = TestServer::start(TestEngine::new(), settings, true).await;
    let blockade = Blockade::hold(&server);
    let message = json!({"space": "user:a", "id": "m", "content": "hello"});
    let reply = server.send(Method::POST, "/v1/messages", message.clone()).await;
    assert_eq!(refusal(reply), "504 timeout");
    blockade.lift();
    // The same request again is safe, whether or not the first one came through.
    loop {
        let (status, reply) = server.send(Method::POST, "/v1/messages", message.clone()).await;
        match status.as_u16() {
            504 => {}
            200 => break assert_eq!(reply["results"][0]["status"], "exists"),
            status => break assert_eq!(status, 201, "{reply}"),
        }
    }
    let space = server.memoir.engine.space(&caller(), &"user:a".parse().unwrap()).await.unwrap();
    assert_eq!(space.last_seq, 1);
    assert_sound(&server).await;
}

/// Ten clients, each with a message for a space of its own, while another process holds the store. The first answer
/// that any of them gets is that there is no more room.
struct Crowd<'s> {
    waiting: FuturesUnordered<BoxFuture<'s, Response>>,
    blockade: Blockade,
}

impl<'s> Crowd<'s> {
    async fn gather(server: &'s TestServer) -> Self {
        let blockade = Blockade::hold(server);
        let send = |n: u32| {
            let request = server.request(Method::POST, "/v1/messages").json(&message(n));
            async move { request.send().await.unwrap() }.boxed()
        };
        let mut waiting: FuturesUnordered<_> = (0..10).map(send).collect();
        assert_sent_away(waiting.next().await.unwrap()).await;
        Crowd { waiting, blockade }
    }

    /// Lets them in and counts those that were stored.
    async fn let_in(mut self) -> usize {
        self.blockade.lift();
        let mut stored = 0;
        while let Some(response) = self.waiting.next().await {
            match response.status().as_u16() {
                201 => stored += 1,
                _ => assert_sent_away(response).await,
            }
        }
        stored
    }
}

fn message(n: u32) -> Value {
    json!({"space": format!("user:{n}"), "id": "m", "content": "hello"})
}

async fn assert_sent_away(response: Response) {
    assert_eq!(retry_after(&response), 1);
    assert_eq!(refusal(json_of(response).await), "503 busy");
}

async fn assert_stored(server: &TestServer, stored: usize) {
    assert!((1..10).contains(&stored), "{stored}");
    assert_eq!(got(server, "/v1/stats").await["messages"], stored);
    assert_sound(server).await;
    // Whoever was sent away is welcome now.
    for n in 0..10 {
        assert!(server.send(Method::POST, "/v1/messages", message(n)).await.0.is_success());
    }
    assert_eq!(got(server, "/v1/stats").await["messages"], 10);
}

/// A server whose store takes no second commit before the first is durable. A crowd leaves no room in it.
async fn narrow() -> TestServer {
    let memoir = TestEngine::with(EngineSettings::default(), |options| options.queue_bytes = 1);
    TestServer::start(memoir, ServerSettings::default(), true).await
}

#[tokio::test]
async fn when_too_many_commits_wait_the_rest_is_sent_away() {
    let memoir = TestEngine::with(EngineSettings::default(), |options| options.queue_commits = 1);
    let server = TestServer::start(memoir, ServerSettings::default(), true).await;
    let stored = Crowd::gather(&server).await.let_in().await;
    assert_stored(&server, stored).await;
}

#[tokio::test]
async fn when_too_many_bytes_wait_for_the_store_the_rest_is_sent_away() {
    let server = narrow().await;
    let stored = Crowd::gather(&server).await.let_in().await;
    assert_stored(&server, stored).await;
}

#[tokio::test]
async fn when_too_many_bytes_are_on_their_way_the_rest_is_sent_away() {
    let memoir = TestEngine::with(EngineSettings { write_bytes: 1, ..EngineSettings::default() }, |_| {});
    let server = TestServer::start(memoir, ServerSettings::default(), true).await;
    let stored = Crowd::gather(&server).await.let_in().await;
    assert_stored(&server, stored).await;
}

#[tokio::test]
async fn a_batch_of_which_nothing_could_be_stored_is_sent_away_whole() {
    let server = narrow().await;
    let crowd = Crowd::gather(&server).await;
    let batch = json!({"messages": [message(20), message(21)]});
    let response = server.request(Method::POST, "/v1/messages").json(&batch).send().await.unwrap();
    assert_sent_away(response).await;
    // What would be refused at any time is no matter of room, so the batch is answered one by one.
    let batch = json!({"messages": [message(20), {"space": "user:x", "content": ""}]});
    let (status, body) = server.send(Method::POST, "/v1/messages", batch).await;
    assert_eq!(status, 200, "{body}");
    let failed = &body["results"][0];
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("busy")));
    assert_eq!((&failed["space"], &failed["id"]), (&json!("user:20"), &json!("m")));
    assert_eq!(body["results"][1]["status"], "invalid");
    crowd.let_in().await;
    assert_sound(&server).await;
}

#[tokio::test]
async fn other_writes_are_sent_away_too_and_reads_are_not() {
    let server = narrow().await;
    assert_eq!(server.send(Method::POST, "/v1/messages", message(30)).await.0, 201);
    let crowd = Crowd::gather(&server).await;
    for (method, path, body) in [
        (Method::PUT, "/v1/spaces/user:new", json!({})),
        (Method::POST, "/v1/spaces/user:30/sessions", json!({})),
        (Method::PATCH, "/v1/spaces/user:30/messages/m", json!({"content": "bye"})),
        (Method::DELETE, "/v1/spaces/user:30", json!({})),
        (Method::POST, "/v1/tenants", json!({"id": "acme"})),
    ] {
        assert_sent_away(server.request(method, path).json(&body).send().await.unwrap()).await;
    }
    for path in ["/v1/spaces/user:30/messages", "/v1/spaces/user:30/messages/search?q=hello", "/v1/stats"] {
        got(&server, path).await;
    }
    assert_eq!(server.get("/readyz").await.0, 200);
    crowd.let_in().await;
    assert_sound(&server).await;
}

fn large(bytes: usize) -> Vec<u8> {
    let mut body = br#"{"space":"user:a","content":""#.to_vec();
    body.resize(bytes - 2, b'x');
    body.extend_from_slice(b"\"}");
    body
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_however_it_is_sent() {
    let server = TestServer::open().await;
    let body = large(10 << 20);
    for _ in 0..5 {
        let response = server
            .request(Method::POST, "/v1/messages")
            .header("content-type", "application/json")
            .body(body.clone());
        assert_eq!(refusal(json_of(response.send().await.unwrap()).await), "413 body_too_large");
        assert_eq!(
            refusal(Raw::to(&server).await.post("/v1/messages", &body).await.json()),
            "413 body_too_large"
        );
    }
    // In pieces, without saying how much there will be.
    let mut raw = Raw::to(&server).await;
    raw.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    for piece in body.chunks(1 << 20) {
        raw.send(format!("{:x}\r\n", piece.len())).await;
        raw.send(piece).await;
        raw.send("\r\n").await;
    }
    raw.send("0\r\n\r\n").await;
    assert_eq!(refusal(raw.reply().await.json()), "413 body_too_large");
    assert_eq!(got(&server, "/v1/spaces").await["items"], json!([]));
    assert_sound(&server).await;
}

#[tokio::test]
async fn who_asks_first_is_spared_sending_a_body_that_is_too_large() {
    let server = TestServer::open().await;
    let mut raw = Raw::to(&server).await;
    raw.send(
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: 10000000\r\n\r\n",
    )
    .await;
    assert_eq!(refusal(raw.reply().await.json()), "413 body_too_large");
}

#[tokio::test]
async fn a_body_of_just_the_limit_is_read() {
    let settings = ServerSettings { max_body_bytes: 1000, ..ServerSettings::default() };
    let server = TestServer::start(TestEngine::new(), settings, true).await;
    assert_eq!(Raw::to(&server).await.post("/v1/messages", &large(1000)).await.status, 201);
    assert_eq!(Raw::to(&server).await.post("/v1/messages", &large(1001)).await.status, 413);
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_and_the_body_is_not() {
    let server = TestServer::open().await;
    let large = json!({"space": "user:a", "content": "x".repeat(65 * 1024)});
    assert_eq!(
        refusal(server.send(Method::POST, "/v1/messages", large.clone()).await),
        "413 message_too_large content"
    );
    let (status, body) = server
        .send(
            Method::POST,
            "/v1/messages",
            json!({"messages": [large, {"space": "user:a", "content": "small"}]}),
        )
        .await;
    assert_eq!(status, 200);
    assert_eq!(
        (&body["results"][0]["status"], &body["results"][1]["status"]),
        (&json!("invalid"), &json!("created"))
    );
    assert_eq!(body["results"][0]["error"]["code"], "message_too_large");
}

#[tokio::test]
async fn nobody_without_a_key_makes_the_server_read_a_body() {
    let server = TestServer::with_keys().await;
    let mut raw = Raw::to(&server).await;
    raw.send(
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n",
    )
    .await;
    assert_eq!(refusal(raw.reply().await.json()), "401 unauthenticated");
}
