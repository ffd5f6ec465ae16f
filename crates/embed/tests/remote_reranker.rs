//! A reranker on the other side of the network, against a real HTTP server that fails as told.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_egress::{Client, Policy, Url};
use memoir_embed::{EmbedError, RemoteReranker, Reranker, RerankerOptions};
use memoir_testkit::{Act, FakeModels};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::time::Duration;

const MODEL: &str = "ranker";

fn reranker(server: &FakeModels, batch: usize) -> RemoteReranker {
    let options = RerankerOptions {
        base_url: Url::parse(&server.url()).unwrap(),
        model: MODEL.into(),
        key: Some(SecretString::from("sk-very-secret")),
        timeout: Duration::from_millis(300),
        batch,
    };
    RemoteReranker::new(Client::new(Policy::Any), options)
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// What two texts get when the server answers this.
async fn answered(server: &FakeModels, body: Value) -> Result<Vec<f32>, EmbedError> {
    server.next(MODEL, Act::json(&body));
    reranker(server, 10).rank("tea?", &texts(&["green tea", "my private words"])).await
}

#[tokio::test]
async fn texts_get_scores_in_their_order_whatever_the_order_of_the_answer() {
    let server = FakeModels::start().await;
    let reranker = reranker(&server, 10);
    assert_eq!(reranker.name(), MODEL);
    let three = texts(&["the weather in Lisbon", "绿茶", "I love green tea"]);
    let scores = reranker.rank("green tea", &three).await.unwrap();
    assert_eq!(scores.len(), 3);
    assert!(scores[2] > 0.5 && scores[0] < 0.2 && scores[1] < 0.2, "{scores:?}");
    let asked = server.requests();
    assert_eq!((asked.len(), asked[0].path.as_str()), (1, "/v1/rerank"));
    assert_eq!(asked[0].header("authorization"), "Bearer sk-very-secret");
    let wanted = json!({"model": MODEL, "query": "green tea", "documents": three, "top_n": 3});
    assert_eq!(asked[0].body, wanted);
}

#[tokio::test]
async fn many_texts_are_sent_in_batches_and_blank_ones_are_not_sent() {
    let server = FakeModels::start().await;
    let five = texts(&["tea", " ", "green tea", "coffee", "green"]);
    let apart = reranker(&server, 2).rank("green tea", &five).await.unwrap();
    let sent: Vec<Value> =
        server.requests().iter().map(|request| request.body["documents"].clone()).collect();
    assert_eq!(sent, [json!(["tea", "green tea"]), json!(["coffee", "green"])]);
    assert_eq!((apart.len(), apart[1]), (5, 0.0));
    assert_eq!(reranker(&server, 10).rank("green tea", &five).await.unwrap(), apart);
    let before = server.requests().len();
    assert_eq!(reranker(&server, 10).rank(" ", &five).await.unwrap(), [0.0; 5]);
    assert!(reranker(&server, 10).rank("tea", &[]).await.unwrap().is_empty());
    assert_eq!(server.requests().len(), before);
}

#[tokio::test]
async fn every_dialect_is_understood() {
    let server = FakeModels::start().await;
    let entries = json!([{"index": 1, "score": 0.75}, {"index": 0, "score": 0.25}]);
    for body in [
        json!({"results": [{"index": 1, "relevance_score": 0.75}, {"index": 0, "relevance_score": 0.25}]}),
        json!({"data": [{"index": 1, "relevance_score": 0.75}, {"index": 0, "relevance_score": 0.25}]}),
        json!({"results": entries}),
        json!({"data": entries}),
        entries,
    ] {
        assert_eq!(answered(&server, body.clone()).await.unwrap(), [0.25, 0.75], "{body}");
    }
}

#[tokio::test]
async fn a_text_that_is_left_out_has_nothing() {
    let server = FakeModels::start().await;
    server.next(MODEL, Act::TooFew);
    let reranker = reranker(&server, 10);
    let scores = reranker.rank("green tea", &texts(&["coffee tea", "green tea"])).await.unwrap();
    assert!(scores[0] == 0.0 && scores[1] > 0.9, "{scores:?}");
}

#[tokio::test]
async fn logits_become_scores_also_when_a_later_one_could_be_a_score() {
    let server = FakeModels::start().await;
    let reranker = reranker(&server, 10);
    let rank = async |first: f32, second: f32| {
        let results = json!([{"index": 0, "score": first}, {"index": 1, "score": second}]);
        server.next(MODEL, Act::json(&json!({"results": results})));
        reranker.rank("tea?", &texts(&["green tea", "coffee"])).await.unwrap()
    };
    assert_eq!(rank(1.0004, -0.0004).await, [1.0, 0.0]);
    assert_eq!(rank(0.75, 0.5).await, [0.75, 0.5]);
    let scores = rank(7.74, -11.0).await;
    assert!(scores[0] > 0.999 && scores[0] < 1.0 && scores[1] > 0.0 && scores[1] < 0.001, "{scores:?}");
    let scores = rank(0.5, 0.0).await;
    assert!(scores[0] > 0.6 && scores[1] == 0.5, "{scores:?}");
}

#[tokio::test]
async fn a_server_that_wants_texts_instead_of_documents_is_given_them() {
    let server = FakeModels::start().await;
    let reranker = reranker(&server, 10);
    let two = texts(&["green tea", "coffee"]);
    server.next(MODEL, Act::BadRequest("missing field `texts` at line 1 column 70".into()));
    // Such a server has one model, which is not named.
    server.always("", Act::json(&json!([{"index": 1, "score": 0.25}, {"index": 0, "score": 0.75}])));
    for _ in 0..2 {
        assert_eq!(reranker.rank("tea?", &two).await.unwrap(), [0.75, 0.25]);
    }
    assert_eq!((server.calls(MODEL), server.calls("")), (1, 2));
    assert_eq!(server.requests_for("")[0].body, json!({"query": "tea?", "texts": two, "truncate": true}));
}

#[tokio::test]
async fn an_answer_may_be_long_but_not_endless() {
    let server = FakeModels::start().await;
    let reranker = reranker(&server, 10);
    let two = texts(&["green tea", "coffee"]);
    server.next(MODEL, Act::Megabyte);
    assert!(reranker.rank("green tea", &two).await.unwrap()[0] > 0.9);
    server.next(MODEL, Act::answer(" ".repeat(17 << 20)));
    let error = reranker.rank("green tea", &two).await.unwrap_err();
    assert!(matches!(error, EmbedError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn scores_of_no_text_of_one_text_twice_or_of_no_number_are_unfit() {
    let server = FakeModels::start().await;
    let good = json!({"index": 0, "relevance_score": 0.5});
    for bad in [
        json!({"index": 2, "relevance_score": 0.5}),
        json!({"index": -1, "relevance_score": 0.5}),
        json!({"index": 0, "relevance_score": 0.5}),
        json!({"index": 1, "relevance_score": null}),
        json!({"index": 1, "relevance_score": 1e39}),
        json!({"index": 1}),
        json!({"relevance_score": 0.5}),
    ] {
        let error = answered(&server, json!({"results": [good, bad]})).await.unwrap_err();
        assert!(matches!(error, EmbedError::Unfit(_)), "{bad}: {error:?}");
    }
}

#[tokio::test]
async fn every_failure_has_its_name_and_tells_no_secrets() {
    let server = FakeModels::start().await;
    let reranker = reranker(&server, 10);
    let private = texts(&["my private words"]);
    type Fits = fn(&EmbedError) -> bool;
    let unreachable: Fits = |e| matches!(e, EmbedError::Unreachable(_));
    let unfit: Fits = |e| matches!(e, EmbedError::Unfit(_));
    let table: [(Act, Fits); 14] = [
        (Act::Never, unreachable),
        (Act::Hangup, unreachable),
        (Act::stall(&[]), unreachable),
        (Act::hangup_midway(&[]), unreachable),
        (Act::RateLimited(None), |e| matches!(e, EmbedError::Refused { status: 429, .. })),
        (Act::Status(500), |e| matches!(e, EmbedError::Refused { status: 500, .. })),
        (Act::Status(401), |e| matches!(e, EmbedError::Refused { status: 401, .. })),
        (Act::BadRequest("I dislike my private words".into()), |e| {
            matches!(e, EmbedError::Refused { status: 400, .. })
        }),
        (Act::Garbage, unfit),
        (Act::NotJson, unfit),
        (Act::WrongSchema, unfit),
        (Act::Empty, unfit),
        (Act::NotANumber, unfit),
        (Act::ErrorInside(500), unfit),
    ];
    for (act, fits) in table {
        server.next(MODEL, act.clone());
        let error = reranker.rank("my private question", &private).await.unwrap_err();
        assert!(fits(&error), "{act:?}: {error:?}");
        let told = format!("{error} {error:?} {reranker:?}");
        for secret in ["private", "sk-very-secret"] {
            assert!(!told.contains(secret), "{told}");
        }
    }
    // And afterwards it goes on as if nothing had been.
    assert!(reranker.rank("my private question", &private).await.is_ok());
}
