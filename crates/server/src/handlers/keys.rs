use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memoir_model::{KeyId, TenantId};

use crate::app::App;
use crate::auth::Auth;
use crate::body::Body;
use crate::failure::Reply;
use crate::params::{InPath, Params};
use crate::wire::{KeyIssued, KeyRequest, KeyView, KeysQuery, Page};

pub(crate) async fn create(
    State(app): State<App>,
    Auth(caller): Auth,
    Body(request): Body<KeyRequest>,
) -> Reply<(StatusCode, Json<KeyIssued>)> {
    let issued = app.engine().create_key(&caller, request.try_into()?).await?;
    app.close();
    Ok((StatusCode::CREATED, Json(issued.into())))
}

pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    Params(query): Params<KeysQuery>,
) -> Reply<Json<Page<KeyView>>> {
    let tenant = query.tenant.map(TenantId::new).transpose()?;
    let keys = app.engine().keys(&caller, tenant.as_ref()).await?;
    Ok(Json(Page { items: keys.into_iter().map(KeyView::from).collect(), next: None }))
}

pub(crate) async fn revoke(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(id): InPath<String>,
) -> Reply<Json<KeyView>> {
    let id = KeyId::new(id).map_err(|e| e.at("id"))?;
    Ok(Json(app.engine().revoke_key(&caller, &id).await?.into()))
}
