//! Amounts of time, and the first, the third, the last of something.

use super::date::weekday_name;
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::piece::{Measure, Piece};

pub(super) fn unit(cursor: Cursor<'_>) -> Option<(Unit, Cursor<'_>)> {
    const UNITS: [(&str, Unit); 27] = [
        ("秒钟", Unit::Second),
        ("秒", Unit::Second),
        ("分钟", Unit::Minute),
        ("刻钟", Unit::Quarter15),
        ("小时", Unit::Hour),
        ("钟头", Unit::Hour),
        ("点钟", Unit::Hour),
        ("工作日", Unit::WorkDay),
        ("天", Unit::Day),
        ("日", Unit::Day),
        ("晚", Unit::Day),
        ("周末", Unit::Century),
        ("周岁", Unit::Century),
        ("周年", Unit::Year),
        ("周", Unit::Week),
        ("星期", Unit::Week),
        ("礼拜", Unit::Week),
        ("季度", Unit::Quarter),
        ("季", Unit::Quarter),
        ("月", Unit::Month),
        ("年代", Unit::Century),
        ("年级", Unit::Century),
        ("年", Unit::Year),
        ("世纪", Unit::Century),
        ("岁", Unit::Century),
        ("分", Unit::Minute),
        ("载", Unit::Year),
    ];
    UNITS
        .iter()
        .find_map(|(name, unit)| Some((*unit, cursor.eat(name)?)))
        .filter(|(unit, _)| *unit != Unit::Century)
}

/// An amount of a unit: 三天, 两个半月, 半小时, 20多个月.
pub(super) fn quantity(cursor: Cursor<'_>) -> Option<(i64, Unit, bool, Cursor<'_>)> {
    if let Some(next) = cursor.eat("半") {
        let (unit, next) = unit(next.maybe_eat(&["个"]).blanks())?;
        return Some((0, unit, true, next));
    }
    let (count, next) = match cursor.eat_any(&["几", "数"]) {
        Some(next) => (3, next),
        None => match cursor.guess() {
            Some((_, more, next)) => (more, next),
            None => {
                let (numeral, next) = cursor.number()?;
                (numeral.value, next)
            }
        },
    };
    // 1.5小时.
    let (half, next) = next.eat(".5").map_or((false, next), |end| (true, end));
    let next = next.maybe_eat(&["多", "几", "来"]).blanks().maybe_eat(&["个"]).blanks();
    let (half, next) = next.eat("半").map_or((half, next), |end| (true, end));
    // 两个钟 are hours, two clocks in a house are not counted here.
    let hours = next.eat("钟").filter(|end| cursor.chars[next.at - 1] == '个' && end.eat("头").is_none());
    let (unit, next) = hours.map(|end| (Unit::Hour, end)).or_else(|| unit(next))?;
    let (half, next) = match next.eat("半").filter(|end| end.eat_any(&["年", "月", "天"]).is_none()) {
        Some(end) => (true, end),
        None => (half, next),
    };
    Some((count, unit, half, next))
}

