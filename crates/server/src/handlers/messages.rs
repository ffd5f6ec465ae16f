use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memoir_engine::{MessageQuery, Order, ReceiptStatus, SearchRequest, Unavailable};
use memoir_model::{Author, Error, MessageId, Result, SessionId};
use serde_json::Value;

use crate::app::App;
use crate::auth::Auth;
use crate::body::{AnyBody, Body};
use crate::cursor;
use crate::failure::{Failure, Reply};
use crate::params::{InPath, Params, moment, page_size, space};
use crate::wire::{
    By, HitView, MessageDetailView, MessagePage, MessagePatch, MessageView, MessagesQuery, Page, ReceiptView,
    RememberReply, SearchQuery, SearchReply, SummaryView, message_from_json,
};

/// Stores messages. One message that cannot be stored is an error of the request; among many it is its own.
pub(crate) async fn remember(
    State(app): State<App>,
    Auth(caller): Auth,
    AnyBody(body): AnyBody,
) -> Reply<(StatusCode, Json<RememberReply>)> {
    let (parts, single) = match many_or_one(body)? {
        Ok(many) => (many, false),
        Err(one) => (vec![one], true),
    };
    let messages = parts.into_iter().map(message_from_json);
    let receipts = app.engine().remember(&caller, messages.collect()).await?;
    if let Some(error) = whole_error(&receipts, single) {
        return Err(Failure(error));
    }
    let created = receipts.iter().all(|receipt| receipt.status == ReceiptStatus::Created);
    let status = if created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(RememberReply { results: receipts.into_iter().map(ReceiptView::from).collect() })))
}

/// The messages of a body that has many; else the body, which is one message.
fn many_or_one(mut body: Value) -> Result<Result<Vec<Value>, Value>> {
    let Some(many) = body.as_object_mut().and_then(|fields| fields.remove("messages")) else {
        return Ok(Err(body));
    };
    let Value::Array(many) = many else { return Err(Error::invalid("messages", "must be a list")) };
    match body.as_object().and_then(|fields| fields.keys().next()) {
        None => Ok(Ok(many)),
        Some(other) => Err(Error::invalid(other, "must stand inside each message when there are many")),
    }
}

/// The error that stands for the whole request: the only message's, or the store's when nothing at all was stored.
fn whole_error(receipts: &[memoir_engine::Receipt], single: bool) -> Option<Error> {
    let error = receipts.first()?.error.clone()?;
    if single {
        // Who sent one message knows of no list.
        let field = error
            .field()
            .map(|field| field.trim_start_matches("messages[0]").trim_start_matches('.').to_owned());
        return Some(match field {
            Some(field) if field.is_empty() => Error::new(error.code(), error.message()),
            Some(field) => error.at(field),
            None => error,
        });
    }
    receipts.iter().all(|receipt| receipt.status == ReceiptStatus::Failed).then_some(error)
}

pub(crate) async fn list(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
    Params(query): Params<MessagesQuery>,
) -> Reply<Json<MessagePage>> {
    let (space, limit) = (space(&name)?, page_size(query.limit)?);
    let list = format!("messages of {space}");
    let wanted = MessageQuery {
        from: query.from.map(|text| moment("from", &text)).transpose()?,
        until: query.until.map(|text| moment("until", &text)).transpose()?,
        author: query.author,
        role: query.role.map(|role| role.parse()).transpose()?,
        after: cursor::read(&list, query.cursor.as_deref())?,
        order: match query.order.as_deref() {
            None | Some("oldest") => Order::Oldest,
            Some("newest") => Order::Newest,
            Some(_) => return Err(Error::invalid("order", "must be oldest or newest").into()),
        },
        ..MessageQuery::all(limit)
    };
    let session = query.session.map(|id| SessionId::new(id).map_err(|e| e.at("session"))).transpose()?;
    let messages = app.engine().messages(&caller, &space, session.as_ref(), wanted).await?;
    let next = |message: &memoir_model::Message| cursor::write(&list, &(message.said_at, message.seq));
    let page = Page::of(messages, limit, next, MessageView::from);
    let summary = match &session {
        Some(id) => app.engine().session_summary(&caller, &space, id).await?,
        None => None,
    };
    Ok(Json(MessagePage { page, summary: summary.map(SummaryView::from) }))
}

pub(crate) async fn get(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
) -> Reply<Json<MessageDetailView>> {
    let detail = app.engine().message(&caller, &space(&name)?, &message_id(id)?).await?;
    Ok(Json(detail.into()))
}

pub(crate) async fn change(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
    Body(patch): Body<MessagePatch>,
) -> Reply<Json<MessageView>> {
    let (space, id) = (space(&name)?, message_id(id)?);
    let message = match patch.edit()? {
        Some(edit) => app.engine().edit_message(&caller, &space, &id, edit).await?,
        None => app.engine().recall_message(&caller, &space, &id).await?.without_words(),
    };
    Ok(Json(message.into()))
}

pub(crate) async fn erase(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath((name, id)): InPath<(String, String)>,
) -> Reply<Json<MessageView>> {
    let message = app.engine().erase_message(&caller, &space(&name)?, &message_id(id)?).await?;
    Ok(Json(message.into()))
}

pub(crate) async fn search(
    State(app): State<App>,
    Auth(caller): Auth,
    InPath(name): InPath<String>,
    Params(query): Params<SearchQuery>,
) -> Reply<Json<SearchReply>> {
    let (space, limit) = (space(&name)?, page_size(query.limit)?);
    let list = match query.by {
        By::Words => format!("search in {space} for {}", query.q),
        By::Meaning => format!("search by meaning in {space} for {}", query.q),
    };
    let offset = cursor::read::<usize>(&list, query.cursor.as_deref())?.unwrap_or_default();
    let request = SearchRequest {
        query: query.q,
        from: query.from.map(|text| moment("from", &text)).transpose()?,
        until: query.until.map(|text| moment("until", &text)).transpose()?,
        author: query.author.map(|name| Author::new(name).map_err(|e| e.at("author"))).transpose()?,
        role: query.role.map(|role| role.parse()).transpose()?,
        session: query.session.map(|id| SessionId::new(id).map_err(|e| e.at("session"))).transpose()?,
        offset,
        // The last page ends where the list does.
        limit: limit.min(SearchRequest::DEEPEST.saturating_sub(offset)).max(1),
    };
    let mut reply = match query.by {
        By::Words => {
            let page = app.engine().search_messages(&caller, &space, request).await?;
            SearchReply {
                items: page.hits.into_iter().map(HitView::from).collect(),
                total: page.total,
                next: None,
                truncated: page.truncated,
                partial: page.partial,
                unavailable: None,
            }
        }
        By::Meaning => {
            let page = app.engine().nearest_messages(&caller, &space, request).await?;
            SearchReply {
                items: page.hits.into_iter().map(HitView::from).collect(),
                total: page.vectors,
                next: None,
                truncated: false,
                partial: false,
                unavailable: page.unavailable.map(Unavailable::as_str),
            }
        }
    };
    let reached = offset.saturating_add(limit);
    let more = reached < reply.total.min(SearchRequest::DEEPEST) && !reply.items.is_empty();
    reply.next = more.then(|| cursor::write(&list, &reached));
    Ok(Json(reply))
}

fn message_id(id: String) -> Result<MessageId> {
    MessageId::new(id).map_err(|e| e.at("id"))
}
