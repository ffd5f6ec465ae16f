use jiff::ToSpan;
use memoir_model::{Period, Portrait, Result, Session, SessionId, SpaceId, SummaryLevel, SummaryLine};

use super::clock;
use crate::access::{Access, Caller};
use crate::engine::Engine;

/// How many events are shown.
const EVENTS: usize = 50;
/// Over how many days before the last one.
const DAYS: i64 = 90;
/// How many of today's sessions are looked at.
const TODAY: usize = 16;

impl Engine {
    /// What is going on in somebody's life and what is known of it all (A5), each line with the numbers of its messages.
    /// Needs, preferences and habits come with memories.
    pub async fn portrait(&self, caller: &Caller, space: &SpaceId) -> Result<Portrait> {
        let space = self.open_space(caller, Access::Read, space).await?;
        let (store, key) = (&self.inner.store, space.key());
        let background = store.summary(&key, &Period::Background).await?;
        let today = clock::today(&space, self.now());
        // Who was away for long is shown the time before.
        let last = background.as_ref().and_then(|known| known.through).unwrap_or(today);
        let first = last.saturating_sub(DAYS.days());
        let (from, until) = (first.to_string(), today.to_string());
        let days = store.summaries(&key, SummaryLevel::Day, &from, &until, DAYS as usize * 2).await?;
        let mut situation: Vec<SummaryLine> = Vec::new();
        for day in &days {
            let date = day.period.days().map(|(first, _)| first);
            situation.extend(day.talks.iter().filter(|talk| !talk.text.is_empty()).map(|talk| SummaryLine {
                date,
                text: talk.text.clone(),
                sources: vec![talk.sources.0, talk.sources.1],
            }));
        }
        let is_told =
            |id: &SessionId| days.iter().any(|day| day.talks.iter().any(|talk| talk.session == *id));
        let is_untold = |session: &Session| {
            space.zones.local(session.first_said_at).date == today && !is_told(&session.id)
        };
        let latest = store.sessions(&key, None, TODAY).await?.into_iter().rev();
        let untold: Vec<Period> =
            latest.filter(is_untold).map(|session| Period::Session(session.id)).collect();
        for summary in store.summaries_at(&key, &untold).await? {
            let sources = summary.sources.map(|(first, last)| vec![first, last]).unwrap_or_default();
            situation.push(SummaryLine { date: Some(today), text: summary.headline, sources });
        }
        situation.reverse();
        situation.truncate(EVENTS);
        for line in &mut situation {
            line.sources.dedup();
        }
        Ok(Portrait {
            situation,
            background: background.map(|known| known.lines).unwrap_or_default(),
            ..Portrait::default()
        })
    }
}
