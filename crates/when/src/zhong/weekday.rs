//! Days of the week, one or several in a row.

use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::piece::{Counted, Piece};

pub(super) fn weekday_name(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    let name = cursor.peek()?;
    let day = weekday_of(name)?;
    let next = cursor.skip(1);
    // 周三十 and 周五百 are no days; nor is 周1234, while 周三3点 is.
    let goes_on = |c: char| {
        matches!(c, '十' | '百' | '年' | '月' | '个' | '次') || (name.is_ascii_digit() && c.is_ascii_digit())
    };
    let brand = next.eat("福").is_some_and(|end| end.peek() != Some('利'));
    if brand || next.peek().is_some_and(goes_on) {
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
