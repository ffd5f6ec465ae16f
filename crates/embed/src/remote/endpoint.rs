use memoir_egress::{Client, HeaderValue, Method, Request, Response, Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::time::Duration;

use crate::EmbedError;

/// One path of a server, and what a request to it may take.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) key: Option<SecretString>,
    pub(super) timeout: Duration,
    /// The most bytes that an answer may have.
    pub(super) limit: usize,
}

impl Endpoint {
    /// Sends this as JSON. Whatever its status, an answer is not an error.
    pub(super) async fn post(&self, body: &impl Serialize) -> Result<Response, EmbedError> {
        let body = serde_json::to_vec(body).map_err(|_| EmbedError::Unfit("the request".into()))?;
        let mut request =
            Request::new(Method::POST, self.url.clone()).json(body).within(self.timeout).at_most(self.limit);
        if let Some(key) = &self.key {
            let mut value = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
                .map_err(|_| EmbedError::Unreachable("the key is not fit for a header".into()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        self.client.send(request).await.map_err(|error| EmbedError::Unreachable(error.to_string()))
    }
}

/// What is below a server's base URL.
pub(super) fn below(base_url: &Url, path: &str) -> Url {
    let mut url = base_url.clone();
    url.set_path(&format!("{}/{path}", url.path().trim_end_matches('/')));
    url
}
