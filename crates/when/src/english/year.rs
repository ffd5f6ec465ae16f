//! Years, decades, and shares of years.

use super::date::{day_number, month_name};
use super::tables::DECADES;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::numeral;
use crate::piece::Piece;

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
    if let Some((half, end)) = share("h", 2) {
        return Some((vec![year, Piece::Half(half)], end.at));
    }
    // 2023-W12, 2023-W12-3.
    let next = after.eat("w")?;
    let week = numeral::arabic(next.rest()).filter(|n| n.len == 2 && (1..=53).contains(&n.value))?;
    let end = next.skip(week.len);
    let mut pieces = vec![year, Piece::WeekNth(week.value)];
    let day =
        end.eat("-").and_then(|next| numeral::arabic(next.rest())).filter(|day| (1..=7).contains(&day.value));
    pieces.extend(day.map(|day| Piece::Weekday(day.value as i8 - 1)));
    let end = if day.is_some() { end.skip(2) } else { end };
    end.ends().then_some((pieces, end.at))
}

/// 2Q23, 1H 2022.
pub(super) fn share_first(cursor: Cursor<'_>) -> Option<Parsed> {
    let number = numeral::arabic(cursor.rest()).filter(|n| n.len == 1)?.value as u8;
    let letter = cursor.skip(1);
    let share = match letter.peek()? {
        'q' if (1..=4).contains(&number) => Piece::Quarter(number),
        'h' if (1..=2).contains(&number) => Piece::Half(number),
        _ => return None,
    };
    let next = letter.skip(1).blanks();
    let short = numeral::arabic(next.rest()).filter(|n| n.len == 2 && next.at == letter.at + 1);
    let (year, end) = match short {
        Some(year) if year.value <= 40 => (2000 + year.value as i16, next.skip(2)),
        Some(_) => return None,
        None => year_number(next).filter(|(year, _)| (1900..=2100).contains(year))?,
    };
    end.ends().then_some((vec![Piece::Year(year), share], end.at))
}

/// 11 - 2016, 11 / 2016.
fn month_and_year(cursor: Cursor<'_>) -> Option<Parsed> {
    let month = numeral::arabic(cursor.rest()).filter(|n| n.len <= 2 && (1..=12).contains(&n.value))?;
    let joint = cursor.skip(month.len).blanks();
    let after = joint.eat("-").or_else(|| joint.eat("/"))?;
    let (year, end) = year_number(after.blanks()).filter(|(year, _)| (1900..=2100).contains(year))?;
    // 3-1234 is a telephone's.
    let spaced = joint.at > cursor.at + month.len || after.peek() == Some(' ');
    spaced.then(|| (vec![Piece::Month(month.value as u8), Piece::Year(year)], end.at))
}

/// Whether somebody's age is meant: in her late 30s.
fn is_age(cursor: Cursor<'_>) -> bool {
    let before: String = cursor.chars[cursor.at.saturating_sub(16)..cursor.at].iter().collect();
    let before = ["early ", "mid ", "mid-", "late "]
        .iter()
        .find_map(|edge| before.strip_suffix(edge))
        .unwrap_or(&before);
    ["my ", "your ", "his ", "her ", "their ", "our "].iter().any(|owner| before.ends_with(owner))
}

/// The first year of the 1990s, the '90s, the nineties.
pub(super) fn decade(next: Cursor<'_>) -> Option<(i16, Cursor<'_>)> {
    if let Some(number) = numeral::arabic(next.eat("'").unwrap_or(next).rest())
        .filter(|n| n.value % 10 == 0 && (n.len == 4 || n.len == 2))
    {
        let after = next.eat("'").unwrap_or(next).skip(number.len);
        if number.len == 2 && is_age(next) {
            return None;
        }
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
            return Some((first as i16, end));
        }
    }
    // In my twenties.
    if is_age(next) {
        return None;
    }
    let (tens, end) = DECADES.iter().find_map(|(name, tens)| Some((*tens, next.words(name)?)))?;
    Some((if tens < 30 { 2000 } else { 1900 } + tens, end))
}

/// The first year of the 18th century.
pub(super) fn century(cursor: Cursor<'_>) -> Option<(i16, Cursor<'_>)> {
    let (number, end) = cursor.ordinal().filter(|(number, _)| (1..=30).contains(number))?;
    Some(((number as i16 - 1) * 100, end.blanks().words("century")?))
}

/// 2014, in 2014 A.D., the 1990s, '90s, nineties.
pub(super) fn year(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let next = cursor.maybe(&["year", "the year", "the"]);
    if let Some((first, end)) = decade(next) {
        return one(Piece::Years(first, 10), end);
    }
    if let Some((first, end)) = century(next) {
        return one(Piece::Years(first, 100), end);
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
