use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memoir_engine::Unavailable;

use crate::app::App;
use crate::auth::Auth;
use crate::failure::Reply;
use crate::params::{Params, space};
use crate::wire::{ReembedQuery, ReembedReply};

pub(crate) async fn reembed(
    State(app): State<App>,
    Auth(caller): Auth,
    Params(query): Params<ReembedQuery>,
) -> Reply<(StatusCode, Json<ReembedReply>)> {
    let space = query.space.map(|name| space(&name)).transpose()?;
    let spaces = app.engine().reembed(&caller, space.as_ref(), query.dry_run).await?;
    let status = if query.dry_run { StatusCode::OK } else { StatusCode::ACCEPTED };
    let unavailable = spaces.is_none().then_some(Unavailable::NoEmbedder.as_str());
    Ok((
        status,
        Json(ReembedReply { spaces: spaces.unwrap_or_default(), dry_run: query.dry_run, unavailable }),
    ))
}
