//! Days, months and years by name and number.

use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
use crate::numeral;
use crate::piece::{Counted, Piece};

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
    let name = cursor.peek()?;
    let day = weekday_of(name)?;
    let next = cursor.skip(1);
    // 周三十 and 周五百 are no days; nor is 周1234, while 周三3点 is.
    let goes_on = |c: char| {
        matches!(c, '十' | '百' | '年' | '月' | '个') || (name.is_ascii_digit() && c.is_ascii_digit())
    };
    if next.peek().is_some_and(goes_on) {
        return None;
    }
    Some((day, next))
}

fn weekday_of(name: char) -> Option<i8> {
    Some(match name {
        '一' | '1' => 0,
        '二' | '2' => 1,
        '三' | '3' => 2,
        '四' | '4' => 3,
        '五' | '5' => 4,
        '六' | '6' => 5,
        '日' | '天' | '7' => 6,
        _ => return None,
    })
}

/// One weekday or several in a row: 周三, 周四五, 周一二三, 周六日, 周二、三.
pub(super) fn weekdays(cursor: Cursor<'_>) -> Option<Parsed> {
    let (first, mut end) = weekday_name(cursor)?;
    let mut last = first;
    if !cursor.peek().is_some_and(|name| name.is_ascii_digit()) {
        while let Some((day, after)) = another_weekday(end).filter(|(day, _)| *day == last + 1) {
            (last, end) = (day, after);
        }
    }
    let mut pieces = vec![Piece::Weekday(first)];
    if last > first {
        pieces.push(Piece::Counted(Counted::Lasting { count: i64::from(last - first) + 1, unit: Unit::Day }));
    }
    Some((pieces, end.at))
}

/// The next weekday of a row, unless its character begins something else: 周五六点, 周六日程, 周一二十人.
fn another_weekday(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    let next = cursor.maybe_eat(&["、"]);
    let (day, end) = weekday_name(next).filter(|_| !next.peek().is_some_and(|name| name.is_ascii_digit()))?;
    const OTHERWISE: &str = "点时号日天周次人位名家种样本场节起下直定般共边程记报常志期";
    let otherwise = |c: char| OTHERWISE.contains(c) || c.is_ascii_digit();
    (!end.peek().is_some_and(otherwise)).then_some((day, end))
}

pub(crate) fn weekday(cursor: Cursor<'_>) -> Option<Parsed> {
    let next = cursor.eat_any(&["星期", "礼拜", "周"])?;
    if let Some(end) = next.eat("末") {
        return one(Piece::WeekendBare, end);
    }
    // 老周一天到晚 speaks of somebody.
    if cursor.at > 0
        && cursor.eat("周").is_some()
        && matches!(cursor.chars[cursor.at - 1], '老' | '小' | '姓' | '叫')
    {
        return None;
    }
    weekdays(next)
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
    {
        if matches!(begun.within, Some(Within::Month(_))) {
            return one(Piece::LunarDay(day.value as u8), end);
        }
        // 今年初八开工 is of the new year; 今年初二 may be at school.
        let new_year = begun.year.is_some() && begun.within.is_none() && day.value > 3;
        return new_year.then(|| (vec![Piece::LunarMonth(1), Piece::LunarDay(day.value as u8)], end.at));
    }
    if let Some(parsed) = neighbours(cursor) {
        return Some(parsed);
    }
    if let Some((number, end)) = cursor.eat("民国").and_then(Cursor::number)
        && let Some(end) = end.eat("年").filter(|_| number.value < 200)
    {
        return one(Piece::Year(i16::try_from(1911 + number.value).ok()?), end);
    }
    // 元月 is the first, '19年 has left its century out.
    let first = cursor.eat("元").filter(|next| next.peek() == Some('月'));
    let written = cursor
        .eat("'")
        .filter(|next| next.number().is_some_and(|(n, end)| n.len == 2 && end.peek() == Some('年')));
    let (number, next) = match first {
        Some(next) => (numeral::Numeral { value: 1, len: 1, digits: 1 }, next),
        None => written.unwrap_or(cursor).number()?,
    };
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
        if end.eat_any(&["经", "饼", "子", "薪", "嫂", "龄", "大的"]).is_some() {
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
        const OTHERWISE: [&str; 36] = [
            "线",
            "楼",
            "院",
            "桌",
            "称",
            "码",
            "子",
            "店",
            "元",
            "均",
            "诊",
            "病",
            "床",
            "窗",
            "公寓",
            "门",
            "厅",
            "机",
            "球",
            "馆",
            "仓",
            "库",
            "车",
            "柜",
            "选手",
            "队",
            "员",
            "文件",
            "令",
            "方案",
            "会议室",
            "教室",
            "出口",
            "航站",
            "宿舍",
            "房",
        ];
        if end.eat_any(&OTHERWISE).is_some() {
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
    // The first of two that share their unit: 2-4月, 7、8月, 5、6日, 80-90年代.
    let (second, shared) =
        next.eat_any(&["-", "到", "至", "、"]).and_then(|next| next.maybe_eat(&["-"]).number())?;
    let (shared, end) = (shared.blanks(), cursor.skip(number.len));
    if shared.eat("月").is_some() && (1..=12).contains(&number.value) && second.value <= 12 {
        return one(Piece::Month(number.value as u8), end);
    }
    if shared.eat_any(&["号", "日"]).is_some() && (1..=31).contains(&number.value) && second.value <= 31 {
        return one(Piece::Day(number.value as u8), end);
    }
    if shared.eat("年代").is_some() && number.digits == 2 && number.value % 10 == 0 {
        return one(Piece::Years(i16::try_from(short_year(number.value)).ok()?, 10), end);
    }
    None
}

/// Two that stand side by side: 七八月份, 十五六号, 一二季度, 六七十年代.
fn neighbours(cursor: Cursor<'_>) -> Option<Parsed> {
    let tens = |c: char| numeral::chinese(&[c]).filter(|ten| (1..10).contains(&ten.value));
    if let [first, second, '十', '年', '代', ..] = cursor.rest()
        && let (Some(first), Some(second)) = (tens(*first), tens(*second))
        && second.value == first.value + 1
    {
        return one(Piece::Years(1900 + first.value as i16 * 10, 20), cursor.skip(5));
    }
    let (first, second, next) = cursor.guess()?;
    let both = |piece: Piece, unit: Unit, end: Cursor<'_>| {
        Some((vec![piece, Piece::Counted(Counted::Lasting { count: 2, unit })], end.at))
    };
    if let Some(end) = next.eat_any(&["月份", "月"]).filter(|_| second <= 12) {
        return both(Piece::Month(first as u8), Unit::Month, end);
    }
    if let Some(end) = next.eat("季度").filter(|_| second <= 4) {
        return both(Piece::Quarter(first as u8), Unit::Quarter, end);
    }
    let end = next.eat_any(&["号", "日"]).filter(|_| second <= 31)?;
    both(Piece::Day(first as u8), Unit::Day, end)
}

/// 八月十五 without a year and without 号 is the feast, which the moon sets; 四月十三 is a date like any other.
fn is_mid_autumn(month: i64, day: Cursor<'_>) -> bool {
    month == 8 && day.eat("十五").is_some()
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
    !word.is_empty() && !TIMELY.contains(&word.as_str())
}
