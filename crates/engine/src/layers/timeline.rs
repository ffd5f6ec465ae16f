use jiff::civil::Date;
use memoir_model::{MessageId, Period, Result, Space, SpaceId, Summary, SummaryLevel};
use std::collections::{BTreeSet, HashMap};

use super::clock::{self, LAST_KEY};
use super::read::DayRead;
use super::view::View;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// Which summaries to list.
#[derive(Debug, Clone, Copy)]
pub struct TimelineRequest {
    /// Of which level.
    pub grain: SummaryLevel,
    /// Those that begin on this day or later.
    pub from: Option<Date>,
    /// Those that begin on this day or earlier.
    pub to: Option<Date>,
    /// How many at most.
    pub limit: usize,
}

/// What is known of a day.
#[derive(Debug, Clone)]
pub struct DayView {
    /// The day.
    pub date: Date,
    /// Whether something was said.
    pub spoken: bool,
    /// Its summary; `None` when nothing or too little was said.
    pub summary: Option<Summary>,
    /// Whether the summary is made already, or was put together just now.
    pub was_ready: bool,
    /// Whether the day still goes on.
    pub goes_on: bool,
}

impl Engine {
    /// Summaries in the order of time.
    pub async fn timeline(
        &self,
        caller: &Caller,
        space: &SpaceId,
        request: TimelineRequest,
    ) -> Result<Vec<Summary>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        if request.grain == SummaryLevel::Session {
            return self.sessions_in_time(&space, request).await;
        }
        let from = request.from.map(|day| day.to_string()).unwrap_or_default();
        let until = request.to.map_or(LAST_KEY.to_owned(), |day| day.to_string());
        self.inner.store.summaries(&space.key(), request.grain, &from, &until, request.limit).await
    }

    /// The summaries of the sessions that the days tell of.
    async fn sessions_in_time(&self, space: &Space, request: TimelineRequest) -> Result<Vec<Summary>> {
        let from = request.from.map(|day| day.to_string()).unwrap_or_default();
        let until = request.to.map_or(LAST_KEY.to_owned(), |day| day.to_string());
        let key = space.key();
        let days = self.inner.store.summaries(&key, SummaryLevel::Day, &from, &until, request.limit).await?;
        let mut known = BTreeSet::new();
        let mut sessions: Vec<_> =
            days.iter().flat_map(|day| day.talks.iter().map(|talk| talk.session.clone())).collect();
        // The days that have no summary yet are the newest.
        let latest = self.inner.store.sessions(&key, None, 32).await?;
        let is_in =
            |day: Date| request.from.is_none_or(|from| from <= day) && request.to.is_none_or(|to| day <= to);
        let late = latest.into_iter().rev();
        sessions.extend(
            late.filter(|session| is_in(space.zones.local(session.first_said_at).date))
                .map(|session| session.id),
        );
        sessions.retain(|id| known.insert(id.clone()));
        let periods: Vec<Period> = sessions.into_iter().map(Period::Session).collect();
        let mut summaries = Vec::new();
        for some in periods.chunks(request.limit.max(1)) {
            summaries.extend(self.inner.store.summaries_at(&key, some).await?);
            if summaries.len() >= request.limit {
                break;
            }
        }
        summaries.truncate(request.limit);
        Ok(summaries)
    }

    /// A day: the summary that is ready, else one that is put together at once.
    pub async fn day(&self, caller: &Caller, space: &SpaceId, date: Date) -> Result<DayView> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let goes_on = !clock::is_over(&space, date, self.now());
        let blank = DayView { date, spoken: true, summary: None, was_ready: false, goes_on };
        Ok(match self.read_day(&space, date, View::default()).await? {
            DayRead::Summary(read) => {
                DayView { summary: Some(read.summary), was_ready: read.was_ready, ..blank }
            }
            DayRead::TooLittle => blank,
            DayRead::Nothing => DayView { spoken: false, ..blank },
        })
    }

    /// The ids of messages by their numbers. Those that are gone are left out.
    pub async fn message_ids(
        &self,
        caller: &Caller,
        space: &SpaceId,
        seqs: &BTreeSet<u64>,
    ) -> Result<HashMap<u64, MessageId>> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let seqs: Vec<u64> = seqs.iter().copied().collect();
        let messages = self.inner.store.messages_at(&space.key(), &seqs).await?;
        Ok(messages.into_iter().map(|message| (message.seq, message.id)).collect())
    }
}
