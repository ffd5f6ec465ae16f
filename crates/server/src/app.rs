use memoir_engine::Engine;
use memoir_model::Result;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::rate::Rates;

/// The numbers that the server works with. The command line fills them from the configuration.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// The largest request body (`server.max_body_bytes`).
    pub max_body_bytes: usize,
    /// How long a request may take (`server.request_timeout`).
    pub request_timeout: Duration,
    /// How many connections are served at once (`server.max_connections`).
    pub max_connections: usize,
    /// How many requests a key may make per second; 0 for no limit (`server.rate_per_second`).
    pub rate_per_second: u32,
    /// How many requests a key may make at once (`server.rate_burst`).
    pub rate_burst: u32,
}

impl Default for ServerSettings {
    fn default() -> Self {
        ServerSettings {
            max_body_bytes: 8 << 20,
            request_timeout: Duration::from_secs(30),
            max_connections: 1024,
            rate_per_second: 200,
            rate_burst: 400,
        }
    }
}

/// What every handler shares.
#[derive(Clone)]
pub struct App {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    pub(crate) settings: ServerSettings,
    pub(crate) rates: Rates,
    /// Without keys everybody on this machine may do everything.
    pub(crate) open: AtomicBool,
    /// The second in which the store was last asked for keys.
    asked: AtomicI64,
    pub(crate) stopping: AtomicBool,
    pub(crate) metrics: PrometheusHandle,
}

impl App {
    /// An application over an engine. `open` says that there are no keys and the server listens on loopback only.
    pub fn new(engine: Engine, settings: ServerSettings, open: bool) -> Self {
        App {
            inner: Arc::new(Inner {
                engine,
                rates: Rates::new(settings.rate_per_second, settings.rate_burst),
                settings,
                open: AtomicBool::new(open),
                asked: AtomicI64::new(i64::MIN),
                stopping: AtomicBool::new(false),
                metrics: metrics_handle(),
            }),
        }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.inner.engine
    }

    /// Whether somebody without a key is served. From the first key on nobody is; the command line may have made it,
    /// so the store is asked now and then.
    pub(crate) async fn is_open(&self) -> Result<bool> {
        if !self.inner.open.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let second = self.engine().now().as_second();
        if self.inner.asked.swap(second, Ordering::Relaxed) != second && self.engine().has_keys().await? {
            self.close();
            return Ok(false);
        }
        Ok(true)
    }

    pub(crate) fn close(&self) {
        self.inner.open.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.inner.stopping.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.inner.stopping.store(true, Ordering::Relaxed);
    }
}

/// The process has one set of metrics, however many servers run in it (tests run several).
fn metrics_handle() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    const SECONDS: &[f64] =
        &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
    const TOKENS: &[f64] = &[64.0, 128.0, 256.0, 512.0, 1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3];
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), SECONDS)
                .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_tokens".into()), TOKENS))
                .unwrap_or_else(|_| PrometheusBuilder::new());
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // Fails only when somebody else has installed a recorder, and then the metrics are theirs.
            drop(metrics::set_global_recorder(recorder));
            handle
        })
        .clone()
}
