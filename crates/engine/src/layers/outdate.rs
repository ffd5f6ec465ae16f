//! What becomes of summaries when something below them changes (X7).

use jiff::Timestamp;
use jiff::civil::Date;
use memoir_model::{Message, Period, Result, Space, Summary, SummaryLevel};
use memoir_store::{JobChange, Row};
use std::collections::BTreeSet;

use super::clock;
use super::make::row;
use crate::engine::Inner;

/// How a message was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// It says something else: summaries stand until they are made again.
    Words,
    /// It is to be seen no more: what was made from it goes at once.
    Gone,
}

impl Inner {
    /// The rows by which the summaries of days show that something came late.
    pub(crate) async fn outdated_days(
        &self,
        space: &Space,
        days: &BTreeSet<Date>,
        now: Timestamp,
    ) -> Result<Vec<Row>> {
        let today = clock::today(space, now);
        let over: Vec<Date> = days.range(..today).copied().collect();
        let (Some(first), Some(last)) = (over.first(), over.last()) else { return Ok(Vec::new()) };
        let periods: BTreeSet<Period> = over.iter().flat_map(|day| holding(*day)).collect();
        let mut rows = Vec::new();
        for (level, first) in [
            (SummaryLevel::Day, *first),
            (SummaryLevel::Week, Period::week_of(*first)?.days().map_or(*first, |(monday, _)| monday)),
            (SummaryLevel::Month, first.first_of_month()),
        ] {
            let (from, until) = (first.to_string(), last.to_string());
            let known = self.store.summaries(&space.key(), level, &from, &until, MOST).await?;
            let touched = known.into_iter().filter(|known| !known.stale && periods.contains(&known.period));
            rows.extend(touched.map(|known| row(Summary { stale: true, ..known })));
        }
        Ok(rows)
    }

    /// The rows by which every summary that a message is part of shows that it changed, or goes.
    pub(crate) async fn outdated_by(
        &self,
        space: &Space,
        message: &Message,
        change: Change,
    ) -> Result<Vec<Row>> {
        let day = message.local_date();
        let mut periods = vec![Period::Session(message.session.clone())];
        // What is above a day rests on its summary alone.
        if self.store.summary(&space.key(), &Period::Day(day)).await?.is_some() {
            periods.extend(holding(day));
            periods.extend((change == Change::Gone).then_some(Period::Background));
        }
        let mut rows = Vec::new();
        for known in self.store.summaries_at(&space.key(), &periods).await? {
            rows.push(match change {
                Change::Gone => Row::DropSummary(known.period),
                Change::Words => row(Summary { stale: true, ..known }),
            });
        }
        Ok(rows)
    }

    /// The work of making the summaries again that these rows outdate.
    pub(crate) fn made_again(&self, space: &Space, rows: &[Row], now: Timestamp) -> Vec<JobChange> {
        let job = |row: &Row| {
            let period = match row {
                Row::DropSummary(period) => period,
                Row::Summary { summary, .. } => &summary.period,
                _ => return None,
            };
            let due = clock::due(space, period, self.settings.layer_night).max(now);
            Some(JobChange::Enqueue(self.layer_job(space, period, due)))
        };
        rows.iter().filter_map(job).collect()
    }
}

/// How many summaries of a level one batch of messages can touch.
const MOST: usize = 10_000;

/// The periods that a day is part of.
fn holding(day: Date) -> impl Iterator<Item = Period> {
    [Some(Period::Day(day)), Period::week_of(day).ok(), Some(Period::month_of(day))].into_iter().flatten()
}
