//! The one way out: an HTTP client with deadlines, size limits and a policy about whom it may speak to.
//!
//! Only this crate opens outbound connections. It keeps no cookies, speaks only `http` and `https`, and its errors
//! never carry a body, a query string or a credential.

mod address;
mod body;
mod client;
mod error;
mod policy;
mod request;
mod resolver;
mod tls;

pub use body::BodyStream;
pub use client::Client;
pub use error::EgressError;
pub use policy::Policy;
pub use request::{Follow, Request, Response, Streaming};

pub use bytes::Bytes;
pub use reqwest::header;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Method, StatusCode, Url};
