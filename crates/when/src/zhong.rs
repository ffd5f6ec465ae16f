//! Chinese words of time.

mod tables;

use crate::assemble::Word;
use crate::calendar::Unit;
use crate::frame::{Day, Frame, Within};
use crate::holiday::HOLIDAYS;
use crate::numeral::{self, Numeral};
use crate::piece::{Clock, Edge, Part, Piece};
use tables::{CONNECTORS, FIXED, PARTS};

/// What stands at a place, given what was said before it.
pub(crate) fn word(chars: &[char], at: usize, begun: &Frame) -> Option<(Word, usize)> {
    let cursor = Cursor { chars, at };
    if let Some((pieces, end)) = pieces(cursor, begun) {
        return Some((Word::Pieces(pieces), end - at));
    }
    connector(cursor, begun).map(|(word, end)| (word, end - at))
}

/// A place in a text.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    chars: &'a [char],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(self) -> &'a [char] {
        self.chars.get(self.at..).unwrap_or_default()
    }

    fn peek(self) -> Option<char> {
        self.rest().first().copied()
    }

    fn skip(self, count: usize) -> Self {
        Cursor { at: self.at + count, ..self }
    }

    /// Passes blanks.
    fn blanks(self) -> Self {
        self.skip(self.rest().iter().take_while(|c| **c == ' ').count())
    }

    /// Passes a text.
    fn eat(self, text: &str) -> Option<Self> {
        let mut next = self;
        for c in text.chars() {
            if next.peek() != Some(c) {
                return None;
            }
            next = next.skip(1);
        }
        Some(next)
    }

    /// Passes the first of these texts that is there.
    fn eat_any(self, texts: &[&str]) -> Option<Self> {
        texts.iter().find_map(|text| self.eat(text))
    }

    /// Passes one of these texts if it is there.
    fn maybe(self, texts: &[&str]) -> Self {
        self.eat_any(texts).unwrap_or(self)
    }

    fn number(self) -> Option<(Numeral, Self)> {
        let numeral = numeral::any(self.rest())?;
        Some((numeral, self.skip(numeral.len)))
    }
}

type Parsed = (Vec<Piece>, usize);

fn one(piece: Piece, end: Cursor<'_>) -> Option<Parsed> {
    Some((vec![piece], end.at))
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
    if !cursor.peek().is_some_and(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)) {
        return None;
    }
    let names = HOLIDAYS
        .iter()
        .enumerate()
        .flat_map(|(number, holiday)| holiday.names.iter().map(move |name| (number, *name)));
    let longest =
        names.filter_map(|(number, name)| Some((number, cursor.eat(name)?))).max_by_key(|(_, end)| end.at);
    let (number, end) = longest?;
    // 十一点 and 五一二 are no holidays.
    if end.peek().is_some_and(|next| matches!(next, '点' | '月' | '号' | '日' | '岁' | '个'))
        && end.at - cursor.at == 2
    {
        return None;
    }
    one(Piece::Holiday(number), end)
}

