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
    /// Everything so far.
    Background,
}

impl SummaryLevel {
    /// Every level, the finest first.
    pub const ALL: [SummaryLevel; 5] = [
        SummaryLevel::Session,
        SummaryLevel::Day,
        SummaryLevel::Week,
        SummaryLevel::Month,
        SummaryLevel::Background,
    ];

    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            SummaryLevel::Session => "session",
            SummaryLevel::Day => "day",
            SummaryLevel::Week => "week",
            SummaryLevel::Month => "month",
            SummaryLevel::Background => "background",
        }
    }

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
            4 => Some(SummaryLevel::Background),
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
    /// Everything so far.
    Background,
}

/// The key of the one period that has no day.
const BACKGROUND: &str = "all";

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
            Period::Background => SummaryLevel::Background,
        }
    }

    /// The days it stands for, the first and the last; `None` when it is not made of whole days.
    pub fn days(&self) -> Option<(Date, Date)> {
        match *self {
            Period::Session(_) | Period::Background => None,
            Period::Day(day) => Some((day, day)),
            Period::Week(monday) => Some((monday, monday.saturating_add(jiff::Span::new().days(6)))),
            Period::Month(first) => Some((first, first.last_of_month())),
        }
    }

    /// The part of its key that tells it from others of its level; days sort as they follow each other.
    pub fn key(&self) -> String {
        match self {
            Period::Session(id) => id.to_string(),
            Period::Day(day) | Period::Week(day) | Period::Month(day) => day.to_string(),
            Period::Background => BACKGROUND.to_owned(),
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
            SummaryLevel::Background => Period::Background,
        })
    }
}

/// Text that stands for a session, a day, a week, a month, or everything so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What it stands for.
    pub period: Period,
    /// The text.
    pub text: String,
    /// The same, sentence by sentence, each with what it rests on.
    #[serde(default)]
    pub lines: Vec<SummaryLine>,
    /// What it was about, in one line.
    #[serde(default)]
    pub headline: String,
    /// Three to five key topics.
    pub topics: Vec<String>,
    /// The sessions of a day, each in one line, in the order in which they began.
    #[serde(default)]
    pub talks: Vec<SessionLine>,
    /// How many sessions went into it.
    pub sessions: u32,
    /// How many messages went into it.
    pub messages: u32,
    /// The first and the last message that went into it.
    pub sources: Option<(u64, u64)>,
    /// On whose clock its days were counted.
    pub zone: Zone,
    /// The last day that went into it, for what grows day by day.
    #[serde(default)]
    pub through: Option<Date>,
    /// What made it: the name of a model, or [`Summary::RULES`].
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Tells whether it was made from what is there now.
    #[serde(default)]
    pub digest: u64,
    /// Tells what a model was given to read for it, so that none is given the same twice.
    #[serde(default)]
    pub read: u64,
    /// How often a model was asked for it in vain.
    #[serde(default)]
    pub failures: u8,
    /// Segments of a long talk, kept so that nobody is asked for them twice.
    #[serde(default)]
    pub parts: Vec<SummaryPart>,
    /// Something below it has changed since.
    pub stale: bool,
}

impl Summary {
    /// Who made a summary that no model made.
    pub const RULES: &str = "rules";

    /// One that says nothing yet.
    pub fn blank(period: Period, zone: Zone, made_at: Timestamp) -> Self {
        Summary {
            period,
            text: String::new(),
            lines: Vec::new(),
            headline: String::new(),
            topics: Vec::new(),
            talks: Vec::new(),
            sessions: 0,
            messages: 0,
            sources: None,
            zone,
            through: None,
            made_by: Self::RULES.to_owned(),
            made_at,
            digest: 0,
            read: 0,
            failures: 0,
            parts: Vec::new(),
            stale: false,
        }
    }

    /// Whether the rules made it.
    pub fn is_by_rules(&self) -> bool {
        self.made_by == Self::RULES
    }
}

/// A sentence with the messages it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummaryLine {
    /// The day it is about, where it has one.
    pub date: Option<Date>,
    /// The sentence.
    pub text: String,
    /// The numbers of the messages.
    pub sources: Vec<u64>,
}

/// What one session of a day was about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionLine {
    /// Which session.
    pub session: SessionId,
    /// In one line.
    pub text: String,
    /// How many of its messages were said that day.
    pub messages: u32,
    /// The first and the last of them.
    pub sources: (u64, u64),
}

/// What a segment of a long talk came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummaryPart {
    /// Of which segment.
    pub digest: u64,
    /// In short.
    pub text: String,
    /// The model that made it.
    pub made_by: String,
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
    fn a_period_knows_its_days() {
        let days = |period: Period| period.days().unwrap();
        assert_eq!(days(Period::Week(date(2026, 11, 9))), (date(2026, 11, 9), date(2026, 11, 15)));
        assert_eq!(days(Period::Month(date(2026, 2, 1))), (date(2026, 2, 1), date(2026, 2, 28)));
        assert_eq!(Period::Background.days(), None);
    }

    #[test]
    fn a_period_survives_its_key() {
        for period in [
            Period::Session(SessionId::new("s1").unwrap()),
            Period::Day(date(2026, 1, 7)),
            Period::Week(date(2026, 1, 5)),
            Period::Month(date(2026, 1, 1)),
            Period::Background,
        ] {
            assert_eq!(Period::from_key(period.level(), &period.key()).unwrap(), period);
        }
    }
}
