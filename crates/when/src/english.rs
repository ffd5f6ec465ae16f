//! English words of time.

mod tables;

use crate::assemble::Word;
use crate::calendar::Unit;
use crate::frame::{Frame, Within};
use crate::holiday::HOLIDAYS;
use crate::numeral;
use crate::piece::{Clock, Edge, Part, Piece};
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

/// A place in a text.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    chars: &'a [char],
    at: usize,
}

type Parsed = (Vec<Piece>, usize);

fn one(piece: Piece, end: Cursor<'_>) -> Option<Parsed> {
    Some((vec![piece], end.at))
}

impl<'a> Cursor<'a> {
    fn rest(self) -> &'a [char] {
        self.chars.get(self.at..).unwrap_or_default()
    }

    fn peek(self) -> Option<char> {
        self.rest().first().copied()
    }

    fn skip(self, count: usize) -> Self {
        Cursor { at: self.at + count, ..self }
    }

    /// Passes blanks and hyphens between words.
    fn blanks(self) -> Self {
        self.skip(self.rest().iter().take_while(|c| **c == ' ').count())
    }

    /// Whether no word goes on here.
    fn ends(self) -> bool {
        self.peek().is_none_or(|c| !c.is_ascii_alphanumeric())
    }

    /// Passes characters.
    fn eat(self, text: &str) -> Option<Self> {
        let mut next = self;
        for c in text.chars() {
            if next.peek() != Some(c) {
                return None;
            }
            next = next.skip(1);
        }
        Some(next)
    }

    /// Passes whole words; a blank stands for blanks or a hyphen.
    fn words(self, text: &str) -> Option<Self> {
        let mut next = self;
        for (number, word) in text.split(' ').enumerate() {
            if number > 0 {
                next = if next.peek() == Some('-') { next.skip(1) } else { next.blanks() };
            }
            next = next.eat(word)?;
            if !next.ends() {
                return None;
            }
        }
        Some(next)
    }

    fn any(self, texts: &[&str]) -> Option<Self> {
        texts.iter().filter_map(|text| self.words(text)).max_by_key(|end| end.at)
    }

    /// Passes one of these and the blanks after it, if it is there.
    fn maybe(self, texts: &[&str]) -> Self {
        self.any(texts).map_or(self, Cursor::blanks)
    }

    /// A number in digits or words: 3, three, twenty-seven, a, a couple of.
    fn count(self) -> Option<(i64, Self)> {
        if let Some(number) = numeral::arabic(self.rest()) {
            return Some((number.value, self.skip(number.len)));
        }
        if let Some(end) = self.any(&["a couple of", "a couple", "couple of", "couple"]) {
            return Some((2, end));
        }
        if let Some(end) = self.any(&["a few", "few", "several"]) {
            return Some((3, end));
        }
        if let Some(end) = self.any(&["a", "an"]) {
            return Some((1, end));
        }
        self.spelled()
    }

    /// A number in words.
    fn spelled(self) -> Option<(i64, Self)> {
        let (first, end) = self.letters()?;
        let value = numeral::english_word(&first)?;
        if value >= 20 {
            let joined = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
            if let Some((second, end)) = joined.letters()
                && let Some(ones) = numeral::english_word(&second).filter(|ones| (1..10).contains(ones))
            {
                return Some((value + ones, end));
            }
        }
        Some((value, end))
    }

    fn letters(self) -> Option<(String, Self)> {
        let len = self.rest().iter().take(16).take_while(|c| c.is_ascii_alphabetic()).count();
        let end = self.skip(len);
        (len > 0 && end.ends()).then(|| (self.rest()[..len].iter().collect(), end))
    }

    /// 3rd, third, twenty-second.
    fn ordinal(self) -> Option<(i64, Self)> {
        let len = self.rest().iter().take(16).take_while(|c| c.is_ascii_alphanumeric()).count();
        let word: String = self.rest()[..len].iter().collect();
        let end = self.skip(len);
        if let Some(value) = numeral::english_ordinal(&word) {
            return Some((value, end));
        }
        let tens = numeral::english_word(&word).filter(|tens| matches!(tens, 20 | 30))?;
        let joined = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
        let (second, end) = joined.letters()?;
        Some((tens + numeral::english_ordinal(&second).filter(|ones| (1..10).contains(ones))?, end))
    }
}

