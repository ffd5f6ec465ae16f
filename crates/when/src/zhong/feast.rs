//! Holidays and the days about them.

use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::holiday;
use crate::numeral;
use crate::piece::{Counted, Piece};

pub(super) fn holiday(cursor: Cursor<'_>) -> Option<Parsed> {
    let first = cursor.peek().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c))?;
    let names = holiday::named(first).iter();
    let longest =
        names.filter_map(|(number, name)| Some((*number, cursor.eat(name)?))).max_by_key(|(_, end)| end.at);
    let (number, end) = longest?;
    // 十一点 and 五一二 are no holidays.
    if end.peek().is_some_and(|next| matches!(next, '点' | '月' | '号' | '日' | '岁' | '个'))
        && end.at - cursor.at == 2
    {
        return None;
    }
    // 五一路, 八一广场; 国庆公园 is a park on that day.
    if numeral::chinese(&[first]).is_some() && end.eat_any(&PLACES).is_some() {
        return None;
    }
    if let Some((counted, end)) = days_of_feast(number, end) {
        return Some((vec![Piece::Holiday(number), Piece::Counted(counted)], end.at));
    }
    // 春节前夜, 中秋节后一天.
    for (words, later) in [(["前夜", "前夕", "前一天"], false), (["后一天", "次日", "翌日"], true)]
    {
        if let Some(end) = end.maybe_eat(&["的"]).eat_any(&words) {
            let beside = Piece::Counted(Counted::Away { count: 1, unit: Unit::Day, later, ahead: false });
            return Some((vec![Piece::Holiday(number), beside], end.at));
        }
    }
    one(Piece::Holiday(number), end)
}

/// What makes a holiday the name of a place: 五一路, 八一广场.
const PLACES: [&str; 13] =
    ["路", "街", "大街", "大道", "巷", "广场", "大桥", "中学", "小学", "农场", "公园", "儿童医院", "新村"];

/// What is said of the days about a feast: 国庆期间, 春节假期最后一天, 五一头三天, 春节后第三天.
fn days_of_feast(holiday: usize, named: Cursor<'_>) -> Option<(Counted, Cursor<'_>)> {
    let days = holiday::days_off(holiday);
    let lasting = |count: i64| Counted::Lasting { count, unit: Unit::Day };
    let later = |count: i64| Counted::Away { count, unit: Unit::Day, later: true, ahead: false };
    let next = named.maybe_eat(&["的"]);
    if let Some((number, end)) = next.eat("后第").and_then(Cursor::number) {
        return Some((later(number.value), end.eat("天")?));
    }
    let all = next.eat_any(&["期间", "假期", "长假", "小长假", "黄金周", "放假", "那几天", "这几天"]);
    let of = all.unwrap_or(next).maybe_eat(&["的"]);
    if let Some((number, end)) =
        of.eat_any(&["头", "前"]).filter(|_| all.is_some() || of.eat("头").is_some()).and_then(Cursor::number)
    {
        return Some((lasting(number.value), end.eat("天")?));
    }
    if all.is_some()
        && let Some(end) = of.eat_any(&["最后一天", "末一天"])
    {
        return Some((later(days - 1), end));
    }
    all.map(|end| (lasting(days), end))
}
