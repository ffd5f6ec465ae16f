//! Numbers as people write them.

/// A number and how it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numeral {
    pub(crate) value: i64,
    /// How many characters it takes.
    pub(crate) len: usize,
    /// How many digits, when it is written digit by digit (2015, 二〇一五).
    pub(crate) digits: usize,
}

fn digit(c: char) -> Option<i64> {
    Some(match c {
        '〇' | '零' | '○' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '俩' | '贰' => 2,
        '三' | '仨' | '叁' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// Digits as they stand.
pub(crate) fn arabic(chars: &[char]) -> Option<Numeral> {
    let len = chars.iter().take(9).take_while(|c| c.is_ascii_digit()).count();
    let value = chars[..len].iter().fold(0, |value, c| value * 10 + i64::from(c.to_digit(10).unwrap_or(0)));
    (len > 0 && len < 9).then_some(Numeral { value, len, digits: len })
}

/// A Chinese number: 三十一, 廿九, 二〇一五, 十, 一百二十.
pub(crate) fn chinese(chars: &[char]) -> Option<Numeral> {
    let run = chars.iter().take(8).take_while(|c| digit(**c).is_some()).count();
    let next = chars.get(run).copied().unwrap_or(' ');
    if run >= 2 && !matches!(next, '十' | '百' | '千') {
        let value = chars[..run].iter().fold(0, |value, c| value * 10 + digit(*c).unwrap_or(0));
        return Some(Numeral { value, len: run, digits: run });
    }
    let (mut total, mut current, mut len, mut seen) = (0, None, 0, false);
    for c in chars.iter().take(12) {
        if let Some(value) = digit(*c) {
            if current.is_some_and(|current| current != 0) {
                break;
            }
            current = Some(value);
        } else {
            let unit = match c {
                '十' => 10,
                '百' => 100,
                '千' => 1000,
                '廿' => 20,
                '卅' => 30,
                _ => break,
            };
            total += if matches!(c, '廿' | '卅') { unit } else { current.unwrap_or(1) * unit };
            current = None;
        }
        seen = true;
        len += 1;
    }
    seen.then(|| Numeral { value: total + current.unwrap_or(0), len, digits: if len == 1 { 1 } else { 0 } })
}

/// Whether a Chinese number that began before a place goes on there.
pub(crate) fn goes_on(chars: &[char], at: usize) -> bool {
    let counts = |c: &char| digit(*c).is_some() || matches!(c, '十' | '百' | '千' | '廿' | '卅');
    at > 0 && chars.get(at).is_some_and(counts) && chars.get(at - 1).is_some_and(counts)
}

/// A number in digits or in Chinese.
pub(crate) fn any(chars: &[char]) -> Option<Numeral> {
    arabic(chars).or_else(|| chinese(chars))
}

#[rustfmt::skip]
const CARDINALS: [&str; 20] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
#[rustfmt::skip]
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
#[rustfmt::skip]
const ORDINALS: [&str; 20] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
];

/// The English words with which a number begins.
pub(crate) fn english_words() -> impl Iterator<Item = &'static str> {
    CARDINALS.into_iter().chain(TENS).chain(ORDINALS).chain(["twentieth", "thirtieth"])
}

/// An English number word below twenty, or a ten.
pub(crate) fn english_word(word: &str) -> Option<i64> {
    let small = CARDINALS.iter().position(|known| *known == word).map(|value| value as i64);
    small.or_else(|| TENS.iter().position(|known| *known == word).map(|ten| (ten as i64 + 2) * 10))
}

/// An English ordinal word or `3rd`.
pub(crate) fn english_ordinal(word: &str) -> Option<i64> {
    if let Some(value) = ORDINALS.iter().position(|known| *known == word) {
        return Some(value as i64);
    }
    match word {
        "twentieth" => return Some(20),
        "thirtieth" => return Some(30),
        _ => {}
    }
    let number = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
    number.parse().ok().filter(|value| (0..=366).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_numbers_of_every_style() {
        for (text, value) in [
            ("三", 3),
            ("十", 10),
            ("十五", 15),
            ("二十", 20),
            ("二十三", 23),
            ("廿九", 29),
            ("二〇一五", 2015),
            ("二零零六", 2006),
            ("一百二十", 120),
            ("两千", 2000),
            ("三十一", 31),
        ] {
            let chars: Vec<char> = text.chars().collect();
            let read = chinese(&chars).unwrap();
            assert_eq!((read.value, read.len), (value, chars.len()), "{text}");
        }
    }
}