/// 三天前, 过去两周, 未来5年, 近三个月, 再过半小时.
pub(super) fn amount(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let contained = begun.year.is_some() || begun.within.is_some();
    const PAST: [&str; 11] =
        ["过去的", "过去", "最近这", "最近", "近", "前面", "这", "前", "上", "之前", "以往"];
    const COMING: [&str; 9] = ["未来的", "未来", "今后", "接下来的", "接下来", "往后", "后", "下", "还剩"];
    if !contained {
        for (words, coming) in [(&PAST[..], false), (&COMING[..], true)] {
            for opening in words {
                let Some(next) = cursor.eat(opening).map(Cursor::blanks) else { continue };
                let Some((count, unit, half, end)) = quantity(next) else { continue };
                let loose = matches!(*opening, "这" | "前" | "上" | "后" | "下");
                // 上一周 is last week, 这三天 the last three days.
                if loose
                    && (count < 2 && !half && !matches!(*opening, "前" | "后")
                        || end.eat_any(&["前", "后", "以前", "以后", "之前", "之后"]).is_some())
                {
                    continue;
                }
                if half && count == 0 && matches!(*opening, "上" | "下") {
                    continue;
                }
                if *opening == "前" && (count, unit, half) == (1, Unit::Day, false) {
                    return one(Piece::DayPrevious, end);
                }
                let end = end.maybe_eat(&["之内", "以内", "内", "里", "来", "间", "时间", "中"]);
                let whole = matches!(*opening, "上" | "下")
                    || (unit <= Unit::WorkDay
                        && (matches!(*opening, "前" | "后") || (coming && unit == Unit::Day)));
                let measure = match *opening {
                    _ if whole => Measure::Units,
                    "前" | "后" => Measure::Days,
                    _ => Measure::Moment,
                };
                return one(Piece::Span { count, unit, half, coming, measure }, end);
            }
        }
        if let Some((count, unit, half, end)) =
            // 超过三天 and 度过三天 only say how long.
            cursor
                .eat_any(&["再过", "过"])
                .filter(|_| cursor.at == 0 || !matches!(cursor.chars[cursor.at - 1], '超' | '经' | '度'))
                .and_then(|next| quantity(next.blanks()))
        {
            let end = end.maybe_eat(&["之后", "以后", "后"]);
            return Some((vec![Piece::Offset { count, unit, half, later: true }, Piece::Onward], end.at));
        }
    }
    let (count, unit, half, end) = quantity(cursor)?;
    // 2015年前 and 6月之前 name a year and a month.
    let counted = cursor.rest()[..end.at - cursor.at].contains(&'个');
    if (unit == Unit::Year && count > 1000)
        || (unit == Unit::Month && !counted && !half && (1..=12).contains(&count))
        || (unit == Unit::Day && !half && cursor.rest()[end.at - cursor.at - 1] == '日' && contained)
    {
        return None;
    }
    let closed = end.blanks();
    // 三天后 is a day, 三天以后 all that follows it.
    for (words, later) in [(["之前", "以前", "前"], false), (["之后", "以后", "后"], true)] {
        let Some(end) = closed.eat_any(&words) else { continue };
        let mut pieces = match cursor.guess() {
            Some((less, ..)) => vec![Piece::Offset { count: less, unit, half, later }, Piece::OrMore],
            None => vec![Piece::Offset { count, unit, half, later }],
        };
        if end.at - closed.at > 1 {
            pieces.push(Piece::Onward);
        }
        return Some((pieces, end.at));
    }
    if let Some(end) = closed.eat("过后") {
        return one(Piece::Offset { count, unit, half, later: true }, end);
    }
    if let Some(end) = closed.eat_any(&["之内", "以内", "内"]) {
        return one(Piece::Span { count, unit, half, coming: true, measure: Measure::Moment }, end);
    }
    if let Some(end) = closed.eat_any(&["以来", "来"]).filter(|_| !matches!(unit, Unit::Day) || count > 1)
    {
        return one(Piece::Span { count, unit, half, coming: false, measure: Measure::Moment }, end);
    }
    None
}

/// 第三周, 最后五天, 前两天 (of what was named), 第一个周二.
pub(super) fn ordinal(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let contained = begun.year.is_some() || begun.within.is_some() || begun.week.is_some();
    let cursor = cursor.maybe_eat(&["的"]);
    if let Some((number, next)) = cursor.eat("第").and_then(|next| next.blanks().number()) {
        // The third day of nothing is no day.
        return nth(number.value, next.blanks().maybe_eat(&["个"]).blanks())
            .filter(|(pieces, _)| contained || !matches!(pieces[..], [Piece::DayNth(_)]));
    }
    if let Some(next) = cursor.eat_any(&["最后", "最後", "末"]).map(Cursor::blanks).filter(|_| contained)
    {
        let single = next.maybe_eat(&["一个", "一", "个"]);
        if single.eat_any(&["星期", "礼拜", "周"]).and_then(weekday_name).is_some() {
            return nth(-1, single);
        }
        if let Some((count, unit, _, end)) = quantity(next) {
            return one(Piece::Few { last: true, count, unit }, end);
        }
        return nth(-1, single);
    }
    if let Some(end) = cursor.eat_any(&["首季度", "首季"]) {
        return one(Piece::Quarter(1), end);
    }
    if contained {
        for (opening, last) in [("前", false), ("头", false), ("首", false), ("后", true), ("末", true)]
        {
            let Some(next) = cursor.eat(opening).map(Cursor::blanks) else { continue };
            if let Some(end) = next.eat("半年") {
                return one(Piece::Half(if last { 2 } else { 1 }), end);
            }
            if let Some((count, unit, _, end)) = quantity(next) {
                return one(Piece::Few { last, count, unit }, end);
            }
        }
    }
    None
}

pub(super) fn nth(number: i64, next: Cursor<'_>) -> Option<Parsed> {
    if let Some((day, end)) = next.eat_any(&["星期", "礼拜", "周"]).and_then(weekday_name) {
        return one(Piece::WeekdayNth(number, day), end);
    }
    let (unit, end) = unit(next)?;
    match unit {
        Unit::Day => one(Piece::DayNth(number), end),
        Unit::Week => one(Piece::WeekNth(number), end),
        Unit::Month => one(Piece::MonthNth(number), end),
        Unit::Quarter if (1..=4).contains(&number) => one(Piece::Quarter(number as u8), end),
        _ => None,
    }
}
