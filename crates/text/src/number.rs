use std::ops::Range;

use crate::numeral;

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Byte range of the number with its unit.
    pub span: Range<usize>,
    /// Its value: 35000 for `3.5万`, 0.5 for `50%`, 12 for `a dozen`.
    pub value: f64,
    /// What is counted or measured, as it stands in the text: `元`, `岁`, `km`, `%`; empty when nothing is named.
    pub unit: String,
}

/// Units after which Chinese numerals and digits count something. Longer ones first where one begins another.
#[rustfmt::skip]
const CHINESE_UNITS: &[&str] = &[
    "平方米", "公里", "千米", "厘米", "毫米", "公斤", "千克", "毫升", "毫克", "小时", "分钟", "星期",
    "礼拜", "个月", "块钱", "美元", "欧元", "日元", "人民币", "英里", "英寸", "楼层", "度", "元", "块",
    "角", "岁", "年", "月", "日", "号", "天", "周", "点", "分", "秒", "个", "只", "条", "本", "次", "位",
    "名", "人", "家", "斤", "克", "吨", "米", "升", "杯", "瓶", "片", "粒", "颗", "件", "套", "台", "部",
    "辆", "张", "首", "篇", "页", "章", "集", "层", "间", "门", "届", "级", "倍", "遍", "回", "场", "顿",
    "碗", "份", "口", "步", "圈", "公升", "寸", "尺", "亩", "单", "道", "种", "双", "盒", "袋", "根", "枚",
    "头", "匹",
];

#[rustfmt::skip]
const ENGLISH_UNITS: &[&str] = &[
    "am", "bottles", "cats", "centimeters", "children", "cm", "cups", "days", "day", "degrees", "dogs",
    "dollars", "euros", "feet", "ft", "gb", "grams", "hours", "hour", "inches", "kg", "kids", "kilograms",
    "kilometers", "km", "lbs", "liters", "mb", "mg", "miles", "mile", "minutes", "minute", "ml", "months",
    "month", "nights", "oz", "people", "percent", "pieces", "pm", "pounds", "seconds", "times", "usd",
    "weeks", "week", "years", "year", "yuan",
];

/// Words that look like a numeral with a unit and count nothing.
const NO_NUMBERS: &[&str] =
    &["一点", "十分", "千万", "万一", "一块", "一道", "一度", "一家", "一口", "一下", "一号", "百度"];

/// The numbers of `text` with their units, in order: digits (`3,500`, `1.5万`, `50%`, `$20`), Chinese numerals (三十五岁,
/// 百分之五, 二〇二五年) and English number words before a unit (`two weeks`).
///
/// A single Chinese numeral counts when a unit follows it: 一 is far more often a part of a word.
///
/// ```
/// let all = memoir_text::numbers("预算3.5万元，住 two weeks");
/// assert_eq!((all[0].value, all[0].unit.as_str()), (35_000.0, "元"));
/// assert_eq!((all[1].value, all[1].unit.as_str()), (2.0, "weeks"));
/// ```
pub fn numbers(text: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(number) = digits(rest, before).or_else(|| han(rest)).or_else(|| words(rest, before)) {
            let end = number.span.end.max(1);
            before = rest.get(..end).and_then(|read| read.chars().next_back()).unwrap_or(' ');
            numbers.push(Number { span: at..at + end, ..number });
            at += end;
            continue;
        }
        before = rest.chars().next().unwrap_or(' ');
        at += before.len_utf8();
    }
    numbers
}

/// Digits with a currency before them or a unit after them.
fn digits(rest: &str, before: char) -> Option<Number> {
    let signs = ['$', '€', '£', '¥', '￥'];
    let (currency, body) = match rest.chars().next() {
        Some(sign) if signs.contains(&sign) => (Some(sign), rest.get(sign.len_utf8()..)?),
        _ => (None, rest),
    };
    let inside_word = before.is_ascii_alphanumeric() || before == '.' || before == '_';
    if !body.starts_with(|c: char| c.is_ascii_digit()) || (inside_word && currency.is_none()) {
        return None;
    }
    let (value, length) = plain(body);
    let (scale, scaled) = numeral::scale(body.get(length..)?);
    let length = length + scaled;
    let (unit, with_unit) = match currency {
        Some(sign) => (sign.to_string(), length),
        None => unit(body, length),
    };
    let value = value * scale * if unit == "%" { 0.01 } else { 1.0 };
    Some(Number { span: 0..rest.len() - body.len() + with_unit, value, unit })
}

