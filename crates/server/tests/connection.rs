//! What happens on the wire around a request.

use memoir_server::{App, Server, ServerSettings};
use memoir_testkit::{TestEngine, TestServer};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::raw::Raw;

/// A server that is told when to stop.
struct Running {
    memoir: TestEngine,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

impl Running {
    async fn start(grace: Duration, adjust: impl FnOnce(Server) -> Server) -> Self {
        let memoir = TestEngine::new();
        let app = App::new(memoir.engine.clone(), ServerSettings::default(), true);
        let server = adjust(Server::bind(app, SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap());
        let address = server.address().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(server.run(async move { drop(stopped.await) }, grace));
        Running { memoir, address, stop, ended }
    }
}

const LONG: Duration = Duration::from_secs(600);
const BODY: &str = r#"{"space":"user:a","content":"hello"}"#;

/// The head of a request whose handler says that it is waiting for the body.
fn waiting_head(body: &str) -> String {
    format!(
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
}

#[tokio::test]
async fn a_request_under_way_is_finished_before_the_server_stops() {
    let running = Running::start(LONG, |server| server).await;
    let mut raw = Raw::at(running.address).await;
    raw.send(waiting_head(BODY)).await;
    assert_eq!(raw.reply().await.status, 100);
    let (half, rest) = BODY.split_at(10);
    raw.send(half).await;
    running.stop.send(()).unwrap();
    // Who comes now is too late; who is being served is not.
    while TcpStream::connect(running.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!running.ended.is_finished());
    raw.send(rest).await;
    let reply = raw.reply().await;
    assert_eq!((reply.status, reply.header("connection")), (201, Some("close")));
    raw.hung_up().await;
    running.ended.await.unwrap();
    let space =
        running.memoir.engine.space(&memoir_testkit::caller(), &"user:a".parse().unwrap()).await.unwrap();
    assert_eq!(space.last_seq, 1);
}

#[tokio::test]
async fn a_connection_on_which_nothing_happens_does_not_hold_the_stop_up() {
    let running = Running::start(LONG, |server| server).await;
    let mut idle = Raw::at(running.address).await;
    idle.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!(idle.reply().await.status, 200);
    let mut silent = Raw::at(running.address).await;
    running.stop.send(()).unwrap();
    idle.hung_up().await;
    silent.hung_up().await;
    running.ended.await.unwrap();
}

#[tokio::test]
async fn a_request_that_never_ends_is_cut_at_the_end_of_the_grace_period() {
    let running = Running::start(Duration::from_millis(20), |server| server).await;
    let mut raw = Raw::at(running.address).await;
    raw.send(waiting_head(BODY)).await;
    assert_eq!(raw.reply().await.status, 100);
    running.stop.send(()).unwrap();
    running.ended.await.unwrap();
}

#[tokio::test]
async fn a_head_that_trickles_in_is_cut() {
    let running = Running::start(LONG, |server| server.head_timeout(Duration::from_millis(30))).await;
    // Nothing at all; the beginning of HTTP/2; half a head; and an old connection that says nothing more.
    for beginning in [
        "",
        "PRI",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let mut raw = Raw::at(running.address).await;
        raw.send(beginning).await;
        raw.hung_up().await;
    }
}

#[tokio::test]
async fn a_connection_serves_one_request_after_another() {
    let server = TestServer::open().await;
    let mut raw = Raw::to(&server).await;
    for _ in 0..3 {
        assert_eq!(raw.post("/v1/messages", BODY.as_bytes()).await.status, 201);
    }
    // A refusal does not end it, whether or not the body was read.
    assert_eq!(raw.post("/v1/messages", b"{}").await.status, 422);
    assert_eq!(raw.post("/v1/nothing", BODY.as_bytes()).await.status, 404);
    assert_eq!(raw.post("/v1/spaces", BODY.as_bytes()).await.status, 405);
    raw.send(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    )
    .await;
    assert_eq!(raw.reply().await.body, b"ok\n");
    assert_eq!(raw.reply().await.body, b"ready\n");
}

#[tokio::test]
async fn a_client_that_hangs_up_after_sending_has_still_said_it() {
    let server = TestServer::open().await;
    let mut raw = Raw::to(&server).await;
    raw.send(waiting_head(BODY)).await;
    assert_eq!(raw.reply().await.status, 100);
    raw.send(BODY).await;
    drop(raw);
    // Either it came in time or it did not; never half.
    crate::assert_sound(&server).await;
}

#[tokio::test]
async fn a_method_that_a_path_does_not_have_is_refused_with_those_it_has() {
    let server = TestServer::open().await;
    for (method, path, allowed) in [
        ("DELETE", "/v1/messages", vec!["POST"]),
        ("POST", "/v1/spaces", vec!["GET", "HEAD"]),
        ("PATCH", "/v1/spaces/user:a", vec!["PUT", "GET", "HEAD", "DELETE"]),
        ("POST", "/healthz", vec!["GET", "HEAD"]),
        ("BREW", "/v1/spaces/user:a/messages/m", vec!["GET", "HEAD", "PATCH", "DELETE"]),
    ] {
        let mut raw = Raw::to(&server).await;
        raw.send(format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
        let reply = raw.reply().await;
        assert_eq!(crate::refusal(reply.json()), "405 method_not_allowed", "{method} {path}");
        let mut told: Vec<&str> = reply.header("allow").unwrap_or_default().split(',').collect();
        let mut allowed = allowed;
        told.sort_unstable();
        allowed.sort_unstable();
        assert_eq!(told, allowed, "{method} {path}");
    }
}

#[tokio::test]
async fn a_head_request_gets_the_head_alone() {
    let server = TestServer::open().await;
    let response = reqwest::Client::new().head(server.url("/healthz")).send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-length"]),
        (200, &"3".parse().unwrap())
    );
    assert_eq!(response.text().await.unwrap(), "");
}

#[tokio::test]
async fn a_connection_over_the_limit_is_served_when_another_ends() {
    let settings = ServerSettings { max_connections: 1, ..ServerSettings::default() };
    let server = TestServer::start(TestEngine::new(), settings, true).await;
    let mut first = Raw::to(&server).await;
    assert_eq!(first.post("/v1/messages", BODY.as_bytes()).await.status, 201);
    let mut second = Raw::to(&server).await;
    second.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!(first.post("/v1/messages", BODY.as_bytes()).await.status, 201);
    drop(first);
    assert_eq!(second.reply().await.status, 200);
}

#[tokio::test]
async fn what_is_no_http_is_refused_and_harms_nobody() {
    let server = TestServer::open().await;
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(1 << 20));
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-A: b\r\n".repeat(5_000));
    for bytes in [
        b"\0\x01\x02\x03\r\n\r\n".as_slice(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /v1/spaces HTTP/9.9\r\n\r\n",
        b"GET /v1/\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/spaces HTTP/1.1\r\nHost: a\r\nHost\r\n\r\n",
        b"GET v1/spaces HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/spaces HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: \0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n{}",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let mut raw = Raw::to(&server).await;
        raw.send(bytes).await;
        raw.finish().await;
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        if let Some(reply) = raw.try_reply().await {
            assert!((400..500).contains(&reply.status), "{shown}: {reply:?}");
        }
        assert_eq!(server.get("/v1/spaces").await.1["items"], serde_json::json!([]), "{shown}");
    }
}
