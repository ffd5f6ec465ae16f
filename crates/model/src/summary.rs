use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{Error, Result, SessionId, Zone};

/// How much time a summary stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SummaryLevel {
    /// One session.
    Session,
    /// One local day.
    Day,
    /// Monday to Sunday.
    Week,
    /// One calendar month.
    Month,
}

impl SummaryLevel {
    /// The number in a store.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The level with that number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(SummaryLevel::Session),
            1 => Some(SummaryLevel::Day),
            2 => Some(SummaryLevel::Week),
            3 => Some(SummaryLevel::Month),
            _ => None,
        }
    }
}

/// What exactly a summary stands for. There is at most one summary per period in a space.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "level", content = "of", rename_all = "lowercase")]
pub enum Period {
    /// One session.
    Session(SessionId),
    /// One local day.
    Day(Date),
    /// The week that begins on this Monday.
    Week(Date),
    /// The month that begins on this first day.
    Month(Date),
}

impl Period {
    /// The week that contains a day.
    pub fn week_of(day: Date) -> Result<Self> {
        let back = i64::from(day.weekday().to_monday_zero_offset());
        day.checked_sub(jiff::Span::new().days(back))
            .map(Period::Week)
            .map_err(|e| Error::invalid("date", e.to_string()))
    }

    /// The month that contains a day.
    pub fn month_of(day: Date) -> Self {
        Period::Month(day.first_of_month())
    }

    /// Its level.
    pub fn level(&self) -> SummaryLevel {
        match self {
            Period::Session(_) => SummaryLevel::Session,
            Period::Day(_) => SummaryLevel::Day,
            Period::Week(_) => SummaryLevel::Week,
            Period::Month(_) => SummaryLevel::Month,
        }
    }

    /// The part of its key that tells it from others of its level; days sort as they follow each other.
    pub fn key(&self) -> String {
        match self {
            Period::Session(id) => id.to_string(),
            Period::Day(day) | Period::Week(day) | Period::Month(day) => day.to_string(),
        }
    }

    /// Puts a period together from its level and key.
    pub fn from_key(level: SummaryLevel, key: &str) -> Result<Self> {
        let day =
            || key.parse::<Date>().map_err(|_| Error::invalid("date", "must be a day such as 2026-01-07"));
        Ok(match level {
            SummaryLevel::Session => Period::Session(SessionId::new(key)?),
            SummaryLevel::Day => Period::Day(day()?),
            SummaryLevel::Week => Period::Week(day()?),
            SummaryLevel::Month => Period::Month(day()?),
        })
    }
}

/// Text that stands for a session, a day, a week or a month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What it stands for.
    pub period: Period,
    /// The text.
    pub text: String,
    /// Three to five key topics.
    pub topics: Vec<String>,
    /// How many sessions went into it.
    pub sessions: u32,
    /// How many messages went into it.
    pub messages: u32,
    /// The first and the last message that went into it.
    pub sources: Option<(u64, u64)>,
    /// On whose clock its days were counted.
    pub zone: Zone,
    /// What made it: the name of a model, or `rules`.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Something below it has changed since.
    pub stale: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        assert_eq!(Period::week_of(date(2026, 11, 15)).unwrap(), Period::Week(date(2026, 11, 9)));
        assert_eq!(Period::week_of(date(2026, 11, 9)).unwrap(), Period::Week(date(2026, 11, 9)));
        assert_eq!(Period::month_of(date(2026, 11, 15)), Period::Month(date(2026, 11, 1)));
    }

    #[test]
    fn a_period_survives_its_key() {
        for period in [
            Period::Session(SessionId::new("s1").unwrap()),
            Period::Day(date(2026, 1, 7)),
            Period::Week(date(2026, 1, 5)),
            Period::Month(date(2026, 1, 1)),
        ] {
            assert_eq!(Period::from_key(period.level(), &period.key()).unwrap(), period);
        }
    }
}
