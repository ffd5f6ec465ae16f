//! Stretches of the calendar. Everything is checked: a date beyond the calendar is no date.

use jiff::civil::{Date, DateTime};
use jiff::{Span, ToSpan};

use crate::reading::Reading;

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Second,
    Minute,
    Quarter15,
    Hour,
    Day,
    WorkDay,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
}

impl Unit {
    /// So many of it.
    pub(crate) fn span(self, count: i64) -> Option<Span> {
        let within = |most: i64| (-most..=most).contains(&count);
        Some(match self {
            Unit::Second if within(1_000_000_000) => count.seconds(),
            Unit::Minute if within(100_000_000) => count.minutes(),
            Unit::Quarter15 if within(1_000_000) => (count * 15).minutes(),
            Unit::Hour if within(10_000_000) => count.hours(),
            Unit::Day | Unit::WorkDay if within(1_000_000) => count.days(),
            Unit::Week if within(100_000) => count.weeks(),
            Unit::Fortnight if within(50_000) => (count * 2).weeks(),
            Unit::Month if within(20_000) => count.months(),
            Unit::Quarter if within(5_000) => (count * 3).months(),
            Unit::Year if within(2_000) => count.years(),
            Unit::Decade if within(200) => (count * 10).years(),
            Unit::Century if within(20) => (count * 100).years(),
            _ => return None,
        })
    }

    /// Half of it.
    pub(crate) fn half(self) -> Option<Span> {
        Some(match self {
            Unit::Minute => 30.seconds(),
            Unit::Hour => 30.minutes(),
            Unit::Day => 12.hours(),
            Unit::Week => 3.days(),
            Unit::Month => 15.days(),
            Unit::Year => 6.months(),
            _ => return None,
        })
    }

    pub(crate) fn is_of_clock(self) -> bool {
        self <= Unit::Hour
    }

    /// The unit's stretch that holds a moment, moved by so many units.
    pub(crate) fn around(self, at: DateTime, by: i64) -> Option<Reading> {
        let date = at.date();
        let start = match self {
            Unit::Second => at.date().at(at.hour(), at.minute(), at.second(), 0),
            Unit::Minute | Unit::Quarter15 => date.at(at.hour(), at.minute(), 0, 0),
            Unit::Hour => date.at(at.hour(), 0, 0, 0),
            Unit::Day | Unit::WorkDay => date.at(0, 0, 0, 0),
            Unit::Week | Unit::Fortnight => monday(date)?.at(0, 0, 0, 0),
            Unit::Month => date.first_of_month().at(0, 0, 0, 0),
            Unit::Quarter => Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).ok()?.at(0, 0, 0, 0),
            Unit::Year => date.first_of_year().at(0, 0, 0, 0),
            Unit::Decade => Date::new(date.year().div_euclid(10) * 10, 1, 1).ok()?.at(0, 0, 0, 0),
            Unit::Century => Date::new(date.year().div_euclid(100) * 100, 1, 1).ok()?.at(0, 0, 0, 0),
        };
        let start = start.checked_add(self.span(by)?).ok()?;
        Some(Reading::new(start, start.checked_add(self.span(1)?).ok()?))
    }
}

/// The Monday of a day's week.
pub(crate) fn monday(date: Date) -> Option<Date> {
    date.checked_sub(i64::from(date.weekday().to_monday_zero_offset()).days()).ok()
}

/// The first day at or after `from` that is this weekday (Monday is 0).
pub(crate) fn weekday_from(from: Date, weekday: i8) -> Option<Date> {
    let ahead = (weekday - from.weekday().to_monday_zero_offset()).rem_euclid(7);
    from.checked_add(i64::from(ahead).days()).ok()
}

/// The last day before `until` that is this weekday.
pub(crate) fn weekday_before(until: Date, weekday: i8) -> Option<Date> {
    let last = until.yesterday().ok()?;
    let back = (last.weekday().to_monday_zero_offset() - weekday).rem_euclid(7);
    last.checked_sub(i64::from(back).days()).ok()
}

/// The weekday of that number among the days `first..after`; negative numbers count from the end.
pub(crate) fn nth_weekday(first: Date, after: Date, number: i64, weekday: i8) -> Option<Date> {
    let day = if number > 0 {
        weekday_from(first, weekday)?.checked_add(number.checked_sub(1)?.clamp(0, 5_000).weeks()).ok()?
    } else {
        weekday_before(after, weekday)?
            .checked_sub(number.checked_add(1)?.checked_neg()?.clamp(0, 5_000).weeks())
            .ok()?
    };
    (first <= day && day < after).then_some(day)
}

/// The whole years from `first` on.
pub(crate) fn years(first: i16, count: i16) -> Option<Reading> {
    let start = Date::new(first, 1, 1).ok()?;
    let end = Date::new(first.checked_add(count)?, 1, 1).ok()?;
    Some(Reading::days(start, end))
}

/// So many months of a year, from one on.
pub(crate) fn months(year: i16, first: i8, count: i64) -> Option<Reading> {
    let start = Date::new(year, first, 1).ok()?;
    Some(Reading::days(start, start.checked_add(count.months()).ok()?))
}

/// One day.
pub(crate) fn day(date: Date) -> Option<Reading> {
    Some(Reading::days(date, date.tomorrow().ok()?))
}
