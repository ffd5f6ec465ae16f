use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memoir_engine::{BackfillRequest, Unavailable};
use memoir_model::Error;

use crate::app::App;
use crate::auth::Auth;
use crate::failure::Reply;
use crate::params::{Params, day, space};
use crate::wire::{BackfillQuery, BackfillReply, FilledView, ReembedQuery, ReembedReply};

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

/// Has summaries made for what was said before there were any.
pub(crate) async fn backfill(
    State(app): State<App>,
    Auth(caller): Auth,
    Params(query): Params<BackfillQuery>,
) -> Reply<(StatusCode, Json<BackfillReply>)> {
    let space = query.space.map(|name| space(&name)).transpose()?;
    let since = query.since.map(|text| day("since", &text)).transpose()?;
    if !query.dry_run {
        let spaces = app.engine().ask_for_backfill(&caller, space.as_ref(), since).await?;
        return Ok((StatusCode::ACCEPTED, Json(BackfillReply { spaces, dry_run: false, would: None })));
    }
    let space = space.ok_or_else(|| {
        Error::invalid("space", "must be named for a dry run; `memoir backfill --dry-run` goes through all")
    })?;
    let request = BackfillRequest { since, dry_run: true };
    let would = app.engine().backfill(&caller, &space, request, &mut |_| {}).await?;
    let would = Some(FilledView::from(would));
    Ok((StatusCode::OK, Json(BackfillReply { spaces: 1, dry_run: true, would })))
}
