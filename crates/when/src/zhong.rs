//! Chinese words of time.

mod amount;
mod clock;
mod cursor;
mod date;
mod tables;

use crate::assemble::Word;
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
use crate::holiday;
use crate::numeral;
use crate::piece::{Counted, Edge, Piece};
use amount::{amount, ordinal, quantity};
use clock::{clock, part_of_day};
use date::{dated, weekday, weekday_name};

pub(crate) use date::numeric_date;
use tables::{CONNECTORS, FIXED};

/// What stands at a place, given what was said before it.
pub(crate) fn word(chars: &[char], at: usize, begun: &Frame) -> Option<(Word, usize)> {
    let cursor = Cursor { chars, at };
    if let Some((pieces, end)) = pieces(cursor, begun) {
        return Some((Word::Pieces(pieces), end - at));
    }
    connector(cursor, begun).map(|(word, end)| (word, end - at))
}

fn pieces(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let c = cursor.peek()?;
    if c.is_ascii_alphabetic() && c != 'q' {
        return None;
    }
    holiday(cursor)
        .or_else(|| numeric_date(cursor))
        .or_else(|| clock(cursor, begun))
        .or_else(|| ordinal(cursor, begun))
        .or_else(|| amount(cursor, begun))
        .or_else(|| relative(cursor))
        .or_else(|| fixed(cursor, begun))
        .or_else(|| weekday(cursor))
        .or_else(|| dated(cursor, begun))
        .or_else(|| part_of_day(cursor, begun))
}

