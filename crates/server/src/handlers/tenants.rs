use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memoir_model::TenantId;

use crate::app::App;
use crate::auth::Auth;
use crate::body::Body;
use crate::failure::Reply;
use crate::wire::{Page, TenantRequest, TenantView};

pub(crate) async fn list(State(app): State<App>, Auth(caller): Auth) -> Reply<Json<Page<TenantView>>> {
    let tenants = app.engine().tenants(&caller).await?;
    Ok(Json(Page { items: tenants.into_iter().map(TenantView::from).collect(), next: None }))
}

pub(crate) async fn put(
    State(app): State<App>,
    Auth(caller): Auth,
    Body(request): Body<TenantRequest>,
) -> Reply<(StatusCode, Json<TenantView>)> {
    let id = TenantId::new(request.id).map_err(|e| e.at("id"))?;
    let tenant = app.engine().put_tenant(&caller, id, request.label).await?;
    Ok((StatusCode::CREATED, Json(tenant.into())))
}
