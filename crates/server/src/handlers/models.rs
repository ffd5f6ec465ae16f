use axum::Json;
use axum::extract::State;

use crate::app::App;
use crate::auth::Auth;
use crate::failure::Reply;
use crate::wire::{ModelView, Page};

pub(crate) async fn list(State(app): State<App>, Auth(caller): Auth) -> Reply<Json<Page<ModelView>>> {
    let models = app.engine().public_models(&caller)?;
    Ok(Json(Page { items: models.into_iter().map(ModelView::from).collect(), next: None }))
}
