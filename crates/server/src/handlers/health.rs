use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use memoir_model::{Error, ErrorCode};

use crate::app::App;
use crate::failure::Reply;

/// The process runs.
pub(crate) async fn alive() -> &'static str {
    "ok\n"
}

/// The process can serve: the store answers and nobody is shutting it down.
pub(crate) async fn ready(State(app): State<App>) -> Reply<&'static str> {
    if app.is_stopping() {
        return Err(Error::new(ErrorCode::ShuttingDown, "the server is stopping").into());
    }
    app.engine().ping().await?;
    Ok("ready\n")
}

/// Prometheus' text format.
pub(crate) async fn metrics(State(app): State<App>) -> impl IntoResponse {
    app.inner.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.inner.metrics.render())
}
