//! Amounts of time: so long ago, the last so many, from one hour to another.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::calendar::{self, Unit, monday, weekday_before, weekday_from};
use crate::frame::{Frame, Span};
use crate::piece::{Clock, Measure, Part};
use crate::reading::Reading;

/// From one time on the clock to another: each may be in either half of the day.
pub(super) fn stretch(mut from: Clock, until: Clock, part: Option<Part>, date: Date) -> Vec<Reading> {
    if from.pm.is_none()
        && part.is_none()
        && until.pm == Some(true)
        && (from.hour, from.minute) < (until.hour, until.minute)
        && until.hour < 12
    {
        from.pm = until.pm;
    }
    let starts: Vec<DateTime> =
        from.hours(part).into_iter().filter_map(|hour| from.on(date, hour)?.start).collect();
    let ends: Vec<DateTime> =
        until.hours(part).into_iter().filter_map(|hour| until.on(date, hour)?.start).collect();
    let reading = |start: DateTime| {
        let end = ends
            .iter()
            .copied()
            .find(|end| *end > start)
            .or_else(|| ends.first()?.checked_add(12.hours()).ok().filter(|end| *end > start))
            .or_else(|| ends.first()?.checked_add(1.day()).ok());
        end.map(|end| Reading::new(start, end))
    };
    starts.into_iter().filter_map(reading).collect()
}

pub(super) fn span(some: Span, now: DateTime) -> Option<Reading> {
    let Span { count, unit, half, coming, measure } = some;
    let length = |from: DateTime, sign: i64| {
        let mut at = from.checked_add(unit.span(sign.checked_mul(count)?)?).ok()?;
        if half {
            let more = unit.half()?;
            at = if sign > 0 { at.checked_add(more) } else { at.checked_sub(more) }.ok()?;
        }
        Some(at)
    };
    if unit == Unit::WorkDay {
        return work_days(count, coming, now);
    }
    if measure != Measure::Moment && !half {
        // The last two weeks end with the last one.
        let current = if measure == Measure::Days { Unit::Day } else { unit }.around(now, 0)?;
        return if coming {
            let start = current.end?;
            Some(Reading::new(start, length(start, 1)?))
        } else {
            let end = current.start?;
            Some(Reading::new(length(end, -1)?, end))
        };
    }
    // Months and years are not counted to the second.
    let whole = |at: DateTime| if unit >= Unit::Month { at.date().at(0, 0, 0, 0) } else { at };
    if coming {
        Some(Reading::new(now, whole(length(now, 1)?)))
    } else {
        Some(Reading::new(whole(length(now, -1)?), now))
    }
}

/// The last or the next so many days from Monday to Friday. Holidays are not known here.
fn work_days(count: i64, coming: bool, now: DateTime) -> Option<Reading> {
    let mut left = count.clamp(1, 1_000);
    let mut day = now.date();
    while left > 0 {
        day = if coming { day.tomorrow() } else { day.yesterday() }.ok()?;
        left -= i64::from(day.weekday().to_monday_zero_offset() < 5);
    }
    Some(if coming {
        Reading::new(now, day.tomorrow().ok()?.at(0, 0, 0, 0))
    } else {
        Reading::days(day, now.date())
    })
}

/// So long before or after now.
pub(super) fn offset(frame: &Frame, now: DateTime) -> Option<Reading> {
    let mut at = now;
    let mut finest = Unit::Century;
    for (count, unit, half) in &frame.offsets {
        let sign = if frame.later { 1 } else { -1 };
        at = at.checked_add(unit.span(sign * count)?).ok()?;
        if *half {
            let more = unit.half()?;
            at = if frame.later { at.checked_add(more) } else { at.checked_sub(more) }.ok()?;
            finest = finest.min(if *unit <= Unit::Day { Unit::Second } else { Unit::Day });
        }
        finest = finest.min(*unit);
    }
    if frame.reach {
        // Nobody counts days and weeks back from a minute.
        let by_days = !frame.later && finest >= Unit::Day;
        let even = |at: DateTime| if by_days { at.date().at(0, 0, 0, 0) } else { at };
        return Some(if frame.later { Reading::new(now, at) } else { Reading::new(even(at), even(now)) });
    }
    if let Some(weekday) = frame.weekday.filter(|_| !frame.later && finest == Unit::Week) {
        // A week ago Saturday: a week before the last one.
        let last = weekday_before(now.date(), weekday)?;
        let back = now.duration_until(at).as_hours() / 24;
        return calendar::day(last.checked_add(back.days()).ok()?);
    }
    if let Some(weekday) = frame.weekday {
        // Monday two weeks from now: the Monday of that week.
        return calendar::day(weekday_from(monday(at.date())?, weekday)?);
    }
    if frame.clock.is_some() || frame.part.is_some() {
        return calendar::day(at.date());
    }
    if let Some(unit) = frame.to_the {
        return unit.around(at, 0);
    }
    match finest {
        Unit::Second | Unit::Minute | Unit::Hour if frame.roughly => Unit::Minute.around(at, 0),
        Unit::Second | Unit::Minute | Unit::Hour => Unit::Second.around(at, 0),
        // Who counts by quarters of an hour does not mean the second.
        Unit::Quarter15 => Some(Reading::new(at, at.checked_add(Unit::Quarter15.span(1)?).ok()?)),
        Unit::Day | Unit::WorkDay | Unit::Week | Unit::Fortnight => Unit::Day.around(at, 0),
        Unit::Quarter => Unit::Quarter.around(at, 0),
        Unit::Decade => Unit::Year.around(at, 0),
        _ if frame.english => Unit::Day.around(at, 0),
        unit => unit.around(at, 0),
    }
}