fn pieces(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if !cursor.peek()?.is_ascii_alphanumeric() && !matches!(cursor.peek(), Some('\'' | '@')) {
        return None;
    }
    holiday(cursor)
        .or_else(|| week_of(cursor))
        .or_else(|| fixed(cursor))
        .or_else(|| rest(cursor))
        .or_else(|| counted(cursor))
        .or_else(|| edge(cursor))
        .or_else(|| nth(cursor))
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
    let names = HOLIDAYS
        .iter()
        .enumerate()
        .flat_map(|(number, holiday)| holiday.names.iter().map(move |name| (number, *name)));
    let english = names.filter(|(_, name)| name.is_ascii());
    let (number, end) = english
        .filter_map(|(number, name)| Some((number, cursor.words(name)?)))
        .max_by_key(|(_, end)| end.at)?;
    one(Piece::Holiday(number), end)
}

fn fixed(cursor: Cursor<'_>) -> Option<Parsed> {
    let c = cursor.peek()?;
    let known = FIXED.iter().filter(|(name, _)| name.starts_with(c));
    let (end, pieces) = known
        .filter_map(|(name, pieces)| Some((cursor.words(name)?, *pieces)))
        .max_by_key(|(end, _)| end.at)?;
    Some((pieces.to_vec(), end.at))
}

fn unit(cursor: Cursor<'_>) -> Option<(Unit, Cursor<'_>)> {
    const UNITS: [(Unit, &[&str]); 10] = [
        (Unit::Second, &["seconds", "second", "secs", "sec", "s"]),
        (Unit::Minute, &["minutes", "minute", "mins", "min", "m"]),
        (Unit::Hour, &["hours", "hour", "hrs", "hr", "h"]),
        (Unit::Day, &["days", "day"]),
        (Unit::Week, &["weeks", "week", "wks", "wk"]),
        (Unit::Fortnight, &["fortnights", "fortnight"]),
        (Unit::Month, &["months", "month"]),
        (Unit::Quarter, &["quarters", "quarter", "qtrs", "qtr"]),
        (Unit::Year, &["years", "year", "yrs", "yr"]),
        (Unit::Decade, &["decades", "decade"]),
    ];
    UNITS.iter().find_map(|(unit, names)| Some((*unit, cursor.any(names)?)))
}

fn weekday_name(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    const NAMES: [&[&str]; 7] = [
        &["monday", "mondays", "mon", "mon."],
        &["tuesday", "tuesdays", "tue", "tues", "tue.", "tues."],
        &["wednesday", "wednesdays", "wed", "weds", "wed."],
        &["thursday", "thursdays", "thu", "thur", "thurs", "thu.", "thurs."],
        &["friday", "fridays", "fri", "fri."],
        &["saturday", "saturdays", "sat", "sat."],
        &["sunday", "sundays", "sun", "sun."],
    ];
    NAMES.iter().enumerate().find_map(|(day, names)| Some((day as i8, cursor.any(names)?)))
}

