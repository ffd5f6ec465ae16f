//! Amounts of time, and the first, the third, the last of something.

use super::weekday::weekday_name;
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
pub(super) struct Quantity<'a> {
    /// The least that is meant.
    pub(super) count: i64,
    /// How many more it may be: 三四天, 十几天, 一个多月.
    more: i64,
    pub(super) unit: Unit,
    half: bool,
    pub(super) end: Cursor<'a>,
}

impl Quantity<'_> {
    /// The most that is meant.
    fn most(&self) -> i64 {
        self.count + self.more
    }

    fn offset(&self, later: bool) -> Piece {
        Piece::Offset { count: self.count, unit: self.unit, half: self.half, later }
    }

    fn span(&self, coming: bool, measure: Measure) -> Piece {
        Piece::Span { count: self.most(), unit: self.unit, half: self.half, coming, measure }
    }
}

pub(super) fn quantity(cursor: Cursor<'_>) -> Option<Quantity<'_>> {
    for (name, count, unit) in
        [("大半年", 7, Unit::Month), ("小半年", 4, Unit::Month), ("大半个月", 18, Unit::Day)]
    {
        if let Some(end) = cursor.eat(name) {
            return Some(Quantity { count, more: 2, unit, half: false, end });
        }
    }
    if let Some(next) = cursor.eat("半") {
        let (unit, end) = unit(next.maybe_eat(&["个多", "个"]).blanks())?;
        return Some(Quantity { count: 0, more: 0, unit, half: true, end: end.maybe_eat(&["多"]) });
    }
    let (count, mut more, next) = match cursor.eat_any(&["几", "数"]) {
        Some(next) => (3, 0, next),
        None => match cursor.guess() {
            Some((less, more, next)) => (less, more - less, next),
            None => {
                let (numeral, next) = cursor.number()?;
                (numeral.value, 0, next)
            }
        },
    };
    // 1.5小时.
    let (half, next) = next.eat(".5").map_or((false, next), |end| (true, end));
    // 十几天 and 二十多天 end before the next ten.
    if next.eat_any(&["多", "几", "余"]).is_some() && count % 10 == 0 && count > 0 {
        more = 9;
    }
    let next = next.maybe_eat(&["多", "几", "来", "余"]).blanks();
    let next = match next.eat("个") {
        Some(end) => end.eat("多").inspect(|_| more = 1).unwrap_or(end),
        None => next,
    };
    let next = next.blanks();
    let (half, next) = next.eat("半").map_or((half, next), |end| (true, end));
    // 两个钟 are hours, two clocks in a house are not counted here.
    let hours = next.eat("钟").filter(|end| cursor.chars[next.at - 1] == '个' && end.eat("头").is_none());
    let (unit, next) = hours.map(|end| (Unit::Hour, end)).or_else(|| unit(next))?;
    let (half, next) = match next.eat("半").filter(|end| end.eat_any(&["年", "月", "天"]).is_none()) {
        Some(end) => (true, end),
        None => (half, next),
    };
    // 两年多前.
    let end = next.eat("多").filter(|end| end.peek() != Some('云')).inspect(|_| more = 1).unwrap_or(next);
    Some(Quantity { count, more, unit, half, end })
}

const PAST: [&str; 12] =
    ["过去的", "过去", "最近这", "最近的", "最近", "近", "前面", "这", "前", "上", "之前", "以往"];
const COMING: [&str; 12] = [
    "未来的",
    "未来这",
    "未来",
    "今后",
    "接下来的",
    "接下来这",
    "接下来",
    "往后",
    "下面",
    "后",
    "下",
    "还剩",
];

/// 三天前, 过去两周, 未来5年, 近三个月, 再过半小时.
pub(super) fn amount(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let contained = begun.year.is_some() || begun.within.is_some();
    if !contained && let Some(parsed) = opened(cursor) {
        return Some(parsed);
    }
    let first = quantity(cursor)?;
    // 2015年前 and 6月之前 name a year and a month, 两月前 counts two of them.
    let counted = cursor.rest()[..first.end.at - cursor.at]
        .iter()
        .any(|c| matches!(c, '个' | '两' | '俩' | '仨' | '半'));
    if (first.unit == Unit::Year && first.count > 1000)
        || (first.unit == Unit::Month && !counted && !first.half && (1..=12).contains(&first.count))
        || (first.unit == Unit::Day
            && !first.half
            && cursor.rest()[first.end.at - cursor.at - 1] == '日'
            && contained)
    {
        return None;
    }
    let amounts = and_less(first);
    let closed = amounts.last()?.end.blanks();
    let pieces = |later: bool| {
        let mut pieces: Vec<Piece> = amounts.iter().map(|amount| amount.offset(later)).collect();
        if let [only] = amounts.as_slice()
            && only.more > 0
        {
            pieces.push(Piece::OrMore(only.more));
        }
        pieces
    };
    // 三天后 is a day, 三天以后 all that follows it.
    for (words, later) in [(["之前", "以前", "前"], false), (["之后", "以后", "后"], true)] {
        let Some(end) = closed.eat_any(&words) else { continue };
        let mut pieces = pieces(later);
        if end.at - closed.at > 1 {
            pieces.push(Piece::Onward);
        }
        return Some((pieces, end.at));
    }
    if let Some(end) = closed.eat("过后") {
        return Some((pieces(true), end.at));
    }
    let [only] = amounts.as_slice() else { return None };
    if goes_on(cursor, only, closed) {
        return one(only.span(false, Measure::Moment), only.end);
    }
    if let Some(end) = closed.eat_any(&["之内", "以内", "内"]) {
        return one(only.span(true, Measure::Moment), end);
    }
    let end =
        closed.eat_any(&["以来", "来"]).filter(|_| !matches!(only.unit, Unit::Day) || only.count > 1)?;
    one(only.span(false, Measure::Moment), end)
}

/// Whether something has gone on for so long, or has not been: 咳嗽已经三天了, 两天没睡.
fn goes_on(cursor: Cursor<'_>, amount: &Quantity<'_>, closed: Cursor<'_>) -> bool {
    if amount.unit < Unit::Hour || amount.unit > Unit::Year {
        return false;
    }
    let before = &cursor.chars[cursor.at.saturating_sub(3)..cursor.at];
    let said = ["已经", "已", "持续", "持续了", "连续", "连着", "整整", "足足"];
    let lasting = said.iter().any(|word| before.ends_with(&word.chars().collect::<Vec<_>>()));
    let never = closed.eat("没").is_some_and(|end| end.eat("问题").is_none() && end.eat("关系").is_none());
    never || (lasting && closed.eat("了").is_some())
}

/// An amount and the smaller ones that belong to it: 一小时四十分钟, 两天三小时.
fn and_less(first: Quantity<'_>) -> Vec<Quantity<'_>> {
    const MOST: usize = 4;
    let mut amounts = vec![first];
    while amounts.len() < MOST
        && let Some(last) = amounts.last().filter(|last| !last.half && last.more == 0)
        && let Some(less) =
            quantity(last.end.blanks().maybe_eat(&["零", "又"])).filter(|less| less.unit < last.unit)
    {
        amounts.push(less);
    }
    amounts
}

/// An amount behind a word that says where it lies.
fn opened(cursor: Cursor<'_>) -> Option<Parsed> {
    for (words, coming) in [(&PAST[..], false), (&COMING[..], true)] {
        for opening in words {
            let Some(next) = cursor.eat(opening).map(Cursor::blanks) else { continue };
            let Some(amount) = quantity(next) else { continue };
            let Quantity { count, unit, half, more, end } = amount;
            let loose = matches!(*opening, "这" | "前" | "上" | "后" | "下");
            // 上一周 is last week, 这三天 the last three days.
            if loose
                && (count + more < 2 && !half && !matches!(*opening, "前" | "后")
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
            return one(amount.span(coming, measure), end);
        }
    }
    // 超过三天 and 度过三天 only say how long.
    let after = cursor
        .eat_any(&["再过", "过"])
        .filter(|_| cursor.at == 0 || !matches!(cursor.chars[cursor.at - 1], '超' | '经' | '度'))
        .and_then(|next| quantity(next.blanks()))?;
    let end = after.end.maybe_eat(&["之后", "以后", "后"]);
    Some((vec![after.offset(true), Piece::Onward], end.at))
}

/// 第三周, 最后五天, 前两天 (of what was named), 第一个周二.
pub(super) fn ordinal(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let contained = begun.year.is_some() || begun.within.is_some() || begun.week.is_some();
    let cursor = cursor.maybe_eat(&["的"]);
    if let Some((number, next)) = numbered(cursor) {
        // The third day of nothing is no day.
        return nth(number, next.blanks().maybe_eat(&["个"]).blanks())
            .filter(|(pieces, _)| contained || !matches!(pieces[..], [Piece::DayNth(_)]));
    }
    if let Some(next) = cursor.eat_any(&["最后", "最後", "末"]).map(Cursor::blanks).filter(|_| contained)
    {
        let single = next.maybe_eat(&["一个", "一", "个"]);
        if single.eat_any(&["星期", "礼拜", "周"]).and_then(weekday_name).is_some() {
            return nth(-1, single);
        }
        if let Some(Quantity { count, unit, end, .. }) = quantity(next) {
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
            if let Some(Quantity { count, unit, end, .. }) = quantity(next).filter(|amount| amount.count > 0)
            {
                return one(Piece::Few { last, count, unit }, end);
            }
        }
    }
    None
}

/// 第三, 倒数第二 (from the end), 首个, 头一.
fn numbered(cursor: Cursor<'_>) -> Option<(i64, Cursor<'_>)> {
    if let Some(end) = cursor.eat_any(&["首个", "头一个", "头个"]) {
        return Some((1, end));
    }
    let (number, end) = cursor.maybe_eat(&["倒数"]).eat("第")?.blanks().number()?;
    Some((if cursor.eat("倒数").is_some() { -number.value } else { number.value }, end))
}

pub(super) fn nth(number: i64, next: Cursor<'_>) -> Option<Parsed> {
    if let Some((day, end)) = next.eat_any(&["星期", "礼拜", "周"]).and_then(weekday_name) {
        return one(Piece::WeekdayNth(number, day), end);
    }
    if let Some(end) = next.eat_any(&["周末", "星期末"]) {
        return one(Piece::WeekendNth(number), end);
    }
    let (unit, end) = unit(next)?;
    match unit {
        Unit::Day => one(Piece::DayNth(number), end),
        Unit::Week => one(Piece::WeekNth(number), end),
        Unit::Month => one(Piece::MonthNth(number), end),
        // 第二季 is one of a series.
        Unit::Quarter if (1..=4).contains(&number) && next.eat("季度").is_some() => {
            one(Piece::Quarter(number as u8), end)
        }
        _ => None,
    }
}
