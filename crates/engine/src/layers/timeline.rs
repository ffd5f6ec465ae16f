use jiff::civil::Date;
use memoir_model::{MessageId, Period, Result, Space, SpaceId, Summary, SummaryLevel};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap, HashSet};

use super::clock::{self, LAST_KEY};
use super::read::DayRead;
use super::view::View;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// How many sessions are looked through for those of days that have no summary yet.
const UNTOLD: usize = 1_000;

/// Which summaries to list.
#[derive(Debug, Clone, Copy)]
pub struct TimelineRequest {
    /// Of which level.
    pub grain: SummaryLevel,
    /// Those that begin on this day or later.
    pub from: Option<Date>,
    /// Those that begin on this day or earlier.
    pub to: Option<Date>,
    /// Where the page before ended.
    pub after: Option<TimelinePlace>,
    /// How many at most.
    pub limit: usize,
}

/// Where a page of a timeline ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TimelinePlace {
    /// The day that it reached.
    day: Date,
    /// How many sessions of that day lie behind it.
    passed: usize,
}

/// Summaries in the order of time.
#[derive(Debug, Clone, Default)]
pub struct TimelinePage {
    /// The summaries.
    pub summaries: Vec<Summary>,
    /// Where the next page goes on, if there may be more.
    pub next: Option<TimelinePlace>,
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

/// A session in the order of time.
struct Listed {
    place: TimelinePlace,
    period: Period,
}

impl Listed {
    /// The sessions that a day tells of.
    fn of_day(day: &Summary) -> impl Iterator<Item = Listed> + '_ {
        let date = day.period.days().map(|(first, _)| first);
        let talks = day.talks.iter().enumerate();
        talks.filter_map(move |(passed, talk)| {
            let (place, period) =
                (TimelinePlace { day: date?, passed }, Period::Session(talk.session.clone()));
            Some(Listed { place, period })
        })
    }
}

impl TimelinePlace {
    /// Where what begins after a day goes on.
    fn after(day: Date) -> Option<Self> {
        Some(TimelinePlace { day: day.tomorrow().ok()?, passed: 0 })
    }

    fn next(self) -> Self {
        TimelinePlace { passed: self.passed + 1, ..self }
    }
}

impl Engine {
    /// Summaries in the order of time.
    pub async fn timeline(
        &self,
        caller: &Caller,
        space: &SpaceId,
        request: TimelineRequest,
    ) -> Result<TimelinePage> {
        let space = self.open_space(caller, Access::Read, space).await?;
        if request.grain == SummaryLevel::Session {
            return self.sessions_in_time(&space, request).await;
        }
        let from = request.from.max(request.after.map(|after| after.day));
        let summaries = self.periods_in_time(&space, request.grain, from, request).await?;
        let last = summaries.last().filter(|_| summaries.len() == request.limit);
        let next = last.and_then(|last| TimelinePlace::after(last.period.days()?.0));
        Ok(TimelinePage { summaries, next })
    }

    async fn periods_in_time(
        &self,
        space: &Space,
        level: SummaryLevel,
        from: Option<Date>,
        request: TimelineRequest,
    ) -> Result<Vec<Summary>> {
        let from = from.map(|day| day.to_string()).unwrap_or_default();
        let until = request.to.map_or(LAST_KEY.to_owned(), |day| day.to_string());
        self.inner.store.summaries(&space.key(), level, &from, &until, request.limit).await
    }

    /// The summaries of sessions, each on the first day that tells of it.
    async fn sessions_in_time(&self, space: &Space, request: TimelineRequest) -> Result<TimelinePage> {
        let mut after = request.after;
        let mut summaries = Vec::new();
        let mut told = self.told_before(space, request.from.max(after.map(|after| after.day))).await?;
        loop {
            let from = request.from.max(after.map(|after| after.day));
            let days = self.periods_in_time(space, SummaryLevel::Day, from, request).await?;
            let is_last = days.len() < request.limit;
            let mut listed: Vec<Listed> = days.iter().flat_map(Listed::of_day).collect();
            if is_last {
                listed.extend(self.untold(space, from, request.to, &listed).await?);
                listed.sort_by_key(|listed| listed.place);
            }
            listed.retain(|listed| {
                told.insert(listed.period.clone()) && after.is_none_or(|after| listed.place >= after)
            });
            for some in listed.chunks(request.limit.max(1)) {
                let periods: Vec<Period> = some.iter().map(|listed| listed.period.clone()).collect();
                let mut known =
                    self.inner.store.summaries_at(&space.key(), &periods).await?.into_iter().peekable();
                for listed in some {
                    let Some(summary) = known.next_if(|known| known.period == listed.period) else {
                        continue;
                    };
                    summaries.push(summary);
                    if summaries.len() == request.limit {
                        return Ok(TimelinePage { summaries, next: Some(listed.place.next()) });
                    }
                }
            }
            after =
                days.last().filter(|_| !is_last).and_then(|day| TimelinePlace::after(day.period.days()?.0));
            if after.is_none() {
                return Ok(TimelinePage { summaries, next: None });
            }
        }
    }

    /// The sessions that the day before a day tells of, which may go on over midnight.
    async fn told_before(&self, space: &Space, day: Option<Date>) -> Result<HashSet<Period>> {
        let Some(before) = day.and_then(|day| day.yesterday().ok()) else { return Ok(HashSet::new()) };
        let day = self.inner.store.summary(&space.key(), &Period::Day(before)).await?;
        Ok(day.iter().flat_map(Listed::of_day).map(|listed| listed.period).collect())
    }

    /// Sessions that no day tells of yet; these are the newest.
    async fn untold(
        &self,
        space: &Space,
        from: Option<Date>,
        to: Option<Date>,
        told: &[Listed],
    ) -> Result<Vec<Listed>> {
        let is_in = |day: Date| from.is_none_or(|from| from <= day) && to.is_none_or(|to| day <= to);
        let mut of_day: HashMap<Date, usize> = HashMap::new();
        for listed in told {
            *of_day.entry(listed.place.day).or_default() += 1;
        }
        let told: HashSet<&Period> = told.iter().map(|listed| &listed.period).collect();
        let mut untold = Vec::new();
        // The latest come first; those of a day are counted from its beginning.
        for session in self.inner.store.sessions(&space.key(), None, UNTOLD).await?.into_iter().rev() {
            let (day, period) = (space.zones.local(session.first_said_at).date, Period::Session(session.id));
            if is_in(day) && !told.contains(&period) {
                let passed = of_day.entry(day).or_default();
                untold.push(Listed { place: TimelinePlace { day, passed: *passed }, period });
                *passed += 1;
            }
        }
        Ok(untold)
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
