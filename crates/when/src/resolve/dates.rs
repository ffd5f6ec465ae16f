//! Which years, months and weeks a time can be of.

use jiff::civil::DateTime;

use super::evaluate::evaluate;
use crate::calendar;
use crate::convention::Prefer;
use crate::frame::{Day, Frame, Week, Within};
use crate::reading::Reading;

/// How far an unnamed year, month or week is looked for.
const REACH: i64 = 8;
/// Within how many months a day of the month falls on every weekday.
const MONTHS: i64 = 14;

/// What the words leave open.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Unsaid {
    Nothing,
    Year,
    Month,
    Week,
    Day,
}

/// Whether a time could be of several years, months or weeks.
pub(crate) fn leaves_open(frame: &Frame) -> bool {
    let from_now = frame.now || frame.span.is_some() || frame.current.is_some() || !frame.offsets.is_empty();
    !from_now && matches!(unsaid(frame), Unsaid::Year | Unsaid::Month | Unsaid::Week)
}

fn unsaid(frame: &Frame) -> Unsaid {
    if frame.year.is_some() {
        return Unsaid::Nothing;
    }
    match frame.within {
        Some(
            Within::Month(_)
            | Within::Quarter(_)
            | Within::Half(_)
            | Within::Season(_)
            | Within::Vacation(_)
            | Within::Holiday(_)
            | Within::LunarEve
            | Within::MonthNth(_),
        ) => return Unsaid::Year,
        Some(_) => return Unsaid::Nothing,
        None => {}
    }
    match (frame.week, frame.day) {
        (Some(Week::Nth(_)), _) => Unsaid::Nothing,
        (Some(Week::WeekendBare), None) if frame.weekday.is_none() => Unsaid::Week,
        (Some(_), _) | (_, Some(Day::Rel(_) | Day::Next | Day::Previous | Day::WeekdayAway(..))) => {
            Unsaid::Nothing
        }
        (None, Some(Day::Of(_) | Day::Nth(_) | Day::WeekdayNth(..))) => Unsaid::Month,
        (None, None) if frame.weekday.is_some() => Unsaid::Week,
        (None, None) if frame.edge.is_some() || frame.few.is_some() => Unsaid::Nothing,
        (None, None) => Unsaid::Day,
    }
}

