//! Days, months and years by number.

use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
use crate::numeral;
use crate::piece::{Counted, Piece};

/// The year that two digits mean.
pub(super) fn short_year(value: i64) -> i64 {
    match value {
        0..=40 => 2000 + value,
        41..=99 => 1900 + value,
        other => other,
    }
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
    if let Some(parsed) = neighbours(cursor).or_else(|| dotted(cursor, begun)) {
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
        let said_otherwise = ["经", "饼", "子", "薪", "嫂", "龄", "大的", "兰"];
        // 五月天 is a band; 三月天天下雨 is in March.
        let band = cursor.eat("五月天").is_some_and(|end| !end.peek().is_some_and(|c| "天气空".contains(c)));
        let called = cursor.at > 0 && cursor.chars[cursor.at - 1] == '叫';
        if end.eat_any(&said_otherwise).is_some() || band || called || is_counted(cursor) {
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
                .is_none()
                // 三月一直咳.
                && !(inner.peek() == Some('一') && after.peek().is_some_and(|c| "直些样起共定般边路下块同切旦".contains(c)));
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
    // 5月8、9两日.
    if (1..=31).contains(&number.value)
        && let Some(end) = next.eat_any(&SEVERAL_DAYS)
    {
        return one(Piece::Day(number.value as u8), end);
    }
    if (1..=31).contains(&number.value)
        && let Some(end) = next.eat_any(&["号", "日"])
    {
        // 一日三餐 has no date, and nobody writes 两日 for one.
        if is_counted(cursor) || (cursor.eat("一日").is_some() && begun.within.is_none()) {
            return None;
        }
        const OTHERWISE: [&str; 42] = [
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
            "诊室",
            "诊疗室",
            "病房",
            "病床",
            "床",
            "窗口",
            "公寓",
            "门口",
            "厅",
            "机位",
            "机器",
            "球员",
            "球衣",
            "馆",
            "仓库",
            "库房",
            "车厢",
            "车间",
            "车位",
            "柜台",
            "柜子",
            "选手",
            "队员",
            "员工",
            "文件",
            "方案",
            "会议室",
            "教室",
            "出口",
            "航站",
            "宿舍",
            "房间",
        ];
        let otherwise: &[&str] = if next.eat("号").is_some() {
            &OTHERWISE
        } else {
            &["子", "元", "均", "语", "用", "常", "记", "报"]
        };
        if end.eat_any(otherwise).is_some() || is_place(cursor) {
            return None;
        }
        return one(Piece::Day(number.value as u8), end);
    }
    // 一年四季 are four seasons.
    if (1..=4).contains(&number.value)
        && let Some(end) = next.eat_any(&["季度", "季"])
        && (next.eat("季度").is_some() || begun.year.is_some() || number.value < 4)
        && !(cursor.at > 0 && cursor.chars[cursor.at - 1] == '第')
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
    // The first of some that share their unit: 2-4月, 7、8、9月, 5、6日, 80-90年代.
    let (mut second, mut shared) =
        next.eat_any(&["-", "到", "至", "、"]).and_then(|next| next.maybe_eat(&["-"]).number())?;
    for _ in 0..MOST_LISTED {
        let Some((third, after)) = shared.eat("、").and_then(Cursor::number) else { break };
        (second, shared) = (third, after);
    }
    let (shared, end) = (shared.blanks(), cursor.skip(number.len));
    if shared.eat("月").is_some() && (1..=12).contains(&number.value) && second.value <= 12 {
        return one(Piece::Month(number.value as u8), end);
    }
    let days = shared.eat_any(&["号", "日"]).or_else(|| shared.eat_any(&SEVERAL_DAYS));
    if days.is_some() && (1..=31).contains(&number.value) && second.value <= 31 {
        return one(Piece::Day(number.value as u8), end);
    }
    if shared.eat("年代").is_some() && number.digits == 2 && number.value % 10 == 0 {
        return one(Piece::Years(i16::try_from(short_year(number.value)).ok()?, 10), end);
    }
    None
}

/// What closes a row of days: 8、9两日.
const SEVERAL_DAYS: [&str; 4] = ["两日", "两天", "三日", "三天"];
/// How many more than two are listed.
const MOST_LISTED: usize = 10;

/// Whether a number is one of a seat or a building: 12排8号.
fn is_place(cursor: Cursor<'_>) -> bool {
    cursor.at > 0 && "排区座栋幢元楼室层门".contains(cursor.chars[cursor.at - 1])
}

/// Whether a number counts and does not name: 两月, 俩月.
fn is_counted(cursor: Cursor<'_>) -> bool {
    cursor.peek().is_some_and(|c| matches!(c, '两' | '俩' | '仨'))
}

/// 6.18 in 今年6.18.
fn dotted(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let month = numeral::arabic(cursor.rest()).filter(|n| (1..=12).contains(&n.value))?;
    let next = cursor.skip(month.len).eat(".")?;
    let day = numeral::arabic(next.rest()).filter(|n| n.len <= 2 && (1..=31).contains(&n.value))?;
    let end = next.skip(day.len);
    let alone = begun.year.is_some() && begun.within.is_none() && end.peek() != Some('.');
    let counts = end.eat_any(&["万", "亿", "倍", "%", "元", "个", "次", "斤", "公", "米", "分"]).is_some();
    (alone && !counts).then(|| (vec![Piece::Month(month.value as u8), Piece::Day(day.value as u8)], end.at))
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
