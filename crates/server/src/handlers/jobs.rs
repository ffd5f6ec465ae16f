use axum::Json;
use axum::extract::State;
use memoir_model::{GeneratedId, Job};

use crate::app::App;
use crate::auth::Auth;
use crate::cursor;
use crate::failure::Reply;
use crate::params::{InPath, Params, page_size, space};
use crate::wire::{JobQuery, JobView, Page};

const LIST: &str = "jobs";

pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    Params(query): Params<JobQuery>,
) -> Reply<Json<Page<JobView>>> {
    let limit = page_size(query.limit)?;
    let state = query.wanted_state()?;
    let after: Option<GeneratedId> = cursor::read(LIST, query.cursor.as_deref())?;
    let space = query.space.map(|name| space(&name)).transpose()?;
    let jobs = app.engine().jobs(&caller, space.as_ref(), state, after, limit).await?;
    Ok(Json(Page::of(jobs, limit, |job: &Job| cursor::write(LIST, &job.id), JobView::from)))
}

pub(crate) async fn get(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(id): InPath<String>,
) -> Reply<Json<JobView>> {
    Ok(Json(app.engine().job(&caller, id.parse()?).await?.into()))
}

pub(crate) async fn retry(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(id): InPath<String>,
) -> Reply<Json<JobView>> {
    Ok(Json(app.engine().retry_job(&caller, id.parse()?).await?.into()))
}
