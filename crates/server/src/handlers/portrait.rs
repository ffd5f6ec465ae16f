use axum::Json;
use axum::extract::State;
use memoir_model::Portrait;

use crate::app::App;
use crate::auth::Auth;
use crate::failure::Reply;
use crate::params::{InPath, space};
use crate::wire::{PortraitView, sources};

/// What is known of somebody, with what each line rests on.
pub(crate) async fn get(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
) -> Reply<Json<PortraitView>> {
    let space = space(&name)?;
    let portrait = app.engine().portrait(&caller, &space).await?;
    let Portrait { situation, background, topics, principles } = &portrait;
    let seqs = sources([situation, background, topics, principles].into_iter().flatten());
    let ids = app.engine().message_ids(&caller, &space, &seqs).await?;
    Ok(Json(PortraitView::new(portrait, &ids)))
}