/// `1,234.5` and how many bytes it takes. A comma belongs to it before exactly three digits.
fn plain(body: &str) -> (f64, usize) {
    let bytes = body.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut text = String::new();
    let (mut end, mut point) = (0, false);
    loop {
        if is_digit(end) {
            text.push(char::from(bytes.get(end).copied().unwrap_or(b'0')));
        } else if bytes.get(end) == Some(&b',')
            && !point
            && (1..=3).all(|i| is_digit(end + i))
            && !is_digit(end + 4)
        {
            // The comma is not part of the value.
        } else if bytes.get(end) == Some(&b'.') && !point && is_digit(end + 1) {
            point = true;
            text.push('.');
        } else {
            return (text.parse().unwrap_or(0.0), end);
        }
        end += 1;
    }
}

fn han(rest: &str) -> Option<Number> {
    let percent = rest.strip_prefix("百分之");
    let body = percent.unwrap_or(rest);
    let numeral = numeral::read(body)?;
    if percent.is_some() {
        let end = rest.len() - body.len() + numeral.length;
        return Some(Number { span: 0..end, value: numeral.value / 100.0, unit: "%".to_owned() });
    }
    let (unit, end) = unit(body, numeral.length);
    let counts = !unit.is_empty() || numeral.digits > 1;
    let idiom = NO_NUMBERS.iter().any(|word| rest.starts_with(word));
    (counts && !idiom).then_some(Number { span: 0..end, value: numeral.value, unit })
}

fn words(rest: &str, before: char) -> Option<Number> {
    if before.is_alphanumeric() || !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (value, length) = numeral::english(rest)?;
    let (unit, end) = unit(rest, length);
    (!unit.is_empty()).then_some(Number { span: 0..end, value, unit })
}

/// The unit after the first `length` bytes of `body`, and where it ends.
fn unit(body: &str, length: usize) -> (String, usize) {
    let none = (String::new(), length);
    let Some(after) = body.get(length..) else { return none };
    if after.starts_with(['%', '％']) {
        return ("%".to_owned(), length + after.chars().next().map_or(1, char::len_utf8));
    }
    if let Some(unit) = CHINESE_UNITS.iter().find(|unit| after.starts_with(**unit)) {
        return ((*unit).to_owned(), length + unit.len());
    }
    let blank = after.len() - after.trim_start_matches([' ', '-']).len();
    if blank > 1 {
        return none;
    }
    let word: String = after.chars().skip(blank).take(12).take_while(char::is_ascii_alphabetic).collect();
    let lower = word.to_ascii_lowercase();
    if ENGLISH_UNITS.contains(&lower.as_str()) { (lower, length + blank + word.len()) } else { none }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_style_have_their_value_and_unit() {
        let cases: &[(&str, f64, &str)] = &[
            ("3,500元", 3500.0, "元"),
            ("1.5万块", 15_000.0, "块"),
            ("三十五岁", 35.0, "岁"),
            ("两千零二十米", 2020.0, "米"),
            ("一百二十个", 120.0, "个"),
            ("二〇二五年", 2025.0, "年"),
            ("两亿三千万元", 230_000_000.0, "元"),
            ("百分之五十", 0.5, "%"),
            ("50%", 0.5, "%"),
            ("$20", 20.0, "$"),
            ("two weeks", 2.0, "weeks"),
            ("twenty-five miles", 25.0, "miles"),
            ("10 km", 10.0, "km"),
            ("十二", 12.0, ""),
            ("两万五", 25_000.0, ""),
        ];
        for (text, value, unit) in cases {
            let found = numbers(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!((found[0].value - value).abs() < 1e-9, "{text}: {found:?}");
            assert_eq!(found[0].unit, *unit, "{text}");
            assert_eq!(found[0].span, 0..text.len(), "{text}");
        }
    }

    #[test]
    fn numerals_inside_words_count_nothing() {
        for text in ["一起去吧，一定很好", "十分开心", "万一下雨", "one of them", "iphone15", "千万别去"]
        {
            assert!(numbers(text).is_empty(), "{text}: {:?}", numbers(text));
        }
    }

    #[test]
    fn several_numbers_are_read_one_by_one() {
        let values: Vec<f64> = numbers("1,000和2.5，三个人，4,5").iter().map(|number| number.value).collect();
        assert_eq!(values, [1000.0, 2.5, 3.0, 4.0, 5.0]);
    }
}
