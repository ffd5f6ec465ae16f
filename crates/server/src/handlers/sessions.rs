use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memoir_model::{EndReason, Error, Result, Session, SessionId};
use std::sync::Arc;

use crate::app::App;
use crate::auth::Auth;
use crate::body::Body;
use crate::cursor;
use crate::failure::Reply;
use crate::params::{InPath, Params, page_size, space};
use crate::wire::{
    EndRequest, ListQuery, MessageView, Page, SessionRequest, SessionView, SummarizeReply, SummaryView,
    WindowQuery, WindowReply,
};

pub(crate) async fn open(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
    Body(request): Body<SessionRequest>,
) -> Reply<(StatusCode, Json<SessionView>)> {
    let session = app.engine().open_session(&caller, &space(&name)?, request.try_into()?).await?;
    Ok((StatusCode::CREATED, Json(session.into())))
}

pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
    Params(query): Params<ListQuery>,
) -> Reply<Json<Page<SessionView>>> {
    let (space, limit) = (space(&name)?, page_size(query.limit)?);
    let list = format!("sessions of {space}");
    let below = cursor::read(&list, query.cursor.as_deref())?;
    let sessions = app.engine().sessions(&caller, &space, below, limit).await?;
    Ok(Json(Page::of(
        sessions,
        limit,
        |session: &Session| cursor::write(&list, &session.no),
        SessionView::from,
    )))
}

pub(crate) async fn get(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
) -> Reply<Json<SessionView>> {
    let (space, id) = (space(&name)?, session_id(id)?);
    let session = app.engine().session(&caller, &space, &id).await?;
    let summary = app.engine().session_summary(&caller, &space, &id).await?;
    Ok(Json(SessionView::with_summary(session, summary)))
}

pub(crate) async fn end(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
    Body(request): Body<EndRequest>,
) -> Reply<Json<SessionView>> {
    let reason = match request.reason.map(|reason| reason.parse::<EndReason>()).transpose()? {
        None => EndReason::Call,
        Some(EndReason::Idle) => {
            return Err(
                Error::invalid("reason", "idleness is found by the server; use call or disconnect").into()
            );
        }
        Some(reason) => reason,
    };
    let session = app.engine().end_session(&caller, &space(&name)?, &session_id(id)?, reason).await?;
    Ok(Json(session.into()))
}

/// Sums a session up as it is now.
pub(crate) async fn summarize(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
) -> Reply<Json<SummarizeReply>> {
    Ok(Json(app.engine().summarise_session(&caller, &space(&name)?, &session_id(id)?).await?.into()))
}

pub(crate) async fn window(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
    Params(query): Params<WindowQuery>,
) -> Reply<Json<WindowReply>> {
    if query.limit.is_some_and(|limit| !(1..=200).contains(&limit)) {
        return Err(Error::invalid("limit", "must lie between 1 and 200").into());
    }
    let (space, id) = (space(&name)?, session_id(id)?);
    let window = app.engine().window(&caller, &space, &id, query.limit).await?;
    let summary = app.engine().session_summary(&caller, &space, &id).await?;
    let items = window.into_iter().map(|message| MessageView::from(Arc::unwrap_or_clone(message)));
    Ok(Json(WindowReply { items: items.collect(), summary: summary.map(SummaryView::from) }))
}

fn session_id(id: String) -> Result<SessionId> {
    SessionId::new(id).map_err(|e| e.at("id"))
}
