//! Parts of years, months and weeks.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::calendar::{self, Unit, monday, months, nth_weekday, weekday_from, years};
use crate::frame::{Day, Frame, Week, Within};
use crate::piece::Edge;
use crate::reading::Reading;
use crate::{Grain, holiday, lunar};

/// A month and a day of the moon's calendar.
pub(super) fn by_the_moon(frame: &Frame, year: i16) -> Option<Reading> {
    let Some(Within::Month(month)) = frame.within else { return None };
    match frame.day {
        Some(Day::Of(day)) => calendar::day(lunar::solar(year, month, day)?),
        None => {
            let start = lunar::solar(year, month, 1)?;
            let end =
                if month == 12 { lunar::solar(year + 1, 1, 1)? } else { lunar::solar(year, month + 1, 1)? };
            Some(Reading::days(start, end))
        }
        Some(_) => None,
    }
}

pub(super) fn part_of_year(within: Within, year: i16, named: bool, now: DateTime) -> Option<Reading> {
    match within {
        Within::Month(month) => months(year, i8::try_from(month).ok()?, 1),
        Within::MonthNth(number) if number > 0 => months(year, i8::try_from(number).ok()?, 1),
        Within::MonthNth(number) => months(year, i8::try_from(13 + number).ok()?, 1),
        Within::MonthRel(by) => {
            let month = now.date().first_of_month().checked_add(i64::from(by).months()).ok()?;
            months(if named { year } else { month.year() }, month.month(), 1)
        }
        Within::Quarter(quarter) => months(year, i8::try_from(quarter * 3 - 2).ok()?, 3),
        Within::QuarterRel(by) => Unit::Quarter.around(now, i64::from(by)),
        Within::Half(half) => months(year, if half == 1 { 1 } else { 7 }, 6),
        Within::HalfRel(by) => {
            let half = Date::new(now.year(), if now.month() < 7 { 1 } else { 7 }, 1).ok()?;
            let start = half.checked_add((i64::from(by) * 6).months()).ok()?;
            months(start.year(), start.month(), 6)
        }
        Within::Season(season) => months(year, i8::try_from(season * 3).ok()?, 3),
        Within::SeasonRel(by) => {
            let season = i64::from(now.month() % 12 / 3) + i64::from(by);
            let first = Date::new(if now.month() == 12 { now.year() } else { now.year() - 1 }, 12, 1).ok()?;
            let start = first.checked_add((season * 3).months()).ok()?;
            months(start.year(), start.month(), 3)
        }
        Within::Vacation(true) => months(year, 7, 2),
        Within::Vacation(false) => months(year, 1, 2),
        Within::Holiday(number) => holiday::days(number, year),
        Within::LunarEve => calendar::day(lunar::eve(year)?),
    }
}

pub(super) fn week_in(
    week: Week,
    container: Option<Reading>,
    english: bool,
    now: DateTime,
    year: i16,
) -> Option<Reading> {
    let this = |by: i32| Unit::Week.around(now, i64::from(by));
    let saturday = |week: Reading| {
        let start = week.start?.date().checked_add(5.days()).ok()?;
        Some(Reading::days(start, start.checked_add(2.days()).ok()?))
    };
    match week {
        Week::Rel(by) => this(by),
        Week::Work(by) => {
            let monday = this(by)?.start?.date();
            Some(Reading::days(monday, monday.checked_add(5.days()).ok()?))
        }
        Week::Weekend(by) => saturday(this(by)?),
        Week::WeekendBare => match container {
            Some(whole) => {
                // The weekend of a Monday is the one before it.
                let start = whole.start?;
                let by = if start.weekday().to_monday_zero_offset() < 2 { -1 } else { 0 };
                saturday(Unit::Week.around(start, by)?)
            }
            None => saturday(this(0)?),
        },
        Week::WeekendNth(number) => {
            let whole = container?;
            let start = nth_weekday(whole.start?.date(), whole.end?.date(), number, 5)?;
            Some(Reading::days(start, start.checked_add(2.days()).ok()?))
        }
        Week::Half(half) => {
            let whole = this(0)?;
            let middle = whole.start?.checked_add(3.days()).ok()?;
            if half == 1 {
                Some(Reading::new(whole.start?, middle))
            } else {
                Some(Reading::new(middle, whole.end?))
            }
        }
        Week::Nth(number) => {
            let whole = match container {
                Some(whole) => whole,
                None => years(year, 1)?,
            };
            let first = first_week(whole, english)?;
            let start = if number > 0 {
                first.checked_add((number - 1).clamp(0, 5_000).weeks()).ok()?
            } else {
                let next = Reading { start: whole.end, end: None };
                let after = first_week(next, english || whole.grain() == Grain::Year)?;
                after.checked_sub((-number).clamp(1, 5_000).weeks()).ok()?
            };
            Some(Reading::days(start, start.checked_add(1.week()).ok()?))
        }
    }
}

/// The Monday on which the weeks of a month or year begin. In English a week belongs to where most of its days are, in
/// Chinese to where its Monday is.
pub(super) fn first_week(whole: Reading, english: bool) -> Option<Date> {
    let start = whole.start?.date();
    if english { monday(weekday_from(start, 3)?) } else { weekday_from(start, 0) }
}

