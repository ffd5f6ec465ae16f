//! The beginning, the middle and the end of something.

use super::amount::unit;
use super::date::{month_name, weekday_name};
use super::direction;
use super::tables::EDGES;
use super::year::{century, decade, year_number};
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed};
use crate::piece::{Edge, Piece};

/// end of march, the beginning of the week, mid-2015, early next year.
pub(super) fn edge(cursor: Cursor<'_>) -> Option<Parsed> {
    let (name, edge, end) = EDGES
        .iter()
        .filter_map(|(name, edge)| Some((*name, *edge, cursor.words(name)?)))
        .max_by_key(|(.., end)| end.at)?;
    let next = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
    let next = next.maybe(&["around", "about"]);
    // Late March is its last third, late last year its second half, and so is late on Monday.
    let halved = direction(next).is_some() || weekday_name(next.maybe(&["on"])).is_some();
    let edge = match edge {
        Edge::Begin if name.starts_with("early") && halved => Edge::Half(1),
        Edge::End if name.starts_with("late") && halved => Edge::Half(2),
        edge => edge,
    };
    let of_unit = next.maybe(&["the"]);
    // The start of day 5 is one of a plan.
    let numbered = |end: Cursor<'_>| end.blanks().peek().is_some_and(|c| c.is_ascii_digit());
    // Mid-day, early days and late nights are no parts of a day.
    let bare = matches!(name, "early" | "mid" | "late") && of_unit.at == next.at;
    let whole = |unit: Unit, end: Cursor<'_>| !bare || (unit > Unit::Day && end.chars[end.at - 1] != 's');
    if let Some((unit, end)) = unit(of_unit).filter(|(unit, end)| !numbered(*end) && whole(*unit, *end)) {
        // End of day Friday.
        let day = end.blanks().maybe(&["on"]);
        if unit == Unit::Day && (weekday_name(day).is_some() || day.any(&["tomorrow", "yesterday"]).is_some())
        {
            return Some((vec![Piece::Edge(edge)], day.at));
        }
        let piece = match unit {
            Unit::Week => Piece::WeekRel(0),
            Unit::Month => Piece::MonthRel(0),
            Unit::Quarter => Piece::QuarterRel(0),
            Unit::Year => Piece::YearRel(0),
            Unit::Day => Piece::DayRel(0),
            _ => return None,
        };
        return Some((vec![piece, Piece::Edge(edge)], end.at));
    }
    let follows = has_edges(next)
        || next.maybe(&["the"]).any(&["today", "tomorrow", "yesterday"]).is_some()
        || weekday_name(next.maybe(&["the", "this", "on"])).is_some();
    follows.then(|| (vec![Piece::Edge(edge)], next.at))
}

/// Whether something that has a beginning, a middle and an end follows: March, 2015, last year, the nineties.
pub(super) fn has_edges(cursor: Cursor<'_>) -> bool {
    let named = cursor.maybe(&["the"]);
    month_name(cursor).is_some()
        || year_number(cursor).is_some()
        || decade(named).is_some()
        || century(named).is_some()
        || direction(cursor).is_some()
        || cursor.eat("q").is_some()
}
