//! Messages beside the turns around them.

use memoir_index::Talk;
use memoir_model::{Message, MessageState, Result, Space};
use memoir_store::NewVector;
use std::collections::HashMap;
use std::sync::Arc;

use super::passage::in_context;
use crate::engine::Engine;
use crate::search::HotSpace;

/// A message and the turn before it in its session.
pub(crate) struct Turn {
    pub(crate) message: Message,
    before: Option<Message>,
}

impl Turn {
    /// What becomes its vector.
    pub(crate) fn text(&self) -> String {
        in_context(&self.message, self.before.as_ref())
    }

    /// What could become its vector if the turn before it stood in the way.
    pub(crate) fn alone(&self) -> Option<Turn> {
        self.before.as_ref().map(|_| Turn { message: self.message.clone(), before: None })
    }

    /// The vector that was made of it.
    pub(crate) fn vector(&self, vector: Vec<f32>) -> NewVector {
        let Message { seq, version, .. } = self.message;
        let before = self.before.as_ref().map(|before| match before.state {
            MessageState::Active => (before.seq, before.version),
            // It was active when the index was asked. Now another turn comes before, so this vector is of the past.
            MessageState::Recalled | MessageState::Erased => (before.seq, before.version.saturating_sub(1)),
        });
        NewVector { seq, message_version: version, before, vector }
    }
}

/// The order of a space's turns. It is that of the index, which has all of them or is not asked.
pub(crate) struct Turns<'a> {
    engine: &'a Engine,
    space: &'a Space,
    hot: Option<Arc<HotSpace>>,
}

impl<'a> Turns<'a> {
    pub(crate) async fn of(engine: &'a Engine, space: &'a Space) -> Result<Self> {
        let hot = &engine.inner.hot;
        let hot = if hot.exceeds(space) { None } else { Some(hot.at(engine.store().as_ref(), space).await?) };
        Ok(Turns { engine, space, hot })
    }

    /// The messages beside the turns before them.
    pub(crate) async fn before(&self, messages: Vec<Message>) -> Result<Vec<Turn>> {
        let before: HashMap<u64, u64> = self.neighbours(&messages, Talk::before).collect();
        let seqs: Vec<u64> = before.values().copied().collect();
        let found = self.engine.store().messages_at(&self.space.key(), &seqs).await?;
        let mut found: HashMap<u64, Message> =
            found.into_iter().map(|message| (message.seq, message)).collect();
        let turn = |message: Message| {
            let before = before.get(&message.seq).and_then(|seq| found.remove(seq));
            Turn { message, before }
        };
        Ok(messages.into_iter().map(turn).collect())
    }

    /// The numbers of the turns after messages.
    pub(crate) fn after(&self, messages: &[Message]) -> Vec<u64> {
        self.neighbours(messages, Talk::after).map(|(_, after)| after).collect()
    }

    fn neighbours(
        &self,
        messages: &[Message],
        neighbour: impl Fn(&Talk, usize) -> Option<usize>,
    ) -> impl Iterator<Item = (u64, u64)> {
        let find = |talk: &Talk| {
            let pair =
                |message: &Message| Some((message.seq, talk.seq(neighbour(talk, talk.place(message.seq)?)?)));
            messages.iter().filter_map(pair).collect::<Vec<_>>()
        };
        let found = self.hot.as_ref().map(|hot| hot.with(|index| find(index.talk())));
        found.unwrap_or_default().into_iter()
    }
}
