//! English words of time.

mod again;
mod amount;
mod beside;
mod clock;
mod cursor;
mod date;
mod day;
mod edge;
mod hours;
mod nth;
mod opening;
mod otherwise;
mod part;
mod tables;
mod timely;
mod year;

use crate::assemble::Word;
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::holiday;
use crate::piece::{Counted, Measure, Part, Piece};
use crate::zhong;
use again::{counted_back, looking_back, same_time};
use amount::{amount, counted, quantity, rest, unit, week_of};
use beside::unit_beside;
use clock::clock;
use date::{month, month_name, weekday, weekday_name};
use day::day;
use edge::edge;
use hours::hours;
use nth::{closest, nth};
use otherwise::is_said_otherwise;
use part::part;
use tables::{CONNECTORS, Connector, DIRECTIONS, FIXED, PARTS};
use year::{year, year_number};

/// What stands at a place, given what was said before it.
pub(crate) fn word(chars: &[char], at: usize, begun: &Frame) -> Option<(Word, usize)> {
    let cursor = Cursor { chars, at };
    if let Some((pieces, end)) = pieces(cursor, begun) {
        return Some((Word::Pieces(pieces), end - at));
    }
    connector(cursor).map(|(word, end)| (word, end - at))
}

/// Whether somebody says until when, and not from when.
pub(crate) fn is_until(chars: &[char], at: usize) -> bool {
    Cursor { chars, at }
        .any(&["until", "till", "untill", "up until", "up to", "up to and including", "through the end of"])
        .is_some()
}

/// Whether what is said there comes again and again: every Monday, on Mondays and Thursdays.
pub(crate) fn is_recurring(chars: &[char], start: usize, end: usize) -> bool {
    otherwise::follows(Cursor { chars, at: start }, &["every ", "each "])
        || otherwise::is_several(&chars[start..end])
}

/// The year that follows a day, and the place after it: , 2024.
pub(crate) fn year_after(chars: &[char], at: usize) -> Option<(i16, usize)> {
    let next = Cursor { chars, at }.blanks();
    let (year, end) = year_number(next.eat(",").map_or(next, Cursor::blanks))?;
    (1900..=2100).contains(&year).then_some((year, end.at))
}

/// Whether a time can begin there, if what stands there is English.
pub(crate) fn may_begin(chars: &[char], at: usize) -> bool {
    match chars.get(at) {
        Some(c) if c.is_ascii_alphabetic() => opening::may_begin(Cursor { chars, at }),
        Some(c) if c.is_ascii_digit() => !is_said_otherwise(Cursor { chars, at }),
        Some(c) if c.is_ascii() => matches!(c, '\'' | '@'),
        _ => true,
    }
}

/// Whether an English word begins there.
pub(crate) fn is_word(chars: &[char], at: usize) -> bool {
    chars.get(at).is_some_and(char::is_ascii_alphabetic)
}

fn pieces(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if !cursor.peek()?.is_ascii_alphanumeric() && !matches!(cursor.peek(), Some('\'' | '@')) {
        return None;
    }
    if is_said_otherwise(cursor) {
        return None;
    }
    holiday(cursor)
        .or_else(|| looking_back(cursor))
        .or_else(|| counted_back(cursor))
        .or_else(|| same_time(cursor))
        .or_else(|| week_of(cursor))
        .or_else(|| unit_beside(cursor))
        .or_else(|| fixed(cursor, begun))
        .or_else(|| rest(cursor))
        .or_else(|| counted(cursor))
        .or_else(|| edge(cursor))
        .or_else(|| nth(cursor, begun))
        .or_else(|| closest(cursor))
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
    // Christmas week.
    if let Some(end) = end.blanks().words("week") {
        return Some((vec![Piece::Holiday(number), Piece::Counted(Counted::Week)], end.at));
    }
    one(Piece::Holiday(number), end)
}

/// What means something beside a time or at the end of a clause only.
const NEEDS_COMPANY: [&str; 8] = [
    "the day",
    "the week",
    "the month",
    "the year",
    "the quarter",
    "the fortnight",
    "the day before",
    "the day after",
];

fn fixed(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    // The day somebody came is no day; the first Monday of the month is one, and so is how was the day?
    let open = |name: &str, end: Cursor<'_>| {
        // To fall is to drop, but the fall of 2023 is a season.
        if name == "fall" {
            return begun.year.is_some() || year_number(end.blanks().maybe(&["of"])).is_some();
        }
        !NEEDS_COMPANY.contains(&name) || begun.says_something() || end.ends_clause()
    };
    let (end, pieces) = FIXED
        .iter()
        .filter_map(|(name, pieces)| Some((cursor.words(name).filter(|end| open(name, *end))?, *pieces)))
        .max_by_key(|(end, _)| end.at)?;
    // Year end 2023 is not of this year, EOD Friday not of today.
    let next = end.blanks();
    let dated = match pieces {
        [Piece::YearRel(0), _] => year_number(next).is_some(),
        [Piece::DayRel(0), Piece::Edge(_)] => {
            weekday_name(next).is_some() || next.any(&["tomorrow", "yesterday"]).is_some()
        }
        _ => false,
    };
    Some((pieces[usize::from(dated)..].to_vec(), end.at))
}

/// How a word moves a unit: this 0, last -1, next 1.
fn direction(cursor: Cursor<'_>) -> Option<(i32, Cursor<'_>)> {
    DIRECTIONS.iter().filter_map(|(by, words)| Some((*by, cursor.any(words)?))).max_by_key(|(_, end)| end.at)
}

