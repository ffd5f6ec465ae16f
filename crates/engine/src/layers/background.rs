use jiff::civil::Date;
use memoir_model::{Period, Result, Space, Summary, SummaryLevel};
use memoir_store::Store;

use super::clock::LAST_KEY;
use super::condense::Input;
use super::digest::Digest;
use super::draft::{dated_inputs, gathered};

/// How many days are added at once; a space that is further behind is built up from its months.
const DAYS: usize = 62;
/// How many months a background is built from; what lies before is long past.
const MONTHS: usize = 120;

/// What the rolling summary of everything is made from: what was known before, and the days since. When a day that it
/// has taken in becomes another one, it is built anew from the months.
pub(crate) struct Material {
    known: Option<Summary>,
    /// What is new, the oldest first.
    periods: Vec<Summary>,
}

impl Material {
    /// `fresh` is a day that is about to be written, and counts as if it were.
    pub(crate) async fn read(
        store: &dyn Store,
        space: &Space,
        known: Option<&Summary>,
        fresh: Option<&Summary>,
    ) -> Result<Self> {
        let key = space.key();
        let fresh = fresh.and_then(|fresh| Some((fresh.period.days()?.0, fresh)));
        let known = known.filter(|known| !known.stale && fresh.is_none_or(|(day, _)| !holds(known, day)));
        let days_after = async |after: Option<Date>| -> Result<Vec<Summary>> {
            let from = after.and_then(|day| day.tomorrow().ok()).map_or(String::new(), |day| day.to_string());
            let mut days = store.summaries(&key, SummaryLevel::Day, &from, LAST_KEY, DAYS + 1).await?;
            if let Some((day, fresh)) = fresh.filter(|(day, _)| after.is_none_or(|after| *day > after)) {
                days.retain(|known| known.period != fresh.period);
                let place = days.partition_point(|known| known.period.days() < Some((day, day)));
                days.insert(place, fresh.clone());
            }
            Ok(days)
        };
        let through = known.and_then(|known| known.through);
        let since = days_after(through).await?;
        if since.len() <= DAYS {
            return Ok(Material { known: known.cloned(), periods: since });
        }
        // Far behind: whole months, then the days after the last of them.
        let months = store.summaries(&key, SummaryLevel::Month, "", LAST_KEY, MONTHS).await?;
        let last = months.last().and_then(|month| Some(month.period.days()?.1));
        let mut periods = months;
        periods.extend(days_after(last).await?.into_iter().take(DAYS));
        Ok(Material { known: None, periods })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_none() && self.periods.is_empty()
    }

    /// The first day that there ever was.
    pub(crate) fn only_day(&self) -> Option<&Summary> {
        match (&self.known, &self.periods[..]) {
            (None, [day]) => Some(day),
            _ => None,
        }
    }

    /// With nothing new it is what the known one was made from.
    pub(crate) fn digest(&self) -> u64 {
        if let (Some(known), []) = (&self.known, &self.periods[..]) {
            return known.digest;
        }
        let mut digest = Digest::new();
        digest.text(self.known.as_ref().map_or("", |known| &known.text));
        for period in &self.periods {
            digest.summary(period);
        }
        digest.value()
    }

    pub(crate) fn inputs(&self) -> Vec<Input> {
        let known = self.known.iter().flat_map(|known| known.lines.iter().map(Input::from));
        known.chain(self.periods.iter().flat_map(dated_inputs)).collect()
    }

    pub(crate) fn counted(&self, blank: Summary) -> Summary {
        let counted = gathered(blank, &self.periods);
        let Some(known) = &self.known else { return counted };
        Summary {
            sessions: known.sessions + counted.sessions,
            messages: known.messages + counted.messages,
            sources: match (known.sources, counted.sources) {
                (Some((first, last)), Some((low, high))) => Some((first.min(low), last.max(high))),
                (one, other) => one.or(other),
            },
            through: known.through.max(counted.through),
            ..counted
        }
    }
}

/// Whether a background has taken a day in.
pub(crate) fn holds(background: &Summary, day: Date) -> bool {
    background.period == Period::Background && background.through.is_some_and(|through| day <= through)
}
