use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use memoir_model::{
    AuditAction, Error, Memory, Message, MessageState, MessageVersion, Result, Session, Space, SpaceId,
    Summary, SummaryLevel,
};
use memoir_store::{Commit, MemoryQuery, MessageQuery, WriteSet};
use serde::{Deserialize, Serialize};

use crate::access::{Access, Caller};
use crate::engine::Engine;

/// How many rows are read at a time.
const PAGE: usize = 500;

/// One line of an export. The first is the space, the last says how many messages there were, so that a cut file
/// shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ExportLine {
    /// The space and its settings.
    Space(Space),
    /// A session.
    Session(Session),
    /// A message as it is now, and how it was before.
    Message {
        /// The message.
        #[serde(flatten)]
        message: Message,
        /// Its earlier wordings.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        versions: Vec<MessageVersion>,
    },
    /// A summary.
    Summary(Summary),
    /// A memory.
    Memory(Memory),
    /// The end.
    End {
        /// How many messages came before.
        messages: u64,
    },
}

impl Engine {
    /// Everything in a space, line by line. A page is in memory at a time, however large the space is.
    pub async fn export(
        &self,
        caller: &Caller,
        space: &SpaceId,
    ) -> Result<BoxStream<'static, Result<ExportLine>>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let audit = self.inner.audit(caller, AuditAction::SpaceExported, Some(&space.id), None);
        let writes = WriteSet { rows: vec![audit], ..WriteSet::default() };
        self.inner.store.commit(Commit::to_tenant(caller.tenant.clone(), writes)).await?;
        // What was withdrawn is kept for the owner and shown to nobody else.
        let whole = caller.check(Access::Administer).is_ok();
        let cursor = Cursor { engine: self.clone(), space, whole, next: Section::Space, messages: 0 };
        let pages = futures::stream::try_unfold(cursor, |mut cursor| async move {
            Ok::<_, memoir_model::Error>(cursor.page().await?.map(|lines| (lines, cursor)))
        });
        Ok(pages.map_ok(|lines| futures::stream::iter(lines.into_iter().map(Ok))).try_flatten().boxed())
    }
}

/// Where an export has come to.
struct Cursor {
    engine: Engine,
    space: Space,
    whole: bool,
    next: Section,
    messages: u64,
}

enum Section {
    Space,
    Sessions { below: Option<u64> },
    Messages { after: Option<(jiff::Timestamp, u64)> },
    Summaries { level: SummaryLevel, after: String },
    Memories { after: Option<memoir_model::MemoryId> },
    End,
    Done,
}

impl Cursor {
    async fn page(&mut self) -> Result<Option<Vec<ExportLine>>> {
        let (store, key) = (self.engine.store().clone(), self.space.key());
        let section = std::mem::replace(&mut self.next, Section::Done);
        let lines = match section {
            Section::Space => {
                self.next = Section::Sessions { below: None };
                vec![ExportLine::Space(self.space.clone())]
            }
            Section::Sessions { below } => {
                let sessions = store.sessions(&key, below, PAGE).await?;
                self.next = match sessions.last() {
                    Some(last) => Section::Sessions { below: Some(last.no) },
                    None => Section::Messages { after: None },
                };
                sessions.into_iter().map(ExportLine::Session).collect()
            }
            Section::Messages { after } => {
                let query = MessageQuery { after, ..MessageQuery::all(PAGE) };
                let messages = store.messages(&key, &query).await?;
                self.next = match messages.last() {
                    Some(last) => Section::Messages { after: Some((last.said_at, last.seq)) },
                    None => Section::Summaries { level: SummaryLevel::Session, after: String::new() },
                };
                self.messages += messages.len() as u64;
                let mut lines = Vec::with_capacity(messages.len());
                for message in messages {
                    let message = if self.whole { message } else { crate::messages::shown(message) };
                    let versions = match message.version {
                        1 => Vec::new(),
                        _ if !self.whole && message.state != MessageState::Active => Vec::new(),
                        _ => store.message_versions(&key, message.seq).await?,
                    };
                    lines.push(ExportLine::Message { message, versions });
                }
                lines
            }
            Section::Summaries { level, after } => {
                let summaries = store.summaries(&key, level, &after, "\u{10ffff}", PAGE).await?;
                let further: Vec<_> = summaries.into_iter().filter(|s| s.period.key() > after).collect();
                self.next = match (further.last(), level) {
                    (Some(last), level) => Section::Summaries { level, after: last.period.key() },
                    (None, SummaryLevel::Session) => summaries_of(SummaryLevel::Day),
                    (None, SummaryLevel::Day) => summaries_of(SummaryLevel::Week),
                    (None, SummaryLevel::Week) => summaries_of(SummaryLevel::Month),
                    (None, SummaryLevel::Month) => summaries_of(SummaryLevel::Background),
                    (None, SummaryLevel::Background) => Section::Memories { after: None },
                };
                further.into_iter().map(ExportLine::Summary).collect()
            }
            Section::Memories { after } => {
                let query = MemoryQuery { after, limit: PAGE, ..MemoryQuery::default() };
                let memories = store.memories(&key, &query).await?;
                self.next = match memories.last() {
                    Some(last) => Section::Memories { after: Some(last.id.clone()) },
                    None => Section::End,
                };
                memories.into_iter().map(ExportLine::Memory).collect()
            }
            Section::End => {
                // Of a space that was erased meanwhile nothing more was found; that is no end.
                let there = store.space_at(&key).await?;
                there.ok_or_else(|| Error::not_found("space", &self.space.id))?;
                vec![ExportLine::End { messages: self.messages }]
            }
            Section::Done => return Ok(None),
        };
        Ok(Some(lines))
    }
}

fn summaries_of(level: SummaryLevel) -> Section {
    Section::Summaries { level, after: String::new() }
}
