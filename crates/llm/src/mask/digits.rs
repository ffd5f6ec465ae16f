use std::ops::Range;

/// The digits of a text, wide ones included; everything else is left out.
pub(super) fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(digit).collect()
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    }
}

/// Whether neither a letter nor a digit touches the match, so that it is not a piece of something longer. Chinese
/// characters may touch it.
pub(super) fn stands_alone(text: &str, found: &Range<usize>) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_' || digit(c).is_some();
    let before = text[..found.start].chars().next_back();
    let after = text[found.end..].chars().next();
    !before.is_some_and(joins) && !after.is_some_and(joins)
}

/// Whether the last digit of a bank card is the one that Luhn's rule demands.
pub(super) fn is_card(text: &str) -> bool {
    let digits = digits(text);
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => *digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10)
}

/// What each of the first 17 digits of a Chinese id number weighs.
const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
/// The last character for each remainder of the weighted sum.
const CHECK: [char; 11] = ['1', '0', 'X', '9', '8', '7', '6', '5', '4', '3', '2'];

/// Whether the last character of a Chinese id number is the one that the others demand.
pub(super) fn is_chinese_id(text: &str) -> bool {
    let sum: u32 = digits(text).iter().zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    let last = text.chars().next_back().map(|c| match digit(c) {
        Some(digit) => char::from_digit(digit, 10).unwrap_or(c),
        None => c.to_ascii_uppercase(),
    });
    text.chars().count() == 18 && last.as_ref() == CHECK.get((sum % 11) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_character_tells_a_number_from_any_other() {
        assert!(is_card("4111 1111 1111 1111") && is_card("6222021234567890128"));
        assert!(!is_card("4111 1111 1111 1112") && !is_card("4111"));
        assert!(is_chinese_id("11010519491231002X") && is_chinese_id("11010519491231002x"));
        assert!(!is_chinese_id("110105194912310021") && !is_chinese_id("11010519491231002"));
    }
}
