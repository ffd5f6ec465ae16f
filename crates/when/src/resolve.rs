//! From a frame to the stretches of the calendar that it can mean.

mod amount;
mod share;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Weekday};

use crate::calendar::{self, Unit, monday, months, nth_weekday, weekday_from, years};
use crate::frame::{Day, Frame, Week, Within, Year};
use crate::piece::Edge;
use crate::reading::{Grain, Reading};
use amount::{away, closest, nth_weekday_beside, offset, span, stretch};
use share::{by_the_moon, edge_of, few_beside, few_of, part_of_year, week_in};

/// Which reading comes first where words could mean a past or a coming time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefer {
    /// The past one: a memory looks back.
    #[default]
    Past,
    /// The coming one.
    Future,
}

/// Where "from the 3rd to the 5th" ends. Times on the clock always end where they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// With the last day, as people mean it.
    #[default]
    Through,
    /// Where the last day begins, as some programs write it.
    Before,
}

/// How to read what words leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Convention {
    /// Past or coming.
    pub prefer: Prefer,
    /// With or without the last day.
    pub ends: Ends,
}

impl From<Prefer> for Convention {
    fn from(prefer: Prefer) -> Self {
        Convention { prefer, ends: Ends::default() }
    }
}

/// How far an unnamed year, month or week is looked for.
const REACH: i64 = 8;
/// Within how many months a day of the month falls on every weekday.
const MONTHS: i64 = 14;

/// The readings of a frame, the preferred one first. Empty when the calendar has no such time.
pub(crate) fn readings(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    if frame.now {
        let moment = Unit::Second.around(now, 0);
        let open = |moment: Reading| Reading { end: moment.end.filter(|_| !frame.onward), ..moment };
        return moment.map(open).into_iter().collect();
    }
    if let Some(some) = frame.span {
        return span(some, now).into_iter().collect();
    }
    if let Some(unit) = frame.rest {
        let whole = unit.around(now, 0);
        return whole.map(|whole| Reading { start: Some(now), end: whole.end }).into_iter().collect();
    }
    if let Some(unit) = frame.later_in {
        let today = now.date().at(0, 0, 0, 0);
        let half = unit.around(now, 0).and_then(|whole| edge_of(Edge::Half(2), whole, frame.english));
        let left = |half: Reading| Reading { start: half.start.max(Some(today)), ..half };
        return half.map(left).into_iter().collect();
    }
    if let Some(unit) = frame.so_far {
        let whole = unit.around(now, 0);
        return whole.map(|whole| Reading { start: whole.start, end: Some(now) }).into_iter().collect();
    }
    if frame.week_around {
        let plain = Frame { week_around: false, ..frame.clone() };
        // Where weeks are named by their first day that is a Sunday, and its Monday is the next.
        let opens = |day: DateTime| frame.english && day.weekday() == Weekday::Sunday;
        let week = |day: Reading| Unit::Week.around(day.start?, i64::from(opens(day.start?)));
        return readings(&plain, now, prefer).into_iter().filter_map(week).collect();
    }
    if let Some((number, near)) = frame.closest {
        let plain = Frame { closest: None, ..frame.clone() };
        let nearest = |anchor: Reading| closest(anchor, number, near);
        return readings(&plain, now, prefer).into_iter().filter_map(nearest).collect();
    }
    if let Some((number, weekday)) = frame.weekday_beside {
        let plain = Frame { weekday_beside: None, ..frame.clone() };
        let beside = |anchor: Reading| nth_weekday_beside(anchor, number, weekday);
        return readings(&plain, now, prefer).into_iter().filter_map(beside).collect();
    }
    if frame.anchored.is_some() || frame.lasting.is_some() {
        let plain = Frame { anchored: None, lasting: None, ..frame.clone() };
        let ahead = if frame.ahead { Prefer::Future } else { prefer };
        return readings(&plain, now, ahead).into_iter().filter_map(|anchor| away(frame, anchor)).collect();
    }
    let days =
        if frame.offsets.is_empty() { dates(frame, now, prefer) } else { away_from_now(frame, now, prefer) };
    let mut all: Vec<Reading> = Vec::new();
    for day in days {
        all.extend(on_the_clock(frame, day, now, prefer));
    }
    all.dedup();
    all.truncate(4);
    all
}

/// So long before or after now, and what lies beyond. Who looks back and says 三天之前 means a day; who looks ahead means
/// all that is older.
fn away_from_now(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let Some(point) = offset(frame, now) else { return Vec::new() };
    if !frame.onward || frame.clock.is_some() || frame.part.is_some() || frame.weekday.is_some() {
        return vec![point];
    }
    if frame.later {
        return vec![Reading { end: None, ..point }];
    }
    let older = Reading { start: None, ..point };
    if prefer == Prefer::Past { vec![point, older] } else { vec![older, point] }
}

