//! A message that its product edits, withdraws or erases (X7).

use memoir_index::Terms;
use memoir_model::{
    Attachment, AuditAction, Author, Error, ErrorCode, Event, Message, MessageId, MessageState,
    MessageVersion, Metadata, Result, SpaceId,
};
use memoir_store::{Commit, MessageRow, Row, WriteSet};
use std::sync::Arc;

use super::lane::SpaceState;
use super::ledger::Ledger;
use crate::access::{Access, Caller};
use crate::embedding;
use crate::engine::{Engine, Inner};
use crate::layers::Change;

/// New words for a message; what is absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// The new words.
    pub content: Option<String>,
    /// What is sent along now.
    pub attachments: Option<Vec<Attachment>>,
    /// Who is addressed now.
    pub mentions: Option<Vec<Author>>,
    /// What the product attaches now.
    pub metadata: Option<Metadata>,
}

#[derive(Clone)]
enum Revision {
    Edit(Edit),
    Recall,
    Erase,
}

impl Engine {
    /// Gives a message new words; the earlier wording is kept as a version.
    pub async fn edit_message(
        &self,
        caller: &Caller,
        space: &SpaceId,
        id: &MessageId,
        edit: Edit,
    ) -> Result<Message> {
        self.revise(caller, space, id, Revision::Edit(edit)).await
    }

    /// Withdraws a message: it is kept, but shown and found nowhere.
    pub async fn recall_message(&self, caller: &Caller, space: &SpaceId, id: &MessageId) -> Result<Message> {
        self.revise(caller, space, id, Revision::Recall).await.map(crate::messages::shown)
    }

    /// Erases a message's words, every earlier wording included. That it was there remains.
    pub async fn erase_message(&self, caller: &Caller, space: &SpaceId, id: &MessageId) -> Result<Message> {
        self.revise(caller, space, id, Revision::Erase).await
    }

    async fn revise(
        &self,
        caller: &Caller,
        space: &SpaceId,
        id: &MessageId,
        revision: Revision,
    ) -> Result<Message> {
        caller.check_space(Access::Write, space)?;
        let (caller, id) = (caller.clone(), id.clone());
        self.in_lane(&caller.tenant.clone(), space, move |inner, state| {
            let (caller, id, revision) = (caller.clone(), id.clone(), revision.clone());
            async move { inner.revise(state, &caller, &id, revision).await }
        })
        .await
    }
}

impl Inner {
    async fn revise(
        self: Arc<Self>,
        mut state: SpaceState,
        caller: &Caller,
        id: &MessageId,
        revision: Revision,
    ) -> Result<(SpaceState, Message)> {
        let key = state.space.key();
        let before = self.store.message(&key, id).await?.ok_or_else(|| Error::not_found("message", id))?;
        let Some((after, event, action)) = revised(&before, &revision)? else {
            return Ok((state, before));
        };
        let now = self.clock.now();
        let base_version = state.space.version;
        let session = self.store.session(&key, &before.session).await?;
        let session = session.ok_or_else(|| Error::internal("a message has no session"))?;
        let (session_no, ended) = (session.no, !session.is_open());
        let outdated = embedding::holders(&self, &state.space, &before, session_no).await?;
        let mut ledger = Ledger::new(&self, &mut state, now);
        ledger.adopt(session);
        if ended {
            ledger.mark_stale(session_no)?;
        } else {
            ledger.events.push(Event::SessionGrown { session: before.session.clone() });
        }
        let mut events = std::mem::take(&mut ledger.events);
        let mut rows = ledger.rows();
        events.push(event);
        events.push(Event::DayTouched { day: before.local_date() });
        let change = if after.state == MessageState::Active { Change::Words } else { Change::Gone };
        let outdated_summaries = self.outdated_by(&state.space, &before, change).await?;
        let jobs = self.made_again(&state.space, &outdated_summaries, now);
        rows.extend(outdated_summaries);
        let terms = match after.state {
            MessageState::Active => Terms::of(&after.searchable()).into_blob(),
            _ => Vec::new(),
        };
        let row = |digest| {
            Box::new(MessageRow { message: after.clone(), session_no, terms: terms.clone(), digest })
        };
        rows.push(match revision {
            // Nothing that could tell what the words were is left, their digest included.
            Revision::Erase => Row::EraseMessage(row(0)),
            Revision::Edit(_) | Revision::Recall => {
                let taken = self.store.taken_ids(&key, std::slice::from_ref(id)).await?;
                let digest = taken.first().map_or(0, |taken| taken.digest);
                let previous = MessageVersion {
                    version: before.version,
                    content: before.content,
                    attachments: before.attachments,
                    replaced_at: now,
                };
                Row::ReviseMessage { row: row(digest), previous: Box::new(previous) }
            }
        });
        rows.extend(outdated.into_iter().map(|seq| Row::OutdateVector { seq }));
        rows.push(self.audit(caller, action, Some(&state.space.id), Some(id.to_string())));
        let writes = WriteSet { rows, jobs, events };
        let committed =
            self.commit(&state.space, Commit::to_space(key, writes).expecting(base_version)).await?;
        state.space.version = committed.version;
        self.windows.forget(state.space.no);
        Ok((state, after))
    }
}

/// The message as it is afterwards; `None` when it is like that already.
fn revised(before: &Message, revision: &Revision) -> Result<Option<(Message, Event, AuditAction)>> {
    let seq = before.seq;
    let gone = |word: &str| Err(Error::new(ErrorCode::Conflict, format!("the message was {word}")));
    let mut after = before.clone();
    match (revision, before.state) {
        (Revision::Erase, MessageState::Erased) | (Revision::Recall, MessageState::Recalled) => Ok(None),
        (Revision::Edit(_) | Revision::Recall, MessageState::Erased) => gone("erased"),
        (Revision::Edit(_), MessageState::Recalled) => gone("recalled"),
        (Revision::Erase, _) => {
            after = after.without_words();
            after.reply_to = None;
            after.state = MessageState::Erased;
            after.version += 1;
            Ok(Some((after, Event::MessageErased { seq }, AuditAction::MessageErased)))
        }
        (Revision::Recall, MessageState::Active) => {
            after.state = MessageState::Recalled;
            after.version += 1;
            Ok(Some((after, Event::MessageRecalled { seq }, AuditAction::MessageRecalled)))
        }
        (Revision::Edit(edit), MessageState::Active) => {
            let edit = edit.clone();
            after.content = edit.content.unwrap_or(after.content);
            after.attachments = edit.attachments.unwrap_or(after.attachments);
            after.mentions = edit.mentions.unwrap_or(after.mentions);
            after.metadata = edit.metadata.unwrap_or(after.metadata);
            Message::check_limits(&after.content, &after.attachments, &after.mentions, &after.metadata)?;
            if after == *before {
                return Ok(None);
            }
            after.version += 1;
            Ok(Some((after, Event::MessageEdited { seq }, AuditAction::MessageEdited)))
        }
    }
}
