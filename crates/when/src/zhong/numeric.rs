//! Dates in digits.

use super::date::short_year;
use crate::cursor::{Cursor, Parsed};
use crate::numeral;
use crate::piece::Piece;

/// 2015-03-04, 2015.3, 3/4, 20150304.
pub(crate) fn numeric_date(cursor: Cursor<'_>) -> Option<Parsed> {
    let (first, mut next) = {
        let numeral = numeral::arabic(cursor.rest())?;
        (numeral, cursor.skip(numeral.len))
    };
    if first.len == 8 {
        let (year, month, day) = (first.value / 10_000, first.value / 100 % 100, first.value % 100);
        return date(year, month, day).map(|pieces| (pieces, next.at));
    }
    // 2 / 15.
    if cursor.at == 0 && next.peek() == Some(' ') && next.blanks().peek() == Some('/') {
        next = next.blanks();
    }
    let separator = next.peek().filter(|c| matches!(c, '-' | '/' | '.' | ' '))?;
    let mut numbers = vec![first];
    while numbers.len() < 3 {
        let after = next.eat(&separator.to_string()).map(Cursor::blanks);
        let Some((number, end)) = after
            .and_then(|after| Some((numeral::arabic(after.rest())?, after)))
            .map(|(n, after)| (n, after.skip(n.len)))
        else {
            break;
        };
        // A time follows the date: 2015-03-04 12:30.
        if end.peek() == Some(':') && separator != '.' {
            break;
        }
        numbers.push(number);
        next = end;
    }
    let next = next.maybe_eat(&["日", "号"]);
    // 2021-09-12-11:23.
    let next = next
        .eat("-")
        .filter(|after| {
            numbers.len() == 3
                && numeral::arabic(after.rest()).is_some_and(|hour| after.skip(hour.len).peek() == Some(':'))
        })
        .unwrap_or(next);
    // 2016-12-16T12:23:59.
    let next = next
        .eat("t")
        .filter(|after| {
            numbers.len() == 3
                && numeral::arabic(after.rest()).is_some_and(|hour| after.skip(hour.len).peek() == Some(':'))
        })
        .unwrap_or(next);
    let values: Vec<i64> = numbers.iter().map(|number| number.value).collect();
    let pieces = match (values.as_slice(), numbers[0].len, numbers.last()?.len) {
        ([year, month, day], 4, _) => date(*year, *month, *day)?,
        ([a, b, year], _, 4) => {
            if *a > 12 || separator == '.' { date(*year, *b, *a) } else { date(*year, *a, *b) }
                .or_else(|| date(*year, *a, *b))
                .or_else(|| date(*year, *b, *a))?
        }
        ([a, b, c], 2, 2) if separator == '-' => {
            date(short_year(*a), *b, *c).or_else(|| date(short_year(*c), *a, *b))?
        }
        ([a, b, c], 1, 2) if separator == '-' => date(short_year(*c), *a, *b)?,
        // 复诊24.05.12: in Chinese the year comes first.
        ([a, b, c], 2, 1 | 2) if separator == '.' && (10..=40).contains(a) && in_chinese(cursor) => {
            date(short_year(*a), *b, *c)?
        }
        // 31.12.99; 5.3.23 may be a version.
        ([a, b, c], 2, 2) if separator == '.' && numbers[1].len == 2 => date(short_year(*c), *b, *a)?,
        // 23/3/5.
        ([a, b, c], 2, 1) if separator == '/' => date(short_year(*a), *b, *c)?,
        ([a, b, c], ..) if separator == '/' && numbers[2].len == 2 => {
            date(short_year(*c), *a, *b).or_else(|| date(short_year(*c), *b, *a))?
        }
        ([year, month], 4, 1 | 2) if matches!(separator, '-' | '.' | '/') && (1..=12).contains(month) => {
            vec![Piece::Year(i16::try_from(*year).ok()?), Piece::Month(*month as u8)]
        }
        ([month, year], 1 | 2, 4) if (1..=12).contains(month) && (1900..=2100).contains(year) => {
            vec![Piece::Year(*year as i16), Piece::Month(*month as u8)]
        }
        ([day, month], 2, 1 | 2)
            if separator == '/' && (13..=31).contains(day) && (1..=12).contains(month) =>
        {
            vec![Piece::Month(*month as u8), Piece::Day(*day as u8)]
        }
        // 08.15 and 10.1号; 3.15 may be a price.
        ([month, day], len, 1 | 2)
            if separator == '.'
                && (1..=12).contains(month)
                && (1..=31).contains(day)
                && (is_dotted_date(next.eat("-"))
                    || after_dotted_date(cursor)
                    || cursor.peek() == Some('0') && len == 2 && numbers[1].len == 2
                    || matches!(cursor.chars[next.at - 1], '日' | '号')) =>
        {
            vec![Piece::Month(*month as u8), Piece::Day(*day as u8)]
        }
        ([month, day], 1 | 2, 1 | 2)
            if matches!(separator, '/' | '-') && (1..=12).contains(month) && (1..=31).contains(day) =>
        {
            if next.eat_any(&["月", "天", "年", "个", "点", "分", "小时", "周"]).is_some()
                || (separator == '-' && cursor.peek() != Some('0'))
                || is_fraction(next)
            {
                return None;
            }
            vec![Piece::Month(*month as u8), Piece::Day(*day as u8)]
        }
        _ => return None,
    };
    Some((pieces, next.at))
}