fn holiday(cursor: Cursor<'_>) -> Option<Parsed> {
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
    if let Some(after) = end.maybe_eat(&["的"]).eat_any(&["期间", "假期", "长假", "小长假", "黄金周", "放假"])
    {
        let days = Piece::Counted(Counted::Lasting { count: holiday::days_off(number), unit: Unit::Day });
        return Some((vec![Piece::Holiday(number), days], after.at));
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

/// 上周, 下下个月, 这个季度, 本周五, 上个周末.
fn relative(cursor: Cursor<'_>) -> Option<Parsed> {
    let (mut by, mut next) = (0i32, cursor);
    if let Some(end) = cursor.eat_any(&["这", "本", "当", "今", "呢"]) {
        next = end;
    } else {
        while let Some(end) = next.eat("上").filter(|_| by <= 0 && by > -4) {
            (by, next) = (by - 1, end);
        }
        while by >= 0
            && let Some(end) = next.eat("下").filter(|_| by < 4)
        {
            (by, next) = (by + 1, end);
        }
        if by == 0 {
            return None;
        }
    }
    let counted = next.maybe_eat(&["一个", "个", "一"]);
    if let Some(end) = counted.eat_any(&["周末", "星期末", "礼拜末"]) {
        return one(Piece::Weekend(by), end);
    }
    if let Some(end) = counted.eat_any(&["周", "星期", "礼拜"]) {
        let mut pieces = vec![Piece::WeekRel(by)];
        let mut end = end;
        let named = end.maybe_eat(&["的", "的星期", "的周"]);
        if let Some((day, after)) = weekday_name(named).or_else(|| weekday_name(end)) {
            pieces.push(Piece::Weekday(day));
            end = after;
        }
        return Some((pieces, end.at));
    }
    if by != 0
        || next.at != counted.at
        || cursor.eat("本").is_some()
        || cursor.eat("当").is_some()
        || cursor.eat("这").is_some()
    {
        if let Some(end) = counted.eat_any(&["月份", "月"]) {
            return one(Piece::MonthRel(by), end);
        }
        if let Some(end) = counted.eat_any(&["季度", "季"]) {
            return one(Piece::QuarterRel(by), end);
        }
        if let Some(end) = counted.eat("半年") {
            let piece = if next.at == counted.at {
                Piece::Half(if by < 0 { 1 } else { 2 })
            } else {
                Piece::HalfRel(by)
            };
            return one(piece, end);
        }
        if let Some(end) = counted.eat("半周").filter(|_| next.at == counted.at) {
            return one(Piece::HalfWeek(if by < 0 { 1 } else { 2 }), end);
        }
        if let Some(end) = counted
            .eat_any(&["年度", "年"])
            .filter(|_| by != 0 || cursor.eat("本").is_some() || cursor.eat("当").is_some())
        {
            if end.peek() == Some('轻') || end.peek() == Some('级') {
                return None;
            }
            return one(Piece::YearRel(by), end);
        }
        if let Some(end) = counted.eat("旬").filter(|_| by != 0) {
            return one(Piece::Edge(Edge::Third(if by < 0 { 1 } else { 3 })), end);
        }
        if let Some(end) = counted.eat("世纪") {
            return one(Piece::Years((2000 + by * 100) as i16, 100), end);
        }
    }
    None
}

fn fixed(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let longest = FIXED
        .iter()
        .filter_map(|(name, pieces)| Some((cursor.eat(name)?, *pieces)))
        .max_by_key(|(end, _)| end.at);
    if let Some((end, pieces)) = longest {
        return Some((pieces.to_vec(), end.at));
    }
    // 年初 and 月底 speak of what was named, or of the current one.
    let named = begun.year.is_some();
    for (word, piece) in [
        ("年", Piece::YearRel(0)),
        ("月", Piece::MonthRel(0)),
        ("周", Piece::WeekRel(0)),
        ("季度", Piece::QuarterRel(0)),
        ("季", Piece::QuarterRel(0)),
    ] {
        // 周末 is two days of its own.
        let Some((edge, end)) = cursor.eat(word).filter(|_| cursor.eat("周末").is_none()).and_then(edge)
        else {
            continue;
        };
        let has_it = match word {
            "年" => named,
            "月" => matches!(begun.within, Some(Within::Month(_) | Within::MonthRel(_))),
            _ => false,
        };
        return Some((if has_it { vec![Piece::Edge(edge)] } else { vec![piece, Piece::Edge(edge)] }, end.at));
    }
    if (begun.year.is_some() || begun.within.is_some() || begun.week.is_some())
        && let Some((edge, end)) = edge(cursor)
    {
        return one(Piece::Edge(edge), end);
    }
    None
}

fn edge(cursor: Cursor<'_>) -> Option<(Edge, Cursor<'_>)> {
    const EDGES: [(&str, Edge); 18] = [
        ("伊始", Edge::Outset),
        ("初期", Edge::Begin),
        ("前期", Edge::Begin),
        ("早期", Edge::Begin),
        ("初", Edge::Begin),
        ("中期", Edge::Mid),
        ("中旬", Edge::Third(2)),
        ("中叶", Edge::Mid),
        ("中", Edge::Mid),
        ("上旬", Edge::Third(1)),
        ("下旬", Edge::Third(3)),
        ("末期", Edge::End),
        ("后期", Edge::End),
        ("末", Edge::End),
        ("年底", Edge::End),
        ("底", Edge::End),
        ("尾", Edge::End),
        ("结束", Edge::End),
    ];
    let (name, edge) = EDGES.iter().find(|(name, _)| cursor.eat(name).is_some())?;
    let end = cursor.eat(name)?;
    if *name == "初"
        && end.peek().is_some_and(|c| numeral::any(&[c]).is_some() || matches!(c, '中' | '步' | '级'))
    {
        return None;
    }
    if *name == "中" && end.peek().is_some_and(|c| matches!(c, '午' | '国' | '秋' | '的')) {
        return None;
    }
    Some((*edge, end))
}

fn connector(cursor: Cursor<'_>, begun: &Frame) -> Option<(Word, usize)> {
    let c = cursor.peek()?;
    if c == ' ' {
        return Some((Word::Glue, cursor.blanks().at));
    }
    let found = CONNECTORS
        .iter()
        .filter_map(|(name, word)| Some((cursor.eat(name)?, *word)))
        .max_by_key(|(end, _)| end.at);
    let (end, kind) = found?;
    let begun_something = begun.says_something();
    let word = match kind {
        tables::Connector::Glue => Word::Glue,
        tables::Connector::To => Word::To,
        tables::Connector::From => Word::From,
        // 4月前4天 are the first four days of April.
        tables::Connector::Before | tables::Connector::After
            if begun_something && end.at - cursor.at == 1 && quantity(end.blanks()).is_some() =>
        {
            return None;
        }
        tables::Connector::Before if begun_something => Word::Before,
        tables::Connector::After if begun_something => Word::After,
        tables::Connector::Since if begun_something => Word::Since,
        tables::Connector::Close => Word::Close,
        _ => return None,
    };
    Some((word, end.at))
}
