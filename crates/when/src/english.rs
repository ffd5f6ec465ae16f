//! English words of time.

mod amount;
mod clock;
mod cursor;
mod date;
mod tables;

use crate::assemble::Word;
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::holiday;
use crate::numeral;
use crate::piece::{Edge, Piece};
use amount::{amount, counted, rest, unit, week_of};
use clock::{clock, hours, part};
use date::{day, month, month_name, weekday, weekday_name, year, year_number};
use tables::{CONNECTORS, Connector, FIXED, PARTS};

/// What stands at a place, given what was said before it.
pub(crate) fn word(chars: &[char], at: usize, begun: &Frame) -> Option<(Word, usize)> {
    let cursor = Cursor { chars, at };
    if let Some((pieces, end)) = pieces(cursor, begun) {
        return Some((Word::Pieces(pieces), end - at));
    }
    connector(cursor).map(|(word, end)| (word, end - at))
}

/// Whether an English word begins there.
pub(crate) fn is_word(chars: &[char], at: usize) -> bool {
    chars.get(at).is_some_and(char::is_ascii_alphabetic)
}

fn pieces(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if !cursor.peek()?.is_ascii_alphanumeric() && !matches!(cursor.peek(), Some('\'' | '@')) {
        return None;
    }
    holiday(cursor)
        .or_else(|| week_of(cursor))
        .or_else(|| fixed(cursor, begun))
        .or_else(|| rest(cursor))
        .or_else(|| counted(cursor))
        .or_else(|| edge(cursor))
        .or_else(|| nth(cursor, begun))
        .or_else(|| relative(cursor))
        .or_else(|| amount(cursor, begun))
        .or_else(|| hours(cursor, begun))
        .or_else(|| clock(cursor, begun))
        .or_else(|| month(cursor, begun))
        .or_else(|| weekday(cursor))
        .or_else(|| year(cursor, begun))
        .or_else(|| day(cursor, begun))
        .or_else(|| part(cursor, begun))
}

fn holiday(cursor: Cursor<'_>) -> Option<Parsed> {
    let names = holiday::named(cursor.peek()?).iter().filter(|(_, name)| name.is_ascii());
    let (number, end) = names
        .filter_map(|(number, name)| Some((*number, cursor.words(name)?)))
        .max_by_key(|(_, end)| end.at)?;
    one(Piece::Holiday(number), end)
}

fn fixed(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let c = cursor.peek()?;
    // The day somebody came is no day; the first Monday of the month is one.
    let open = |name: &str| {
        begun.says_something()
            || !matches!(name, "the day" | "the week" | "the month" | "the year" | "the quarter")
    };
    let known = FIXED.iter().filter(|(name, _)| name.starts_with(c) && open(name));
    let (end, pieces) = known
        .filter_map(|(name, pieces)| Some((cursor.words(name)?, *pieces)))
        .max_by_key(|(end, _)| end.at)?;
    Some((pieces.to_vec(), end.at))
}

/// How a word moves a unit: this 0, last -1, next 1.
fn direction(cursor: Cursor<'_>) -> Option<(i32, Cursor<'_>)> {
    const WORDS: [(i32, &[&str]); 3] = [
        (0, &["this", "current", "the current", "the present", "this current"]),
        (
            -1,
            &[
                "last",
                "past",
                "previous",
                "prior",
                "this past",
                "this last",
                "the last",
                "the past",
                "the previous",
                "preceding",
            ],
        ),
        (
            1,
            &[
                "next",
                "coming",
                "upcoming",
                "following",
                "the next",
                "the coming",
                "the following",
                "the upcoming",
                "subsequent",
            ],
        ),
    ];
    WORDS.iter().filter_map(|(by, words)| Some((*by, cursor.any(words)?))).max_by_key(|(_, end)| end.at)
}

/// last week, next month, this weekend, next friday, last march, this morning.
fn relative(cursor: Cursor<'_>) -> Option<Parsed> {
    let (by, after) = direction(cursor)?;
    let next = after.blanks();
    let next = next.maybe(&["calendar", "business", "working"]);
    if let Some(end) = next.any(&["weekend", "week end", "wkend"]) {
        return one(Piece::Weekend(by), end);
    }
    if let Some(end) = next.any(&["night", "evening", "afternoon", "morning"]) {
        let (_, part) = PARTS.iter().find(|(name, _)| next.words(name).is_some())?;
        return Some((vec![Piece::DayRel(by), Piece::Part(*part)], end.at));
    }
    if let Some((unit, end)) = unit(next) {
        if end.peek() == Some('\'') {
            // Last week's Sunday.
            let (day, end) = weekday_name(end.eat("'s")?.blanks()).filter(|_| unit == Unit::Week)?;
            return Some((vec![Piece::WeekRel(by), Piece::Weekday(day)], end.at));
        }
        let piece = match unit {
            Unit::Week => Piece::WeekRel(by),
            Unit::Month => Piece::MonthRel(by),
            Unit::Quarter => Piece::QuarterRel(by),
            Unit::Year => Piece::YearRel(by),
            Unit::Decade => Piece::DecadeRel(by),
            Unit::Day if by != 0 => Piece::DayRel(by),
            Unit::Day => Piece::DayRel(0),
            unit if by != 0 => Piece::Span { count: 1, unit, half: false, coming: by > 0, whole: true },
            _ => return None,
        };
        return one(piece, end);
    }
    if let Some(end) = next.any(&["season"]) {
        return one(Piece::SeasonRel(by), end);
    }
    if let Some((day, end)) = weekday_name(next).filter(|_| {
        cursor.any(&["upcoming", "coming", "this coming", "the coming", "this upcoming"]).is_some()
    }) {
        return Some((vec![Piece::Toward(1), Piece::Weekday(day)], end.at));
    }
    if let Some((day, end)) = weekday_name(next) {
        // This Friday is the coming one of this week; the others are by weeks.
        return Some((vec![Piece::WeekRel(by), Piece::Weekday(day)], end.at));
    }
    if let Some((month, end)) = month_name(next) {
        return Some((vec![Piece::Toward(by), Piece::Month(month)], end.at));
    }
    if let Some((mut pieces, end)) = holiday(next).or_else(|| {
        fixed(next, &Frame::default()).filter(|(pieces, _)| matches!(pieces[..], [Piece::Season(_)]))
    }) {
        pieces.push(Piece::Toward(by));
        return Some((pieces, end));
    }
    if by != 0
        && let Some((count, end)) = next.count().filter(|_| next.any(&["a", "an"]).is_none())
        && let Some((unit, end)) = working(end.blanks()).or_else(|| unit(end.blanks()))
    {
        return one(Piece::Span { count, unit, half: false, coming: by > 0, whole: true }, end);
    }
    // Next 6th of april.
    if by != 0
        && next.peek().is_some_and(|c| c.is_ascii_digit())
        && let Some((mut pieces, end)) = month(next, &Frame::default())
    {
        pieces.push(Piece::Toward(by));
        return Some((pieces, end));
    }
    None
}

