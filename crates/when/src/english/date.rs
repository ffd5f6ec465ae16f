//! Days and months by name and number.

use super::amount::unit;
use super::beside::beside;
use super::clock::half_of_day;
use super::direction;
use super::tables::{MONTHS, WEEKDAYS};
use super::year::year_number;
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::numeral;
use crate::piece::{Counted, Piece};

pub(super) fn weekday_name(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    WEEKDAYS.iter().enumerate().find_map(|(day, names)| Some((day as i8, cursor.any(names)?)))
}

pub(super) fn month_name(cursor: Cursor<'_>) -> Option<(u8, Cursor<'_>)> {
    for (number, names) in MONTHS.iter().enumerate() {
        for name in *names {
            let Some(end) = cursor.eat(name) else { continue };
            // Oct.23, mar4, dec, 2018.
            if end.peek().is_none_or(|c| !c.is_ascii_alphabetic()) {
                let end = end.eat(".").unwrap_or(end);
                return Some((number as u8 + 1, end));
            }
        }
    }
    None
}

pub(super) fn day_number(cursor: Cursor<'_>) -> Option<(u8, Cursor<'_>)> {
    let next = cursor.maybe(&["the"]);
    if let Some((value, end)) = next.ordinal().filter(|(value, _)| (1..=31).contains(value)) {
        return Some((value as u8, end));
    }
    if let Some((value, end)) = next.spelled().filter(|(value, _)| (1..=31).contains(value))
        && end.blanks().any(&["thousand", "hundred"]).is_none()
    {
        return Some((value as u8, end));
    }
    let number = numeral::arabic(next.rest()).filter(|n| n.len <= 2 && (1..=31).contains(&n.value))?;
    let end = next.skip(number.len);
    if end.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == ':') || half_of_day(end).is_some() {
        return None;
    }
    Some((number.value as u8, end))
}

/// march, march 3rd, march 3 2015, 3 of march, 14april 2015.
pub(super) fn month(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let mut pieces = Vec::new();
    let mut end;
    if let Some((month, after)) = month_name(cursor) {
        // May is a month only where something says so.
        let bare_may = month == 5 && cursor.chars.get(cursor.at + 3).is_none_or(|c| !c.is_ascii_digit());
        pieces.push(Piece::Month(month));
        end = after;
        let next = after.blanks().maybe(&["the", ","]);
        let next = if matches!(after.peek(), Some('-' | '/')) { after.skip(1) } else { next };
        // Feb 5 AM is a morning.
        let day = day_number(next).or_else(|| {
            let number =
                numeral::arabic(next.rest()).filter(|n| n.len <= 2 && (1..=31).contains(&n.value))?;
            let end = next.skip(number.len);
            (end.peek() == Some(' ') && half_of_day(end).is_some()).then_some((number.value as u8, end))
        });
        if begun.day.is_none()
            && let Some((day, after)) = day.filter(|(_, end)| unit(end.blanks()).is_none())
        {
            pieces.push(Piece::Day(day));
            end = after;
        }
        let next = if matches!(end.peek(), Some('-' | '/')) { end.skip(1) } else { end.blanks() };
        let next = next.eat(",").map_or(next, Cursor::blanks).maybe(&["of", "in"]);
        if let Some((year, after)) = year_number(next) {
            pieces.push(Piece::Year(year));
            end = after;
            if pieces.len() == 2
                && let Some((day, after)) = end.eat("-").and_then(day_number)
            {
                pieces.push(Piece::Day(day));
                end = after;
            }
        }
        if bare_may && pieces.len() == 1 && !begun.says_something() {
            let before: String = cursor.chars[cursor.at.saturating_sub(8)..cursor.at].iter().collect();
            let led = [
                "through ", "thru ", "until ", "in ", "of ", "last ", "next ", "this ", "since ", "by ",
                "mid ", "late ", "to ", "from ", "and ", "-", "till ",
            ]
            .iter()
            .any(|word| before.ends_with(word))
                || cursor.chars.len() <= 4
                || after
                    .blanks()
                    .any(&["to", "till", "until", "through"])
                    .is_some_and(|end| month_name(end.blanks()).is_some());
            if !led {
                return None;
            }
        }
        return Some((pieces, end.at));
    }
    let (day, after) = day_number(cursor).or_else(|| {
        let number = numeral::arabic(cursor.rest()).filter(|n| n.len <= 2 && (1..=31).contains(&n.value))?;
        let end = cursor.skip(number.len);
        month_name(end).map(|_| (number.value as u8, end))
    })?;
    let after = after.eat(".").unwrap_or(after);
    let next = after.blanks().maybe(if joined(cursor) { &["of", "day of", "in"] } else { &["of", "day of"] });
    let next = if matches!(after.peek(), Some('-' | '/')) { after.skip(1) } else { next };
    if let Some((by, _)) = direction(next).or_else(|| Some((0, next.words("the")?)))
        && let Some(end) = direction(next)
            .map(|(_, end)| end)
            .or_else(|| next.words("the"))
            .and_then(|end| end.blanks().any(&["month"]))
    {
        return Some((vec![Piece::MonthRel(by), Piece::Day(day)], end.at));
    }
    let (month, after) = month_name(next)?;
    pieces.push(Piece::Day(day));
    pieces.push(Piece::Month(month));
    end = after;
    let next = if matches!(end.peek(), Some('-' | '/')) { end.skip(1) } else { end.blanks() };
    let next = next.eat(",").map_or(next, Cursor::blanks).maybe(&["of", "in"]);
    if let Some((year, after)) = year_number(next) {
        pieces.push(Piece::Year(year));
        end = after;
    }
    Some((pieces, end.at))
}

