use axum::body::{Body as Incoming, Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use http_body_util::{BodyExt, Limited};
use memoir_model::{Error, ErrorCode, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

use crate::object::Object;

use crate::app::App;
use crate::failure::Failure;

/// How much of a body that is too large is still read and thrown away. A client that sends first and listens later
/// would otherwise find the connection reset and never hear why.
const MOST_DISCARDED: usize = 64 << 20;
/// For how long that is done.
const DISCARDED_FOR: Duration = Duration::from_secs(5);

/// A JSON body of the documented shape; what does not fit is refused with the field's name.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let bytes = read(request, app.inner.settings.max_body_bytes).await?;
        let bytes = if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes };
        // First whether it is JSON at all, then whether it fits: the two have different remedies.
        let value: Value = serde_json::from_slice(&bytes).map_err(|e| not_json(&e))?;
        let Object(value) = serde_path_to_error::deserialize(value).map_err(|e| misfit(&e))?;
        Ok(Body(value))
    }
}

/// A JSON body as it is, for requests whose parts are judged one by one.
pub(crate) struct AnyBody(pub(crate) Value);

impl FromRequest<App> for AnyBody {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let bytes = read(request, app.inner.settings.max_body_bytes).await?;
        serde_json::from_slice(&bytes).map(AnyBody).map_err(|e| not_json(&e).into())
    }
}

/// One part of a body.
pub(crate) fn part<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_path_to_error::deserialize(value).map(|Object(part)| part).map_err(|e| misfit(&e))
}

async fn read(request: Request, limit: usize) -> Result<Bytes> {
    // A page in a browser can send a form to any server without asking; it cannot send JSON.
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    if kind.is_some_and(|kind| kind != "application/json" && !kind.ends_with("+json")) {
        let message = "the body must be sent as application/json";
        return Err(Error::new(ErrorCode::UnsupportedMediaType, message).at("Content-Type"));
    }
    let too_large = || Error::new(ErrorCode::BodyTooLarge, format!("the body is larger than {limit} bytes"));
    let asks_first = request.headers().contains_key(header::EXPECT);
    let mut body = request.into_body();
    if asks_first && body.size_hint().lower() > limit as u64 {
        return Err(too_large());
    }
    match Limited::new(&mut body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(e) if e.is::<http_body_util::LengthLimitError>() => {
            drop(tokio::time::timeout(DISCARDED_FOR, discard(body)).await);
            Err(too_large())
        }
        Err(_) => Err(Error::new(ErrorCode::MalformedBody, "the body ended before it was complete")),
    }
}

async fn discard(mut body: Incoming) {
    let mut discarded = 0;
    while let Some(Ok(frame)) = body.frame().await {
        discarded += frame.data_ref().map_or(0, Bytes::len);
        if discarded > MOST_DISCARDED {
            return;
        }
    }
}

fn misfit(error: &serde_path_to_error::Error<serde_json::Error>) -> Error {
    let inner = error.inner();
    if inner.is_syntax() || inner.is_eof() {
        return not_json(inner);
    }
    let (path, sentence) = (error.path().to_string(), plain(inner));
    let inside = if path == "." { None } else { Some(path) };
    // A field that is not there, or there under two names, is in serde's sentence but not in the path.
    let absent = ["missing field `", "duplicate field `"].iter().find_map(|says| sentence.strip_prefix(says));
    let named = absent.and_then(|rest| rest.split('`').next());
    let field = match (inside, named) {
        (Some(path), Some(name)) => Some(format!("{path}.{name}")),
        (None, Some(name)) => Some(name.to_owned()),
        (path, None) => path,
    };
    let error = Error::new(ErrorCode::Invalid, sentence);
    match field {
        Some(field) => error.at(field),
        None => error,
    }
}

fn not_json(error: &serde_json::Error) -> Error {
    Error::new(ErrorCode::MalformedBody, format!("the body is not JSON: {error}"))
}

/// The sentence without serde's position, which means nothing after the path.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}
