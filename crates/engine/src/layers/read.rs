//! Reading summaries, and making at once what is missing.

use jiff::Timestamp;
use jiff::civil::Date;
use memoir_model::{Error, Period, Result, Session, SessionId, Space, SpaceId, Summary};
use memoir_store::{Commit, JobChange, LatestTalk, WriteSet};

use super::clock;
use super::condense::By;
use super::material::Material;
use super::talk::Talk;
use super::view::View;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// How many sessions are looked through for the last one, now and as of a moment long past.
const LATEST: usize = 6;
const LONG_PAST: usize = 100;

/// A summary, and whether it was ready.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) summary: Summary,
    pub(crate) was_ready: bool,
}

/// What is known of a day.
#[derive(Debug, Clone)]
pub(crate) enum DayRead {
    /// Its summary.
    Summary(Box<Read>),
    /// Something was said, but too little to be summed up.
    TooLittle,
    /// Nothing was said.
    Nothing,
}

impl Engine {
    /// The summary of a day: the one that is ready, else one by rules, at once. What is missing is asked for.
    pub(crate) async fn read_day(&self, space: &Space, day: Date, view: View) -> Result<DayRead> {
        let period = Period::Day(day);
        let known = self.inner.store.summary(&space.key(), &period).await?;
        if let Some(summary) = known.filter(|known| !known.stale && view.sees_summary(space, known)) {
            return Ok(DayRead::Summary(Box::new(Read { summary, was_ready: true })));
        }
        let store = self.inner.store.as_ref();
        let talk = Talk::of_day(store, space, day, |message| view.sees(message)).await?;
        if talk.said.is_empty() {
            return Ok(DayRead::Nothing);
        }
        let settings = &self.inner.settings;
        if !talk.is_enough(settings.layer_messages, settings.layer_characters) {
            return Ok(DayRead::TooLittle);
        }
        if clock::is_over(space, day, self.now()) {
            self.ask_for(space, period.clone());
        }
        let summary = self.draft(space, &period, Material::Day(talk), None, By::Rules).await?;
        Ok(DayRead::Summary(Box::new(Read { summary, was_ready: false })))
    }

    /// The summaries that tell of these periods, the oldest first. `room` is how many may be made at once.
    pub(crate) async fn read_periods(
        &self,
        space: &Space,
        periods: &[Period],
        view: View,
        room: &mut usize,
    ) -> Result<Told> {
        let mut told = Told::default();
        for period in periods {
            if let Period::Day(day) = period {
                told.day(self, space, *day, view, room).await?;
                continue;
            }
            let known = self.inner.store.summary(&space.key(), period).await?;
            if let Some(summary) = known.filter(|known| !known.stale && view.sees_summary(space, known)) {
                told.reads.push(Read { summary, was_ready: true });
                continue;
            }
            // Its days tell of it until it is made.
            let Some((first, last)) = period.days() else { continue };
            let mut next = self.spoken_on(space, first, last).await?;
            while let Some(day) = next {
                told.day(self, space, day, view, room).await?;
                let Ok(after) = day.tomorrow() else { break };
                next = self.spoken_on(space, after, last).await?;
            }
        }
        Ok(told)
    }

    /// The first day of a stretch on which something was said.
    pub(crate) async fn spoken_on(&self, space: &Space, first: Date, last: Date) -> Result<Option<Date>> {
        if first > last {
            return Ok(None);
        }
        let (mut from, until) = space.zones.around(first, last);
        loop {
            let query = memoir_store::MessageQuery {
                from: Some(from),
                until: Some(until),
                active_only: true,
                ..memoir_store::MessageQuery::all(PAGE)
            };
            let page = self.inner.store.messages(&space.key(), &query).await?;
            let day =
                page.iter().map(memoir_model::Message::local_date).find(|day| (first..=last).contains(day));
            match page.last() {
                _ if day.is_some() => return Ok(day),
                // A zone that was left behind: its messages of the day before.
                Some(newest) if page.len() == PAGE && newest.said_at > from => from = newest.said_at,
                _ => return Ok(None),
            }
        }
    }