/// Puts the part of the day and the time on the clock into a day.
fn on_the_clock(frame: &Frame, day: Reading, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let Some(date) = day.start.map(DateTime::date) else { return vec![day] };
    match (frame.clock, frame.part) {
        (None, None) => vec![day],
        (None, Some(part)) => part.of(date).into_iter().collect(),
        (Some(clock), part) if frame.until.is_some() => {
            let Some(until) = frame.until else { return Vec::new() };
            stretch(clock, until, part, date)
        }
        (Some(clock), part) => {
            let hours = clock.hours(part);
            let mut readings: Vec<Reading> =
                hours.into_iter().filter_map(|hour| clock.on(date, hour)).collect();
            let coming = |reading: &Reading| reading.start.is_some_and(|start| start >= now);
            if prefer == Prefer::Future
                && readings.len() > 1
                && readings.first().is_some_and(|first| !coming(first))
                && date == now.date()
            {
                readings.reverse();
            }
            readings
        }
    }
}

/// What the words leave open.
#[derive(Clone, Copy, PartialEq)]
enum Unsaid {
    Nothing,
    Year,
    Month,
    Week,
    Day,
}

/// Whether a time could be of several years, months or weeks.
pub(crate) fn leaves_open(frame: &Frame) -> bool {
    let from_now = frame.now
        || frame.span.is_some()
        || frame.rest.is_some()
        || frame.later_in.is_some()
        || frame.so_far.is_some()
        || !frame.offsets.is_empty();
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
        (Some(_), _) | (_, Some(Day::Rel(_) | Day::WeekdayAway(..))) => Unsaid::Nothing,
        (None, Some(Day::Of(_) | Day::Nth(_) | Day::WeekdayNth(..))) => Unsaid::Month,
        (None, None) if frame.weekday.is_some() => Unsaid::Week,
        (None, None) if frame.edge.is_some() || frame.few.is_some() => Unsaid::Nothing,
        (None, None) => Unsaid::Day,
    }
}

/// The days that a frame can mean, the preferred first.
fn dates(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let unsaid = unsaid(frame);
    let prefer = match frame.toward {
        Some(1) => Prefer::Future,
        Some(-1) => Prefer::Past,
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
        // Next Friday, 5/12 is a day of this year.
        let near = near.or(Some(0).filter(|_| frame.week.is_some()));
        return near.map_or_else(
            || dates(&plain, now, Prefer::Future),
            |by| evaluate(&plain, now, unsaid, by).into_iter().collect(),
        );
    }
    let at = |by: i64| evaluate(frame, now, unsaid, by);
    if unsaid == Unsaid::Nothing {
        let day = at(0);
        // This Monday, said on a Tuesday by somebody who looks ahead.
        if prefer == Prefer::Future
            && frame.week == Some(Week::Rel(0))
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
    let mut past = None;
    let mut coming = None;
    for by in 0..=REACH {
        let earlier = at(-by);
        let is_past = |reading: &Reading| {
            reading.start.is_some_and(|start| if on_weekday { start < today } else { start <= now })
        };
        if past.is_none() {
            past = earlier.filter(is_past);
        }
        let later = at(by);
        let is_coming = |reading: &Reading| match (reading.start, reading.end) {
            (Some(start), _) if on_weekday => start > today,
            (_, Some(end)) => end > now,
            _ => false,
        };
        if coming.is_none() {
            coming = later.filter(is_coming);
        }
    }
    // A current stretch is as much past as coming: the other reading is then the one before or after it.
    let holiday = matches!(frame.within, Some(Within::Holiday(_) | Within::LunarEve));
    let settled = (!frame.english || said_this)
        && !holiday
        && matches!(unsaid, Unsaid::Year | Unsaid::Month)
        && frame.weekday.is_none();
    let current = settled.then(|| at(0)).flatten();
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

/// The stretch that a frame means when what is unsaid lies so many units from the current one.
fn evaluate(frame: &Frame, now: DateTime, unsaid: Unsaid, by: i64) -> Option<Reading> {
    let shift = |unit: Unsaid| if unsaid == unit { by } else { 0 };
    let (first_year, count) = match frame.year {
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
            Some(week_in(week, container, frame.english, around, first_year)?)
        }
    };
    let edged = match (frame.edge, frame.few) {
        // The end of Sunday is one of the day, not of its week.
        (Some(_), _) if frame.weekday.is_some() => container,
        (Some(edge), _) => {
            Some(edge_of(edge, container.or_else(|| Unit::Day.around(now, 0))?, frame.english)?)
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
