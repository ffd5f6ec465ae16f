use axum::Json;
use axum::extract::State;

use crate::app::App;
use crate::auth::Auth;
use crate::failure::Reply;
use crate::wire::StatsView;

pub(crate) async fn get(State(app): State<App>, Auth(caller): Auth) -> Reply<Json<StatsView>> {
    Ok(Json(app.engine().stats(&caller).await?.into()))
}
