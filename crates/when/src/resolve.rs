//! From a frame to the stretches of the calendar that it can mean.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::calendar::{self, Unit, monday, months, nth_weekday, weekday_from, years};
use crate::frame::{Day, Frame, Span, Week, Within, Year};
use crate::holiday;
use crate::lunar;
use crate::piece::Edge;
use crate::reading::Reading;

/// Which reading comes first where words could mean a past or a coming time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefer {
    /// The past one: a memory looks back.
    #[default]
    Past,
    /// The coming one.
    Future,
}

/// How far an unnamed year, month or week is looked for.
const REACH: i64 = 8;

/// The readings of a frame, the preferred one first. Empty when the calendar has no such time.
pub(crate) fn readings(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    if frame.now {
        return Unit::Second.around(now, 0).into_iter().collect();
    }
    if let Some(some) = frame.span {
        return span(some, now).into_iter().collect();
    }
    if let Some(unit) = frame.rest {
        let whole = unit.around(now, 0);
        return whole.map(|whole| Reading { start: Some(now), end: whole.end }).into_iter().collect();
    }
    if frame.week_around {
        let plain = Frame { week_around: false, ..frame.clone() };
        let week = |day: Reading| Unit::Week.around(day.start?, 0);
        return readings(&plain, now, prefer).into_iter().filter_map(week).collect();
    }
    if frame.anchored.is_some() || frame.lasting.is_some() {
        let plain = Frame { anchored: None, lasting: None, ..frame.clone() };
        // What is counted from lies ahead, if its words leave that open.
        let ahead = if frame.anchored.is_some() { Prefer::Future } else { prefer };
        return readings(&plain, now, ahead).into_iter().filter_map(|anchor| away(frame, anchor)).collect();
    }
    let days = if frame.offsets.is_empty() {
        dates(frame, now, prefer)
    } else {
        offset(frame, now).into_iter().collect()
    };
    let mut all: Vec<Reading> = Vec::new();
    for day in days {
        all.extend(on_the_clock(frame, day, now, prefer));
    }
    all.dedup();
    all.truncate(4);
    all
}

/// So long before, after or from another time on.
fn away(frame: &Frame, anchor: Reading) -> Option<Reading> {
    let start = anchor.start?;
    if let Some((count, unit)) = frame.lasting {
        return Some(Reading::new(start, start.checked_add(unit.span(count)?).ok()?));
    }
    let (count, unit, later) = frame.anchored?;
    let at = start.checked_add(unit.span(if later { count } else { -count })?).ok()?;
    if unit.is_of_clock() { Unit::Second.around(at, 0) } else { Unit::Day.around(at, 0) }
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

/// From one time on the clock to another: each may be in either half of the day.
fn stretch(
    mut from: crate::piece::Clock,
    until: crate::piece::Clock,
    part: Option<crate::piece::Part>,
    date: Date,
) -> Vec<Reading> {
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

fn span(some: Span, now: DateTime) -> Option<Reading> {
    let Span { count, unit, half, coming, whole } = some;
    let length = |from: DateTime, sign: i64| {
        let mut at = from.checked_add(unit.span(sign.checked_mul(count)?)?).ok()?;
        if half {
            let more = unit.half()?;
            at = if sign > 0 { at.checked_add(more) } else { at.checked_sub(more) }.ok()?;
        }
        Some(at)
    };
    if whole && !half {
        // Whole units: the last two weeks end with the last one.
        let current = unit.around(now, 0)?;
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

/// So long before or after now.
fn offset(frame: &Frame, now: DateTime) -> Option<Reading> {
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
    if frame.clock.is_some() || frame.part.is_some() {
        return calendar::day(at.date());
    }
    match finest {
        Unit::Second | Unit::Minute | Unit::Quarter15 | Unit::Hour => Unit::Second.around(at, 0),
        Unit::Day | Unit::WorkDay | Unit::Week | Unit::Fortnight => Unit::Day.around(at, 0),
        unit if frame.english => Unit::Day.around(at, 0).filter(|_| unit != Unit::Decade),
        unit => unit.around(at, 0),
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
        let mut near: Vec<Reading> = (0..=REACH).flat_map(|by| [by, -by]).filter_map(at).collect();
        near.dedup();
        near.sort_by_key(|reading| reading.start.map(|start| now.duration_until(start).abs()));
        near.truncate(2);
        return near;
    }
    if unsaid == Unsaid::Day {
        return clock_alone(frame, now, prefer);
    }
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
    let settled = !frame.english
        && !holiday
        && matches!(unsaid, Unsaid::Year | Unsaid::Month)
        && frame.weekday.is_none();
    let current = settled.then(|| at(0)).flatten();
    let ordered = match prefer {
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
    let container = match frame.week {
        None => container,
        Some(week) => Some(week_in(week, container, frame.english, now, first_year)?),
    };
    let edged = match (frame.edge, frame.few) {
        (Some(edge), _) => {
            Some(edge_of(edge, container.or_else(|| Unit::Day.around(now, 0))?, frame.english)?)
        }
        (None, Some((last, count, unit))) => Some(few_of(last, count, unit, container?, frame.english)?),
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
            Some(day.ok().filter(|day| start <= *day && *day < end)?)
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
    match (day, frame.weekday) {
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
    }
}

/// A month and a day of the moon's calendar.
fn by_the_moon(frame: &Frame, year: i16) -> Option<Reading> {
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

fn part_of_year(within: Within, year: i16, named: bool, now: DateTime) -> Option<Reading> {
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
        Within::Holiday(number) => calendar::day(holiday::day(number, year)?),
        Within::LunarEve => calendar::day(lunar::eve(year)?),
    }
}

fn week_in(
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
        Week::Weekend(by) => saturday(this(by)?),
        Week::WeekendBare => match container {
            Some(whole) => saturday(Unit::Week.around(whole.start?, 0)?),
            None => saturday(this(0)?),
        },
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
                let after = first_week(next, english || whole.grain() == crate::Grain::Year)?;
                after.checked_sub((-number).clamp(1, 5_000).weeks()).ok()?
            };
            Some(Reading::days(start, start.checked_add(1.week()).ok()?))
        }
    }
}

/// The Monday on which the weeks of a month or year begin. In English a week belongs to where most of its days are, in
/// Chinese to where its Monday is.
fn first_week(whole: Reading, english: bool) -> Option<Date> {
    let start = whole.start?.date();
    if english { monday(weekday_from(start, 3)?) } else { weekday_from(start, 0) }
}

fn edge_of(edge: Edge, whole: Reading, english: bool) -> Option<Reading> {
    use crate::Grain;
    let (start, end) = (whole.start?, whole.end?);
    let from_start = |span: jiff::Span| start.checked_add(span).ok();
    let cut = |first: DateTime, last: DateTime| Some(Reading::new(first, last));
    match (whole.grain(), edge) {
        (Grain::Year, Edge::Begin) => cut(start, from_start(if english { 3.months() } else { 2.months() })?),
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
        (Grain::Week, Edge::Begin) => cut(start, from_start(3.days())?),
        (Grain::Week, Edge::Mid) => cut(from_start(2.days())?, from_start(4.days())?),
        (Grain::Week, Edge::End) => cut(from_start(4.days())?, end),
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

fn few_of(last: bool, count: i64, unit: Unit, whole: Reading, english: bool) -> Option<Reading> {
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
