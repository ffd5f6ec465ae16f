//! Against real servers on loopback ports.

use futures::StreamExt;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;

use super::*;
use crate::Bytes;
use crate::header::AUTHORIZATION;

type Reply = hyper::Response<UnsyncBoxBody<Bytes, io::Error>>;
type Asked = hyper::Request<hyper::body::Incoming>;

/// A server that answers each request by this function.
async fn serve(answer: impl Fn(Asked) -> Reply + Clone + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = answer.clone();
            let service = service_fn(move |asked| {
                let reply = answer(asked);
                async move { Ok::<_, Infallible>(reply) }
            });
            let server = hyper::server::conn::http1::Builder::new();
            tokio::spawn(server.serve_connection(TokioIo::new(stream), service));
        }
    });
    address
}

fn reply(status: u16, body: impl Into<Bytes>) -> Reply {
    let body = Full::new(body.into()).map_err(|never| match never {}).boxed_unsync();
    hyper::Response::builder().status(status).body(body).unwrap()
}

fn redirect(status: u16, to: &str) -> Reply {
    let mut reply = reply(status, "");
    reply.headers_mut().insert(LOCATION, to.parse().unwrap());
    reply
}

/// What a server does in the middle of an answer.
#[derive(Clone, Copy)]
enum Piece {
    Text(&'static str),
    Pause,
    Break,
}

fn pieces(pieces: &'static [Piece]) -> Reply {
    let stream = futures::stream::iter(pieces).then(|piece| async move {
        match *piece {
            Piece::Text(text) => Ok(Frame::data(Bytes::from(text))),
            Piece::Pause => std::future::pending().await,
            Piece::Break => {
                tokio::task::yield_now().await;
                Err(io::Error::other("broken on purpose"))
            }
        }
    });
    hyper::Response::new(StreamBody::new(stream).boxed_unsync())
}

fn to(address: SocketAddr, path: &str) -> Request {
    Request::new(Method::GET, format!("http://{address}{path}").parse().unwrap())
}

fn any() -> Client {
    Client::new(Policy::Any)
}

fn soon(request: Request) -> Request {
    request.within(Duration::from_millis(60))
}

const HOST: &str = "127.0.0.1";

#[tokio::test]
async fn an_answer_comes_back_whatever_its_status() {
    let address = serve(|asked| {
        let agent = asked.headers()["user-agent"].to_str().unwrap();
        reply(418, format!("{} {agent}", asked.method()))
    })
    .await;
    let answer = any().send(Request { method: Method::POST, ..to(address, "/") }.json("{}")).await.unwrap();
    assert_eq!(answer.status, 418);
    assert_eq!(answer.body, format!("POST memoir/{}", env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn a_server_that_never_answers_meets_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let error = any().send(soon(to(listener.local_addr().unwrap(), "/?key=s3cret"))).await.unwrap_err();
    assert_eq!(error, EgressError::Deadline { host: HOST.into() });
}

#[tokio::test]
async fn a_pause_in_the_answer_meets_the_idle_deadline() {
    let address = serve(|_| pieces(&[Piece::Text("one"), Piece::Pause])).await;
    let request = Request { idle: Duration::from_millis(40), ..to(address, "/") };
    let mut body = any().stream(request).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), "one");
    assert_eq!(body.next().await.unwrap(), Err(EgressError::Deadline { host: HOST.into() }));
    assert!(body.next().await.is_none());
}

#[tokio::test]
async fn a_pause_in_a_whole_answer_meets_the_total_deadline() {
    let address = serve(|_| pieces(&[Piece::Text("one"), Piece::Pause])).await;
    let error = any().send(soon(to(address, "/"))).await.unwrap_err();
    assert_eq!(error, EgressError::Deadline { host: HOST.into() });
}

#[tokio::test]
async fn an_answer_that_grows_too_large_is_cut_off() {
    let address = serve(|_| pieces(&[Piece::Text("12345"), Piece::Text("67890"), Piece::Pause])).await;
    let error = any().send(to(address, "/").at_most(8)).await.unwrap_err();
    assert_eq!(error, EgressError::TooLarge { host: HOST.into(), limit: 8 });
    let whole = serve(|_| reply(200, "12345678")).await;
    assert_eq!(any().send(to(whole, "/").at_most(8)).await.unwrap().body, "12345678");
}

#[tokio::test]
async fn a_connection_that_breaks_is_told_from_one_that_never_was() {
    let broken = serve(|_| pieces(&[Piece::Text("one"), Piece::Break])).await;
    let error = any().send(to(broken, "/")).await.unwrap_err();
    assert_eq!(error, EgressError::Broken { host: HOST.into() });
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = any().send(to(closed, "/")).await.unwrap_err();
    assert_eq!(error, EgressError::Unreachable { host: HOST.into() });
}

#[tokio::test]
async fn a_range_can_be_asked_for() {
    let address = serve(|asked| {
        assert_eq!(asked.headers()["accept-encoding"], "identity");
        reply(206, asked.headers()[RANGE].to_str().unwrap().to_owned())
    })
    .await;
    let request = to(address, "/").header(RANGE, HeaderValue::from_static("bytes=7-"));
    let answer = any().stream(request).await.unwrap();
    assert_eq!(answer.status, 206);
    assert_eq!(answer.body.collect().await.unwrap(), "bytes=7-");
}

#[tokio::test]
async fn redirects_stay_with_the_host() {
    let elsewhere = serve(|_| reply(200, "elsewhere")).await;
    let address = serve(move |asked| match asked.uri().path() {
        "/here" => redirect(302, "/there"),
        "/there" => reply(200, "there"),
        "/round" => redirect(302, "/round"),
        _ => redirect(302, &format!("http://{elsewhere}/")),
    })
    .await;
    assert_eq!(any().send(to(address, "/here")).await.unwrap().body, "there");
    assert_eq!(any().send(to(address, "/away")).await.unwrap().status, 302);
    let error = any().send(to(address, "/round")).await.unwrap_err();
    assert_eq!(error, EgressError::Broken { host: HOST.into() });
}

#[tokio::test]
async fn a_download_may_lead_elsewhere_but_takes_no_credential_along() {
    let elsewhere = serve(|asked| {
        let carried = asked.headers().contains_key(AUTHORIZATION) || asked.headers().contains_key("api-key");
        reply(200, format!("{carried} {}", asked.headers()[RANGE].to_str().unwrap()))
    })
    .await;
    let address = serve(move |_| redirect(302, &format!("http://{elsewhere}/"))).await;
    let request = to(address, "/")
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"))
        .header("api-key".parse().unwrap(), HeaderValue::from_static("s3cret"))
        .header(RANGE, HeaderValue::from_static("bytes=7-"));
    let request = Request { follow: Follow::Anywhere, ..request };
    assert_eq!(any().send(request.clone()).await.unwrap().body, "false bytes=7-");
    let posted = any().send(Request { method: Method::POST, ..request }).await.unwrap();
    assert_eq!(posted.status, 302);
}

#[tokio::test]
async fn a_name_that_leads_inside_is_refused_after_it_was_looked_up() {
    let reached = Arc::new(AtomicUsize::new(0));
    let seen = reached.clone();
    let address = serve(move |_| {
        seen.fetch_add(1, Ordering::SeqCst);
        reply(200, "inside")
    })
    .await;
    let inside: Lookup = Arc::new(move |_| Box::pin(async move { Ok(vec![address]) }));
    let mixed: Lookup =
        Arc::new(move |_| Box::pin(async move { Ok(vec![SocketAddr::from(([1, 1, 1, 1], 80)), address]) }));
    for lookup in [&inside, &mixed] {
        let client = Client::with_lookup(Policy::PublicOnly, CONNECT, lookup);
        let request = Request::new(Method::GET, "http://hooks.example.com/?token=s3cret".parse().unwrap());
        let error = client.send(request).await.unwrap_err();
        assert_eq!(error, EgressError::Forbidden { host: "hooks.example.com".into() });
    }
    let error = Client::new(Policy::PublicOnly).send(to(address, "/")).await.unwrap_err();
    assert_eq!(error, EgressError::Forbidden { host: HOST.into() });
    assert_eq!(reached.load(Ordering::SeqCst), 0);

    let url = format!("http://ollama.example.com:{}/", address.port());
    let client = Client::with_lookup(Policy::Any, CONNECT, &inside);
    assert_eq!(client.send(Request::new(Method::GET, url.parse().unwrap())).await.unwrap().body, "inside");
}

#[tokio::test]
async fn a_compressed_answer_counts_by_what_it_becomes() {
    // One mebibyte of zeros, compressed with `gzip -9`.
    let bomb: Bytes = include_bytes!("zeros.gz").as_slice().into();
    let address = serve(move |_| {
        let mut reply = reply(200, bomb.clone());
        reply.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
        reply
    })
    .await;
    let error = any().send(to(address, "/").at_most(1000 * 1000)).await.unwrap_err();
    assert_eq!(error, EgressError::TooLarge { host: HOST.into(), limit: 1000 * 1000 });
    assert_eq!(any().send(to(address, "/")).await.unwrap().body.len(), 1 << 20);
}

#[test]
fn what_is_printed_is_not_secret() {
    let request = Request::new(Method::POST, "https://example.com/v1?key=s3cret".parse().unwrap())
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"))
        .json("{\"text\":\"s3cret\"}");
    assert!(!format!("{request:?}").contains("s3cret"));
}
