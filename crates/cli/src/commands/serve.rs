use clap::Args;
use memoir_engine::Models;
use memoir_llm::{KeyOrigin, Registry};
use memoir_server::{App, Server, ServerSettings, check_address};
use serde_json::json;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};

use crate::output::Output;
use crate::settings::{Durability, Settings};
use crate::wiring;
use crate::{embedding, models, reranking};

#[derive(Args)]
pub(crate) struct Serve {
    /// Where to listen; the same as --set server.listen=ADDRESS.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// What finds by meaning: auto, none, openai, or the name or folder of a model that runs here; the same as
    /// --set embedder.kind=… or embedder.model=….
    #[arg(long, value_name = "EMBEDDER")]
    embedder: Option<String>,
}

impl Serve {
    /// Its own flags, as settings.
    pub(crate) fn flags(&self) -> Vec<(String, String)> {
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let listen = self.listen.iter().map(|address| set("server.listen", address));
        let embedder = self.embedder.iter().flat_map(|embedder| match embedder.as_str() {
            "auto" | "none" | "openai" => vec![set("embedder.kind", embedder)],
            model => vec![set("embedder.kind", "local"), set("embedder.model", model)],
        });
        listen.chain(embedder).collect()
    }

    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let stop = stop_signal()?;
        let chosen = embedding::open(settings).await?;
        let (told, embeds) = (chosen.told.clone(), chosen.current.is_some());
        let registry = models::registry(settings)?;
        let writes = told_of(&registry);
        let second = reranking::open(settings).await?;
        let reranks = second.current.is_some();
        let models = Models {
            embedders: chosen.into_embedders()?,
            registry: Some(registry),
            reranker: second.current,
        };
        let opened = wiring::open_with(settings, models).await?;
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
            "durability": durability, "schema": store.schema, "keys": has_keys, "model": writes, "embedder": embeds.then_some(&told),
            "reranker": reranks.then_some(&second.told),
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
                 model      {model}\n  embedder   {told}\n  reranker   {reranker}",
                reranker = second.told,
                model = writes.as_deref().unwrap_or("off: everything works by rules"),
                version = env!("CARGO_PKG_VERSION"),
                place = store.place,
                name = if store.kind == "sqlite" { "SQLite" } else { "PostgreSQL" },
                library = store.version,
                schema = store.schema,
            )
        })?;
        tokio::task::spawn_blocking(memoir_engine::warm_up);
        let workers = opened.engine.start_workers();
        if embeds {
            tokio::spawn(fill_vectors(opened.engine.clone()));
        }
        server.run(stop, settings.server.shutdown_grace).await;
        workers.drain(settings.server.shutdown_grace).await;
        tracing::info!("the server has stopped");
        Ok(ExitCode::SUCCESS)
    }
}

/// Which roles have a model that can be asked, and which one comes first; `None` when none has.
fn told_of(registry: &Registry) -> Option<String> {
    let able = registry.describe().into_iter().filter(|role| registry.has(role.role));
    let roles: Vec<String> = able
        .filter_map(|role| {
            let first = role.chain.iter().find(|link| !matches!(link.key, KeyOrigin::Missing(_)))?;
            Some(format!("{} by {}:{}", role.role, first.provider, first.model))
        })
        .collect();
    (!roles.is_empty()).then(|| roles.join(", "))
}

/// Spaces that were written without this embedder get their vectors.
async fn fill_vectors(engine: memoir_engine::Engine) {
    match engine.request_missing_vectors().await {
        Ok(0) => {}
        Ok(spaces) => tracing::info!(spaces, "{spaces} spaces get their vectors in the background"),
        Err(error) => tracing::warn!(
            code = error.code().as_str(),
            "spaces without vectors could not be looked for: {error}"
        ),
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
