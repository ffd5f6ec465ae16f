use axum::Json;
use axum::extract::State;
use memoir_engine::{TimelinePlace, TimelineRequest};
use memoir_model::{Error, SummaryLevel};

use crate::app::App;
use crate::auth::Auth;
use crate::cursor;
use crate::failure::Reply;
use crate::params::{InPath, Params, day, page_size, space};
use crate::wire::{Page, SummaryView, TimelineQuery};

/// Summaries in the order of time.
pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
    Params(query): Params<TimelineQuery>,
) -> Reply<Json<Page<SummaryView>>> {
    let (space, limit, grain) = (space(&name)?, page_size(query.limit)?, SummaryLevel::from(query.grain));
    let from = query.from.map(|text| day("from", &text)).transpose()?;
    let to = query.to.map(|text| day("to", &text)).transpose()?;
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not lie before from").into());
    }
    let list = format!("{} timeline of {space}", grain.as_str());
    let after: Option<TimelinePlace> = cursor::read(&list, query.cursor.as_deref())?;
    let request = TimelineRequest { grain, from, to, after, limit };
    let page = app.engine().timeline(&caller, &space, request).await?;
    let next = page.next.map(|place| cursor::write(&list, &place));
    Ok(Json(Page { items: page.summaries.into_iter().map(SummaryView::from).collect(), next }))
}
