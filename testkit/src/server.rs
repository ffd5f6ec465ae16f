use memoir_engine::{Caller, Engine, NewKey};
use memoir_model::{Role, SpaceId, TenantId};
use memoir_server::{App, Server, ServerSettings};
use reqwest::{Method, StatusCode};
use serde_json::Value;
use std::net::SocketAddr;
use std::ops::Deref;
use std::time::Duration;
use tokio::sync::oneshot;

use crate::TestEngine;

/// A real HTTP server on a free loopback port, over a [`TestEngine`].
pub struct TestServer {
    /// What it serves.
    pub memoir: TestEngine,
    http: HttpServer,
}

impl TestServer {
    /// A server without keys.
    pub async fn open() -> Self {
        Self::start(TestEngine::new(), ServerSettings::default(), true).await
    }

    /// A server that asks for keys; requests are made with an admin key of the default tenant.
    pub async fn with_keys() -> Self {
        let memoir = TestEngine::new();
        let http = HttpServer::with_keys(memoir.engine.clone()).await;
        TestServer { memoir, http }
    }

    /// A server with these parts.
    pub async fn start(memoir: TestEngine, settings: ServerSettings, open: bool) -> Self {
        let http = HttpServer::start(memoir.engine.clone(), settings, open).await;
        TestServer { memoir, http }
    }
}

impl Deref for TestServer {
    type Target = HttpServer;

    fn deref(&self) -> &HttpServer {
        &self.http
    }
}

/// A real HTTP server on a free loopback port, over any engine.
pub struct HttpServer {
    /// Where it listens.
    pub address: SocketAddr,
    engine: Engine,
    client: reqwest::Client,
    key: Option<String>,
    stop: Option<oneshot::Sender<()>>,
}

impl HttpServer {
    /// A server that asks for keys; requests are made with an admin key of the default tenant.
    pub async fn with_keys(engine: Engine) -> Self {
        let mut server = Self::start(engine, ServerSettings::default(), false).await;
        server.key = Some(server.key("default", Role::Admin, None).await);
        server
    }

    /// A server with these parts.
    pub async fn start(engine: Engine, settings: ServerSettings, open: bool) -> Self {
        let app = App::new(engine.clone(), settings, open);
        let server = Server::bind(app, SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("a free port");
        let address = server.address().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(server.run(async move { drop(stopped.await) }, Duration::from_secs(5)));
        crate::tls::choose();
        HttpServer { address, engine, client: reqwest::Client::new(), key: None, stop: Some(stop) }
    }

    /// Makes a key and returns its token.
    pub async fn key(&self, tenant: &str, role: Role, space: Option<&str>) -> String {
        let operator = Caller::local(TenantId::default_tenant(), "test");
        let tenant = TenantId::new(tenant).unwrap();
        self.engine.put_tenant(&operator, tenant.clone(), String::new()).await.unwrap();
        let space = space.map(|space| space.parse::<SpaceId>().unwrap());
        let new = NewKey { tenant: Some(tenant), role, space, label: String::new() };
        self.engine.create_key(&operator, new).await.unwrap().token
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A request with the server's own key, if it has one.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, self.url(path));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// Sends a body and returns the status and the JSON of the reply.
    pub async fn send(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        read(self.request(method, path).json(&body)).await
    }

    /// Gets a path and returns the status and the JSON of the reply.
    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.request(Method::GET, path)).await
    }

    /// The same as [`HttpServer::get`] with another key.
    pub async fn get_as(&self, key: &str, path: &str) -> (StatusCode, Value) {
        read(self.client.get(self.url(path)).bearer_auth(key)).await
    }

    /// The same as [`HttpServer::send`] with another key.
    pub async fn send_as(&self, key: &str, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        read(self.client.request(method, self.url(path)).bearer_auth(key).json(&body)).await
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).ok();
        }
    }
}

async fn read(request: reqwest::RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.expect("a reply");
    let status = response.status();
    let text = response.text().await.expect("a whole reply");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
