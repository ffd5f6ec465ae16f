use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode, Url};
use std::fmt;
use std::time::Duration;

use crate::{BodyStream, EgressError};

/// Where a redirect may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follow {
    /// To the same scheme, host and port; any other redirect is handed back as the answer.
    #[default]
    SameHost,
    /// Anywhere, for `GET` and `HEAD` and under [`crate::Policy::Any`] alone. Another host is sent `Accept` and `Range` and no other header, so that a
    /// credential stays where it belongs. Downloads from a hub are redirected to its mirrors like this.
    Anywhere,
}

/// What is sent, and how much time and space the answer may take.
#[derive(Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The URL, which must be `http` or `https` and free of credentials.
    pub url: Url,
    /// The headers. Mark credentials as sensitive.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// How long the whole may take, from looking the name up to the last byte of the answer.
    pub deadline: Duration,
    /// How long the answer may pause. Only [`crate::Client::stream`] looks at it.
    pub idle: Duration,
    /// How many bytes the answer may have, after decompression.
    pub limit: usize,
    /// Where a redirect may lead.
    pub follow: Follow,
}

/// What a request may take when it does not say so: 15 seconds and 8 MiB.
const DEADLINE: Duration = Duration::from_secs(15);
const LIMIT: usize = 8 << 20;

impl Request {
    /// A request without headers and body, with 15 seconds and 8 MiB for the answer.
    pub fn new(method: Method, url: Url) -> Self {
        Request {
            method,
            url,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            deadline: DEADLINE,
            idle: DEADLINE,
            limit: LIMIT,
            follow: Follow::SameHost,
        }
    }

    /// Reads a URL; the error does not repeat it.
    pub fn url(text: &str) -> Result<Url, EgressError> {
        Url::parse(text).map_err(|_| EgressError::BadUrl("it is not a URL"))
    }

    /// With this header; replaces one of the same name.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// With this body, which is JSON.
    #[must_use]
    pub fn json(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self.header(reqwest::header::CONTENT_TYPE, HeaderValue::from_static("application/json"))
    }

    /// With this much time for the whole.
    #[must_use]
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// With this many bytes at most in the answer.
    #[must_use]
    pub fn at_most(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }
}

impl fmt::Debug for Request {
    /// Leaves out what may be secret: the query, the headers' values and the body.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("path", &self.url.path())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("bytes", &self.body.len())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// A whole answer.
#[derive(Clone)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// An answer whose body is still coming.
#[derive(Debug)]
pub struct Streaming {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, piece by piece.
    pub body: BodyStream,
}
