use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use memoir_model::{Error, ErrorCode};
use schemars::JsonSchema;
use serde::Serialize;

/// An error on its way to the caller.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) Error);

pub(crate) type Reply<T> = Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(error)
    }
}

/// How every error looks.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    error: ErrorView,
}

/// What went wrong.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ErrorView {
    /// Stable; see the list of codes.
    pub(crate) code: &'static str,
    /// For people.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) remedy: &'static str,
    /// The field at fault, as a path into the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) field: Option<String>,
}

impl From<&Error> for ErrorView {
    fn from(error: &Error) -> Self {
        ErrorView {
            code: error.code().as_str(),
            message: error.message().to_owned(),
            remedy: error.code().remedy(),
            field: error.field().map(str::to_owned),
        }
    }
}

/// Left in a response for whoever knows the request's id and writes the log.
#[derive(Clone)]
pub(crate) struct Unwell(pub(crate) Error);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Failure(error) = self;
        let status = StatusCode::from_u16(error.code().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(ErrorBody { error: ErrorView::from(&error) })).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = error.retry_after_secs() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if error.code() == ErrorCode::Unauthenticated {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if status.is_server_error() && error.code() != ErrorCode::Busy {
            response.extensions_mut().insert(Unwell(error));
        }
        response
    }
}
