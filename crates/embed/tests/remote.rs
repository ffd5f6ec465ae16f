//! An embedder on the other side of the network, against a real HTTP server that fails as told.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_egress::{Client, Policy, Url};
use memoir_embed::{EmbedError, Embedder, Purpose, RemoteEmbedder, RemoteOptions};
use memoir_testkit::{Act, FakeModels};
use secrecy::SecretString;
use std::time::Duration;

const MODEL: &str = "vectors";

fn options(server: &FakeModels) -> RemoteOptions {
    RemoteOptions {
        base_url: Url::parse(&server.url()).unwrap(),
        model: MODEL.into(),
        key: Some(SecretString::from("sk-very-secret")),
        dimension: Some(16),
        timeout: Duration::from_millis(300),
        batch: 2,
        query_prefix: "query: ".into(),
        document_prefix: String::new(),
    }
}

async fn connect(options: RemoteOptions) -> Result<RemoteEmbedder, EmbedError> {
    RemoteEmbedder::connect(Client::new(Policy::Any), options).await
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[tokio::test]
async fn texts_become_vectors_of_length_one_in_their_order() {
    let server = FakeModels::start().await;
    let embedder = connect(options(&server)).await.unwrap();
    let three = texts(&["green tea", "", "绿茶"]);
    let vectors = embedder.embed(&three, Purpose::Document).await.unwrap();
    assert_eq!((vectors.len(), vectors[0].len()), (3, 16));
    for vector in &vectors {
        let length: f32 = vector.iter().map(|number| number * number).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
    let alone = embedder.embed(&texts(&["绿茶"]), Purpose::Document).await.unwrap();
    assert_eq!(alone[0], vectors[2]);
    let asked = server.requests();
    assert_eq!(
        asked[0].body["input"],
        serde_json::json!(["green tea", " ."]),
        "two at a time, and nothing empty"
    );
    assert_eq!((&asked[0].body["dimensions"], &asked[0].body["model"]), (&16.into(), &MODEL.into()));
    embedder.embed(&texts(&["tea"]), Purpose::Query).await.unwrap();
    assert_eq!(server.requests().last().unwrap().body["input"][0], "query: tea");
}

#[tokio::test]
async fn a_dimension_that_nobody_told_is_found_out_and_one_that_is_known_is_not_asked_for() {
    let server = FakeModels::start().await;
    server.set_dimension(24);
    let unknown = connect(RemoteOptions { dimension: None, ..options(&server) }).await.unwrap();
    assert_eq!((unknown.recipe().dimension, server.requests().len()), (24, 1));
    assert!(server.requests()[0].body.get("dimensions").is_none());
    let known = RemoteOptions { dimension: None, model: "BAAI/bge-m3".into(), ..options(&server) };
    assert_eq!(connect(known).await.unwrap().recipe().dimension, 1024);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_server_that_may_not_be_told_the_dimension_is_told_it_once() {
    let server = FakeModels::start().await;
    server.set_dimension(16);
    server.next(MODEL, Act::BadRequest("Unknown parameter: dimensions".into()));
    let embedder = connect(options(&server)).await.unwrap();
    for _ in 0..2 {
        embedder.embed(&texts(&["tea"]), Purpose::Document).await.unwrap();
    }
    let told: Vec<bool> =
        server.requests().iter().map(|request| request.body.get("dimensions").is_some()).collect();
    assert_eq!(told, [true, false, false]);
}

#[tokio::test]
async fn every_failure_has_its_name_and_tells_no_secrets() {
    let server = FakeModels::start().await;
    let embedder = connect(options(&server)).await.unwrap();
    type Fits = fn(&EmbedError) -> bool;
    let table: [(Act, Fits); 11] = [
        (Act::Never, |e| matches!(e, EmbedError::Unreachable(_))),
        (Act::Hangup, |e| matches!(e, EmbedError::Unreachable(_))),
        (Act::RateLimited(None), |e| matches!(e, EmbedError::Refused { status: 429, .. })),
        (Act::Status(500), |e| matches!(e, EmbedError::Refused { status: 500, .. })),
        (Act::Status(401), |e| matches!(e, EmbedError::Refused { status: 401, .. })),
        (Act::BadRequest("I dislike my private words".into()), |e| {
            matches!(e, EmbedError::Refused { status: 400, .. })
        }),
        (Act::Garbage, |e| matches!(e, EmbedError::Unfit(_))),
        (Act::TooFew, |e| matches!(e, EmbedError::Unfit(_))),
        (Act::Dimension(17), |e| matches!(e, EmbedError::Unfit(_))),
        (Act::NotANumber, |e| matches!(e, EmbedError::Unfit(_))),
        (Act::hangup_midway(&["x"]), |e| matches!(e, EmbedError::Unreachable(_) | EmbedError::Unfit(_))),
    ];
    for (act, fits) in table {
        server.next(MODEL, act.clone());
        let error = embedder.embed(&texts(&["my private words"]), Purpose::Document).await.unwrap_err();
        assert!(fits(&error), "{act:?}: {error:?}");
        let told = format!("{error} {error:?} {embedder:?}");
        for secret in ["private", "sk-very-secret"] {
            assert!(!told.contains(secret), "{told}");
        }
    }
    // And afterwards it goes on as if nothing had been.
    embedder.embed(&texts(&["tea"]), Purpose::Document).await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let address = {
        let server = FakeModels::start().await;
        server.url()
    };
    let embedder = RemoteOptions {
        base_url: Url::parse("http://127.0.0.1:9/v1").unwrap(),
        model: MODEL.into(),
        key: None,
        dimension: Some(4),
        timeout: Duration::from_secs(1),
        batch: 8,
        query_prefix: String::new(),
        document_prefix: String::new(),
    };
    let embedder = connect(embedder).await.unwrap();
    let error = embedder.embed(&texts(&["tea"]), Purpose::Query).await.unwrap_err();
    assert!(matches!(error, EmbedError::Unreachable(_)), "{error:?} {address}");
}
