use clap::Args;
use memoir_server::{App, Server, ServerSettings, check_address};
use serde_json::json;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};

use crate::output::Output;
use crate::settings::{Durability, Settings};
use crate::wiring;

#[derive(Args)]
pub(crate) struct Serve {
    /// Where to listen; the same as --set server.listen=ADDRESS.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

impl Serve {
    /// Its own flags, as settings.
    pub(crate) fn flags(&self) -> Option<(String, String)> {
        self.listen.clone().map(|address| ("server.listen".to_owned(), address))
    }

    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let stop = stop_signal()?;
        let opened = wiring::open(settings).await?;
        let has_keys = opened.engine.has_keys().await?;
        check_address(settings.server.listen, has_keys).map_err(in_its_own_words)?;
        let limits = ServerSettings {
            max_body_bytes: settings.server.max_body_bytes,
            request_timeout: settings.server.request_timeout,
            max_connections: settings.server.max_connections,
            rate_per_second: settings.server.rate_per_second,
            rate_burst: settings.server.rate_burst,
        };
        let app = App::new(opened.engine.clone(), limits, !has_keys);
        let server = Server::bind(app, settings.server.listen).await.map_err(in_its_own_words)?;
        let address = format!("http://{}", server.address()?);
        let durability = match settings.store.durability {
            Durability::Full => "full",
            Durability::Normal => "normal",
        };
        let store = opened.about(settings).await?;
        let started = json!({
            "listening": address, "docs": format!("{address}/docs"), "store": store.place, "backend": store.kind,
            "durability": durability, "schema": store.schema, "keys": has_keys, "model": null, "embedder": null,
        });
        output.result(&started, || {
            let keys = if has_keys {
                "required (Authorization: Bearer KEY)"
            } else {
                "none: only this machine is served; `memoir keys create --role admin` makes the first"
            };
            format!(
                "Memoir {version}\n  listening  {address}\n  docs       {address}/docs\n  store      {place} \
                 ({name} {library}, durability {durability}, schema {schema})\n  keys       {keys}\n  \
                 model      off: everything works by rules\n  embedder   off: search is lexical",
                version = env!("CARGO_PKG_VERSION"),
                place = store.place,
                name = if store.kind == "sqlite" { "SQLite" } else { "PostgreSQL" },
                library = store.version,
                schema = store.schema,
            )
        })?;
        tokio::task::spawn_blocking(memoir_engine::warm_up);
        let workers = opened.engine.start_workers();
        server.run(stop, settings.server.shutdown_grace).await;
        workers.drain(settings.server.shutdown_grace).await;
        tracing::info!("the server has stopped");
        Ok(ExitCode::SUCCESS)
    }
}

/// An error whose message says what to do. The remedy of its code speaks to somebody who makes a request.
fn in_its_own_words(error: memoir_model::Error) -> anyhow::Error {
    anyhow::Error::msg(error.to_string())
}

/// Ctrl-C, or a service manager's request to stop. Both are heard from the moment this returns, not only once the
/// future is waited for.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping: requests and jobs that are under way may finish");
    })
}
