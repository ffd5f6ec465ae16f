//! The stretch of the calendar that a frame means, once it is settled what its words leave open.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use super::dates::Unsaid;
use super::share::{by_the_moon, edge_of, few_beside, few_of, part_of_year, week_in};
use crate::calendar::{self, monday, months, nth_weekday, weekday_from, years};
use crate::frame::{Day, Frame, Week, Within, Year};
use crate::reading::{Grain, Reading};

/// Labor Day weekend goes on until Labor Day, and a holiday on a Friday begins one.
fn long_weekend(weekend: Reading, holiday: Option<Reading>) -> Option<Reading> {
    let holiday = holiday.filter(|holiday| holiday.grain() == Grain::Day)?;
    if holiday.start == weekend.end {
        return Some(Reading { end: holiday.end, ..weekend });
    }
    (holiday.end == weekend.start).then_some(Reading { start: holiday.start, ..weekend })
}

/// The stretch that a frame means when what is unsaid lies so many units from the current one.
pub(super) fn evaluate(frame: &Frame, now: DateTime, unsaid: Unsaid, by: i64) -> Option<Reading> {
    let shift = |unit: Unsaid| if unsaid == unit { by } else { 0 };
    let (first_year, count) = match frame.year {
        Some(Year::Next) => (now.year().checked_add(1)?, 1),
        Some(Year::Is(year)) => (year, 1),
        Some(Year::Rel(years)) => (now.year().checked_add(i16::try_from(years).ok()?)?, 1),
        Some(Year::Many(first, count)) => (first, count),
        Some(Year::DecadeRel(by)) => {
            ((now.year().div_euclid(10) * 10).checked_add(i16::try_from(by.checked_mul(10)?).ok()?)?, 10)
        }
        None => (now.year().checked_add(i16::try_from(shift(Unsaid::Year)).ok()?)?, 1),
    };
    if frame.lunar
        && let Some(reading) = by_the_moon(frame, first_year)
    {
        return Some(reading);
    }
    let named = frame.year.is_some();
    let month_now = now.date().first_of_month().checked_add(shift(Unsaid::Month).months()).ok()?;
    let container: Option<Reading> = match frame.within {
        None if named => Some(years(first_year, count)?),
        None => None,
        Some(within) => Some(part_of_year(within, first_year, named, now)?),
    };
    let dated = matches!((frame.within, frame.day), (Some(Within::Month(_)), Some(Day::Of(_))));
    let container = match frame.week {
        // This Friday, June 15.
        Some(Week::Rel(_)) if dated => container,
        None => container,
        Some(week) => {
            let around = now.checked_add(shift(Unsaid::Week).weeks()).ok()?;
            // The same week last year.
            let away =
                if matches!(week, Week::Rel(_)) && named && count == 1 { first_year - now.year() } else { 0 };
            let around = around.checked_add(i64::from(away).years()).ok()?;
            let found = week_in(week, container, frame.english, around, first_year)?;
            Some(if frame.english { long_weekend(found, container).unwrap_or(found) } else { found })
        }
    };
    let edged = match (frame.edge, frame.few) {
        // The end of Sunday is one of the day, not of its week.
        (Some(_), _) if frame.weekday.is_some() => container,
        (Some(edge), _) => {
            // The end of nothing is none.
            container.map_or(Some(None), |whole| edge_of(edge, whole, frame.english).map(Some))?
        }
        (None, Some((last, count, unit))) => {
            let whole = container?;
            // 春节前三天 are the days before it, 三月前三天 its first.
            let beside = matches!(frame.within, Some(Within::Holiday(_)))
                && !frame.english
                && whole.grain() == Grain::Day;
            Some(if beside {
                few_beside(last, count, unit, whole)?
            } else {
                few_of(last, count, unit, whole, frame.english)?
            })
        }
        (None, None) => container,
    };
    let day = match frame.day {
        Some(Day::Next) => Some(now.date().tomorrow().ok()?),
        Some(Day::Previous) => Some(now.date().yesterday().ok()?),
        // 去年的今天, this day last month.
        Some(Day::Rel(0)) if named && count == 1 && frame.within.is_none() => {
            // In a year without 29 February, on the day before.
            Some(now.date().checked_add(i64::from(first_year - now.year()).years()).ok()?)
        }
        Some(Day::Rel(0)) if let Some(Within::MonthRel(by)) = frame.within => {
            Some(now.date().checked_add(i64::from(by).months()).ok()?)
        }
        Some(Day::Rel(0)) if let Some(Week::Rel(by)) = frame.week => {
            Some(now.date().checked_add(i64::from(by).weeks()).ok()?)
        }
        Some(Day::Rel(days)) => Some(now.date().checked_add(i64::from(days).days()).ok()?),
        Some(Day::WeekdayAway(number, weekday)) => {
            let today = now.date();
            let first = if number > 0 {
                weekday_from(today.tomorrow().ok()?, weekday)?
            } else {
                calendar::weekday_before(today, weekday)?
            };
            let more = if number > 0 { number - 1 } else { number + 1 };
            Some(first.checked_add(more.clamp(-5_000, 5_000).weeks()).ok()?)
        }
        Some(Day::Of(number)) => {
            let first = edged.and_then(|reading| reading.start).map_or(month_now, DateTime::date);
            Some(Date::new(first.year(), first.month(), i8::try_from(number).ok()?).ok()?)
        }
        Some(Day::Nth(number)) => {
            let whole = edged.or_else(|| months(month_now.year(), month_now.month(), 1))?;
            let (start, end) = (whole.start?.date(), whole.end?.date());
            let day = if number > 0 {
                start.checked_add((number - 1).clamp(0, 40_000).days())
            } else {
                end.checked_sub((-number).clamp(1, 40_000).days())
            };
            // A feast goes on after its day: 国庆节第三天.
            let goes_on = matches!(frame.within, Some(Within::Holiday(_))) && number > 0;
            Some(day.ok().filter(|day| start <= *day && (*day < end || goes_on))?)
        }
        Some(Day::WeekdayNth(number, weekday)) => {
            let whole = edged.or_else(|| months(month_now.year(), month_now.month(), 1))?;
            Some(nth_weekday(whole.start?.date(), whole.end?.date(), number, weekday)?)
        }
        None => None,
    };
    if let (Some(day), Some(edge), None) = (day, frame.edge, container) {
        return edge_of(edge, calendar::day(day)?, frame.english);
    }
    let found = match (day, frame.weekday) {
        (Some(day), Some(weekday)) if unsaid == Unsaid::Month => {
            // The month in which the day falls on that weekday.
            (day.weekday().to_monday_zero_offset() == weekday).then(|| calendar::day(day)).flatten()
        }
        (Some(day), Some(weekday))
            if frame.week.is_none() && frame.day.is_some_and(|day| matches!(day, Day::Rel(_))) =>
        {
            calendar::day(weekday_from(day, weekday).filter(|found| *found == day).unwrap_or(day))
        }
        (Some(day), _) => calendar::day(day),
        (None, Some(weekday)) => match edged {
            Some(whole) if frame.week.is_some() => calendar::day(weekday_from(whole.start?.date(), weekday)?),
            Some(whole) => Some(whole),
            None => {
                let week = monday(now.date())?.checked_add(shift(Unsaid::Week).weeks()).ok()?;
                calendar::day(weekday_from(week, weekday)?)
            }
        },
        (None, None) => edged,
    }?;
    match frame.edge {
        Some(edge) if frame.weekday.is_some() => edge_of(edge, found, frame.english),
        _ => Some(found),
    }
}
