use axum::Json;
use axum::extract::State;

use crate::app::App;
use crate::auth::Auth;
use crate::failure::Reply;
use crate::params::{InPath, day, space};
use crate::wire::{DayReply, sources};

/// A day, with what each sentence of its summary rests on.
pub(crate) async fn get(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, date)): InPath<(String, String)>,
) -> Reply<Json<DayReply>> {
    let (space, date) = (space(&name)?, day("date", &date)?);
    let found = app.engine().day(&caller, &space, date).await?;
    let seqs = sources(found.summary.iter().flat_map(|summary| &summary.lines));
    let ids = app.engine().message_ids(&caller, &space, &seqs).await?;
    Ok(Json(DayReply::new(found, &ids)))
}