fn working(cursor: Cursor<'_>) -> Option<(Unit, Cursor<'_>)> {
    Some((
        Unit::WorkDay,
        cursor.any(&["business days", "working days", "work days", "workdays", "weekdays"])?,
    ))
}

/// third week of, first monday of, last day of, last 4 months of, q3.
fn nth(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
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
        if end.ends() && (begun.year.is_some() || year_number(end.blanks().maybe(&["of"])).is_some()) {
            return one(Piece::Half(number.value as u8), end);
        }
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
    let (number, after) = match cursor.any(&["last", "final"]) {
        Some(after) => (-1, after),
        None => cursor.ordinal()?,
    };
    let next = after.blanks();
    let (number, next) = match next.words("last") {
        Some(end) if number > 0 => (-number, end.blanks()),
        _ => (number, next),
    };
    let within = |end: Cursor<'_>| {
        end.blanks().any(&["of", "in", "for"]).is_some() || direction(end.blanks()).is_some()
    };
    if let Some((day, end)) = weekday_name(next) {
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
    if let Some((unit, end)) = unit(next) {
        return match unit {
            Unit::Quarter if (1..=4).contains(&number) => one(Piece::Quarter(number as u8), end),
            Unit::Day if within(end) => one(Piece::DayNth(number), end),
            Unit::Week if within(end) => one(Piece::WeekNth(number), end),
            Unit::Month if within(end) => one(Piece::MonthNth(number), end),
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

/// end of march, the beginning of the week, mid-2015, early next year.
fn edge(cursor: Cursor<'_>) -> Option<Parsed> {
    const EDGES: [(&str, Edge); 17] = [
        ("the beginning of", Edge::Begin),
        ("beginning of", Edge::Begin),
        ("the start of", Edge::Begin),
        ("start of", Edge::Begin),
        ("early in", Edge::Begin),
        ("early", Edge::Begin),
        ("the middle of", Edge::Mid),
        ("middle of", Edge::Mid),
        ("mid", Edge::Mid),
        ("the end of", Edge::End),
        ("end of", Edge::End),
        ("late in", Edge::End),
        ("late", Edge::End),
        ("at the end of", Edge::End),
        ("at the beginning of", Edge::Begin),
        ("at the start of", Edge::Begin),
        ("in the middle of", Edge::Mid),
    ];
    let (edge, end) = EDGES
        .iter()
        .filter_map(|(name, edge)| Some((*edge, cursor.words(name)?)))
        .max_by_key(|(_, end)| end.at)?;
    let next = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
    // Late March is its last third, late last year its second half.
    let edge = match edge {
        Edge::Begin if cursor.words("early").is_some() && direction(next).is_some() => Edge::Half(1),
        Edge::End if cursor.words("late").is_some() && direction(next).is_some() => Edge::Half(2),
        edge => edge,
    };
    let of_unit = next.maybe(&["the"]);
    if let Some((unit, end)) = unit(of_unit) {
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
    // Something that has an edge must follow.
    let follows = month_name(next).is_some()
        || year_number(next).is_some()
        || direction(next).is_some()
        || next.eat("q").is_some()
        || next.maybe(&["the"]).any(&["today", "tomorrow", "yesterday"]).is_some()
        || weekday_name(next.maybe(&["the", "this"])).is_some();
    follows.then(|| (vec![Piece::Edge(edge)], next.at))
}

fn connector(cursor: Cursor<'_>) -> Option<(Word, usize)> {
    let c = cursor.peek()?;
    if c == ' ' {
        return Some((Word::Glue, cursor.blanks().at));
    }
    if c == '-' {
        return Some((Word::To, cursor.skip(1).at));
    }
    let (end, kind) = CONNECTORS
        .iter()
        .filter_map(|(name, kind)| Some((cursor.words(name)?, *kind)))
        .max_by_key(|(end, _)| end.at)?;
    let word = match kind {
        Connector::Glue => Word::Glue,
        Connector::To => Word::To,
        Connector::From => Word::From,
        Connector::Before => Word::Before,
        Connector::After => Word::After,
        Connector::Since => Word::Since,
        Connector::Until => Word::Until,
    };
    Some((word, end.at))
}
