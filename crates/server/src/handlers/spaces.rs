use axum::Json;
use axum::body::Body as StreamBody;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use memoir_engine::SpaceRange;
use memoir_model::{Space, SpaceId};

use crate::app::App;
use crate::auth::Auth;
use crate::body::Body;
use crate::cursor;
use crate::failure::Reply;
use crate::params::{InPath, Params, page_size, space};
use crate::wire::{ListQuery, Page, SpaceRequest, SpaceView};

const LIST: &str = "spaces";

pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    Params(query): Params<ListQuery>,
) -> Reply<Json<Page<SpaceView>>> {
    let limit = page_size(query.limit)?;
    let after: Option<SpaceId> = cursor::read(LIST, query.cursor.as_deref())?;
    let spaces = app.engine().spaces(&caller, SpaceRange { after, limit }).await?;
    Ok(Json(Page::of(spaces, limit, |space: &Space| cursor::write(LIST, &space.id), SpaceView::from)))
}

pub(crate) async fn get(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
) -> Reply<Json<SpaceView>> {
    Ok(Json(app.engine().space(&caller, &space(&name)?).await?.into()))
}

pub(crate) async fn put(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
    Body(request): Body<SpaceRequest>,
) -> Reply<Json<SpaceView>> {
    Ok(Json(app.engine().put_space(&caller, &space(&name)?, request.try_into()?).await?.into()))
}

pub(crate) async fn erase(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
) -> Reply<StatusCode> {
    app.engine().erase_space(&caller, &space(&name)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Everything in a space as NDJSON, one page in memory at a time.
pub(crate) async fn export(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
) -> Reply<Response> {
    let lines = app.engine().export(&caller, &space(&name)?).await?;
    let bytes = lines.map(|line| {
        let line = line.map_err(std::io::Error::other)?;
        let mut json = serde_json::to_vec(&line)?;
        json.push(b'\n');
        Ok::<_, std::io::Error>(json)
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], StreamBody::from_stream(bytes)).into_response())
}