fn date(year: i64, month: i64, day: i64) -> Option<Vec<Piece>> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let year = i16::try_from(year).ok().filter(|year| *year > 0)?;
    jiff::civil::Date::new(year, month, day).ok()?;
    Some(vec![Piece::Year(year), Piece::Month(month as u8), Piece::Day(day as u8)])
}

/// Whether Chinese stands before a place.
fn in_chinese(cursor: Cursor<'_>) -> bool {
    let before = cursor.chars[..cursor.at].iter().rev().find(|c| !matches!(c, ' ' | ':'));
    before.is_some_and(|c| ('\u{4e00}'..='\u{9fff}').contains(c))
}

/// Whether another day follows that is written like the first: 10.7 in 10.1-10.7.
fn is_dotted_date(next: Option<Cursor<'_>>) -> bool {
    let two = next.and_then(|next| {
        let month = numeral::arabic(next.rest())?;
        let day = numeral::arabic(next.skip(month.len).eat(".")?.rest())?;
        Some((month.value, day.value))
    });
    two.is_some_and(|(month, day)| (1..=12).contains(&month) && (1..=31).contains(&day))
}

/// Whether the day before is written like this one.
fn after_dotted_date(cursor: Cursor<'_>) -> bool {
    const LONGEST: usize = 6;
    cursor.at > 0
        && cursor.chars[cursor.at - 1] == '-'
        && (3..=LONGEST.min(cursor.at)).any(|len| {
            let start = cursor.at - len;
            let begins = start == 0 || !cursor.chars[start - 1].is_ascii_digit();
            begins && is_dotted_date(Some(Cursor { at: start, ..cursor }))
        })
}

/// Whether what follows makes 1/2 a share of something.
fn is_fraction(next: Cursor<'_>) -> bool {
    let after = next.blanks();
    let word: String = after.rest().iter().take_while(|c| c.is_ascii_alphabetic()).collect();
    const TIMELY: &[&str] = &[
        "at", "from", "to", "in", "on", "till", "until", "through", "and", "between", "around", "by", "am",
        "pm", "after", "before",
    ];
    let share = after.peek().is_some_and(|c| "片杯碗勺颗粒份瓶包".contains(c))
        || after.eat_any(&["的人", "的量", "的药", "的剂"]).is_some();
    share || (!word.is_empty() && !TIMELY.contains(&word.as_str()))
}
