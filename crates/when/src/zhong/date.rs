//! Days, months and years by name and number.

use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
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

pub(super) fn date(year: i64, month: i64, day: i64) -> Option<Vec<Piece>> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let year = i16::try_from(year).ok().filter(|year| *year > 0)?;
    jiff::civil::Date::new(year, month, day).ok()?;
    Some(vec![Piece::Year(year), Piece::Month(month as u8), Piece::Day(day as u8)])
}

/// The year that two digits mean.
pub(super) fn short_year(value: i64) -> i64 {
    match value {
        0..=40 => 2000 + value,
        41..=99 => 1900 + value,
        other => other,
    }
}

pub(super) fn weekday_name(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    let day = match cursor.peek()? {
        '一' | '1' => 0,
        '二' | '2' => 1,
        '三' | '3' => 2,
        '四' | '4' => 3,
        '五' | '5' => 4,
        '六' | '6' => 5,
        '日' | '天' | '7' => 6,
        _ => return None,
    };
    let next = cursor.skip(1);
    // 周三十 and 周五百 are no days; nor is 周1234.
    if next.peek().is_some_and(|c| matches!(c, '十' | '百' | '年' | '月' | '个') || c.is_ascii_digit()) {
        return None;
    }
    Some((day, next))
}

pub(super) fn weekday(cursor: Cursor<'_>) -> Option<Parsed> {
    let next = cursor.eat_any(&["星期", "礼拜", "周"])?;
    if let Some(end) = next.eat("末") {
        return one(Piece::WeekendBare, end);
    }
    let (day, end) = weekday_name(next)?;
    one(Piece::Weekday(day), end)
}

