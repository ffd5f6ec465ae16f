use jiff::Timestamp;
use memoir_egress::{Client, HeaderName, HeaderValue, Method, Request, Url, header};
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::breaker::{Breaker, BreakerState};
use crate::bucket::TokenBucket;
use crate::clock::Now;
use crate::key::Key;
use crate::kind::KeyHeader;
use crate::{ConfigError, KeyOrigin, ProviderConfig, ProviderKind, QuirksConfig, Reason};

/// What Azure is asked to speak when nothing is said.
const AZURE_VERSION: &str = "2024-10-21";

/// One server of models, with its key and its limits.
pub(crate) struct Provider {
    pub(crate) name: String,
    pub(crate) kind: ProviderKind,
    pub(crate) base: Url,
    pub(crate) timeout: Duration,
    pub(crate) stream_timeout: Duration,
    pub(crate) masks: bool,
    pub(crate) quirks: QuirksConfig,
    pub(crate) extra: Map<String, Value>,
    pub(crate) breaker: Breaker,
    pub(crate) client: Client,
    key: Key,
    api_version: String,
    places: Arc<Semaphore>,
    tokens: Option<TokenBucket>,
    now: Now,
}

impl Provider {
    pub(crate) fn new(
        config: &ProviderConfig,
        client: Client,
        now: Now,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let setting = |field: &str| format!("models.providers.{}.{field}", config.name);
        let Some(kind) = config.kind.or_else(|| ProviderKind::named(&config.name)) else {
            return Err(ConfigError::new(
                setting("kind"),
                "must be set, because the name is not that of a kind",
            ));
        };
        let quirks = kind.quirks();
        let base = match config.base_url.as_deref().unwrap_or(quirks.base_url) {
            "" => return Err(ConfigError::new(setting("base_url"), "must be set for this kind")),
            text => Request::url(text).map_err(|_| ConfigError::new(setting("base_url"), "is not a URL"))?,
        };
        if !base.username().is_empty() || base.password().is_some() || base.query().is_some() {
            let remedy = "must be plain; a key belongs into key_env or key_file";
            return Err(ConfigError::new(setting("base_url"), remedy));
        }
        if config.concurrency == 0 || config.concurrency > Semaphore::MAX_PERMITS {
            return Err(ConfigError::new(setting("concurrency"), "must be at least 1"));
        }
        Ok(Provider {
            name: config.name.clone(),
            kind,
            base,
            timeout: config.timeout,
            stream_timeout: config.stream_timeout,
            masks: config.mask,
            quirks: config.quirks,
            extra: config.extra.clone(),
            breaker: Breaker::default(),
            client,
            key: Key::find(config, quirks, &setting("key_env"), variable)?,
            api_version: config.api_version.clone().unwrap_or_else(|| AZURE_VERSION.into()),
            places: Arc::new(Semaphore::new(config.concurrency)),
            tokens: config.tokens_per_minute.map(TokenBucket::new),
            now,
        })
    }

    pub(crate) fn key_origin(&self) -> &KeyOrigin {
        &self.key.origin
    }

    pub(crate) fn is_available(&self) -> bool {
        !self.key.is_missing()
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// A request for the chat completions of a model.
    pub(crate) fn chat(&self, model: &str, body: Vec<u8>) -> Request {
        let mut url = self.base.clone();
        let azure = self.kind == ProviderKind::Azure && !url.path().contains("/openai/v1");
        let deployment = ["openai", "deployments", model, "chat", "completions"];
        extend(&mut url, if azure { &deployment } else { &deployment[3..] });
        if azure {
            url.query_pairs_mut().append_pair("api-version", &self.api_version);
        }
        self.authorised(Request::new(Method::POST, url)).json(body)
    }

    /// A request for the list of its models.
    pub(crate) fn models(&self) -> Request {
        let mut url = self.base.clone();
        extend(&mut url, &["models"]);
        self.authorised(Request::new(Method::GET, url))
    }

    fn authorised(&self, request: Request) -> Request {
        let Some(key) = &self.key.secret else { return request };
        let (name, text) = match self.kind.quirks().key_header {
            KeyHeader::Bearer => (header::AUTHORIZATION, format!("Bearer {}", key.expose_secret())),
            KeyHeader::ApiKey => (HeaderName::from_static("api-key"), key.expose_secret().to_owned()),
        };
        let Ok(mut value) = HeaderValue::try_from(text) else { return request };
        value.set_sensitive(true);
        request.header(name, value)
    }

    /// Waits for a place. Refused if the provider is left alone, has no tokens left, or no place comes free in time.
    pub(crate) async fn enter(self: &Arc<Self>, tokens: u64, until: Instant) -> Result<Admission, Reason> {
        if !self.is_available() {
            return Err(Reason::NoKey);
        }
        if self.breaker.state(self.now()) == BreakerState::Open {
            return Err(Reason::BreakerOpen);
        }
        let place = match timeout_at(until, self.places.clone().acquire_owned()).await {
            Ok(Ok(place)) => place,
            _ => return Err(Reason::Busy),
        };
        if !self.tokens.as_ref().is_none_or(|bucket| bucket.take(tokens, self.now())) {
            return Err(Reason::OverTokens);
        }
        let admission = Admission { provider: self.clone(), taken: tokens, cost: 0, _place: place };
        // Last, because the call that tries whether a provider is back must really be made.
        if self.breaker.admits(self.now()) { Ok(admission) } else { Err(Reason::BreakerOpen) }
    }

    /// Notes that an attempt has ended like this.
    pub(crate) fn ended(&self, failure: Option<Reason>) {
        match failure {
            Some(reason) if reason.is_outage() => self.breaker.failed(self.now()),
            _ => self.breaker.succeeded(),
        }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("base", &self.base.as_str())
            .field("key", &self.key.origin)
            .finish_non_exhaustive()
    }
}

fn extend(url: &mut Url, segments: &[&str]) {
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
}

/// A place at a provider, and the tokens taken for it.
#[derive(Debug)]
pub(crate) struct Admission {
    provider: Arc<Provider>,
    taken: u64,
    cost: u64,
    _place: OwnedSemaphorePermit,
}

impl Admission {
    /// Notes what an answer cost.
    pub(crate) fn spend(&mut self, tokens: u64) {
        self.cost += tokens;
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if let Some(bucket) = &self.provider.tokens {
            bucket.settle(self.taken, self.cost);
        }
    }
}
