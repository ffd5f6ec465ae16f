use hyper::HeaderMap;
use hyper::http::request::Parts;
use serde_json::Value;
use std::time::Instant;

/// A request as the fake server received it.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The path with its query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, null if it is not JSON.
    pub body: Value,
    /// Which model was asked for, in the body or in Azure's path.
    pub model: String,
    /// When it came.
    pub at: Instant,
}

impl Recorded {
    pub(super) fn new(head: &Parts, body: Value) -> Self {
        let path = head.uri.path();
        let deployment = path.strip_prefix("/openai/deployments/").and_then(|rest| rest.split('/').next());
        let model = body["model"].as_str().or(deployment).unwrap_or_default().to_owned();
        let path = head.uri.path_and_query().map_or(path, |whole| whole.as_str()).to_owned();
        Recorded { path, headers: head.headers.clone(), body, model, at: Instant::now() }
    }

    /// A header's value; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// What is asked for: the path after `/v1` or after Azure's deployment.
    pub(super) fn call(&self) -> &str {
        let path = self.path.split('?').next().unwrap_or_default();
        match path.strip_prefix("/openai/deployments/").and_then(|rest| rest.split_once('/')) {
            Some((_, call)) => call,
            None => path.strip_prefix("/v1/").unwrap_or_default(),
        }
    }
}