/// 2015年, 九十年代, 三月, 15号, 一季度, 初一.
pub(super) fn dated(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if let Some((number, end)) =
        cursor.eat("q").and_then(Cursor::number).filter(|(n, _)| (1..=4).contains(&n.value))
    {
        return one(Piece::Quarter(number.value as u8), end.maybe_eat(&["季度", "季"]));
    }
    for (name, month) in [("正月", 1), ("冬月", 11), ("腊月", 12)] {
        if let Some(end) = cursor.eat(name) {
            let mut pieces = vec![Piece::LunarMonth(month)];
            let mut end = end;
            if let Some((day, after)) =
                end.maybe_eat(&["初"]).number().filter(|(n, _)| (1..=30).contains(&n.value))
            {
                pieces.push(Piece::LunarDay(day.value as u8));
                end = after;
            }
            return Some((pieces, end.at));
        }
    }
    if let Some((day, end)) =
        cursor.eat("大年初").and_then(Cursor::number).filter(|(n, _)| (1..=15).contains(&n.value))
    {
        return Some((vec![Piece::LunarMonth(1), Piece::LunarDay(day.value as u8)], end.at));
    }
    if let Some((day, end)) =
        cursor.eat("初").and_then(Cursor::number).filter(|(n, _)| (1..=10).contains(&n.value))
        && matches!(begun.within, Some(Within::Month(_)))
    {
        return one(Piece::LunarDay(day.value as u8), end);
    }
    let (number, next) = cursor.number()?;
    let next = next.blanks();
    if let Some(end) = next.eat("世纪") {
        return one(Piece::Years(i16::try_from((number.value - 1) * 100).ok()?, 100), end);
    }
    if let Some(end) = next.eat("年代") {
        let first = match number.value {
            value @ 0..=99 => match begun.year {
                Some(crate::frame::Year::Many(century, 100)) => i64::from(century) + value,
                _ if value < 30 => 2000 + value,
                _ => 1900 + value,
            },
            value => value,
        };
        return one(Piece::Years(i16::try_from(first).ok()?, 10), end);
    }
    if let Some(end) = next.eat("年") {
        if end.eat_any(&["级", "轻", "薪"]).is_some() {
            return None;
        }
        let year = match (number.value, number.digits) {
            (value, 4) | (value @ 1000..=2999, _) => value,
            (value, 2) => short_year(value),
            _ => return None,
        };
        return one(Piece::Year(i16::try_from(year).ok()?), end.maybe_eat(&["度"]));
    }
    if (1..=12).contains(&number.value)
        && let Some(end) = next.eat_any(&["月份", "月"])
    {
        if end.eat_any(&["经", "饼", "子", "薪", "嫂"]).is_some() {
            return None;
        }
        let mut pieces = vec![Piece::Month(number.value as u8)];
        let mut end = end;
        // 八月十五 without 号; 十一月廿九 is the moon's.
        let inner = end.blanks();
        if let Some((day, after)) = inner.number().filter(|(n, _)| (1..=31).contains(&n.value)) {
            let marked = after.eat_any(&["日", "号"]);
            let moon = matches!(inner.peek(), Some('廿' | '卅'));
            let bare = after
                .eat_any(&[
                    "天", "个", "月", "年", "点", "时", "周", "岁", "次", ":", "分", "小时", "-", "季", "星",
                ])
                .is_none();
            if let Some(marked) = marked {
                pieces.push(Piece::Day(day.value as u8));
                end = marked;
            } else if moon {
                pieces.push(Piece::LunarDay(day.value as u8));
                end = after;
            } else if bare && is_mid_autumn(number.value, inner) && begun.year.is_none() {
                pieces = vec![Piece::LunarMonth(8), Piece::LunarDay(15)];
                end = after;
            } else if bare {
                pieces.push(Piece::Day(day.value as u8));
                end = after;
            }
        }
        return Some((pieces, end.at));
    }
    if (1..=31).contains(&number.value)
        && let Some(end) = next.eat_any(&["号", "日"])
    {
        if end.eat_any(&["线", "楼", "院", "桌", "称", "码", "子", "店", "元", "均"]).is_some() {
            return None;
        }
        return one(Piece::Day(number.value as u8), end);
    }
    if (1..=4).contains(&number.value)
        && let Some(end) = next.eat_any(&["季度", "季"])
    {
        return one(Piece::Quarter(number.value as u8), end);
    }
    // 2016 in 从2016到2018; 4 in 2018年2-4月.
    if number.digits == 4
        && (1900..=2100).contains(&number.value)
        && cursor
            .chars
            .get(cursor.at + number.len)
            .is_none_or(|c| !c.is_ascii_alphanumeric() && !matches!(c, '块' | '元' | '个' | '人' | '次'))
    {
        return one(Piece::Year(number.value as i16), cursor.skip(number.len));
    }
    if let Some((second, end)) =
        next.eat_any(&["-", "到", "至"]).and_then(|next| next.maybe_eat(&["-"]).number())
        && end.blanks().eat("月").is_some()
        && (1..=12).contains(&number.value)
        && second.value <= 12
    {
        return one(Piece::Month(number.value as u8), cursor.skip(number.len));
    }
    if let Some((second, end)) =
        next.eat_any(&["-", "到", "至"]).and_then(|next| next.maybe_eat(&["-"]).number())
        && end.blanks().eat_any(&["号", "日"]).is_some()
        && (1..=31).contains(&number.value)
        && second.value <= 31
    {
        return one(Piece::Day(number.value as u8), cursor.skip(number.len));
    }
    None
}

/// 八月十五 without a year and without 号 is the feast, which the moon sets; 四月十三 is a date like any other.
fn is_mid_autumn(month: i64, day: Cursor<'_>) -> bool {
    month == 8 && day.eat("十五").is_some()
}

/// Whether what follows makes 1/2 a share of something.
fn is_fraction(next: Cursor<'_>) -> bool {
    let after = next.blanks();
    let word: String = after.rest().iter().take_while(|c| c.is_ascii_alphabetic()).collect();
    const TIMELY: &[&str] = &[
        "at", "from", "to", "in", "on", "till", "until", "through", "and", "between", "around", "by", "am",
        "pm", "after", "before",
    ];
    !word.is_empty() && !TIMELY.contains(&word.as_str())
}
