//! Number words: Chinese numerals of every style, English ones up to the thousands.

/// A Chinese numeral at the beginning of a text.
pub(crate) struct Numeral {
    pub(crate) value: f64,
    /// How many characters and bytes it has.
    pub(crate) digits: usize,
    pub(crate) length: usize,
}

/// Longer rows of numerals are no number.
const LONGEST: usize = 24;

fn digit(c: char) -> Option<f64> {
    Some(match c {
        '零' | '〇' => 0.0,
        '一' | '壹' => 1.0,
        '二' | '两' | '兩' | '贰' | '貳' => 2.0,
        '三' | '叁' => 3.0,
        '四' | '肆' => 4.0,
        '五' | '伍' => 5.0,
        '六' | '陆' | '陸' => 6.0,
        '七' | '柒' => 7.0,
        '八' | '捌' => 8.0,
        '九' | '玖' => 9.0,
        _ => return None,
    })
}

fn power(c: char) -> Option<f64> {
    Some(match c {
        '十' | '拾' => 10.0,
        '百' | '佰' => 100.0,
        '千' | '仟' => 1000.0,
        _ => return None,
    })
}

fn myriad(c: char) -> Option<f64> {
    Some(match c {
        '万' | '萬' => 1e4,
        '亿' | '億' => 1e8,
        _ => return None,
    })
}

/// The powers after digits (`3.5万`, `2千`, `20k`) and how many bytes they take.
pub(crate) fn scale(rest: &str) -> (f64, usize) {
    let mut scale = 1.0;
    let mut length = 0;
    for c in rest.chars().take(2) {
        let Some(factor) = power(c).or_else(|| myriad(c)) else { break };
        scale *= factor;
        length += c.len_utf8();
    }
    let mut chars = rest.chars();
    if length == 0 && chars.next() == Some('k') && !chars.next().is_some_and(|c| c.is_ascii_alphanumeric()) {
        return (1000.0, 1);
    }
    (scale, length)
}

/// Reads the Chinese numeral at the beginning of `text`.
pub(crate) fn read(text: &str) -> Option<Numeral> {
    let chars: Vec<char> = text
        .chars()
        .take(LONGEST)
        .take_while(|&c| digit(c).is_some() || power(c).is_some() || myriad(c).is_some())
        .collect();
    let first = *chars.first()?;
    // 万 and 亿 by themselves begin words, not numbers.
    if myriad(first).is_some() {
        return None;
    }
    let length = chars.iter().map(|c| c.len_utf8()).sum();
    let positional = chars.len() > 1 && chars.iter().all(|&c| digit(c).is_some());
    let value = if positional {
        chars.iter().filter_map(|&c| digit(c)).fold(0.0, |value, digit| value * 10.0 + digit)
    } else {
        structured(&chars)
    };
    Some(Numeral { value, digits: chars.len(), length })
}

/// 两亿三千万, 二千零五, 两万五 (25,000: the last digit has the power after the one before it).
fn structured(chars: &[char]) -> f64 {
    let (mut total, mut section, mut pending) = (0.0, 0.0, None);
    let mut last_power = 1.0;
    let mut after_zero = false;
    for &c in chars {
        if let Some(value) = digit(c) {
            after_zero = value == 0.0;
            pending = Some(value);
        } else if let Some(power) = power(c) {
            section += pending.take().unwrap_or(1.0) * power;
            last_power = power;
            after_zero = false;
        } else if let Some(myriad) = myriad(c) {
            let count = section + pending.take().unwrap_or(0.0);
            total =
                if total > 0.0 && total < myriad { (total + count) * myriad } else { total + count * myriad };
            section = 0.0;
            last_power = myriad;
            after_zero = false;
        }
    }
    let short = last_power > 10.0 && !after_zero && !follows_zero(chars);
    let last = pending.unwrap_or(0.0) * if short { last_power / 10.0 } else { 1.0 };
    total + section + last
}

fn follows_zero(chars: &[char]) -> bool {
    chars.len() >= 2 && chars.get(chars.len() - 2).is_some_and(|&c| digit(c) == Some(0.0))
}

#[rustfmt::skip]
const ENGLISH: &[(&str, f64)] = &[
    ("a dozen", 12.0), ("half a dozen", 6.0), ("half an", 0.5), ("half a", 0.5), ("one", 1.0), ("two", 2.0),
    ("three", 3.0), ("four", 4.0), ("five", 5.0), ("six", 6.0), ("seven", 7.0), ("eight", 8.0),
    ("nine", 9.0), ("ten", 10.0), ("eleven", 11.0), ("twelve", 12.0), ("thirteen", 13.0),
    ("fourteen", 14.0), ("fifteen", 15.0), ("sixteen", 16.0), ("seventeen", 17.0), ("eighteen", 18.0),
    ("nineteen", 19.0), ("twenty", 20.0), ("thirty", 30.0), ("forty", 40.0), ("fifty", 50.0),
    ("sixty", 60.0), ("seventy", 70.0), ("eighty", 80.0), ("ninety", 90.0),
];

/// Reads English number words at the beginning of `text`: `two`, `twenty-five`, `three hundred`.
pub(crate) fn english(text: &str) -> Option<(f64, usize)> {
    let (mut value, mut length) = one_word(text)?;
    if value >= 20.0
        && let Some((ones, more)) =
            text.get(length..).and_then(|rest| rest.strip_prefix(['-', ' '])).and_then(one_word)
        && (1.0..10.0).contains(&ones)
    {
        value += ones;
        length += 1 + more;
    }
    for (word, factor) in [(" hundred", 100.0), (" thousand", 1e3), (" million", 1e6)] {
        if text.get(length..length + word.len()).is_some_and(|next| next.eq_ignore_ascii_case(word)) {
            value *= factor;
            length += word.len();
        }
    }
    Some((value, length))
}

fn one_word(text: &str) -> Option<(f64, usize)> {
    let ends = |length: usize| !text.as_bytes().get(length).is_some_and(u8::is_ascii_alphanumeric);
    ENGLISH
        .iter()
        .find(|(word, _)| {
            text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)) && ends(word.len())
        })
        .map(|(word, value)| (*value, word.len()))
}
