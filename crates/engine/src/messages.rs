use memoir_model::{
    Error, Message, MessageId, MessageState, MessageVersion, Result, Session, SessionId, SpaceId,
};
use memoir_store::MessageQuery;

use crate::access::{Access, Caller};
use crate::engine::Engine;

/// A message with what surrounds it.
#[derive(Debug, Clone)]
pub struct MessageDetail {
    /// The message.
    pub message: Message,
    /// The message it answers, when that one is here.
    pub answered: Option<Message>,
    /// Its earlier wordings, the oldest first.
    pub versions: Vec<MessageVersion>,
}

impl Engine {
    /// Messages of a space by the time they were said. `session` narrows the list to one session.
    pub async fn messages(
        &self,
        caller: &Caller,
        space: &SpaceId,
        session: Option<&SessionId>,
        mut query: MessageQuery,
    ) -> Result<Vec<Message>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        if let Some(id) = session {
            let session: Option<Session> = self.inner.store.session(&space.key(), id).await?;
            query.session_no = Some(session.ok_or_else(|| Error::not_found("session", id))?.no);
        }
        let messages = self.inner.store.messages(&space.key(), &query).await?;
        Ok(messages.into_iter().map(shown).collect())
    }

    /// One message, with the one it answers and with its earlier wordings.
    pub async fn message(&self, caller: &Caller, space: &SpaceId, id: &MessageId) -> Result<MessageDetail> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let (store, key) = (&self.inner.store, space.key());
        let message = store.message(&key, id).await?.ok_or_else(|| Error::not_found("message", id))?;
        let answered = match &message.reply_to {
            Some(id) => store.message(&key, id).await?.map(shown),
            None => None,
        };
        let versions = match message.state {
            MessageState::Active if message.version > 1 => store.message_versions(&key, message.seq).await?,
            _ => Vec::new(),
        };
        Ok(MessageDetail { message: shown(message), answered, versions })
    }
}

/// What a reader sees: the words of a recalled message are kept, but not shown.
pub(crate) fn shown(message: Message) -> Message {
    if message.state == MessageState::Active { message } else { message.without_words() }
}