    /// A space that the caller may read, with what was talked of last in it.
    pub(crate) async fn open_space_and_talk(
        &self,
        caller: &Caller,
        id: &SpaceId,
        view: View,
    ) -> Result<(Space, LatestTalk)> {
        caller.check_space(Access::Read, id)?;
        // Who looks at a moment long past has to go further back.
        let many = if view.as_of.is_some() { LONG_PAST } else { LATEST };
        let opened = self.inner.store.space_and_talk(&caller.tenant, id, many).await?;
        opened.ok_or_else(|| Error::not_found("space", id))
    }

    /// The summary of a session; `None` when too little was said in it.
    pub(crate) async fn read_session(
        &self,
        space: &Space,
        session: &Session,
        view: View,
    ) -> Result<Option<Read>> {
        let period = Period::Session(session.id.clone());
        let known = self.inner.store.summary(&space.key(), &period).await?;
        let is_seen = |known: &Summary| view.known_at.is_none_or(|known_at| known.made_at <= known_at);
        if let Some(summary) = known.filter(|known| !known.stale && !session.stale && is_seen(known)) {
            return Ok(Some(Read { summary, was_ready: true }));
        }
        let talk = Talk::of_session(self.inner.store.as_ref(), space, session).await?;
        let settings = &self.inner.settings;
        if !talk.is_enough(settings.layer_messages, settings.layer_characters) {
            return Ok(None);
        }
        self.ask_for(space, period.clone());
        let material = Material::Session(Box::new(session.clone()), talk);
        let summary = self.draft(space, &period, material, None, By::Rules).await?;
        Ok(Some(Read { summary, was_ready: false }))
    }

    /// Asks for the summary of a period, without waiting.
    fn ask_for(&self, space: &Space, period: Period) {
        let (inner, space) = (self.inner.clone(), space.clone());
        tokio::spawn(async move {
            let job = inner.layer_job(&space, &period, inner.clock.now());
            let writes = WriteSet { jobs: vec![JobChange::Enqueue(job)], ..WriteSet::default() };
            match inner.store.commit(Commit::to_space(space.key(), writes)).await {
                Ok(_) => inner.bell.ring(),
                Err(error) => {
                    tracing::debug!(code = error.code().as_str(), "a summary could not be asked for");
                }
            }
        });
    }
}

/// How many messages are read to find out a day.
const PAGE: usize = 8;

/// What was read of a stretch.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) reads: Vec<Read>,
    /// Days on which too little was said.
    pub(crate) too_little: Vec<Date>,
    /// Days that were not summed up because too many were missing at once.
    pub(crate) left_out: usize,
}

impl Told {
    async fn day(
        &mut self,
        engine: &Engine,
        space: &Space,
        day: Date,
        view: View,
        room: &mut usize,
    ) -> Result<()> {
        if *room == 0 {
            let known = engine.inner.store.summary(&space.key(), &Period::Day(day)).await?;
            match known.filter(|known| !known.stale && view.sees_summary(space, known)) {
                Some(summary) => self.reads.push(Read { summary, was_ready: true }),
                None => {
                    engine.ask_for(space, Period::Day(day));
                    self.left_out += 1;
                }
            }
            return Ok(());
        }
        match engine.read_day(space, day, view).await? {
            DayRead::Summary(read) => {
                *room -= usize::from(!read.was_ready);
                self.reads.push(*read);
            }
            DayRead::TooLittle => self.too_little.push(day),
            DayRead::Nothing => {}
        }
        Ok(())
    }
}

/// The last of these that has ended, by the time of its last message.
pub(crate) fn before<'s>(
    latest: &'s [Session],
    current: Option<&SessionId>,
    view: View,
) -> Option<&'s Session> {
    let ended = latest.iter().filter(|session| {
        !session.is_open()
            && session.messages > 0
            && Some(&session.id) != current
            && view.as_of.is_none_or(|as_of| session.last_said_at < as_of)
    });
    ended.max_by_key(|session| (session.last_said_at, session.no))
}

/// Where a summary stands in time: when its period began, for sorting.
pub(crate) fn begins(space: &Space, summary: &Summary, session: Option<&Session>) -> Timestamp {
    match (summary.period.days(), session) {
        (Some((first, _)), _) => space.zones.around(first, first).0,
        (None, Some(session)) => session.first_said_at,
        (None, None) => Timestamp::MIN,
    }
}
