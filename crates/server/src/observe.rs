use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use memoir_model::{Error, ErrorCode};
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use crate::app::App;
use crate::failure::{Failure, Unwell};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Around every request: an id, a time limit, one log line without any content, and the metrics.
pub(crate) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or("unknown", MatchedPath::as_str).to_owned();
    let id = request_id(&request);
    // A handler that panics is a fault of ours, and still the caller gets to know that it was.
    let served = AssertUnwindSafe(next.run(request)).catch_unwind();
    let mut response = match tokio::time::timeout(app.inner.settings.request_timeout, served).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Failure(Error::internal("the server made a mistake")).into_response(),
        Err(_) => Failure(Error::new(ErrorCode::Timeout, "the request took too long")).into_response(),
    };
    if let Some(Unwell(error)) = response.extensions_mut().remove() {
        tracing::warn!(request = %id, route, code = error.code().as_str(), "request {id} failed: {error}");
    }
    let (status, elapsed) = (response.status().as_u16(), started.elapsed());
    let labels = [("method", method.to_owned()), ("route", route.clone()), ("status", status.to_string())];
    metrics::histogram!("memoir_http_request_seconds", &labels).record(elapsed.as_secs_f64());
    // The route, never the path: a path has the caller's own ids in it.
    tracing::debug!(
        request = %id, method, route, status, micros = elapsed.as_micros() as u64,
        "{method} {route} answered {status}"
    );
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// The method, if it is one that HTTP has. Any other is the caller's own text, and each would be a series of its own.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// The caller's own id for the request, if it is a sensible one.
fn request_id(request: &Request) -> String {
    let given = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    match given.filter(|id| (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic())) {
        Some(id) => id.to_owned(),
        None => format!("{:016x}", rand::random::<u64>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerSettings;
    use axum::body::Body;
    use axum::routing::get;
    use axum::{Router, middleware};
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;
    use memoir_testkit::TestEngine;

    #[tokio::test]
    async fn a_handler_that_panics_is_an_internal_error_of_its_request() {
        let memoir = TestEngine::new();
        let app = App::new(memoir.engine.clone(), ServerSettings::default(), true);
        let slip = || async {
            if true {
                panic!("on purpose");
            }
            "never"
        };
        let router: Router =
            Router::new().route("/", get(slip)).layer(middleware::from_fn_with_state(app.clone(), observe));
        let request = Request::get("/").header(REQUEST_ID, "mine").body(Body::empty()).unwrap();
        let response = TowerToHyperService::new(router).call(request).await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()[REQUEST_ID]),
            (500, &"mine".parse::<HeaderValue>().unwrap())
        );
        let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], "internal");
    }
}
