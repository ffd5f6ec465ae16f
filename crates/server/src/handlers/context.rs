use axum::Json;
use axum::extract::State;
use memoir_engine::ContextRequest;

use crate::app::App;
use crate::auth::Auth;
use crate::body::Body;
use crate::failure::Reply;
use crate::wire::{ContextBody, ContextView};

/// What the model should know for a reply.
pub(crate) async fn make(
    State(app): State<App>,
    Auth(caller): Auth,
    Body(body): Body<ContextBody>,
) -> Reply<Json<ContextView>> {
    let request = ContextRequest::try_from(body)?;
    let explain = request.explain;
    Ok(Json(ContextView::new(app.engine().context(&caller, request).await?, explain)))
}
