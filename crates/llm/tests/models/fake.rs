//! What the fake server does with embeddings, which the chain never asks for.

use memoir_egress::{Client, Method, Policy, Request};
use memoir_testkit::{Act, FakeModels, hashed_vector};
use serde_json::{Value, json};

async fn embed(url: &str, body: Value) -> (u16, String) {
    let request = Request::new(Method::POST, Request::url(url).unwrap()).json(body.to_string());
    let response = Client::new(Policy::Any).send(request).await.unwrap();
    (response.status.as_u16(), String::from_utf8(response.body.to_vec()).unwrap())
}

#[tokio::test]
async fn texts_become_vectors_and_wrong_ones_when_told_so() {
    let models = FakeModels::start().await;
    let url = format!("{}/embeddings", models.url());
    let ask = json!({"model": "e", "input": ["绿茶", "green tea"], "dimensions": 16});
    let vectors = async || -> Vec<Vec<f32>> {
        let (status, body) = embed(&url, ask.clone()).await;
        assert_eq!(status, 200);
        let body: Value = serde_json::from_str(&body).unwrap();
        let rows = body["data"].as_array().unwrap().iter();
        rows.map(|row| serde_json::from_value(row["embedding"].clone()).unwrap()).collect()
    };
    assert_eq!(vectors().await, [hashed_vector("绿茶", 16), hashed_vector("green tea", 16)]);
    models.next("e", Act::Dimension(7));
    assert!(vectors().await.iter().all(|vector| vector.len() == 7));
    models.next("e", Act::TooFew);
    assert_eq!(vectors().await.len(), 1);
    models.next("e", Act::NotANumber);
    assert!(embed(&url, ask.clone()).await.1.contains("[NaN,"));
    models.next("e", Act::Status(500));
    assert_eq!(embed(&url, ask.clone()).await.0, 500);
    let azure = format!("{}/openai/deployments/e/embeddings?api-version=1", models.azure_url());
    assert_eq!(embed(&azure, json!({"input": "绿茶"})).await.0, 200);
    assert_eq!(models.calls("e"), 6);
}
