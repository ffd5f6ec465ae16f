//! Which vectors the words of a message are in, besides its own.

use memoir_model::{Message, Result, Space};
use memoir_store::MessageQuery;

use crate::engine::Inner;

/// The turns whose vectors may hold the words of a message because it came just before them: the one after it, and if
/// that one came late and was not looked at yet, the one that stood in its place.
///
/// A vector is made when everything with a lower number is known, so across later turns only one with a lower number can
/// hold the message's words. What comes late is looked at together with the turn after it, so nothing lies beyond a turn
/// that was looked at. That holds only in a space which is in the index as a whole.
pub(crate) async fn holders(
    inner: &Inner,
    space: &Space,
    message: &Message,
    session_no: u64,
) -> Result<Vec<u64>> {
    let key = space.key();
    let cursors = inner.store.generations(&key).await?.into_iter().map(|generation| generation.cursor);
    let looked_at = if inner.hot.exceeds(space) { 0 } else { cursors.min().unwrap_or(u64::MAX) };
    let mut query = MessageQuery {
        session_no: Some(session_no),
        active_only: true,
        after: Some((message.said_at, message.seq)),
        ..MessageQuery::all(1)
    };
    let mut holders = Vec::new();
    while let Some(turn) = inner.store.messages(&key, &query).await?.pop() {
        holders.push(turn.seq);
        if turn.seq <= looked_at {
            break;
        }
        (query.after, query.up_to) = (Some((turn.said_at, turn.seq)), Some(turn.seq - 1));
    }
    Ok(holders)
}