pub(super) fn edge_of(edge: Edge, whole: Reading, english: bool) -> Option<Reading> {
    let (start, end) = (whole.start?, whole.end?);
    let from_start = |span: jiff::Span| start.checked_add(span).ok();
    let cut = |first: DateTime, last: DateTime| Some(Reading::new(first, last));
    if let Edge::Half(half) = edge {
        let middle = match whole.grain() {
            Grain::Year => from_start(6.months())?,
            Grain::Month => from_start(15.days())?,
            Grain::Week => from_start(3.days())?,
            _ if end.year() - start.year() > 1 => {
                from_start(i64::from((end.year() - start.year()) / 2).years())?
            }
            _ => start.checked_add(start.duration_until(end) / 2).ok()?,
        };
        return if half == 1 { cut(start, middle) } else { cut(middle, end) };
    }
    let edge = match (whole.grain(), edge) {
        (Grain::Year, Edge::Outset) => return cut(start, from_start(1.month())?),
        (_, Edge::Outset) => Edge::Begin,
        (_, edge) => edge,
    };
    match (whole.grain(), edge) {
        (Grain::Year, Edge::Begin) => cut(start, from_start(if english { 3.months() } else { 2.months() })?),
        (Grain::Year, Edge::Mid) if english => cut(from_start(4.months())?, from_start(8.months())?),
        (Grain::Year, Edge::Mid) => cut(from_start(5.months())?, from_start(7.months())?),
        (Grain::Year, Edge::End) => {
            cut(end.checked_sub(if english { 4.months() } else { 2.months() }).ok()?, end)
        }
        (Grain::Quarter, Edge::Begin) => cut(start, from_start(1.month())?),
        (Grain::Quarter, Edge::Mid) => cut(from_start(1.month())?, from_start(2.months())?),
        (Grain::Quarter, Edge::End) => cut(end.checked_sub(1.month()).ok()?, end),
        (Grain::Month, Edge::Begin) => cut(start, from_start(if english { 10.days() } else { 5.days() })?),
        (Grain::Month, Edge::Mid) => cut(from_start(10.days())?, from_start(20.days())?),
        (Grain::Month, Edge::End) => cut(from_start(if english { 20.days() } else { 24.days() })?, end),
        (Grain::Month, Edge::Third(1)) => cut(start, from_start(10.days())?),
        (Grain::Month, Edge::Third(2)) => cut(from_start(10.days())?, from_start(20.days())?),
        (Grain::Month, Edge::Third(_)) => cut(from_start(20.days())?, end),
        (Grain::Month, Edge::TwoThirds(1)) => cut(start, from_start(20.days())?),
        (Grain::Month, Edge::TwoThirds(_)) => cut(from_start(10.days())?, end),
        (Grain::Week, Edge::Begin) => cut(start, from_start(3.days())?),
        (Grain::Week, Edge::Mid) => cut(from_start(2.days())?, from_start(4.days())?),
        (Grain::Week, Edge::End) => cut(from_start(4.days())?, end),
        (Grain::Day, Edge::Begin) => cut(start, from_start(8.hours())?),
        (Grain::Day, Edge::Mid) => cut(from_start(8.hours())?, from_start(16.hours())?),
        (Grain::Day, Edge::End) => cut(end.checked_sub(1.second()).ok()?, end),
        (_, edge) => {
            // Thirds of anything else: the early and the late years of a decade.
            let years = i64::from(end.year() - start.year());
            if years < 3 {
                return None;
            }
            let third = years / 3;
            match edge {
                Edge::Begin | Edge::Third(1) => cut(start, from_start(third.years())?),
                Edge::End | Edge::Third(3) => cut(end.checked_sub(third.years()).ok()?, end),
                _ => cut(from_start(third.years())?, end.checked_sub(third.years()).ok()?),
            }
        }
    }
}

/// The few units before a day, or after it.
pub(super) fn few_beside(after: bool, count: i64, unit: Unit, day: Reading) -> Option<Reading> {
    let length = unit.span(count.clamp(1, 1_000))?;
    if after {
        Some(Reading::new(day.end?, day.end?.checked_add(length).ok()?))
    } else {
        Some(Reading::new(day.start?.checked_sub(length).ok()?, day.start?))
    }
}

pub(super) fn few_of(last: bool, count: i64, unit: Unit, whole: Reading, english: bool) -> Option<Reading> {
    let (start, end) = (whole.start?, whole.end?);
    let count = count.clamp(1, 1_000);
    if unit == Unit::Week {
        let first = first_week(whole, english)?.at(0, 0, 0, 0);
        if !last {
            return Some(Reading::new(first, first.checked_add(count.weeks()).ok()?));
        }
        let after = first_week(Reading { start: Some(end), end: None }, true)?.at(0, 0, 0, 0);
        return Some(Reading::new(after.checked_sub(count.weeks()).ok()?, after));
    }
    let length = unit.span(count)?;
    if last {
        Some(Reading::new(end.checked_sub(length).ok()?.max(start), end))
    } else {
        Some(Reading::new(start, start.checked_add(length).ok()?.min(end)))
    }
}
