use memoir_engine::{Engine, MessageQuery, NewMessage, Receipt, ReceiptStatus, SearchRequest};
use memoir_model::{Message, Session, SpaceId};

use crate::caller;

/// Stores messages, as the caller who may do everything, and returns the receipts.
pub async fn remember(engine: &Engine, messages: Vec<NewMessage>) -> Vec<Receipt> {
    engine.remember(&caller(), messages.into_iter().map(Ok).collect()).await.expect("receipts")
}

/// Stores one message that must be new.
pub async fn say(engine: &Engine, message: NewMessage) -> Receipt {
    let receipt = remember(engine, vec![message]).await.remove(0);
    assert_eq!(receipt.status, ReceiptStatus::Created, "{receipt:?}");
    receipt
}

/// All messages of a space in the order in which they were said.
pub async fn messages(engine: &Engine, space: &SpaceId) -> Vec<Message> {
    engine
        .messages(&caller(), space, None, MessageQuery::all(100_000))
        .await
        .expect("the messages of a space")
}

/// All sessions of a space in the order in which they were opened.
pub async fn sessions(engine: &Engine, space: &SpaceId) -> Vec<Session> {
    let mut sessions =
        engine.sessions(&caller(), space, None, 100_000).await.expect("the sessions of a space");
    sessions.reverse();
    sessions
}

/// The ids of the messages that a search finds, the best first.
pub async fn found(engine: &Engine, space: &SpaceId, query: &str) -> Vec<String> {
    let request = SearchRequest { query: query.into(), limit: 100, ..SearchRequest::default() };
    let page = engine.search_messages(&caller(), space, request).await.expect("a search");
    page.hits.iter().map(|hit| hit.message.id.to_string()).collect()
}
