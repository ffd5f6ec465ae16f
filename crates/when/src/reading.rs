use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};

/// How fine a reading is: the unit when it is exactly one, else a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grain {
    /// One second.
    Second,
    /// One minute.
    Minute,
    /// One hour.
    Hour,
    /// One day.
    Day,
    /// One week, from Monday.
    Week,
    /// One month.
    Month,
    /// One quarter.
    Quarter,
    /// One year.
    Year,
    /// Any other stretch.
    Range,
    /// A stretch with an open side.
    Open,
}

impl Grain {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Grain::Second => "second",
            Grain::Minute => "minute",
            Grain::Hour => "hour",
            Grain::Day => "day",
            Grain::Week => "week",
            Grain::Month => "month",
            Grain::Quarter => "quarter",
            Grain::Year => "year",
            Grain::Range => "range",
            Grain::Open => "open",
        }
    }
}

/// One way to read a time: a half-open stretch of the wall clock. A side that is `None` is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Where it begins.
    pub start: Option<DateTime>,
    /// Where it has ended.
    pub end: Option<DateTime>,
}

impl Reading {
    pub(crate) fn new(start: DateTime, end: DateTime) -> Self {
        Reading { start: Some(start), end: Some(end) }
    }

    pub(crate) fn days(first: civil::Date, after: civil::Date) -> Self {
        Reading::new(first.at(0, 0, 0, 0), after.at(0, 0, 0, 0))
    }

    /// How fine it is.
    pub fn grain(&self) -> Grain {
        let (Some(start), Some(end)) = (self.start, self.end) else { return Grain::Open };
        let units = [
            (Grain::Second, 1),
            (Grain::Minute, 60),
            (Grain::Hour, 3_600),
            (Grain::Day, 86_400),
            (Grain::Week, 604_800),
        ];
        let seconds = start.duration_until(end).as_secs();
        let aligned = |unit: i64| match unit {
            1 => true,
            60 => start.second() == 0,
            3_600 => start.minute() == 0 && start.second() == 0,
            86_400 => start.time() == civil::Time::midnight(),
            _ => {
                start.time() == civil::Time::midnight() && start.date().weekday().to_monday_zero_offset() == 0
            }
        };
        if let Some((grain, _)) = units.into_iter().find(|(_, unit)| seconds == *unit && aligned(*unit)) {
            return grain;
        }
        let first_days = start.time() == civil::Time::midnight()
            && end.time() == civil::Time::midnight()
            && (start.day(), end.day()) == (1, 1);
        let months = i32::from(end.year() - start.year()) * 12 + i32::from(end.month() - start.month());
        match months {
            1 if first_days => Grain::Month,
            3 if first_days && (start.month() - 1) % 3 == 0 => Grain::Quarter,
            12 if first_days && start.month() == 1 => Grain::Year,
            _ => Grain::Range,
        }
    }

    /// The moments at which it begins and has ended in a zone. A wall-clock time that the clock jumps over is read as the
    /// moment after the jump, one that comes twice as the first of the two, so that a day is a whole day.
    pub fn moments(&self, zone: &TimeZone) -> (Option<Timestamp>, Option<Timestamp>) {
        let moment = |at: DateTime| zone.to_ambiguous_timestamp(at).compatible().ok();
        (self.start.and_then(moment), self.end.and_then(moment))
    }
}
