use axum::Json;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream::{BoxStream, StreamExt};
use memoir_engine::{Answering, ContextRequest, StreamPart, Words};

use crate::app::App;
use crate::auth::Auth;
use crate::body::AnyBody;
use crate::failure::Reply;
use crate::wire::{AnswerBody, AnswerEvent, AnswerView, Basis};

/// Answers a message from memory, at once or word by word.
pub(crate) async fn make(
    State(app): State<App>,
    Auth(caller): Auth,
    AnyBody(body): AnyBody,
) -> Reply<Response> {
    let AnswerBody { context, stream } = AnswerBody::from_json(body)?;
    let answering = app.engine().answer(&caller, ContextRequest::try_from(context)?).await?;
    if !stream {
        return Ok(Json(AnswerView::from(answering.whole().await)).into_response());
    }
    let events = events(answering).map(|event| Event::default().json_data(event));
    // A sign of life now and then: whatever stands between may close a connection on which nothing comes.
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// The answer as it comes. Who hangs up drops it, and with it the request to the model.
fn events(answering: Answering) -> BoxStream<'static, AnswerEvent> {
    let basis = Basis::new(answering.by().to_owned(), answering.context);
    let mut done = Some(AnswerEvent::Done { done: true, basis });
    match answering.words {
        Words::ByRules(data) => {
            futures::stream::iter([AnswerEvent::Words { data }].into_iter().chain(done)).boxed()
        }
        Words::Coming(parts) => parts
            .filter_map(move |part| {
                let event = match part {
                    Ok(StreamPart::Text(data)) => Some(AnswerEvent::Words { data }),
                    Ok(StreamPart::ToolCall(_)) => None,
                    Ok(StreamPart::End { .. }) => done.take(),
                    Err(_) => Some(AnswerEvent::broken()),
                };
                std::future::ready(event)
            })
            .boxed(),
    }
}