/// The days that a frame can mean, the preferred first.
pub(super) fn dates(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let unsaid = unsaid(frame);
    let prefer = match frame.toward {
        Some(by) if by > 0 => Prefer::Future,
        Some(by) if by < 0 => Prefer::Past,
        _ => prefer,
    };
    if unsaid == Unsaid::Year
        && matches!(frame.day, Some(Day::Of(_)))
        && let Some(weekday) = frame.weekday
    {
        // The nearest year in which the day falls on that weekday; a wrong weekday is forgiven.
        let plain = Frame { weekday: None, ..frame.clone() };
        let fits = |by: &i64| {
            evaluate(&plain, now, unsaid, *by)
                .and_then(|reading| reading.start)
                .is_some_and(|start| start.date().weekday().to_monday_zero_offset() == weekday)
        };
        let near = (0..=1).flat_map(|by| [by, -by]).find(fits);
        // Next Friday, 5/12 is not far away.
        let distance = |by: i64| {
            let start = evaluate(&plain, now, unsaid, by)?.start?;
            Some((now.duration_until(start).abs(), by))
        };
        let nearest = || (-1..=1).filter_map(distance).min().map(|(_, by)| by);
        let near = near.or_else(|| nearest().filter(|_| frame.week.is_some()));
        return near.map_or_else(
            || dates(&plain, now, prefer),
            |by| evaluate(&plain, now, unsaid, by).into_iter().collect(),
        );
    }
    let at = |by: i64| evaluate(frame, now, unsaid, by);
    if unsaid == Unsaid::Nothing {
        let day = at(0);
        // This Monday, said on a Tuesday by somebody who looks ahead.
        if prefer == Prefer::Future
            && frame.week == Some(Week::Rel(0))
            && frame.toward.is_none()
            && frame.weekday.is_some()
            && day.is_some_and(|day| day.end.is_some_and(|end| end <= now))
        {
            let next = Frame { week: Some(Week::Rel(1)), ..frame.clone() };
            return evaluate(&next, now, unsaid, 0).into_iter().chain(day).collect();
        }
        return day.into_iter().collect();
    }
    if unsaid == Unsaid::Month && matches!(frame.day, Some(Day::Of(_))) && frame.weekday.is_some() {
        // Friday the 26th: the nearest month in which it is one.
        let mut near: Vec<Reading> = (0..=MONTHS).flat_map(|by| [by, -by]).filter_map(at).collect();
        near.dedup();
        let over = |reading: &Reading| reading.end.is_some_and(|end| end <= now);
        near.sort_by_key(|reading| {
            let distance = reading.start.map(|start| now.duration_until(start).abs());
            (prefer == Prefer::Future && over(reading), distance)
        });
        near.truncate(2);
        return near;
    }
    if unsaid == Unsaid::Day {
        return clock_alone(frame, now, prefer);
    }
    // This September is the one of this year.
    let said_this = frame.toward == Some(0) && unsaid == Unsaid::Year;
    let today = now.date().at(0, 0, 0, 0);
    let on_weekday = frame.weekday.is_some();
    // Last summer, said in summer, is the one before; two summers ago is the one before last.
    let season = matches!(frame.within, Some(Within::Season(_)));
    let is_running = |reading: &Reading| reading.start <= Some(now) && reading.end > Some(now);
    let apart = season && frame.toward.is_some_and(|by| by != 0);
    let mut skipped = frame.toward.map_or(0, |by| by.unsigned_abs().saturating_sub(1));
    let mut past = None;
    let mut coming = None;
    // The moon's year ends in ours that follows: its last months may lie ahead in January.
    let reach = REACH.max(i64::from(skipped) + 2);
    for by in -1..=reach {
        let earlier = at(-by);
        let is_past = |reading: &Reading| {
            reading.start.is_some_and(|start| if on_weekday { start < today } else { start <= now })
        };
        let wanted = |reading: &Reading| !(apart && is_running(reading));
        if past.is_none()
            && let Some(earlier) = earlier.filter(|reading| is_past(reading) && wanted(reading))
        {
            if skipped == 0 {
                past = Some(earlier);
            }
            skipped = skipped.saturating_sub(1);
        }
        let later = at(by);
        let is_coming = |reading: &Reading| match (reading.start, reading.end) {
            (Some(start), _) if on_weekday => start > today,
            (_, Some(end)) => end > now,
            _ => false,
        };
        if coming.is_none() {
            coming = later.filter(|reading| is_coming(reading) && wanted(reading));
        }
    }
    // A current stretch is as much past as coming: the other reading is then the one before or after it.
    let holiday = matches!(frame.within, Some(Within::Holiday(_) | Within::LunarEve));
    let settled = (!frame.english || said_this)
        && !holiday
        && matches!(unsaid, Unsaid::Year | Unsaid::Month)
        && frame.weekday.is_none();
    // In January this winter is the one that began in December.
    let running = || at(-1).filter(|reading| season && is_running(reading));
    let current = settled.then(|| running().or_else(|| at(0))).flatten();
    let ordered = match prefer {
        Prefer::Past if said_this => [current, past, coming],
        Prefer::Past => [past, coming, None],
        // In Chinese a month without a year is one of this year.
        Prefer::Future => [current, coming, past],
    };
    let mut readings: Vec<Reading> = Vec::new();
    for reading in ordered.into_iter().flatten() {
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings.truncate(2);
    readings
}

/// A time of day without a day.
fn clock_alone(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let today = calendar::day(now.date());
    if prefer == Prefer::Future
        && frame.english
        && let Some(clock) = frame.clock
    {
        let passed = clock
            .hours(frame.part)
            .into_iter()
            .filter_map(|hour| clock.on(now.date(), hour))
            .all(|reading| reading.start.is_some_and(|start| start < now));
        if passed {
            return now.date().tomorrow().ok().and_then(calendar::day).into_iter().collect();
        }
    }
    today.into_iter().collect()
}
