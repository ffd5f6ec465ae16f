use memoir_engine::{Caller, Edit, Engine};
use memoir_model::{Attachment, Message, MessageId, MessageState, MessageVersion, Result, SpaceId};

/// What happened to a message of an export after it was said: edits, and its withdrawal.
#[derive(Debug, Clone)]
pub(crate) struct Revision {
    id: MessageId,
    /// Every wording, the first one first.
    wordings: Vec<(String, Vec<Attachment>)>,
    recalled: bool,
}

impl Revision {
    /// Takes a message back to how it was first said. Returns what has to follow, if anything has.
    pub(crate) fn undo(message: &mut Message, versions: Vec<MessageVersion>) -> Option<Revision> {
        let now = (message.content.clone(), message.attachments.clone());
        let before = versions.into_iter().map(|version| (version.content, version.attachments));
        let wordings: Vec<_> = before.chain([now]).collect();
        let recalled = message.state == MessageState::Recalled;
        if wordings.len() == 1 && !recalled {
            return None;
        }
        (message.content, message.attachments) = wordings[0].clone();
        Some(Revision { id: message.id.clone(), wordings, recalled })
    }

    /// Repeats what happened, from where the store is: a second import finds nothing left to do.
    pub(crate) async fn redo(self, engine: &Engine, caller: &Caller, space: &SpaceId) -> Result<()> {
        let stored = engine.message(caller, space, &self.id).await?.message;
        if stored.state != MessageState::Active {
            return Ok(());
        }
        let arrived =
            self.wordings.last().is_some_and(|(c, a)| (c, a) == (&stored.content, &stored.attachments));
        if stored.version == 1 || !arrived {
            for (content, attachments) in self.wordings.into_iter().skip(stored.version as usize) {
                let edit = Edit { content: Some(content), attachments: Some(attachments), ..Edit::default() };
                engine.edit_message(caller, space, &self.id, edit).await?;
            }
        }
        if self.recalled {
            engine.recall_message(caller, space, &self.id).await?;
        }
        Ok(())
    }
}
