use axum::Json;
use axum::extract::State;

use crate::app::App;
use crate::auth::Auth;
use crate::body::Body;
use crate::failure::Reply;
use crate::wire::{RecallBody, RecallView};

/// The messages of a space that matter for a message.
pub(crate) async fn recall(
    State(app): State<App>,
    Auth(caller): Auth,
    Body(body): Body<RecallBody>,
) -> Reply<Json<RecallView>> {
    let (space, request) = body.into_request()?;
    let explain = request.explain;
    Ok(Json(RecallView::new(app.engine().recall(&caller, &space, request).await?, explain)))
}