/// 2015-03-04, 2015.3, 3/4, 20150304.
fn numeric_date(cursor: Cursor<'_>) -> Option<Parsed> {
    let (first, mut next) = {
        let numeral = numeral::arabic(cursor.rest())?;
        (numeral, cursor.skip(numeral.len))
    };
    if first.len == 8 {
        let (year, month, day) = (first.value / 10_000, first.value / 100 % 100, first.value % 100);
        return date(year, month, day).map(|pieces| (pieces, next.at));
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
    let next = next.maybe(&["日", "号"]);
    // 2021-09-12-11:23.
    let next = next
        .eat("-")
        .filter(|after| {
            numbers.len() == 3
                && numeral::arabic(after.rest()).is_some_and(|hour| after.skip(hour.len).peek() == Some(':'))
        })
        .unwrap_or(next);
    let values: Vec<i64> = numbers.iter().map(|number| number.value).collect();
    let pieces = match (values.as_slice(), numbers[0].len, numbers.last()?.len) {
        ([year, month, day], 4, _) => date(*year, *month, *day)?,
        ([a, b, year], _, 4) => if *a > 12 || separator == '.' || separator == '-' {
            date(*year, *b, *a)
        } else {
            date(*year, *a, *b)
        }
        .or_else(|| date(*year, *a, *b))
        .or_else(|| date(*year, *b, *a))?,
        ([a, b, c], 2, 2) if separator == '-' => {
            date(short_year(*a), *b, *c).or_else(|| date(short_year(*c), *a, *b))?
        }
        ([a, b, c], 1, 2) if separator == '-' => date(short_year(*c), *a, *b)?,
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
        ([month, day], 1 | 2, 1 | 2)
            if matches!(separator, '/' | '-') && (1..=12).contains(month) && (1..=31).contains(day) =>
        {
            if next.eat_any(&["月", "天", "年", "个", "点", "分", "小时", "周"]).is_some()
                || (separator == '-' && numbers[0].len < 2)
            {
                return None;
            }
            vec![Piece::Month(*month as u8), Piece::Day(*day as u8)]
        }
        _ => return None,
    };
    Some((pieces, next.at))
}

fn date(year: i64, month: i64, day: i64) -> Option<Vec<Piece>> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let year = i16::try_from(year).ok().filter(|year| *year > 0)?;
    jiff::civil::Date::new(year, month, day).ok()?;
    Some(vec![Piece::Year(year), Piece::Month(month as u8), Piece::Day(day as u8)])
}

/// The year that two digits mean.
fn short_year(value: i64) -> i64 {
    match value {
        0..=40 => 2000 + value,
        41..=99 => 1900 + value,
        other => other,
    }
}

/// 12:30, 三点半, 20时1刻, 3点零五.
fn clock(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
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
        let next = next.maybe(&["时", "分", "秒"]);
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
    let marked = after.blanks().eat_any(&["点钟", "点整", "点", "时"])?;
    if after.blanks().eat("时").is_some() && marked.eat_any(&["候", "间", "代", "期"]).is_some() {
        return None;
    }
    if after.blanks().eat("点").is_some()
        && marked.eat_any(&["儿", "事", "东西", "意见"]).is_some()
        && begun.part.is_none()
    {
        return None;
    }
    let (mut minute, mut second, mut next) = (None, None, marked);
    if let Some(end) = marked.eat_any(&["半", "搭半"]) {
        (minute, next) = (Some(30), end);
    } else if let Some((quarters, end)) = marked
        .maybe(&["过"])
        .number()
        .and_then(|(n, end)| Some((n, end.eat_any(&["刻钟", "刻"])?)))
        .filter(|(n, _)| (1..=3).contains(&n.value))
    {
        (minute, next) = (Some(quarters.value as i8 * 15), end);
    } else if let Some((steps, end)) =
        marked.eat_any(&["搭", "踏"]).and_then(Cursor::number).filter(|(n, _)| (1..=11).contains(&n.value))
    {
        (minute, next) = (Some(steps.value as i8 * 5), end);
    } else if let Some((minutes, end)) =
        marked.maybe(&["零", "过", "〇"]).number().filter(|(n, _)| n.value < 60)
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
        next = marked.maybe(&["整", "正", "钟"]);
    }
    one(Piece::Clock(Clock { hour: hour_value, minute, second, pm: None }), next)
}

