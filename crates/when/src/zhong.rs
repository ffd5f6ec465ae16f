//! Chinese words of time.

mod amount;
mod clock;
mod cursor;
mod date;
mod edge;
mod feast;
mod numeric;
mod tables;
mod weekday;

use crate::assemble::Word;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
use crate::piece::{Edge, Piece};
use amount::{amount, ordinal, quantity};
use clock::{clock, part_of_day};
use date::dated;
use edge::{edge, half_month};
use feast::holiday;
use tables::{CONNECTORS, FIXED};
use weekday::weekdays;

pub(crate) use numeric::numeric_date;
pub(crate) use weekday::weekday;

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

/// The place after a bracket with nothing but the weekday in it: (三).
pub(crate) fn weekday_gloss(chars: &[char], at: usize) -> Option<usize> {
    let (_, end) = weekday::weekday_name(Cursor { chars, at }.eat("(")?)?;
    end.eat(")").map(|end| end.at)
}

/// Whether what was said to begin has gone on: 从上周五就开始咳嗽.
pub(crate) fn goes_on_since(chars: &[char], at: usize) -> bool {
    Cursor { chars, at }.blanks().eat_any(&["就", "便", "一直", "都在"]).is_some()
}

/// The place after the title that begins there: 《一九八四》 is no year.
pub(crate) fn title(chars: &[char], at: usize) -> Option<usize> {
    const LONGEST: usize = 40;
    let inside = Cursor { chars, at }.eat("《")?;
    let close = inside.rest().iter().take(LONGEST).position(|c| *c == '》')?;
    Some(inside.at + close + 1)
}

/// Whether two numbers are held against each other there: 比分21:15, 比例是3:10.
pub(crate) fn is_ratio(chars: &[char], at: usize) -> bool {
    const FAR: usize = 5;
    let before = &chars[at.saturating_sub(FAR)..at];
    before
        .windows(2)
        .any(|two| matches!(two, ['比', '分' | '例' | '是' | '为'] | ['打', '成'] | ['稀', '释']))
        || before.last() == Some(&'按')
}

/// Whether what stands before a place makes it one of many: 每周一.
pub(crate) fn is_recurring(chars: &[char], at: usize) -> bool {
    let before = &chars[at.saturating_sub(2)..at];
    before.ends_with(&['每'])
        || matches!(before, ['每', '个' | '逢' | '天' | '日' | '晚' | '周' | '月' | '年'])
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

/// 冬 in 1985年冬.
fn short_season(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let season = ["春", "夏", "秋", "冬"].iter().position(|name| cursor.eat(name).is_some())?;
    let end = cursor.skip(1);
    let alone = begun.year.is_some()
        && begun.within.is_none()
        && !end.peek().is_some_and(|c| "节至分令装泳瓜衣虫游".contains(c));
    alone.then(|| (vec![Piece::Season(season as u8 + 1)], end.at))
}

/// 这个时候 in 去年这个时候.
fn same_time(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let elsewhere = begun.year.is_some() || begun.is_dated();
    let names = ["这个时候", "这时候", "这个时间", "这会儿", "此时", "同期", "同一时间", "同一天", "同日"];
    one(Piece::SameTime, cursor.eat_any(&names).filter(|_| elsewhere)?)
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
    // 下周期 is none of the calendar.
    if counted.eat_any(&["周期", "周刊", "周报"]).is_some() {
        return None;
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
        // 后天性 is no day.
        if cursor.eat("后天").is_some()
            && end.at - cursor.at == 2
            && end.eat_any(&["性", "努力", "因素", "培养", "形成", "失调", "养成"]).is_some()
        {
            return None;
        }
        // 上周五当天 and 中秋当晚 are of the day that was named.
        let of_that_day = cursor.eat("当").is_some()
            && (begun.day.is_some()
                || begun.weekday.is_some()
                || matches!(begun.within, Some(Within::Holiday(_) | Within::LunarEve)));
        let pieces =
            pieces.iter().copied().filter(|piece| !of_that_day || !matches!(piece, Piece::DayRel(0)));
        return Some((pieces.collect(), end.at));
    }
    if let Some(parsed) = half_month(cursor, begun).or_else(|| short_season(cursor, begun)) {
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
    // 昨天后来 is still yesterday.
    if cursor.eat("后").is_some()
        && end.at - cursor.at == 1
        && end.peek().is_some_and(|c| "来悔果面边续".contains(c))
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
        // 至今年2月 does not go on until now.
        tables::Connector::Since
            if cursor.eat("至今").is_some() && end.peek().is_some_and(|c| "年天晨晚早日夜".contains(c)) =>
        {
            return Some((Word::To, cursor.skip(1).at));
        }
        tables::Connector::Since if begun_something => Word::Since,
        tables::Connector::Ever => Word::Since,
        tables::Connector::Close => Word::Close,
        _ => return None,
    };
    Some((word, end.at))
}
