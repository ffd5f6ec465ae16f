use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue, LOCATION, RANGE};
use reqwest::{Method, StatusCode, Url, redirect};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

use crate::body::Allowance;
use crate::policy::is_this_machine;
use crate::resolver::{Lookup, Refused, Resolver, system};
use crate::{BodyStream, EgressError, Follow, Policy, Request, Response, Streaming, tls};

/// How long connecting may take unless said otherwise.
const CONNECT: Duration = Duration::from_secs(5);
/// How many redirects are followed.
const MOST_REDIRECTS: usize = 5;
/// How we introduce ourselves.
const AGENT: &str = concat!("memoir/", env!("CARGO_PKG_VERSION"));
/// The only headers that another host is sent after a redirect.
const HARMLESS: [reqwest::header::HeaderName; 3] = [ACCEPT, ACCEPT_ENCODING, RANGE];

/// Sends requests within a policy. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    policy: Policy,
    /// Goes through the proxies that the environment names.
    outward: reqwest::Client,
    /// Goes nowhere but straight to the address.
    direct: reqwest::Client,
}

impl Client {
    /// A client that waits five seconds for a connection.
    pub fn new(policy: Policy) -> Self {
        Self::connecting_within(policy, CONNECT)
    }

    /// A client that waits this long for a connection.
    pub fn connecting_within(policy: Policy, connect: Duration) -> Self {
        Self::with_lookup(policy, connect, &system())
    }

    pub(crate) fn with_lookup(policy: Policy, connect: Duration, lookup: &Lookup) -> Self {
        let builder = || {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls::config())
                .user_agent(AGENT)
                .redirect(redirect::Policy::none())
                .referer(false)
                .connect_timeout(connect)
                .dns_resolver(Resolver::new(policy, lookup.clone()))
        };
        #[expect(clippy::expect_used, reason = "building fails only for a TLS backend of another kind")]
        let build = |builder: reqwest::ClientBuilder| builder.build().expect("a client");
        let direct = build(builder().no_proxy());
        let outward = match policy {
            Policy::Any => build(builder()),
            Policy::PublicOnly => direct.clone(),
        };
        Client { policy, outward, direct }
    }

    /// Sends a request and waits for the whole answer. Whatever its status, an answer is not an error.
    pub async fn send(&self, request: Request) -> Result<Response, EgressError> {
        let idle = request.deadline;
        let Streaming { status, headers, body } = self.stream(Request { idle, ..request }).await?;
        Ok(Response { status, headers, body: body.collect().await? })
    }

    /// Sends a request and returns as soon as the answer has begun. For a part of a file, send a `Range` header.
    pub async fn stream(&self, request: Request) -> Result<Streaming, EgressError> {
        let until = Instant::now() + request.deadline;
        let mut headers = request.headers.clone();
        if headers.contains_key(RANGE) {
            // A part of a file is a part of its bytes, not of a compressed copy.
            headers.entry(ACCEPT_ENCODING).or_insert(HeaderValue::from_static("identity"));
        }
        let mut url = request.url.clone();
        for _ in 0..=MOST_REDIRECTS {
            let response = self.step(&request, url.clone(), headers.clone(), until).await?;
            let Some(next) = self.target(&request, &url, &response) else {
                return Ok(streaming(&request, response, &url, until));
            };
            if !same_place(&next, &url) {
                headers = HARMLESS
                    .into_iter()
                    .filter_map(|name| headers.get(&name).cloned().map(|value| (name, value)))
                    .collect::<HeaderMap>();
            }
            url = next;
        }
        Err(EgressError::Broken { host: host_of(&url) })
    }

    async fn step(
        &self,
        request: &Request,
        url: Url,
        headers: HeaderMap,
        until: Instant,
    ) -> Result<reqwest::Response, EgressError> {
        self.policy.check(&url)?;
        let host = host_of(&url);
        let client = if is_this_machine(&host) { &self.direct } else { &self.outward };
        let sent =
            client.request(request.method.clone(), url).headers(headers).body(request.body.clone()).send();
        match timeout_at(until, sent).await {
            Err(_) => Err(EgressError::Deadline { host }),
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(classify(&error, host)),
        }
    }

    /// Where to go next, if the answer is a redirect that may be followed.
    fn target(&self, request: &Request, from: &Url, response: &reqwest::Response) -> Option<Url> {
        let reading = matches!(request.method, Method::GET | Method::HEAD);
        match response.status() {
            // These keep the method and the body.
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => {}
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER if reading => {}
            _ => return None,
        }
        let location = response.headers().get(LOCATION)?.to_str().ok()?;
        let next = from.join(location).ok()?;
        let anywhere = self.policy == Policy::Any && request.follow == Follow::Anywhere && reading;
        (anywhere || same_place(&next, from)).then_some(next)
    }
}

fn classify(error: &reqwest::Error, host: String) -> EgressError {
    if Refused::is_behind(error) {
        EgressError::Forbidden { host }
    } else if error.is_timeout() {
        EgressError::Deadline { host }
    } else if error.is_connect() {
        EgressError::Unreachable { host }
    } else if error.is_builder() {
        EgressError::BadUrl("it cannot be sent")
    } else {
        EgressError::Broken { host }
    }
}

fn streaming(request: &Request, mut response: reqwest::Response, url: &Url, until: Instant) -> Streaming {
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let allowance = Allowance { host: host_of(url), until, idle: request.idle, limit: request.limit };
    Streaming { status, headers, body: BodyStream::new(response, allowance) }
}

fn same_place(a: &Url, b: &Url) -> bool {
    a.origin() == b.origin()
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
