use jiff::Timestamp;
use memoir_index::{Filter, Query, Work, highlight};
use memoir_model::{Author, Error, Message, MessageState, Result, SessionId, Space, SpaceId, Speaker};
use std::collections::BTreeSet;
use std::ops::Range;

use super::hot::author_hash;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// The longest query, in bytes.
const LONGEST_QUERY: usize = 4 * 1024;
/// What to look for, and where.
#[derive(Debug, Clone, Default)]
pub struct SearchRequest {
    /// Words, in any language; what stands in quotation marks must occur as it is.
    pub query: String,
    /// Said at or after.
    pub from: Option<Timestamp>,
    /// Said before.
    pub until: Option<Timestamp>,
    /// Only by this author.
    pub author: Option<Author>,
    /// Only in this part.
    pub role: Option<Speaker>,
    /// Only in this session.
    pub session: Option<SessionId>,
    /// How many of the best to leave out.
    pub offset: usize,
    /// How many at most.
    pub limit: usize,
}

impl SearchRequest {
    /// How far down a ranked list can be read.
    pub const DEEPEST: usize = 1_000;

    /// How many rows have to be ranked for it, if it asks for no more than can be had.
    pub(crate) fn deepest(&self) -> Result<usize> {
        if self.query.len() > LONGEST_QUERY {
            return Err(Error::invalid("q", "must be at most 4096 bytes"));
        }
        let deepest = self.offset.saturating_add(self.limit);
        if deepest > Self::DEEPEST {
            return Err(Error::invalid(
                "cursor",
                "a ranked list can be read down to place 1000; narrow the query",
            ));
        }
        Ok(deepest)
    }
}

/// A message that was found.
#[derive(Debug, Clone)]
pub struct SearchHit {
    /// The message.
    pub message: Message,
    /// How well it fits; comparable within one search only.
    pub score: f32,
    /// The byte ranges of its content that match.
    pub highlights: Vec<Range<usize>>,
    /// For each attachment whose caption matches: its place, and the byte ranges of the caption.
    pub captions: Vec<(usize, Vec<Range<usize>>)>,
}

/// A part of a ranked list.
#[derive(Debug, Clone)]
pub struct SearchPage {
    /// The hits, the best first.
    pub hits: Vec<SearchHit>,
    /// How many there are in all.
    pub total: usize,
    /// Whether the query was so long that a part of it was left out.
    pub truncated: bool,
    /// Whether the space is so large that only its newest messages were searched (`index.max_rows`).
    pub partial: bool,
    /// What it cost.
    pub work: Work,
}

impl Engine {
    /// The messages of a space that fit a query best. Touches that space alone, however many there are.
    pub async fn search_messages(
        &self,
        caller: &Caller,
        space: &SpaceId,
        request: SearchRequest,
    ) -> Result<SearchPage> {
        let deepest = request.deepest()?;
        let space = self.open_space(caller, Access::Read, space).await?;
        let filter = self.filter(&space, &request).await?;
        let hot = self.inner.hot.at(self.inner.store.as_ref(), &space).await?;
        let query = Query::parse(&request.query);
        let (query, found) = tokio::task::spawn_blocking(move || {
            let found = hot.with(|index| index.search(&query, &filter, deepest));
            (query, found)
        })
        .await
        .map_err(|_| Error::internal("the search was cut short"))?;
        let seqs: Vec<u64> = found.hits.iter().skip(request.offset).map(|hit| hit.seq).collect();
        let messages = self.inner.store.messages_at(&space.key(), &seqs).await?;
        let hits =
            messages.into_iter().filter(|message| message.state == MessageState::Active).map(|message| {
                let score = found.hits.iter().find(|hit| hit.seq == message.seq).map_or(0.0, |hit| hit.score);
                let highlights = highlight(&message.content, &query);
                let captions = message.attachments.iter().enumerate().filter_map(|(place, attachment)| {
                    let ranges = highlight(attachment.caption.as_deref()?, &query);
                    (!ranges.is_empty()).then_some((place, ranges))
                });
                SearchHit { captions: captions.collect(), highlights, score, message }
            });
        Ok(SearchPage {
            hits: hits.collect(),
            total: found.total,
            truncated: query.truncated(),
            partial: self.inner.hot.exceeds(&space),
            work: found.work,
        })
    }

    /// Which rows of the space a request lets pass.
    pub(crate) async fn filter(&self, space: &Space, request: &SearchRequest) -> Result<Filter> {
        let mut filter = Filter {
            from: request.from.map(Timestamp::as_microsecond),
            until: request.until.map(Timestamp::as_microsecond),
            authors: request.author.as_ref().map(|author| BTreeSet::from([author_hash(author.as_str())])),
            roles: request.role.map(|role| BTreeSet::from([role.code()])),
            ..Filter::default()
        };
        if let Some(id) = &request.session {
            let session = self.inner.store.session(&space.key(), id).await?;
            let session = session.ok_or_else(|| Error::not_found("session", id))?;
            filter.sessions = Some(BTreeSet::from([session.no]));
        }
        Ok(filter)
    }
}
