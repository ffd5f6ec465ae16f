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
use date::{dated, weekdays};

pub(crate) use date::{numeric_date, weekday};
use tables::{CONNECTORS, FIXED};

/// What stands at a place, given what was said before it.
pub(crate) fn word(chars: &[char], at: usize, begun: &Frame) -> Option<(Word, usize)> {
    let cursor = Cursor { chars, at };
    if let Some((pieces, end)) = pieces(cursor, begun) {
        return Some((Word::Pieces(pieces), end - at));
    }
    connector(cursor, begun).map(|(word, end)| (word, end - at))
}

/// Whether somebody says until when, and not from when.
pub(crate) fn is_until(chars: &[char], at: usize) -> bool {
    Cursor { chars, at }.eat_any(&["截至", "截止", "直到", "一直到"]).is_some()
}

/// Whether what stands there says until when, if 为止 follows the time: 到上周五为止.
pub(crate) fn closes_later(chars: &[char], at: usize) -> bool {
    const FAR: usize = 24;
    let until = Cursor { chars, at }.eat("到");
    until.is_some_and(|after| after.rest().windows(2).take(FAR).any(|two| two == ['为', '止']))
}

/// The place at which the next of a row stands: behind a mark, or at once if it is Chinese.
pub(crate) fn listed(chars: &[char], at: usize) -> Option<usize> {
    let cursor = Cursor { chars, at };
    let next = cursor.maybe_eat(&["、", "及", "及其"]);
    let chinese = next.peek().is_some_and(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    (chinese || next.at > cursor.at).then_some(next.at)
}

/// A day of the moon's month without the month: 初五, 廿三, 二十九.
pub(crate) fn lunar_day(chars: &[char], at: usize) -> Option<(u8, usize)> {
    let cursor = Cursor { chars, at };
    let (day, end) = cursor.maybe_eat(&["初"]).number().filter(|(n, _)| (1..=30).contains(&n.value))?;
    let counts = end.peek().is_some_and(|c| "号日月年天个点时分".contains(c) || c.is_ascii_alphanumeric());
    (!counts && !cursor.peek()?.is_ascii_digit()).then_some((day.value as u8, end.at))
}

/// The place after a bracket that gives a day by the moon.
pub(crate) fn lunar_gloss(chars: &[char], at: usize) -> Option<usize> {
    const LONGEST: usize = 16;
    let inside = Cursor { chars, at }.eat("(")?.eat_any(&["农历", "阴历", "旧历"])?;
    let close = inside.rest().iter().take(LONGEST).position(|c| *c == ')')?;
    Some(inside.at + close + 1)
}

/// The place after 为止.
pub(crate) fn closed(chars: &[char], at: usize) -> Option<usize> {
    Cursor { chars, at }.blanks().eat("为止").map(|end| end.at)
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
        .or_else(|| same_time(cursor, begun))
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
    if end.eat_any(&PLACES).is_some() {
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

/// 这个时候 in 去年这个时候.
fn same_time(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let elsewhere = begun.year.is_some() || begun.is_dated();
    let names = ["这个时候", "这时候", "这个时间", "这会儿", "此时", "同期", "同一时间", "同一天", "同日"];
    one(Piece::SameTime, cursor.eat_any(&names).filter(|_| elsewhere)?)
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

/// 上周, 下下个月, 这个季度, 本周五, 上个周末.
fn relative(cursor: Cursor<'_>) -> Option<Parsed> {
    let (mut by, mut next) = (0i32, cursor);
    if let Some(end) = cursor.eat_any(&["这", "本", "当", "今", "呢"]) {
        next = end;
    } else if let Some((far, end)) = two_away(cursor) {
        (by, next) = (far, end);
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
        // 本周一 is of this week, whatever day it is; 这周一 may be said of the next.
        pieces.extend(cursor.eat("本").map(|_| Piece::Toward(0)));
        let mut end = end;
        if let Some(end) = end.maybe_eat(&["的"]).eat("工作日") {
            return one(Piece::WorkWeek(by), end);
        }
        let named = end.maybe_eat(&["的", "的星期", "的周"]);
        if let Some((days, after)) = weekdays(named).or_else(|| weekdays(end)) {
            pieces.extend(days);
            end = Cursor { at: after, ..end };
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
            if let Some((day, after)) = bare_day(end) {
                return Some((vec![Piece::MonthRel(by), Piece::Day(day)], after.at));
            }
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

/// A day of the month without 号: 上个月二十, 这个月十五那天.
fn bare_day(cursor: Cursor<'_>) -> Option<(u8, Cursor<'_>)> {
    let (day, end) = cursor.maybe_eat(&["的"]).number().filter(|(n, _)| (1..=31).contains(&n.value))?;
    let closes = end.peek().is_none_or(|c| matches!(c, ',' | '，' | '。' | '!' | '?' | '！' | '？' | ';'));
    let timely =
        end.eat_any(&["那天", "那日", "上午", "下午", "晚上", "早上", "中午", "当天", "当晚"]).is_some();
    (closes || timely).then_some((day.value as u8, end))
}

/// 大上周, 大下个月, 前个星期: one farther than 上 and 下.
fn two_away(cursor: Cursor<'_>) -> Option<(i32, Cursor<'_>)> {
    let named = |end: &Cursor<'_>| end.maybe_eat(&["个"]).eat_any(&["周", "星期", "礼拜", "月"]).is_some();
    if let Some(end) = cursor.eat("大上").filter(named) {
        return Some((-2, end));
    }
    if let Some(end) = cursor.eat("大下").filter(named) {
        return Some((2, end));
    }
    // 前周 may be the end of 三天前, 前个月 is not.
    cursor.eat("前").filter(|end| end.eat("个").is_some() && named(end)).map(|end| (-2, end))
}

fn fixed(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let longest = FIXED
        .iter()
        .filter_map(|(name, pieces)| Some((cursor.eat(name)?, *pieces)))
        .max_by_key(|(end, _)| end.at);
    if let Some((end, pieces)) = longest {
        // 上周五当天 and 中秋当晚 are of the day that was named.
        let of_that_day = cursor.eat("当").is_some()
            && (begun.day.is_some()
                || begun.weekday.is_some()
                || matches!(begun.within, Some(Within::Holiday(_) | Within::LunarEve)));
        let pieces =
            pieces.iter().copied().filter(|piece| !of_that_day || !matches!(piece, Piece::DayRel(0)));
        return Some((pieces.collect(), end.at));
    }
    if let Some(parsed) = half_month(cursor, begun) {
        return Some(parsed);
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

/// 上半月, 后半个月: of the month that was named, or of the current one.
fn half_month(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let of_a_month = matches!(begun.within, Some(Within::Month(_) | Within::MonthRel(_)));
    let halves = [("上半", 1, true), ("下半", 2, true), ("前半", 1, of_a_month), ("后半", 2, of_a_month)];
    let (half, end) = halves
        .into_iter()
        .filter(|(.., may)| *may)
        .find_map(|(name, half, _)| Some((half, cursor.eat(name)?.maybe_eat(&["个"]).eat("月")?)))?;
    let edge = Piece::Edge(Edge::Half(half));
    Some((if of_a_month { vec![edge] } else { vec![Piece::MonthRel(0), edge] }, end.at))
}

fn edge(cursor: Cursor<'_>) -> Option<(Edge, Cursor<'_>)> {
    const EDGES: [(&str, Edge); 25] = [
        ("上半叶", Edge::Half(1)),
        ("前半叶", Edge::Half(1)),
        ("前半期", Edge::Half(1)),
        ("下半叶", Edge::Half(2)),
        ("后半叶", Edge::Half(2)),
        ("后半期", Edge::Half(2)),
        ("中后期", Edge::Half(2)),
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
    // 七点起床 is no beginning of anything.
    if cursor.eat("起").is_some() && end.peek().is_some_and(|c| "床来身夜了不得晚早的".contains(c))
    {
        return None;
    }
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
