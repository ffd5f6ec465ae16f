use axum::Json;
use axum::extract::State;
use memoir_model::{AuditEntry, GeneratedId};

use crate::app::App;
use crate::auth::Auth;
use crate::cursor;
use crate::failure::Reply;
use crate::params::{Params, page_size};
use crate::wire::{AuditQuery, AuditView, Page};

const LIST: &str = "audit";

pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    Params(query): Params<AuditQuery>,
) -> Reply<Json<Page<AuditView>>> {
    let limit = page_size(query.limit)?;
    let below: Option<GeneratedId> = cursor::read(LIST, query.cursor.as_deref())?;
    let entries = app.engine().audit_log(&caller, below, limit).await?;
    Ok(Json(Page::of(entries, limit, |entry: &AuditEntry| cursor::write(LIST, &entry.id), AuditView::from)))
}
