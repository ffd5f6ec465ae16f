//! Days, months and years by name and number.

use super::amount::unit;
use super::clock::{bare_clock, half_of_day};
use super::direction;
use super::nth::beside;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::numeral;
use crate::piece::Piece;

pub(super) fn weekday_name(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
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

pub(super) fn month_name(cursor: Cursor<'_>) -> Option<(u8, Cursor<'_>)> {
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

pub(super) fn year_number(cursor: Cursor<'_>) -> Option<(i16, Cursor<'_>)> {
    if let Some((year, end)) = spelled_year(cursor) {
        return Some((year, end));
    }
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
            let before: String = cursor.chars[cursor.at.saturating_sub(6)..cursor.at].iter().collect();
            let led = [
                "in ", "of ", "last ", "next ", "this ", "since ", "by ", "mid ", "late ", "to ", "from ",
                "and ", "-", "till ",
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
    let next = after.blanks().maybe(&["of", "day of", "in"]);
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

pub(super) fn weekday(cursor: Cursor<'_>) -> Option<Parsed> {
    let named = cursor.maybe(&["the"]);
    if let Some(end) = named.any(&["weekend", "week end", "weekends"]) {
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
        return one(Piece::WeekdayBeside(if later { 1 } else { -1 }, day), end);
    }
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

/// two thousand and eighteen, nineteen eighty six, nineteen hundred ninety three.
fn spelled_year(cursor: Cursor<'_>) -> Option<(i16, Cursor<'_>)> {
    if let Some(end) = cursor.any(&["two thousand"]) {
        let more = end.blanks().maybe(&["and"]);
        return Some(more.spelled().map_or((2000, end), |(years, end)| (2000 + years as i16, end)));
    }
    let (century, after) = cursor.spelled().filter(|(value, _)| matches!(value, 19 | 20))?;
    let joined = if after.peek() == Some('-') { after.skip(1) } else { after.blanks() };
    let (years, end) =
        joined.maybe(&["hundred and", "hundred"]).spelled().filter(|(years, _)| (10..100).contains(years))?;
    Some(((century * 100 + years) as i16, end))
}

/// 2018Q4, 2016-H2.
fn year_share(cursor: Cursor<'_>) -> Option<Parsed> {
    let number = numeral::arabic(cursor.rest()).filter(|n| n.len == 4 && (1900..=2100).contains(&n.value))?;
    let after = cursor.skip(4);
    let after = after.eat("-").unwrap_or(after);
    let year = Piece::Year(number.value as i16);
    let share = |letter: &str, most: i64| {
        let next = after.eat(letter)?;
        let share = numeral::arabic(next.rest()).filter(|n| n.len == 1 && (1..=most).contains(&n.value))?;
        next.skip(1).ends().then(|| (share.value as u8, next.skip(1)))
    };
    if let Some((quarter, end)) = share("q", 4) {
        return Some((vec![year, Piece::Quarter(quarter)], end.at));
    }
    let (half, end) = share("h", 2)?;
    Some((vec![year, Piece::Half(half)], end.at))
}

/// 11 - 2016, 11 / 2016.
fn month_and_year(cursor: Cursor<'_>) -> Option<Parsed> {
    let month = numeral::arabic(cursor.rest()).filter(|n| n.len <= 2 && (1..=12).contains(&n.value))?;
    let joint = cursor.skip(month.len).blanks();
    let (year, end) = year_number(joint.eat("-").or_else(|| joint.eat("/"))?.blanks())?;
    Some((vec![Piece::Month(month.value as u8), Piece::Year(year)], end.at))
}

/// 2014, in 2014 A.D., the 1990s, '90s, nineties.
pub(super) fn year(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
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
    if let Some(parsed) = year_share(next) {
        return Some(parsed);
    }
    if let Some(parsed) = month_and_year(cursor) {
        return Some(parsed);
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
    let clock = end.blanks().words("at").map(Cursor::blanks).and_then(bare_clock);
    clock.is_some_and(|(clock, _)| clock.minute.is_some() || clock.pm.is_some())
}