/// Whether a day is the second of two: 23 in from 4 to 23 in next month.
fn joined(cursor: Cursor<'_>) -> bool {
    let before: String = cursor.chars[cursor.at.saturating_sub(5)..cursor.at].iter().collect();
    ["-", " to ", " and ", "till "].iter().any(|joint| before.ends_with(joint))
}

/// The minutes behind an hour in words: Tuesday, three thirty.
fn spelled_minutes(cursor: Cursor<'_>) -> Option<i64> {
    cursor.spelled().map(|(minutes, _)| minutes).filter(|minutes| (10..60).contains(minutes))
}

/// How many weeks the British add to a day: Friday week, Monday fortnight.
fn weeks_later(cursor: Cursor<'_>) -> Option<(i64, Cursor<'_>)> {
    let (weeks, end) = match cursor.words("week") {
        Some(end) => (1, end),
        None => (2, cursor.words("fortnight")?),
    };
    let numbered = end.blanks().peek().is_some_and(|c| c.is_ascii_digit());
    (!numbered).then_some((weeks, end))
}

pub(super) fn weekday(cursor: Cursor<'_>) -> Option<Parsed> {
    let named = cursor.maybe(&["the"]);
    if let Some(end) = named.any(&["weekend", "week end", "weekends", "wknd", "long weekend"]) {
        if let Some(end) = end.blanks().any(&["before last", "before the last"]) {
            return one(Piece::Weekend(-2), end);
        }
        if let Some(end) = end.blanks().any(&["after next", "after the next"]) {
            return one(Piece::Weekend(2), end);
        }
        return one(Piece::WeekendBare, end);
    }
    let (day, end) = weekday_name(named)?;
    if let Some((later, end)) = beside(end) {
        return one(Piece::Counted(Counted::Weekday(if later { 1 } else { -1 }, day)), end);
    }
    if let Some(end) = end.blanks().any(&["after next", "after the next"]) {
        return one(Piece::WeekdayAway(2, day), end);
    }
    // Friday week is a week after the coming Friday.
    if let Some((count, end)) = weeks_later(end.blanks()) {
        let away = Counted::Away { count, unit: Unit::Week, later: true, ahead: true };
        return Some((vec![Piece::Weekday(day), Piece::Counted(away)], end.at));
    }
    if let Some(end) = end.blanks().any(&["before last", "before the last"]) {
        return Some((vec![Piece::WeekRel(-2), Piece::Weekday(day)], end.at));
    }
    // sat and sun are words too.
    if end.at - named.at == 3
        && matches!(day, 5 | 6)
        && end.blanks().peek().is_some_and(|c| c.is_ascii_alphabetic() || c == '\'')
        && month_name(end.blanks()).is_none()
        && end
            .blanks()
            .any(&[
                "at",
                "the",
                "morning",
                "morn",
                "night",
                "nite",
                "afternoon",
                "evening",
                "eve",
                "from",
                "and",
            ])
            .is_none()
    {
        return None;
    }
    let mut pieces = vec![Piece::Weekday(day)];
    let mut last = end;
    if let Some((number, after)) = day_number(end.blanks().maybe(&["the", ","])).filter(|(_, after)| {
        let next = after.blanks();
        // Mon 3 - Fri 7 April.
        let joint = next.any(&["to", "through", "thru"]).or_else(|| next.eat("-"));
        let to_a_weekday = joint.is_some_and(|next| weekday_name(next.blanks()).is_some());
        month_name(next.maybe(&["of"])).is_none()
            && unit(next).is_none()
            && spelled_minutes(next).is_none()
            && next.any(&["o'clock", "oclock"]).is_none()
            && (joint.is_none() || to_a_weekday)
            && after.peek() != Some('/')
    }) {
        pieces.push(Piece::Day(number));
        last = after;
    }
    Some((pieces, last.at))
}