/// last week, next month, this weekend, next friday, last march, this morning.
fn relative(cursor: Cursor<'_>) -> Option<Parsed> {
    let (by, after) = direction(cursor)?;
    let next = after.blanks();
    if let Some(end) = next.any(&["workweek", "work week", "working week", "business week"]) {
        return one(Piece::WorkWeek(by), end);
    }
    if let Some((mut pieces, end)) = zhong::weekday(next) {
        // last周五, this周末.
        match pieces.as_mut_slice() {
            [bare @ Piece::WeekendBare] => *bare = Piece::Weekend(by),
            _ => pieces.push(Piece::WeekRel(by)),
        }
        return Some((pieces, end));
    }
    let next = next.maybe(&["calendar", "business", "working"]);
    if let Some(end) = next.any(&["weekend", "week end", "wkend", "wknd"]) {
        return one(Piece::Weekend(by), end);
    }
    if let Some(end) =
        next.any(&["night", "nite", "evening", "eve", "afternoon", "arvo", "aft", "morning", "morn"])
    {
        let (_, part) = PARTS.iter().find(|(name, _)| next.words(name).is_some())?;
        return Some((vec![Piece::DayRel(by), Piece::Part(*part)], end.at));
    }
    if let Some((end, part)) = [
        ("a.m.", Part::AnyMorning),
        ("a.m", Part::AnyMorning),
        ("p.m.", Part::Afternoon),
        ("p.m", Part::Afternoon),
    ]
    .into_iter()
    .find_map(|(name, part)| Some((next.eat(name)?, part)))
    .filter(|_| by == 0)
    {
        return Some((vec![Piece::DayRel(0), Piece::Part(part)], end.at));
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
            Unit::Day if by == 1 => Piece::DayNext,
            Unit::Day if by != 0 => Piece::DayRel(by),
            Unit::Day => Piece::DayRel(0),
            // The next hour begins now.
            unit if by != 0 => {
                let measure = if by > 0 && unit.is_of_clock() { Measure::Moment } else { Measure::Units };
                Piece::Span { count: 1, unit, half: false, coming: by > 0, measure }
            }
            _ => return None,
        };
        return one(piece, end);
    }
    if let Some(end) = next.any(&["century"]) {
        return one(Piece::Years((2000 + by * 100) as i16, 100), end);
    }
    if let Some(end) = next.any(&["season"]) {
        return one(Piece::SeasonRel(by), end);
    }
    if let Some((day, end)) = weekday_name(next).filter(|_| {
        cursor.any(&["upcoming", "coming", "this coming", "the coming", "this upcoming"]).is_some()
    }) {
        return Some((vec![Piece::Toward(1), Piece::Weekday(day)], end.at));
    }
    if let Some((day, end)) = weekday_name(next).filter(|_| cursor.any(&["this past", "the past"]).is_some())
    {
        return Some((vec![Piece::Toward(-1), Piece::Weekday(day)], end.at));
    }
    if let Some((day, end)) = weekday_name(next) {
        // This Friday is the coming one of this week; the others are by weeks.
        return Some((vec![Piece::WeekRel(by), Piece::Weekday(day)], end.at));
    }
    if let Some((month, end)) = month_name(next) {
        return Some((vec![Piece::Toward(by), Piece::Month(month)], end.at));
    }
    if let Some(end) = next.words("fall") {
        return Some((vec![Piece::Season(3), Piece::Toward(by)], end.at));
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
        // The last 3 months and 2 weeks.
        let mut pieces = vec![Piece::Offset { count, unit, half: false, later: by > 0 }];
        let mut last = end;
        while pieces.len() < 5
            && let Some((count, unit, half, end)) = quantity(last.blanks().maybe(&["and", ","]))
        {
            pieces.push(Piece::Offset { count, unit, half, later: by > 0 });
            last = end;
        }
        if pieces.len() > 1 {
            pieces.push(Piece::Reach);
            return Some((pieces, last.at));
        }
        return one(Piece::Span { count, unit, half: false, coming: by > 0, measure: Measure::Units }, end);
    }
    // Next 6th of april, next 5/12.
    if by != 0
        && next.peek().is_some_and(|c| c.is_ascii_digit())
        && let Some((mut pieces, end)) = month(next, &Frame::default()).or_else(|| zhong::numeric_date(next))
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

fn connector(cursor: Cursor<'_>) -> Option<(Word, usize)> {
    let c = cursor.peek()?;
    if c == ' ' {
        return Some((Word::Glue, cursor.blanks().at));
    }
    if matches!(c, '-' | '&') {
        return Some((Word::To, cursor.skip(1).at));
    }
    // Jan/Feb 2025.
    if c == '/' && month_name(cursor.skip(1)).is_some() {
        return Some((Word::To, cursor.skip(1).at));
    }
    let (end, kind) = CONNECTORS
        .iter()
        .filter_map(|(name, kind)| Some((cursor.words(name)?, *kind)))
        .max_by_key(|(end, _)| end.at)?;
    // She came by at noon.
    if matches!(kind, Connector::By)
        && cursor.words("by").is_some_and(|end| end.blanks().any(&["at", "on", "in"]).is_some())
    {
        return None;
    }
    let word = match kind {
        Connector::Glue => Word::Glue,
        Connector::To => Word::To,
        Connector::From => Word::From,
        Connector::Before => Word::Before,
        Connector::After => Word::After,
        Connector::Since => Word::Since,
        Connector::By => Word::By,
    };
    Some((word, end.at))
}
