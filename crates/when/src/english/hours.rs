//! From one hour to another.

use super::amount::unit;
use super::clock::{bare_clock, past_or_to, spelled_hour, zoned};
use super::date::{day_number, month_name, weekday_name};
use super::{direction, holiday};
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
use crate::piece::Piece;

/// 6-8, from 7 to 7:30, between 3 and 8am: a stretch of the clock where a day is named beside it.
pub(super) fn hours(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let opened = cursor.any(&["from", "between", "at"]);
    let next = opened.map_or(cursor, Cursor::blanks);
    let (first, after) = bare_clock(next).or_else(|| spelled_hour(next))?;
    let joint = after.blanks();
    let second =
        joint.any(&["to", "till", "until", "and", "through", "thru"]).or_else(|| joint.eat("-"))?.blanks();
    let (last, end) = bare_clock(second).or_else(|| spelled_hour(second))?;
    // Ten to nine is a time on the clock.
    if joint.words("to").is_some()
        && first.pm.is_none()
        && first.minute.is_none()
        && first.hour > last.hour
        && past_or_to(next).is_some()
    {
        return None;
    }
    let end = zoned(end);
    let day = |frame: &Frame| {
        frame.day.is_some()
            || frame.weekday.is_some()
            || frame.part.is_some()
            || matches!(frame.within, Some(Within::Holiday(_)))
    };
    let dated = day(begun) || (begun.within.is_some() && begun.day.is_some());
    let marked = first.pm.is_some() || last.pm.is_some() || first.minute.is_some() || last.minute.is_some();
    let names_a_day = end
        .blanks()
        .any(&["of", "tomorrow", "today", "yesterday", "tonight", "next", "at night"])
        .is_some()
        // We won 3-2 on penalties.
        || end.blanks().words("on").is_some_and(|end| {
            let day = end.blanks();
            weekday_name(day).is_some() || day_number(day).is_some() || month_name(day).is_some() || holiday(day).is_some()
        })
        || names_a_part(end.blanks());
    let on_a_weekday = end.blanks().words("on").is_some_and(|end| weekday_name(end.blanks()).is_some());
    // Five to seven today; 5 to 7 today may be people.
    let spelled = next.peek().is_some_and(|c| c.is_ascii_alphabetic());
    let month_follows = month_name(end.blanks().maybe(&["of"]))
        .is_some_and(|(_, end)| day_number(end.blanks()).is_none())
        && !marked;
    // Until 12-05-2019 is until a day.
    let dashed = end.eat("-").and_then(Cursor::peek).is_some_and(|c| c.is_ascii_digit());
    if begun.clock.is_some()
        || dashed
        || month_follows
        || unit(end.blanks()).is_some()
        || !(marked
            || dated
            || (names_a_day && (opened.is_some() || joint.peek() == Some('-') || spelled || on_a_weekday)))
    {
        return None;
    }
    one(Piece::Hours(first, last), end)
}

/// Whether a part of a day follows: last night, in the morning.
fn names_a_part(cursor: Cursor<'_>) -> bool {
    let named = direction(cursor).map(|(_, end)| end).or_else(|| cursor.words("in the"));
    named.is_some_and(|end| end.blanks().any(&["morning", "afternoon", "evening", "night"]).is_some())
}
