//! Times on the clock and parts of the day.

use super::tables::PARTS;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Day, Frame, Within};
use crate::numeral;
use crate::piece::{Clock, Piece};

/// 12:30, 三点半, 20时1刻, 3点零五.
pub(super) fn clock(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if let Some(parsed) = guessed(cursor).or_else(|| short_of(cursor)) {
        return Some(parsed);
    }
    let (hour, after) = cursor.number()?;
    let hour_value = i8::try_from(hour.value).ok()?;
    if let Some(next) = after.eat(":") {
        let minute = numeral::arabic(next.rest()).filter(|minute| minute.len == 2 && minute.value < 60)?;
        let next = next.skip(minute.len);
        let second = next.eat(":").and_then(|next| {
            Some((numeral::arabic(next.rest()).filter(|s| s.len == 2 && s.value < 60)?, next))
        });
        let (second, next) = match second {
            Some((second, next)) => (Some(second.value as i8), next.skip(second.len)),
            None => (None, next),
        };
        if hour_value > 24 {
            return None;
        }
        let next = next.maybe_eat(&["时", "分", "秒"]);
        let blank = next.blanks();
        if blank.eat_any(&["am", "pm", "a.m", "p.m", "a", "p"]).is_some() {
            return None;
        }
        let clock = Clock { hour: hour_value, minute: Some(minute.value as i8), second, pm: None };
        return one(Piece::Clock(clock), next);
    }
    if !(0..=24).contains(&hour_value) {
        return None;
    }
    let marked = after.blanks().eat_any(&["点钟", "点整", "点", "时"]).filter(|_| !is_numbered(cursor))?;
    if after.blanks().eat("时").is_some() && marked.eat_any(&["候", "间", "代", "期"]).is_some() {
        return None;
    }
    if after.blanks().eat("点").is_some() && begun.part.is_none() && is_point(cursor, marked) {
        return None;
    }
    if is_decimal(cursor, marked) {
        return None;
    }
    // 一点 alone is a bit of something.
    let a_bit = hour.value == 1 && hour.len == 1 && cursor.peek() == Some('一');
    if a_bit
        && begun.part.is_none()
        && begun.day.is_none()
        && begun.weekday.is_none()
        && after.blanks().eat_any(&["点钟", "点整", "点半"]).is_none()
    {
        return None;
    }
    let (mut minute, mut second, mut next) = (None, None, marked);
    // 十点差五分.
    if let Some((missing, end)) = marked.eat("差").and_then(minutes) {
        return one(Piece::Clock(before(hour_value, missing)?), end);
    }
    if let Some(end) = marked.eat_any(&["半", "搭半", "踏半"]) {
        (minute, next) = (Some(30), end);
    } else if let Some((quarters, end)) = marked
        .maybe_eat(&["过"])
        .number()
        .and_then(|(n, end)| Some((n, end.eat_any(&["刻钟", "刻"])?)))
        .filter(|(n, _)| (1..=3).contains(&n.value))
    {
        (minute, next) = (Some(quarters.value as i8 * 15), end);
    } else if let Some((steps, end)) = marked
        .number()
        .and_then(|(n, end)| Some((n, end.maybe_eat(&["个"]).eat("字")?)))
        .filter(|(n, _)| (1..=11).contains(&n.value))
    {
        // A 字 is a figure on the dial.
        (minute, next) = (Some(steps.value as i8 * 5), end);
    } else if let Some((steps, end)) =
        marked.eat_any(&["搭", "踏"]).and_then(Cursor::number).filter(|(n, _)| (1..=11).contains(&n.value))
    {
        (minute, next) = (Some(steps.value as i8 * 5), end);
    } else if let Some((minutes, end)) =
        marked.maybe_eat(&["零", "过", "〇"]).number().filter(|(n, _)| n.value < 60)
    {
        let closed = end.eat_any(&["分钟", "分"]);
        // 3点5个人 is no time.
        if closed.is_some()
            || end
                .eat_any(&["个", "点", "人", "天", "月", "日", "号", "年", "岁", "次", "块", "元"])
                .is_none()
        {
            (minute, next) = (Some(minutes.value as i8), closed.unwrap_or(end));
            if let Some((seconds, end)) =
                next.number().and_then(|(n, end)| Some((n, end.eat("秒")?))).filter(|(n, _)| n.value < 60)
            {
                (second, next) = (Some(seconds.value as i8), end);
            }
        }
    } else {
        next = marked.maybe_eat(&["整", "正", "钟"]);
    }
    one(Piece::Clock(Clock { hour: hour_value, minute, second, pm: None }), next)
}

