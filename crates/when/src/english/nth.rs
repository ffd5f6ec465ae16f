//! The third week, the first Monday, the last few days of something.

use super::amount::unit;
use super::beside::beside;
use super::date::{month_name, weekday_name};
use super::edge::has_edges;
use super::part::part;
use super::year::{share_first, year_number};
use super::{direction, holiday};
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::numeral;
use crate::piece::{Counted, Edge, Near, Piece};

/// third week of, first monday of, last day of, last 4 months of, q3.
pub(super) fn nth(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if let Some(number) = cursor
        .eat("q")
        .and_then(|next| numeral::arabic(next.rest()))
        .filter(|n| n.len == 1 && (1..=4).contains(&n.value))
    {
        let end = cursor.skip(2);
        if end.ends() {
            if let Some((year, end)) = end.eat("-").and_then(year_number) {
                return Some((vec![Piece::Quarter(number.value as u8), Piece::Year(year)], end.at));
            }
            return one(Piece::Quarter(number.value as u8), end);
        }
    }
    if let Some(number) = cursor
        .eat("h")
        .and_then(|next| numeral::arabic(next.rest()))
        .filter(|n| n.len == 1 && (1..=2).contains(&n.value))
    {
        let end = cursor.skip(2);
        // H1 alone is a heading.
        let of = end.blanks().maybe(&["of"]);
        let in_a_year = year_number(of).is_some()
            || direction(of).is_some_and(|(_, end)| end.blanks().any(&["year"]).is_some());
        if end.ends() && (begun.year.is_some() || in_a_year) {
            return one(Piece::Half(number.value as u8), end);
        }
    }
    if let Some(parsed) = share_first(cursor) {
        return Some(parsed);
    }
    if let Some(number) =
        cursor.words("week").map(Cursor::blanks).and_then(|next| Some((numeral::arabic(next.rest())?, next)))
    {
        let (number, next) = number;
        // Week 3 is the third of some plan; week 31 is one of the year.
        if (10..=53).contains(&number.value) || (begun.year.is_some() && number.value > 0) {
            return one(Piece::WeekNth(number.value), next.skip(number.len));
        }
    }
    let cursor = cursor.maybe(&["the"]);
    for (words, half) in
        [(["front half", "former half", "early half"], 1), (["back half", "latter half", "later half"], 2)]
    {
        if let Some(end) = cursor.any(&words) {
            return half_of(half, end);
        }
    }
    let (number, after) = match cursor.any(&["last", "final"]) {
        Some(after) => (-1, after),
        None => cursor.ordinal()?,
    };
    // Fourth-quarter 2023.
    let next = after.eat("-").unwrap_or(after).blanks();
    let (number, next) = match next.words("last") {
        Some(end) if number > 0 => (-number, end.blanks()),
        _ => (number, next),
    };
    let within = |end: Cursor<'_>| {
        end.blanks().any(&["of", "in", "for"]).is_some() || direction(end.blanks()).is_some()
    };
    if let Some((day, end)) = weekday_name(next) {
        if let Some((later, end)) = beside(end).filter(|_| number > 0) {
            return one(Piece::Counted(Counted::Weekday(if later { number } else { -number }, day)), end);
        }
        // The third Tuesday, with nothing said of it, is one of the month; the first Tuesday I went is not.
        let alone = (2..=4).contains(&number) && end.blanks().peek().is_none_or(|c| !c.is_alphanumeric());
        if within(end) || alone {
            return one(Piece::WeekdayNth(number, day), end);
        }
        let (mut pieces, end) = part(end.blanks(), &Frame { weekday: Some(day), ..Frame::default() })
            .filter(|(_, end)| within(Cursor { at: *end, ..cursor }))?;
        pieces.push(Piece::WeekdayNth(number, day));
        return Some((pieces, end));
    }
    if let Some(end) = next.any(&["weekend", "week end"]).filter(|end| {
        end.blanks()
            .any(&["of", "in"])
            .is_some_and(|end| month_name(end.blanks()).is_some() || direction(end.blanks()).is_some())
    }) {
        return one(Piece::WeekendNth(number), end);
    }
    // The first half of March, the last half of the year.
    if let Some(end) = next.words("half").filter(|end| matches!(number, 1 | 2 | -1) && within(*end)) {
        return half_of(if number == 1 { 1 } else { 2 }, end);
    }
    if let Some((unit, end)) = unit(next) {
        return match unit {
            Unit::Quarter if (1..=4).contains(&number) => one(Piece::Quarter(number as u8), end),
            Unit::Quarter if number == -1 && end.blanks().words("of").is_some() => {
                one(Piece::Quarter(4), end)
            }
            Unit::Day if within(end) && of_time(end) => one(Piece::DayNth(number), end),
            Unit::Week if within(end) && of_time(end) => one(Piece::WeekNth(number), end),
            Unit::Month if within(end) && of_time(end) => one(Piece::MonthNth(number), end),
            _ => None,
        };
    }
    if matches!(number, 1 | -1)
        && let Some((count, end)) = next.count()
        && let Some((unit, end)) = unit(end.blanks())
        && within(end)
    {
        return one(Piece::Few { last: number < 0, count, unit }, end);
    }
    None
}

/// Whether what a day or week is of is not something else: the first week of sobriety.
fn of_time(end: Cursor<'_>) -> bool {
    let Some(of) = end.blanks().words("of").map(Cursor::blanks) else { return true };
    let named = of.maybe(&["the", "this", "that", "my", "our"]);
    let spelled = of.peek().is_some_and(|c| c.is_ascii_alphabetic());
    !spelled
        || named.at != of.at
        || has_edges(of)
        || holiday(of).is_some()
        || unit(of).is_some()
        || of.any(&["spring", "summer", "autumn", "fall", "winter", "each", "every"]).is_some()
        || of.spelled().is_some()
}

/// The half of something that has one.
fn half_of(half: u8, end: Cursor<'_>) -> Option<Parsed> {
    let edge = Piece::Edge(Edge::Half(half));
    let of = end.blanks().maybe(&["of", "of the", "in"]);
    if has_edges(of) {
        return Some((vec![edge], of.at));
    }
    let (unit, end) = unit(of)?;
    let whole = match unit {
        Unit::Year => Piece::YearRel(0),
        Unit::Month => Piece::MonthRel(0),
        Unit::Week => Piece::WeekRel(0),
        _ => return None,
    };
    Some((vec![whole, edge], end.at))
}

/// the closest Monday to May 5, the second nearest Christmas to today.
pub(super) fn closest(cursor: Cursor<'_>) -> Option<Parsed> {
    let next = cursor.maybe(&["the"]);
    let (number, next) = next.ordinal().map_or((1, next), |(number, end)| (number, end.blanks()));
    let next = next.any(&["closest", "nearest"])?.blanks();
    let (near, end) = match weekday_name(next) {
        Some((day, end)) => (Near::Weekday(day), end),
        None => {
            let (pieces, end) = holiday(next)?;
            let [Piece::Holiday(holiday)] = pieces[..] else { return None };
            (Near::Holiday(holiday), Cursor { at: end, ..cursor })
        }
    };
    one(Piece::Counted(Counted::Closest(number, near)), end.blanks().any(&["to"])?)
}