fn unit(cursor: Cursor<'_>) -> Option<(Unit, Cursor<'_>)> {
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
fn quantity(cursor: Cursor<'_>) -> Option<(i64, Unit, bool, Cursor<'_>)> {
    if let Some(next) = cursor.eat("半") {
        let (unit, next) = unit(next.maybe(&["个"]).blanks())?;
        return Some((0, unit, true, next));
    }
    let (count, next) = match cursor.eat_any(&["几", "数"]) {
        Some(next) => (3, next),
        None => {
            let (numeral, next) = cursor.number()?;
            (numeral.value, next)
        }
    };
    let next = next.maybe(&["多", "几", "来"]).blanks().maybe(&["个"]).blanks();
    let (half, next) = match next.eat("半") {
        Some(next) => (true, next),
        None => (false, next),
    };
    let (unit, next) = unit(next)?;
    let (half, next) = match next.eat("半").filter(|end| end.eat_any(&["年", "月", "天"]).is_none()) {
        Some(end) => (true, end),
        None => (half, next),
    };
    Some((count, unit, half, next))
}

/// 三天前, 过去两周, 未来5年, 近三个月, 再过半小时.
fn amount(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
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
                let end = end.maybe(&["之内", "以内", "内", "里", "来", "间", "时间", "中"]);
                let whole = matches!(*opening, "上" | "下")
                    || (unit <= Unit::WorkDay
                        && (matches!(*opening, "前" | "后") || (coming && unit == Unit::Day)));
                return one(Piece::Span { count, unit, half, coming, whole }, end);
            }
        }
        if let Some((count, unit, half, end)) =
            cursor.eat_any(&["再过", "过"]).and_then(|next| quantity(next.blanks()))
        {
            return one(Piece::Offset { count, unit, half, later: true }, end.maybe(&["之后", "以后", "后"]));
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
    if let Some(end) = closed.eat_any(&["之前", "以前", "前"]) {
        return one(Piece::Offset { count, unit, half, later: false }, end);
    }
    if let Some(end) = closed.eat_any(&["之后", "以后", "过后", "后"]) {
        return one(Piece::Offset { count, unit, half, later: true }, end);
    }
    if let Some(end) = closed.eat_any(&["之内", "以内", "内"]) {
        return one(Piece::Span { count, unit, half, coming: true, whole: false }, end);
    }
    if let Some(end) = closed.eat_any(&["以来", "来"]).filter(|_| !matches!(unit, Unit::Day) || count > 1)
    {
        return one(Piece::Span { count, unit, half, coming: false, whole: false }, end);
    }
    None
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
    let counted = next.maybe(&["一个", "个", "一"]);
    if let Some(end) = counted.eat_any(&["周末", "星期末", "礼拜末"]) {
        return one(Piece::Weekend(by), end);
    }
    if let Some(end) = counted.eat_any(&["周", "星期", "礼拜"]) {
        let mut pieces = vec![Piece::WeekRel(by)];
        let mut end = end;
        let named = end.maybe(&["的", "的星期", "的周"]);
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

fn weekday_name(cursor: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    let day = match cursor.peek()? {
        '一' | '1' => 0,
        '二' | '2' => 1,
        '三' | '3' => 2,
        '四' | '4' => 3,
        '五' | '5' => 4,
        '六' | '6' => 5,
        '日' | '天' | '7' => 6,
        _ => return None,
    };
    let next = cursor.skip(1);
    // 周三十 and 周五百 are no days; nor is 周1234.
    if next.peek().is_some_and(|c| matches!(c, '十' | '百' | '年' | '月' | '个') || c.is_ascii_digit()) {
        return None;
    }
    Some((day, next))
}

fn weekday(cursor: Cursor<'_>) -> Option<Parsed> {
    let next = cursor.eat_any(&["星期", "礼拜", "周"])?;
    if let Some(end) = next.eat("末") {
        return one(Piece::WeekendBare, end);
    }
    let (day, end) = weekday_name(next)?;
    one(Piece::Weekday(day), end)
}

fn fixed(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let c = cursor.peek()?;
    let known = FIXED.iter().filter(|(name, _)| name.starts_with(c));
    let longest =
        known.filter_map(|(name, pieces)| Some((cursor.eat(name)?, *pieces))).max_by_key(|(end, _)| end.at);
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
        let Some((edge, end)) = cursor.eat(word).and_then(edge) else { continue };
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
    const EDGES: [(&str, Edge); 19] = [
        ("伊始", Edge::Begin),
        ("初期", Edge::Begin),
        ("前期", Edge::Begin),
        ("早期", Edge::Begin),
        ("开始", Edge::Begin),
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

/// 第三周, 最后五天, 前两天 (of what was named), 第一个周二.
fn ordinal(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let contained = begun.year.is_some() || begun.within.is_some() || begun.week.is_some();
    let cursor = cursor.maybe(&["的"]);
    if let Some((number, next)) = cursor.eat("第").and_then(|next| next.blanks().number()) {
        return nth(number.value, next.blanks().maybe(&["个"]).blanks());
    }
    if let Some(next) = cursor.eat_any(&["最后", "最後", "末"]).map(Cursor::blanks).filter(|_| contained)
    {
        let single = next.maybe(&["一个", "一", "个"]);
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

fn nth(number: i64, next: Cursor<'_>) -> Option<Parsed> {
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

/// 2015年, 九十年代, 三月, 15号, 一季度, 初一.
fn dated(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if let Some((number, end)) =
        cursor.eat("q").and_then(Cursor::number).filter(|(n, _)| (1..=4).contains(&n.value))
    {
        return one(Piece::Quarter(number.value as u8), end.maybe(&["季度", "季"]));
    }
    for (name, month) in [("正月", 1), ("冬月", 11), ("腊月", 12)] {
        if let Some(end) = cursor.eat(name) {
            let mut pieces = vec![Piece::LunarMonth(month)];
            let mut end = end;
            if let Some((day, after)) =
                end.maybe(&["初"]).number().filter(|(n, _)| (1..=30).contains(&n.value))
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
        && matches!(begun.within, Some(Within::Month(_)))
    {
        return one(Piece::LunarDay(day.value as u8), end);
    }
    let (number, next) = cursor.number()?;
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
        return one(Piece::Year(i16::try_from(year).ok()?), end.maybe(&["度"]));
    }
    if (1..=12).contains(&number.value)
        && let Some(end) = next.eat_any(&["月份", "月"])
    {
        if end.eat_any(&["经", "饼", "子", "薪", "嫂"]).is_some() {
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
        if end.eat_any(&["线", "楼", "院", "桌", "称", "码", "子", "店", "元", "均"]).is_some() {
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
    if let Some((second, end)) = next.eat_any(&["-", "到", "至"]).and_then(|next| next.maybe(&["-"]).number())
        && end.blanks().eat("月").is_some()
        && (1..=12).contains(&number.value)
        && second.value <= 12
    {
        return one(Piece::Month(number.value as u8), cursor.skip(number.len));
    }
    if let Some((second, end)) = next.eat_any(&["-", "到", "至"]).and_then(|next| next.maybe(&["-"]).number())
        && end.blanks().eat_any(&["号", "日"]).is_some()
        && (1..=31).contains(&number.value)
        && second.value <= 31
    {
        return one(Piece::Day(number.value as u8), cursor.skip(number.len));
    }
    None
}

fn part_of_day(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let c = cursor.peek()?;
    let longest = PARTS
        .iter()
        .filter(|(name, _)| name.starts_with(c))
        .filter_map(|(name, part)| Some((*name, cursor.eat(name)?, *part)))
        .max_by_key(|(_, end, _)| end.at);
    let (name, end, part) = longest?;
    // A single 早 or 晚 is a part of the day only after a day.
    if name.chars().count() == 1 {
        let after_day = matches!(begun.day, Some(Day::Of(_) | Day::Rel(_))) || begun.weekday.is_some();
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

/// Used by the tables.
pub(crate) const fn day_part(by: i32, part: Part) -> [Piece; 2] {
    [Piece::DayRel(by), Piece::Part(part)]
}