/// Whether 点 counts points that somebody makes: 三点建议, 我有两点.
fn is_point(cursor: Cursor<'_>, marked: Cursor<'_>) -> bool {
    const POINTS: [&str; 28] = [
        "水", "之间", "儿", "事", "东西", "意见", "建议", "要求", "原因", "理由", "想法", "看法", "好处",
        "坏处", "说明", "补充", "注意", "疑问", "问题", "内容", "总结", "心得", "体会", "感受", "区别",
        "优点", "缺点", "想",
    ];
    let listed = cursor.at > 1 && cursor.chars[cursor.at - 2..cursor.at] == ['以', '下'];
    let made = listed
        || cursor.at > 0 && matches!(cursor.chars[cursor.at - 1], '有' | '说' | '讲' | '提' | '这' | '那');
    marked.eat_any(&POINTS).is_some()
        || (made && marked.peek().is_none_or(|c| !"的半钟多见到开集前后左整走起出".contains(c)))
}

/// Whether the number is one of a list: 第三点.
fn is_numbered(cursor: Cursor<'_>) -> bool {
    cursor.at > 0 && cursor.chars[cursor.at - 1] == '第'
}

/// Whether 点 is a decimal point: 体温三十八点五, 打九点五分. Five past six is 六点零五 or 六点五分.
fn is_decimal(cursor: Cursor<'_>, marked: Cursor<'_>) -> bool {
    let Some((fraction, end)) = marked.number() else { return false };
    let one_digit = fraction.len == 1 && (1..10).contains(&fraction.value) && marked.peek() != Some('十');
    let scored = cursor.at > 0 && matches!(cursor.chars[cursor.at - 1], '打' | '评' | '得' | '给' | '分');
    let minutes = end.eat_any(&["分", "刻", "个字", "字", "点"]).is_some() && !scored;
    one_digit && !minutes
}

/// 两三点: from two to four.
fn guessed(cursor: Cursor<'_>) -> Option<Parsed> {
    let (first, second, end) = cursor.guess().filter(|(_, second, _)| *second < 24)?;
    let end = end.eat_any(&["点钟", "点"])?;
    let clock = |hour: i64| Clock { hour: hour as i8, minute: None, second: None, pm: None };
    one(Piece::Hours(clock(first), clock(second + 1)), end)
}

/// 差五分十点, 差一刻九点.
fn short_of(cursor: Cursor<'_>) -> Option<Parsed> {
    let (missing, next) = cursor.eat("差").and_then(minutes)?;
    let (hour, after) = next.maybe_eat(&["到"]).number().filter(|(n, _)| (1..=24).contains(&n.value))?;
    one(Piece::Clock(before(hour.value as i8, missing)?), after.eat_any(&["点钟", "点"])?)
}

/// So many minutes, or quarters of an hour.
fn minutes(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    let (number, next) = cursor.number().filter(|(n, _)| (1..60).contains(&n.value))?;
    if let Some(end) = next.eat_any(&["刻钟", "刻"]).filter(|_| number.value <= 3) {
        return Some((number.value as i8 * 15, end));
    }
    Some((number.value as i8, next.eat_any(&["分钟", "分"])?))
}

/// So many minutes before an hour.
fn before(hour: i8, minutes: i8) -> Option<Clock> {
    let hour = if hour == 1 { 12 } else { hour - 1 };
    (0..=24).contains(&hour).then_some(Clock { hour, minute: Some(60 - minutes), second: None, pm: None })
}

pub(super) fn part_of_day(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let longest = PARTS
        .iter()
        .filter_map(|(name, part)| Some((*name, cursor.eat(name)?, *part)))
        .max_by_key(|(_, end, _)| end.at);
    let (name, end, part) = longest?;
    // A single 早 or 晚 is a part of the day only after a day or before a time on the clock.
    if name.chars().count() == 1 && clock(end, &Frame { part: Some(part), ..Frame::default() }).is_none() {
        let after_day = matches!(begun.day, Some(Day::Of(_) | Day::Rel(_)))
            || begun.weekday.is_some()
            || (name == "夜" && matches!(begun.within, Some(Within::Holiday(_) | Within::LunarEve)));
        if !after_day
            || end.peek().is_some_and(|c| {
                matches!(c, '饭' | '餐' | '安' | '点' | '就' | '了' | '睡' | '起' | '会' | '间')
            })
        {
            return None;
        }
    }
    one(Piece::Part(part), end)
}
