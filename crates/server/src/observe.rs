use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use memoir_model::{Error, ErrorCode};
use std::time::Instant;

use crate::app::App;
use crate::failure::Failure;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Around every request: an id, a time limit, one log line without any content, and the metrics.
pub(crate) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or("unknown", MatchedPath::as_str).to_owned();
    let id = request_id(&request);
    let mut response = match tokio::time::timeout(app.inner.settings.request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Failure(Error::new(ErrorCode::Timeout, "the request took too long")).into_response(),
    };
    let (status, elapsed) = (response.status().as_u16(), started.elapsed());
    let labels =
        [("method", method.to_owned()), ("route", route.clone()), ("status", status.to_string())];
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
