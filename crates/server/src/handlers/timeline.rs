use axum::Json;
use axum::extract::State;
use jiff::civil::Date;
use memoir_engine::TimelineRequest;
use memoir_model::{Error, Summary, SummaryLevel};

use crate::app::App;
use crate::auth::Auth;
use crate::cursor;
use crate::failure::Reply;
use crate::params::{InPath, Params, day, page_size, space};
use crate::wire::{Page, SummaryView, TimelineQuery};

/// Summaries in the order of time. A page begins after the day on which the last period of the one before began.
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
    let reached: Option<Date> = cursor::read(&list, query.cursor.as_deref())?;
    let after = reached.map(|day| day.tomorrow().unwrap_or(Date::MAX));
    let request = TimelineRequest { grain, from: from.max(after), to, limit };
    let summaries = app.engine().timeline(&caller, &space, request).await?;
    let next = |last: &Summary| last.period.days().map(|(first, _)| cursor::write(&list, &first));
    let next = summaries.last().filter(|_| summaries.len() == limit).and_then(next);
    Ok(Json(Page { items: summaries.into_iter().map(SummaryView::from).collect(), next }))
}
