//! From a frame to the stretches of the calendar that it can mean.

mod amount;
mod counted;
mod dates;
mod evaluate;
mod share;

use jiff::civil::DateTime;

use crate::calendar::Unit;
use crate::convention::Prefer;
use crate::frame::{Day, Frame};
use crate::piece::{Counted, Current, Edge, Part};
use crate::reading::Reading;
use amount::{offset, span, stretch};
use counted::counted;
use dates::dates;
use share::edge_of;

pub(crate) use dates::leaves_open;

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
    if let Some((share, unit)) = frame.current {
        return current(share, unit, now).into_iter().collect();
    }
    if let Some(what) = frame.counted {
        let anchor = Frame { counted: None, ..frame.clone() };
        let ahead = matches!(what, Counted::Away { ahead: true, .. });
        let anchors = readings(&anchor, now, if ahead { Prefer::Future } else { prefer });
        return anchors.into_iter().filter_map(|anchor| counted(what, anchor, frame.english)).collect();
    }
    if frame.same_time {
        return same_time(frame, now, prefer);
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

/// The same hour on another day, or the same day of another week, month or year.
fn same_time(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let plain = Frame { same_time: false, ..frame.clone() };
    if plain.day.is_none() && plain.weekday.is_none() {
        return readings(&Frame { day: Some(Day::Rel(0)), ..plain }, now, prefer);
    }
    let hour = |day: Reading| Unit::Hour.around(day.start?.date().to_datetime(now.time()), 0);
    dates(&plain, now, prefer).into_iter().filter_map(hour).collect()
}

/// A share of the current unit.
fn current(share: Current, unit: Unit, now: DateTime) -> Option<Reading> {
    let whole = unit.around(now, 0)?;
    Some(match share {
        Current::Rest => Reading { start: Some(now), ..whole },
        Current::SoFar => Reading { end: Some(now), ..whole },
        Current::Later => {
            let half = edge_of(Edge::Half(2), whole, true)?;
            Reading { start: half.start.max(Some(now.date().at(0, 0, 0, 0))), ..half }
        }
    })
}

/// So long before or after now, and what lies beyond. Who looks back and says 三天之前 means a day; who looks ahead means
/// all that is older.
fn away_from_now(frame: &Frame, now: DateTime, prefer: Prefer) -> Vec<Reading> {
    let Some(mut point) = offset(frame, now) else { return Vec::new() };
    if frame.or_more > 0 {
        let mut farther = frame.clone();
        farther.offsets.iter_mut().for_each(|(count, ..)| *count += frame.or_more);
        let Some(farther) = offset(&farther, now) else { return vec![point] };
        point = Reading { start: point.start.min(farther.start), end: point.end.max(farther.end) };
    }
    if !frame.onward || frame.clock.is_some() || frame.part.is_some() || frame.weekday.is_some() {
        return vec![point];
    }
    if frame.later {
        return vec![Reading { end: None, ..point }];
    }
    let older = Reading { start: None, ..point };
    if prefer == Prefer::Past { vec![point, older] } else { vec![older, point] }
}

/// Whether the small hours said with a night are those after the day that is named: 昨晚两点 and Saturday night at one are;
/// 3月5日夜里两点 may be of that day, and who says 半夜三点 of today or no day looks back at the last night or ahead at the
/// next.
fn is_after_midnight(frame: &Frame, part: Part, prefer: Prefer) -> bool {
    match frame.day {
        Some(Day::Rel(by)) if by != 0 => true,
        Some(Day::Of(_) | Day::Rel(_))
            if matches!(part, Part::Evening | Part::LateEvening | Part::AfterMidnight) =>
        {
            true
        }
        Some(Day::Of(_)) => false,
        Some(Day::Rel(_)) if frame.english => true,
        None if frame.weekday.is_some() => true,
        _ => prefer == Prefer::Future,
    }
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
            // Who looks back and names no day means the midnight that was.
            let gone = clock.hour == 24
                && prefer == Prefer::Past
                && !frame.is_dated()
                && frame.offsets.is_empty()
                && part.is_none();
            // Nobody says this evening at 2 of the small hours; tonight at 2 is of them.
            let of_night = |part: &Part| part.is_night() && !(frame.english && *part == Part::Evening);
            let hours = match part.filter(|part| of_night(part) && clock.is_small()) {
                Some(part) => vec![clock.hour + if is_after_midnight(frame, part, prefer) { 24 } else { 0 }],
                None if gone => vec![0],
                None => clock.hours(part),
            };
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