fn month_name(cursor: Cursor<'_>) -> Option<(u8, Cursor<'_>)> {
    const NAMES: [&[&str]; 12] = [
        &["january", "jan"],
        &["february", "feb"],
        &["march", "mar"],
        &["april", "apr"],
        &["may"],
        &["june", "jun"],
        &["july", "jul"],
        &["august", "aug"],
        &["september", "sept", "sep"],
        &["october", "oct"],
        &["november", "nov"],
        &["december", "dec"],
    ];
    for (number, names) in NAMES.iter().enumerate() {
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

/// How a word moves a unit: this 0, last -1, next 1.
fn direction(cursor: Cursor<'_>) -> Option<(i32, Cursor<'_>)> {
    const WORDS: [(i32, &[&str]); 3] = [
        (0, &["this", "current", "the current", "this coming", "the present", "this current"]),
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
            return None;
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
    if let Some((day, end)) = weekday_name(next) {
        // This Friday is the coming one of this week; the others are by weeks.
        return Some((vec![Piece::WeekRel(by), Piece::Weekday(day)], end.at));
    }
    if let Some((month, end)) = month_name(next) {
        return Some((vec![Piece::Toward(by), Piece::Month(month)], end.at));
    }
    if let Some((mut pieces, end)) =
        holiday(next).or_else(|| fixed(next).filter(|(pieces, _)| matches!(pieces[..], [Piece::Season(_)])))
    {
        pieces.push(Piece::Toward(by));
        return Some((pieces, end));
    }
    if by != 0
        && let Some((count, end)) = next.count().filter(|_| next.any(&["a", "an"]).is_none())
        && let Some((unit, end)) = unit(end.blanks())
    {
        return one(Piece::Span { count, unit, half: false, coming: by > 0, whole: true }, end);
    }
    None
}

/// third week of, first monday of, last day of, last 4 months of, q3.
fn nth(cursor: Cursor<'_>) -> Option<Parsed> {
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
        if end.ends() {
            return one(Piece::Half(number.value as u8), end);
        }
    }
    if let Some(number) =
        cursor.words("week").map(Cursor::blanks).and_then(|next| Some((numeral::arabic(next.rest())?, next)))
    {
        let (number, next) = number;
        if (1..=53).contains(&number.value) {
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
    let within = |end: Cursor<'_>| end.blanks().any(&["of", "in", "for"]).is_some();
    if let Some((day, end)) = weekday_name(next).filter(|(_, end)| within(*end)) {
        return one(Piece::WeekdayNth(number, day), end);
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

/// three days ago, in two weeks, 5 minutes from now, within an hour.
fn amount(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if let Some((count, unit, _, end)) = cursor.words("for").map(Cursor::blanks).and_then(quantity) {
        let lasting = Piece::Lasting { count, unit };
        if begun.says_something() {
            return one(lasting, end);
        }
        if let Some(end) = end.blanks().any(&["from", "starting from", "starting on", "starting", "since"]) {
            return one(lasting, end);
        }
    }
    let (opening, mut next) = match cursor.any(&[
        "in",
        "within",
        "for the last",
        "for the past",
        "over the last",
        "over the past",
        "in the last",
        "in the past",
        "during the last",
        "in the next",
        "within the next",
    ]) {
        Some(end) => (cursor.rest()[..end.at - cursor.at].iter().collect::<String>(), end.blanks()),
        None => (String::new(), cursor),
    };
    next =
        next.maybe(&["about", "around", "the upcoming", "the next", "approximately", "another", "exactly"]);
    let mut amounts: Vec<(i64, Unit, bool)> = Vec::new();
    let mut end = next;
    for _ in 0..5 {
        let Some((count, unit, half, after)) = quantity(next) else { break };
        amounts.push((count, unit, half));
        end = after;
        next = after.blanks().maybe(&["and", ","]);
    }
    if amounts.is_empty()
        && let Some((count, after)) = next.count()
        && let Some((day, after)) = weekday_name(after.blanks())
    {
        let closed = after.blanks();
        if let Some(end) = closed.any(&["ago", "back"]) {
            return one(Piece::WeekdayAway(-count, day), end);
        }
        return one(Piece::WeekdayAway(count, day), closed.any(&["from now", "hence", "from today"])?);
    }
    let (first, rest) = amounts.split_first()?;
    let offsets = |later: bool, end: Cursor<'_>| {
        let all = std::iter::once(first).chain(rest).map(|(count, unit, half)| Piece::Offset {
            count: *count,
            unit: *unit,
            half: *half,
            later,
        });
        Some((all.collect::<Vec<_>>(), end.at))
    };
    let closed = end.blanks();
    if let Some(end) = closed.any(&["ago", "back", "earlier", "before now", "prior"]) {
        return offsets(false, end);
    }
    if let Some(end) =
        closed.any(&["from now", "later", "hence", "from today", "after now", "from this moment"])
    {
        return offsets(true, end);
    }
    // Three days from Tuesday, two weeks before May 13, a week starting tomorrow.
    let (count, unit, _) = *first;
    if rest.is_empty() {
        if let Some(end) = closed.any(&[
            "starting from",
            "starting on",
            "starting",
            "beginning",
            "beginning on",
            "commencing",
        ]) {
            return one(Piece::Lasting { count, unit }, end);
        }
        if let Some(end) = closed
            .any(&["from", "after", "since"])
            .filter(|end| !end.blanks().peek().is_none_or(|c| c.is_ascii_digit()))
        {
            return one(Piece::Anchored { count, unit, later: true }, end);
        }
        if let Some(end) = closed.any(&["before", "prior to"]) {
            return one(Piece::Anchored { count, unit, later: false }, end);
        }
    }
    let span = |coming: bool, whole: bool| {
        one(Piece::Span { count: first.0, unit: first.1, half: first.2, coming, whole }, end)
    };
    match opening.as_str() {
        "in" => offsets(true, end.blanks().any(&["time", "' time"]).unwrap_or(end)),
        "within" | "within the next" => span(true, false),
        "in the next" => span(true, true),
        "" => None,
        _ => span(false, true),
    }
}

/// 5 past years, two upcoming weeks.
fn counted(cursor: Cursor<'_>) -> Option<Parsed> {
    let (count, after) = cursor.count().filter(|_| cursor.any(&["a", "an"]).is_none())?;
    let (by, after) = direction(after.blanks()).filter(|(by, _)| *by != 0)?;
    let (unit, end) = unit(after.blanks())?;
    one(Piece::Span { count, unit, half: false, coming: by > 0, whole: true }, end)
}

/// the week of april 10th, a week beginning february 4.
fn week_of(cursor: Cursor<'_>) -> Option<Parsed> {
    let week = cursor.any(&["the week", "week", "a week", "this week"])?.blanks();
    if let Some(end) = week.any(&["of"]) {
        let next = end.blanks().maybe(&["the"]);
        let dated = month_name(next).is_some_and(|(_, end)| day_number(end.blanks()).is_some())
            || day_number(next).is_some_and(|(_, end)| month_name(end.blanks().maybe(&["of"])).is_some());
        return if dated { one(Piece::WeekAround, end) } else { None };
    }
    let end =
        week.any(&["beginning on", "beginning", "starting on", "starting from", "starting", "commencing"])?;
    one(Piece::Lasting { count: 1, unit: Unit::Week }, end)
}

/// rest of the week, later this month.
fn rest(cursor: Cursor<'_>) -> Option<Parsed> {
    let next =
        cursor.any(&["the rest of", "rest of", "the remainder of", "later", "rest", "later in"])?.blanks();
    let next = next.maybe(&["the current", "this", "the", "my", "current"]);
    let (unit, end) = unit(next).filter(|(unit, _)| *unit >= Unit::Day)?;
    one(Piece::Rest(unit), end)
}

/// 6-8, from 7 to 7:30, between 3 and 8am: a stretch of the clock where a day is named beside it.
fn hours(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let opened = cursor.any(&["from", "between", "at"]);
    let next = opened.map_or(cursor, Cursor::blanks);
    let (first, after) = bare_clock(next)?;
    let joint = after.blanks();
    let second =
        joint.any(&["to", "till", "until", "and", "through", "thru"]).or_else(|| joint.eat("-"))?.blanks();
    let (last, end) = bare_clock(second)?;
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
        .any(&[
            "on",
            "of",
            "tomorrow",
            "today",
            "yesterday",
            "tonight",
            "this morning",
            "next",
            "last morning",
            "in the morning",
            "in the afternoon",
            "in the evening",
        ])
        .is_some();
    let month_follows = month_name(end.blanks().maybe(&["of"])).is_some() && !marked;
    if begun.clock.is_some()
        || month_follows
        || unit(end.blanks()).is_some()
        || !(marked || dated || (names_a_day && opened.is_some()))
    {
        return None;
    }
    one(Piece::Hours(first, last), end)
}

/// A time on the clock in digits: 7, 7:30, 7pm.
fn bare_clock(cursor: Cursor<'_>) -> Option<(Clock, Cursor<'_>)> {
    let number = numeral::arabic(cursor.rest()).filter(|n| n.len <= 2 && n.value <= 24)?;
    let after = cursor.skip(number.len);
    let minute = after
        .eat(":")
        .and_then(|next| Some((numeral::arabic(next.rest()).filter(|m| m.len == 2 && m.value < 60)?, next)));
    let (minute, after) =
        minute.map_or((None, after), |(minute, next)| (Some(minute.value as i8), next.skip(minute.len)));
    let after = after.eat(":00").unwrap_or(after);
    let half = half_of_day(after);
    let end = half.map_or(after, |(_, end)| end);
    if !end.ends() || end.peek() == Some('/') || end.peek() == Some(':') {
        return None;
    }
    let hour = number.value as i8;
    if half.is_some() && !(1..=12).contains(&hour) {
        return None;
    }
    Some((Clock { hour, minute, second: None, pm: half.map(|(pm, _)| pm) }, end))
}

fn quantity(cursor: Cursor<'_>) -> Option<(i64, Unit, bool, Cursor<'_>)> {
    for (words, minutes) in [
        ("half an hour", 30),
        ("half hour", 30),
        ("a half hour", 30),
        ("a quarter of an hour", 15),
        ("quarter of an hour", 15),
        ("three quarters of an hour", 45),
        ("1/4 hour", 15),
        ("1/2 hour", 30),
        ("3/4 hour", 45),
        ("1/4 h", 15),
        ("1/4h", 15),
        ("1/2h", 30),
        ("3/4h", 45),
        ("1/2 h", 30),
        ("3/4 h", 45),
        ("half a year", 0),
        ("half a day", 0),
    ] {
        if let Some(end) = cursor.words(words) {
            return Some(match words {
                "half a year" => (6, Unit::Month, false, end),
                "half a day" => (12, Unit::Hour, false, end),
                _ => (minutes, Unit::Minute, false, end),
            });
        }
    }
    let (count, end) = cursor.count()?;
    if let Some(end) = end.eat("\"") {
        return Some((count, Unit::Second, false, end));
    }
    if let Some(end) = end.eat("'").filter(|end| end.ends()) {
        return Some((count, Unit::Minute, false, end));
    }
    let next = end.blanks().maybe(&["more"]);
    if let Some(end) = next.any(&["and a half", "and an half", "and half"]) {
        let (unit, end) = unit(end.blanks())?;
        return Some((count, unit, true, end));
    }
    let (unit, end) = unit(next)?;
    match end.blanks().any(&["and a half", "and half"]) {
        Some(end) => Some((count, unit, true, end)),
        None => Some((count, unit, false, end)),
    }
}

fn half_of_day(cursor: Cursor<'_>) -> Option<(bool, Cursor<'_>)> {
    let next = cursor.blanks();
    for (texts, pm) in [(["a.m.", "a.m", "am", "a m", "a"], false), (["p.m.", "p.m", "pm", "p m", "p"], true)]
    {
        for text in texts {
            if let Some(end) = next.eat(text).filter(|end| end.ends()) {
                // A lone letter must touch the number.
                if text.len() == 1 && next.at != cursor.at {
                    continue;
                }
                return Some((pm, end));
            }
        }
    }
    None
}

/// 3pm, 3:15, 15h30, half past three, quarter to noon, at 7, 8 o'clock.
fn clock(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let at = cursor.any(&["at", "@", "around", "about", "by around"]).or_else(|| cursor.eat("@"));
    let said_at = at.is_some();
    let next = at.map_or(cursor, Cursor::blanks).maybe(&["about", "around"]);
    if let Some(end) = next.any(&["noon", "midday", "12 noon", "twelve noon"]) {
        return one(Piece::Clock(Clock { hour: 12, minute: None, second: None, pm: Some(true) }), end);
    }
    if let Some(end) = next.any(&["midnight"]) {
        return one(Piece::Clock(Clock { hour: 24, minute: None, second: None, pm: None }), end);
    }
    if let Some(parsed) = past_or_to(next) {
        return Some(parsed);
    }
    if let Some((hour, end)) = next
        .words("half")
        .map(Cursor::blanks)
        .and_then(Cursor::spelled)
        .filter(|(hour, _)| (1..=12).contains(hour))
    {
        return one(
            Piece::Clock(Clock {
                hour: hour as i8,
                minute: Some(30),
                second: None,
                pm: Some(true).filter(|_| hour < 8),
            }),
            end,
        );
    }
    if let Some(number) = numeral::arabic(next.rest()) {
        let after = next.skip(number.len);
        let make = |minute: Option<i64>, second: Option<i64>, pm: Option<bool>, end: Cursor<'_>| {
            let hour = i8::try_from(number.value).ok().filter(|hour| (0..=24).contains(hour))?;
            if minute.is_some_and(|minute| minute > 59)
                || second.is_some_and(|second| second > 59)
                || (pm.is_some() && hour > 12)
            {
                return None;
            }
            let clock = Clock { hour, minute: minute.map(|m| m as i8), second: second.map(|s| s as i8), pm };
            one(Piece::Clock(clock), end)
        };
        for separator in [":", ".", "h"] {
            let Some((minute, end)) = after
                .eat(separator)
                .and_then(|next| Some((numeral::arabic(next.rest()).filter(|m| m.len == 2)?, next)))
                .map(|(m, next)| (m, next.skip(m.len)))
            else {
                continue;
            };
            let second = end
                .eat(":")
                .and_then(|next| Some((numeral::arabic(next.rest()).filter(|s| s.len == 2)?, next)));
            let (second, end) =
                second.map_or((None, end), |(second, next)| (Some(second.value), next.skip(second.len)));
            let half = half_of_day(end);
            if separator == "." && half.is_none() && !said_at {
                continue;
            }
            if !half.map_or(end, |(_, end)| end).ends() {
                continue;
            }
            return make(
                Some(minute.value),
                second,
                half.map(|(pm, _)| pm),
                half.map_or(end, |(_, end)| end),
            );
        }
        if let Some(end) = after.eat("h").filter(|end| end.ends()) {
            return make(Some(0), None, None, end);
        }
        if number.len == 3 || number.len == 4 {
            // 730 in the evening.
            let (hour, minute) = (number.value / 100, number.value % 100);
            let half = half_of_day(after);
            let evening = after
                .blanks()
                .any(&["in the morning", "in the evening", "at night", "in the afternoon"])
                .is_some();
            if hour <= 24 && minute < 60 && (half.is_some() || evening) {
                let clock = Clock {
                    hour: hour as i8,
                    minute: Some(minute as i8),
                    second: None,
                    pm: half.map(|(pm, _)| pm),
                };
                return one(Piece::Clock(clock), half.map_or(after, |(_, end)| end));
            }
        }
        if let Some((pm, end)) = half_of_day(after) {
            return make(None, None, Some(pm), end);
        }
        if let Some(end) = after.blanks().any(&["o'clock", "oclock", "o clock"]) {
            let half = half_of_day(end);
            return make(None, None, half.map(|(pm, _)| pm), half.map_or(end, |(_, end)| end));
        }
        let on_a_day = begun.day.is_some()
            || begun.weekday.is_some()
            || begun.part.is_some()
            || matches!(begun.within, Some(Within::Holiday(_)));
        let before_a_day = after
            .blanks()
            .any(&[
                "tomorrow",
                "today",
                "in the morning",
                "in the evening",
                "in the afternoon",
                "at night",
                "tonight",
                "this morning",
                "this evening",
                "this afternoon",
            ])
            .is_some();
        if number.len <= 2
            && after.ends()
            && (1..=24).contains(&number.value)
            && after.peek() != Some('/')
            && (said_at || before_a_day || (on_a_day && begun.part.is_some() && begun.clock.is_none()))
            && unit(after.blanks()).is_none()
        {
            return make(None, None, None, after);
        }
        return None;
    }
    let (hour, after) = next.spelled().filter(|(hour, _)| (1..=12).contains(hour))?;
    let minute = after
        .blanks()
        .spelled()
        .or_else(|| if after.peek() == Some('-') { after.skip(1).spelled() } else { None })
        .filter(|(minute, _)| (1..60).contains(minute));
    let (minute, end) = minute.map_or((None, after), |(minute, end)| (Some(minute as i8), end));
    let half = half_of_day(end);
    let oclock = end.blanks().any(&["o'clock", "oclock"]);
    if half.is_some() || oclock.is_some() || said_at {
        let end = oclock.unwrap_or(end);
        let half = half.or_else(|| half_of_day(end));
        return one(
            Piece::Clock(Clock { hour: hour as i8, minute, second: None, pm: half.map(|(pm, _)| pm) }),
            half.map_or(end, |(_, end)| end),
        );
    }
    None
}

/// quarter past 3pm, 20 to noon.
fn past_or_to(cursor: Cursor<'_>) -> Option<Parsed> {
    let (minutes, next) = match cursor.any(&["a quarter", "quarter"]) {
        Some(end) => (15, end),
        None => match cursor.words("half") {
            Some(end) => (30, end),
            None => cursor
                .count()
                .filter(|(minutes, _)| (1..60).contains(minutes) && cursor.any(&["a", "an"]).is_none())?,
        },
    };
    let next = next.blanks().maybe(&["minutes", "minute", "mins", "min"]);
    let (late, next) = match next.any(&["past", "after"]) {
        Some(end) => (true, end.blanks()),
        None => (false, next.any(&["to", "till", "before", "of"])?.blanks()),
    };
    let (hour, pm, end) = if let Some(end) = next.any(&["noon", "midday"]) {
        (12, Some(late), end)
    } else if let Some(end) = next.any(&["midnight"]) {
        (24, None, end)
    } else {
        let (hour, end) = numeral::arabic(next.rest())
            .map(|n| (n.value, next.skip(n.len)))
            .or_else(|| next.spelled())
            .filter(|(hour, _)| (1..=24).contains(hour))?;
        let said_minutes =
            next.at > 0 && cursor.rest()[..next.at - cursor.at].iter().collect::<String>().contains("min");
        if !late && !said_minutes && !matches!(minutes, 10 | 15 | 20 | 25) {
            return None;
        }
        let half = half_of_day(end);
        let end = half.map_or(end, |(_, end)| end);
        if !end.ends() || end.peek() == Some(':') {
            return None;
        }
        (hour, half.map(|(pm, _)| pm), end)
    };
    let (hour, minute) = if late { (hour, minutes) } else { (hour - 1, 60 - minutes) };
    let hour = if hour == 0 { 12 } else { hour };
    one(Piece::Clock(Clock { hour: hour as i8, minute: Some(minute as i8), second: None, pm }), end)
}

fn day_number(cursor: Cursor<'_>) -> Option<(u8, Cursor<'_>)> {
    let next = cursor.maybe(&["the"]);
    if let Some((value, end)) = next.ordinal().filter(|(value, _)| (1..=31).contains(value)) {
        return Some((value as u8, end));
    }
    if let Some((value, end)) = next.spelled().filter(|(value, _)| (1..=31).contains(value)) {
        return Some((value as u8, end));
    }
    let number = numeral::arabic(next.rest()).filter(|n| n.len <= 2 && (1..=31).contains(&n.value))?;
    let end = next.skip(number.len);
    if end.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == ':') || half_of_day(end).is_some() {
        return None;
    }
    Some((number.value as u8, end))
}

fn year_number(cursor: Cursor<'_>) -> Option<(i16, Cursor<'_>)> {
    if let Some(number) = cursor.eat("'").and_then(|next| numeral::arabic(next.rest())).filter(|n| n.len == 2)
    {
        let end = cursor.skip(3);
        return end
            .ends()
            .then_some((if number.value <= 40 { 2000 } else { 1900 } + number.value as i16, end));
    }
    let number = numeral::arabic(cursor.rest()).filter(|n| n.len == 4 && (1000..=2999).contains(&n.value))?;
    let end = cursor.skip(4);
    end.ends().then_some((number.value as i16, end))
}

/// march, march 3rd, march 3 2015, 3 of march, 14april 2015.
fn month(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let mut pieces = Vec::new();
    let mut end;
    if let Some((month, after)) = month_name(cursor) {
        // May is a month only where something says so.
        let bare_may = month == 5 && cursor.chars.get(cursor.at + 3).is_none_or(|c| !c.is_ascii_digit());
        pieces.push(Piece::Month(month));
        end = after;
        let next = after.blanks().maybe(&["the", ","]);
        let next = if matches!(after.peek(), Some('-' | '/')) { after.skip(1) } else { next };
        if begun.day.is_none()
            && let Some((day, after)) = day_number(next).filter(|(_, end)| unit(end.blanks()).is_none())
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
            let before: String = cursor.chars[cursor.at.saturating_sub(4)..cursor.at].iter().collect();
            let led = [
                "in ", "of ", "last ", "next ", "this ", "since ", "by ", "mid ", "late ", "to ", "from ",
                "and ", "-", "till ",
            ]
            .iter()
            .any(|word| before.ends_with(word))
                || cursor.chars.len() <= 4;
            if !led {
                return None;
            }
        }
        return Some((pieces, end.at));
    }
    let (day, after) = day_number(cursor)?;
    let next = after.blanks().maybe(&["of", "day of"]);
    let next = if after.peek() == Some('-') { after.skip(1) } else { next };
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
    let next = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
    let next = next.eat(",").map_or(next, Cursor::blanks).maybe(&["of", "in"]);
    if let Some((year, after)) = year_number(next) {
        pieces.push(Piece::Year(year));
        end = after;
    }
    Some((pieces, end.at))
}

fn weekday(cursor: Cursor<'_>) -> Option<Parsed> {
    if let Some(end) = cursor.any(&["the weekend", "weekend", "weekends"]) {
        return one(Piece::WeekendBare, end);
    }
    let (day, end) = weekday_name(cursor)?;
    if let Some(end) = end.blanks().any(&["after next", "after the next"]) {
        return Some((vec![Piece::WeekRel(1), Piece::Weekday(day)], end.at));
    }
    if let Some(end) = end.blanks().any(&["before last", "before the last"]) {
        return Some((vec![Piece::WeekRel(-2), Piece::Weekday(day)], end.at));
    }
    // sat and sun are words too.
    if end.at - cursor.at == 3
        && matches!(day, 5 | 6)
        && end.blanks().peek().is_some_and(|c| c.is_ascii_alphabetic())
        && month_name(end.blanks()).is_none()
        && end.blanks().any(&["at", "the", "morning", "night", "afternoon", "evening", "from"]).is_none()
    {
        return None;
    }
    let mut pieces = vec![Piece::Weekday(day)];
    let mut last = end;
    if let Some((number, after)) = day_number(end.blanks().maybe(&["the", ","])).filter(|(_, after)| {
        let next = after.blanks();
        month_name(next.maybe(&["of"])).is_none()
            && unit(next).is_none()
            && next.any(&["o'clock", "oclock", "to", "-"]).is_none()
            && after.peek() != Some('-')
            && after.peek() != Some('/')
    }) {
        pieces.push(Piece::Day(number));
        last = after;
    }
    Some((pieces, last.at))
}

/// 2014, in 2014 A.D., the 1990s, '90s, nineties.
fn year(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let next = cursor.maybe(&["year", "the year", "the"]);
    if let Some(number) = numeral::arabic(next.eat("'").unwrap_or(next).rest())
        .filter(|n| n.value % 10 == 0 && (n.len == 4 || n.len == 2))
    {
        let after = next.eat("'").unwrap_or(next).skip(number.len);
        if let Some(end) =
            after.eat("'s").or_else(|| after.eat("s")).or_else(|| after.eat(" s")).filter(|end| end.ends())
        {
            let first = if number.len == 4 {
                number.value
            } else if number.value < 30 {
                2000 + number.value
            } else {
                1900 + number.value
            };
            return one(Piece::Years(first as i16, 10), end);
        }
    }
    const TENS: [(&str, i16); 8] = [
        ("twenties", 20),
        ("thirties", 30),
        ("forties", 40),
        ("fifties", 50),
        ("sixties", 60),
        ("seventies", 70),
        ("eighties", 80),
        ("nineties", 90),
    ];
    if let Some((_, tens, end)) = TENS.iter().find_map(|(name, tens)| Some((name, *tens, next.words(name)?)))
    {
        return one(Piece::Years(if tens < 30 { 2000 } else { 1900 } + tens, 10), end);
    }
    if let Some(end) = next.any(&["two thousand"]) {
        let more = end.blanks().maybe(&["and"]);
        let (years, end) = more.spelled().map_or((0, end), |(years, end)| (years, end));
        return one(Piece::Year(2000 + years as i16), end);
    }
    if let Some((century, after)) = next.spelled().filter(|(value, _)| matches!(value, 19 | 20)) {
        let joined = if after.peek() == Some('-') { after.skip(1) } else { after.blanks() };
        if let Some((years, end)) = joined.spelled().filter(|(years, _)| (10..100).contains(years)) {
            return one(Piece::Year((century * 100 + years) as i16), end);
        }
    }
    let (year, end) = year_number(next)?;
    // 2019/aug/01, 2016 - 11.
    if let Some((month, after)) =
        end.eat("/").or_else(|| end.eat("-")).or_else(|| end.eat(" ")).and_then(month_name)
    {
        let mut pieces = vec![Piece::Year(year), Piece::Month(month)];
        let mut last = after;
        if let Some((day, after)) =
            after.eat("/").or_else(|| after.eat("-")).or_else(|| after.eat(" ")).and_then(day_number)
        {
            pieces.push(Piece::Day(day));
            last = after;
        }
        return Some((pieces, last.at));
    }
    if let Some(month) =
        end.blanks().eat("-").or_else(|| end.blanks().eat("/")).map(Cursor::blanks).and_then(|next| {
            Some((numeral::arabic(next.rest()).filter(|n| n.len <= 2 && (1..=12).contains(&n.value))?, next))
        })
    {
        let (month, next) = month;
        let after = next.skip(month.len);
        if after.ends() && !matches!(after.peek(), Some('-' | '/' | ':')) {
            return Some((vec![Piece::Year(year), Piece::Month(month.value as u8)], after.at));
        }
    }
    let plain = (1900..=2100).contains(&year) || begun.says_something();
    let led = cursor.at >= 3 && cursor.chars[cursor.at - 3..cursor.at].iter().collect::<String>() == "in ";
    if !plain && !led && next.at == cursor.at {
        return None;
    }
    one(Piece::Year(year), end.blanks().any(&["a.d.", "ad", "bc"]).unwrap_or(end))
}

/// the 15th, on the first.
fn day(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let next = cursor.maybe(&["on"]);
    let the = next.words("the").map(Cursor::blanks);
    if let Some((value, end)) = the.unwrap_or(next).ordinal().filter(|(value, _)| (1..=31).contains(value)) {
        let spelled = the.unwrap_or(next).peek().is_some_and(|c| c.is_ascii_alphabetic());
        if (spelled
            && the.is_none()
            && next.at == cursor.at
            && begun.within.is_none()
            && begun.weekday.is_none())
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
    let joined = end
        .blanks()
        .any(&["to", "through", "thru", "till", "until", "and"])
        .or_else(|| end.blanks().eat("-"))
        .map(Cursor::blanks);
    let closes =
        joined.and_then(day_number).is_some_and(|(_, end)| month_name(end.blanks().maybe(&["of"])).is_some());
    let opened = cursor.at > 0 && begun.within.is_none() && closes;
    (led || closes || opened).then(|| (vec![Piece::Day(number.value as u8)], end.at))
}

fn part(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let next = cursor.maybe(&["in the", "at", "during the", "the", "in"]);
    let longest = PARTS
        .iter()
        .filter_map(|(name, part)| Some((next.words(name)?, *part)))
        .max_by_key(|(end, _)| end.at);
    let (end, part) = longest?;
    let dated = begun.day.is_some()
        || begun.weekday.is_some()
        || begun.clock.is_some()
        || begun.within.is_some()
        || !begun.offsets.is_empty();
    // Morning alone is a greeting.
    if !dated && next.at == cursor.at {
        let follows = end.blanks().maybe(&["of", "on"]);
        let names_a_day = follows.at != end.blanks().at || weekday_name(end.blanks()).is_some();
        if !names_a_day {
            return None;
        }
    }
    one(Piece::Part(part), end)
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
        || next.any(&["today"]).is_some();
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

/// A day that the tables name.
pub(crate) const fn day_part(by: i32, part: Part) -> [Piece; 2] {
    [Piece::DayRel(by), Piece::Part(part)]
}
