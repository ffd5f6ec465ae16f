use memoir_egress::{Request, StatusCode, header};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

use crate::accepts::{Accepts, JsonMode};
use crate::completion::Completion;
use crate::incoming::Incoming;
use crate::patience::retry_after;
use crate::provider::Provider;
use crate::{CompletionRequest, Reason, wire};

/// How often a request is written anew because the server turned a part of it down.
const MOST_REWRITES: usize = 5;
/// How much of an error is read.
const ERROR_LIMIT: usize = 64 << 10;

/// One model of one provider. It remembers what the two accept.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) provider: Arc<Provider>,
    pub(crate) model: String,
    accepts: Mutex<Accepts>,
}

/// What came of a request that was turned down.
enum Turned {
    /// It is written anew, without what the server does not know.
    Rewritten,
    Down(Reason),
}

impl Endpoint {
    pub(crate) fn new(provider: Arc<Provider>, model: String) -> Self {
        let guess = Accepts::guess(provider.kind.quirks());
        let set = provider.quirks;
        let accepts = Accepts {
            json: set.json.unwrap_or(guess.json),
            tokens: set.token_field.unwrap_or(guess.tokens),
            stream_usage: set.stream_usage.unwrap_or(guess.stream_usage),
            parallel_tool_calls: set.parallel_tool_calls.unwrap_or(guess.parallel_tool_calls),
            ..guess
        };
        Endpoint { provider, model, accepts: Mutex::new(accepts) }
    }

    /// Whether it is meant by this name, with or without its provider.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.model == name || name.split_once(':') == Some((&self.provider.name, &self.model))
    }

    pub(crate) fn json_mode(&self) -> JsonMode {
        self.accepts.lock().json
    }

    /// Notes that a schema was taken and ignored. Returns whether asking again, with the schema in the prompt, is new.
    pub(crate) fn ignored_schema(&self) -> bool {
        let mut accepts = self.accepts.lock();
        let was_schema = accepts.json == JsonMode::Schema;
        if was_schema {
            accepts.json = JsonMode::Object;
        }
        was_schema
    }

    /// The whole answer to a request.
    pub(crate) async fn complete(
        &self,
        request: &CompletionRequest,
        until: Instant,
    ) -> Result<Completion, Reason> {
        for _ in 0..=MOST_REWRITES {
            let accepts = *self.accepts.lock();
            let response = self.provider.client.send(self.write(request, accepts, false, until)).await?;
            if response.status.is_success() {
                return match wire::read_completion(&response.body, request) {
                    Some(completion) => Ok(completion),
                    None => Err(hidden_error(&response.body)),
                };
            }
            let pause = retry_after(&response.headers, self.provider.now());
            match self.turned_down(request, accepts, false, response.status, &response.body, pause) {
                Turned::Rewritten => {}
                Turned::Down(reason) => return Err(reason),
            }
        }
        Err(Reason::Rejected(400))
    }

    /// The answer to a request as it comes.
    pub(crate) async fn stream(
        &self,
        request: &CompletionRequest,
        until: Instant,
    ) -> Result<Incoming, Reason> {
        for _ in 0..=MOST_REWRITES {
            let accepts = *self.accepts.lock();
            let sent = Request { idle: self.provider.timeout, ..self.write(request, accepts, true, until) };
            let mut response = self.provider.client.stream(sent).await?;
            if response.status.is_success() {
                let kind = response.headers.remove(header::CONTENT_TYPE);
                let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
                if !is_json {
                    return Ok(Incoming::events(response.body));
                }
                let body = response.body.collect().await?;
                let whole = wire::read_completion(&body, request);
                return whole.map(Incoming::whole).ok_or_else(|| hidden_error(&body));
            }
            let pause = retry_after(&response.headers, self.provider.now());
            let body = response.body.collect().await.unwrap_or_default();
            match self.turned_down(request, accepts, true, response.status, &body, pause) {
                Turned::Rewritten => {}
                Turned::Down(reason) => return Err(reason),
            }
        }
        Err(Reason::Rejected(400))
    }

    fn write(
        &self,
        request: &CompletionRequest,
        accepts: Accepts,
        streaming: bool,
        until: Instant,
    ) -> Request {
        let body = wire::write_request(request, &self.model, accepts, streaming, &self.provider.extra);
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        self.provider.chat(&self.model, body.to_string().into_bytes()).within(left)
    }

    fn turned_down(
        &self,
        request: &CompletionRequest,
        accepts: Accepts,
        streaming: bool,
        status: StatusCode,
        body: &[u8],
        pause: Option<Duration>,
    ) -> Turned {
        if matches!(status.as_u16(), 400 | 404 | 422) {
            let message = String::from_utf8_lossy(body.get(..ERROR_LIMIT).unwrap_or(body));
            if let Some(then) = accepts.after(&message, request, streaming) {
                *self.accepts.lock() = then;
                return Turned::Rewritten;
            }
        }
        Turned::Down(Reason::of_status(status.as_u16(), pause))
    }
}

/// Why there is no answer in the body of a good response.
fn hidden_error(body: &[u8]) -> Reason {
    wire::error_code(body).map_or(Reason::Broken, |code| Reason::of_status(code, None))
}
