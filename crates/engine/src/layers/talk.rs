use jiff::Timestamp;
use jiff::civil::Date;
use memoir_model::{Message, MessageState, Result, Session, SessionId, Space, SpaceKind, Speaker, Summary};
use memoir_store::{MessageQuery, SessionTalk, Store};
use memoir_text::Role;

use super::digest::Digest;

/// How many messages are read at a time.
const PAGE: usize = 1_000;
/// How much of a talk is read, in bytes. What is beyond is counted and not read.
const MOST_BYTES: usize = 4 << 20;

/// Something that was said, as a summary reads it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub(crate) seq: u64,
    pub(crate) version: u32,
    pub(crate) session: SessionId,
    /// Who said it; empty for the one whose space it is, who is simply the user.
    pub(crate) speaker: String,
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) date: Date,
}

impl Said {
    fn of(message: &Message, space: &Space) -> Self {
        let is_owner = space.id.kind() == SpaceKind::User && message.author.as_str() == space.id.name();
        let role = if message.role == Speaker::User { Role::User } else { Role::Assistant };
        Said {
            seq: message.seq,
            version: message.version,
            session: message.session.clone(),
            speaker: if is_owner { String::new() } else { message.author.as_str().to_owned() },
            role,
            text: message.searchable().join(" "),
            date: message.local_date(),
        }
    }
}

/// What people and assistants said in a stretch of time, in order. What products put in besides (system, tool) is no
/// talk.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Talk {
    pub(crate) said: Vec<Said>,
}

impl Talk {
    /// Of a session.
    pub(crate) async fn of_session(store: &dyn Store, space: &Space, session: &Session) -> Result<Self> {
        let query = MessageQuery { session_no: Some(session.no), ..MessageQuery::all(PAGE) };
        Self::read(store, space, query, None, |_| true).await
    }

    /// Of the session with that id, that session, and its summary.
    pub(crate) async fn with_session(
        store: &dyn Store,
        space: &Space,
        id: &SessionId,
    ) -> Result<Option<(Session, Option<Summary>, Self)>> {
        let query = MessageQuery { active_only: true, ..MessageQuery::all(PAGE) };
        let found = store.session_talk(&space.key(), id, &query).await?;
        let Some(SessionTalk { session, summary, messages }) = found else { return Ok(None) };
        let query = MessageQuery { session_no: Some(session.no), ..query };
        let talk = Self::read(store, space, query, Some(messages), |_| true).await?;
        Ok(Some((session, summary, talk)))
    }

    /// Of a local day.
    pub(crate) async fn of_day(
        store: &dyn Store,
        space: &Space,
        day: Date,
        seen: impl Fn(&Message) -> bool,
    ) -> Result<Self> {
        let (from, until) = space.zones.around(day, day);
        let query = MessageQuery { from: Some(from), until: Some(until), ..MessageQuery::all(PAGE) };
        let is_of_day = |message: &Message| message.local_date() == day && seen(message);
        Self::read(store, space, query, None, is_of_day).await
    }

    /// Reads page by page, unless the first one is there already.
    async fn read(
        store: &dyn Store,
        space: &Space,
        query: MessageQuery,
        mut first: Option<Vec<Message>>,
        seen: impl Fn(&Message) -> bool,
    ) -> Result<Self> {
        let mut talk = Talk::default();
        let mut bytes = 0;
        let mut after: Option<(Timestamp, u64)> = None;
        loop {
            let query = MessageQuery { after, active_only: true, ..query.clone() };
            let page = match first.take() {
                Some(page) => page,
                None => store.messages(&space.key(), &query).await?,
            };
            for message in page.iter().filter(|message| is_talk(message) && seen(message)) {
                let mut said = Said::of(message, space);
                bytes += said.text.len();
                if bytes > MOST_BYTES {
                    said.text.clear();
                }
                talk.said.push(said);
            }
            match page.last() {
                Some(last) if page.len() == PAGE => after = Some((last.said_at, last.seq)),
                _ => return Ok(talk),
            }
        }
    }

    /// Tells it from any other, and from itself before an edit.
    pub(crate) fn digest(&self) -> u64 {
        digest(&self.said)
    }

    /// The same of what came up to a message, by its number.
    pub(crate) fn digest_until(&self, last: u64) -> u64 {
        digest(self.said.iter().filter(|said| said.seq <= last))
    }

    /// Whether there is enough of it to be summed up.
    pub(crate) fn is_enough(&self, messages: usize, characters: usize) -> bool {
        is_enough(&self.said, messages, characters)
    }

    /// Its sessions in the order in which they began, each with its part.
    pub(crate) fn by_session(&self) -> Vec<Vec<&Said>> {
        let mut parts: Vec<Vec<&Said>> = Vec::new();
        for said in &self.said {
            match parts.iter_mut().find(|part| part[0].session == said.session) {
                Some(part) => part.push(said),
                None => parts.push(vec![said]),
            }
        }
        parts
    }

    /// The lowest and the highest number in it.
    pub(crate) fn sources(&self) -> Option<(u64, u64)> {
        let seqs = || self.said.iter().map(|said| said.seq);
        Some((seqs().min()?, seqs().max()?))
    }
}

pub(crate) fn digest<'s>(said: impl IntoIterator<Item = &'s Said>) -> u64 {
    let mut digest = Digest::new();
    said.into_iter().for_each(|said| digest.message(said.seq, said.version));
    digest.value()
}

pub(crate) fn is_enough<'s>(
    said: impl IntoIterator<Item = &'s Said>,
    messages: usize,
    characters: usize,
) -> bool {
    let (mut count, mut length) = (0, 0);
    for said in said {
        count += 1;
        length += said.text.chars().count();
        if count >= messages && length >= characters {
            return true;
        }
    }
    false
}

/// Whether it counts as talk.
pub(crate) fn is_talk(message: &Message) -> bool {
    message.state == MessageState::Active && matches!(message.role, Speaker::User | Speaker::Assistant)
}
