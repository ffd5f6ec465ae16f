//! Days by their number alone.

use super::amount::unit;
use super::clock::bare_clock;
use super::date::{day_number, month_name, weekday_name};
use super::direction;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::numeral;
use crate::piece::Piece;

/// Whether a word before a place leads to a day: by the first, since the second.
fn led_to(cursor: Cursor<'_>) -> bool {
    let before: String = cursor.chars[cursor.at.saturating_sub(6)..cursor.at].iter().collect();
    ["on ", "by ", "since ", "until ", "till ", "from ", "to ", "and "]
        .iter()
        .any(|word| before.ends_with(word))
}

/// the 15th, on the first.
pub(super) fn day(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let next = cursor.maybe(&["on"]);
    let the = next.words("the").map(Cursor::blanks);
    if let Some((value, end)) = the.unwrap_or(next).ordinal().filter(|(value, _)| (1..=31).contains(value)) {
        let spelled = the.unwrap_or(next).peek().is_some_and(|c| c.is_ascii_alphabetic());
        let beside = begun.within.is_some() || begun.weekday.is_some();
        let led = the.is_some() && (!spelled || next.at != cursor.at || led_to(cursor));
        let joined = end.blanks().any(&["to", "through", "thru", "till", "until", "and"]).is_some();
        // The first of many is no day; nor is the 7th grade.
        let goes_on = end.blanks().peek().is_some_and(|c| c.is_ascii_alphabetic()) && !joined;
        let timely = end
            .blanks()
            .any(&["at", "around", "in", "of", "from", "between", "this", "next", "last"])
            .is_some();
        if (!beside
            && (!led || goes_on && !timely)
            && (!joined || spelled)
            && !closes(end)
            && !at_a_clock(end))
            || unit(end.blanks()).is_some()
            || weekday_name(end.blanks()).is_some()
        {
            return None;
        }
        return one(Piece::Day(value as u8), end);
    }
    // 15 in 8pm on 15, or 13 in 13 to 15 July.
    let number =
        numeral::arabic(the.unwrap_or(next).rest()).filter(|n| n.len <= 2 && (1..=31).contains(&n.value))?;
    let end = the.unwrap_or(next).skip(number.len);
    if !end.ends() || end.peek() == Some(':') || end.peek() == Some('/') || begun.day.is_some() {
        return None;
    }
    let led = next.at != cursor.at && begun.clock.is_some();
    let alone = the.is_some() && end.ends_clause();
    let of_a_month = begun.within.is_some() && joined_to_a_day(end).is_some();
    (led || alone || of_a_month || closes(end) || at_a_clock(end))
        .then(|| (vec![Piece::Day(number.value as u8)], end.at))
}

/// Whether a stretch of days follows that names the month: to 15 July, till the 22nd of this month, to January 22.
fn closes(end: Cursor<'_>) -> bool {
    let Some(next) = joint(end) else { return false };
    if month_name(next).is_some_and(|(_, end)| day_number(end.blanks()).is_some()) {
        return true;
    }
    joined_to_a_day(end).is_some_and(|end| {
        let next = end.blanks().maybe(&["of", "in"]);
        month_name(next).is_some()
            || direction(next).is_some_and(|(_, end)| end.blanks().any(&["month"]).is_some())
    })
}

/// The place after what joins two days.
fn joint(end: Cursor<'_>) -> Option<Cursor<'_>> {
    let next = end.blanks();
    let joint = next.any(&["to", "to the", "through", "thru", "till", "until", "and", "and the"]);
    joint.or_else(|| next.eat("-")).map(Cursor::blanks)
}

/// The place after a second day, if one is joined to the first.
fn joined_to_a_day(end: Cursor<'_>) -> Option<Cursor<'_>> {
    day_number(joint(end)?).map(|(_, end)| end)
}

/// Whether a time on the clock follows: at 8:00, at 4 a.m.
fn at_a_clock(end: Cursor<'_>) -> bool {
    let Some(at) = end.blanks().words("at").map(Cursor::blanks) else { return false };
    at.any(&["noon", "midday", "midnight"]).is_some()
        || bare_clock(at).is_some_and(|(clock, _)| clock.minute.is_some() || clock.pm.is_some())
}
