use crate::glyph::Class;

/// All costs are in hundredths of a token.
const TOKEN: usize = 100;
/// What a Latin word costs beside its letters. At most half a token, so that a word cut in two by a concatenation
/// moves the sum by no more than the rounding does.
const WORD: usize = 50;

/// About how many tokens a language model counts in `text`, on the safe side for tokenizers of 2024 and later.
///
/// A Han character counts 0.75, a Latin word 0.5 and 0.15 for each letter (five letters: 1.25; about 0.25 a character
/// of English prose with its blanks), a capital 0.25, a digit 0.35, a punctuation mark 0.5, an emoji 2, a character of
/// another script 0.8, white space 0.05 (a line break 0.3). The sum is rounded. Adding the estimates of two parts gives
/// the estimate of the whole, within one.
///
/// ```
/// assert_eq!(memoir_text::estimate_tokens("我喜欢喝咖啡。"), 5);
/// assert_eq!(memoir_text::estimate_tokens("The quick brown fox jumps."), 6);
/// ```
pub fn estimate_tokens(text: &str) -> usize {
    let mut cost = 0;
    let mut in_word = false;
    for c in text.chars() {
        let is_letter = c.is_ascii_alphabetic();
        if is_letter && !in_word {
            cost += WORD;
        }
        in_word = is_letter;
        cost += cost_of(c);
    }
    (cost + TOKEN / 2) / TOKEN
}

fn cost_of(c: char) -> usize {
    match c {
        'a'..='z' => 15,
        'A'..='Z' => 25,
        '0'..='9' => 35,
        ' ' => 5,
        '\n' => 30,
        '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' => 50,
        // Accented Latin letters, Greek, Cyrillic.
        '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{52F}' => 50,
        _ => match Class::of(c) {
            Class::Han => 75,
            Class::Emoji | Class::Flag => 200,
            Class::Space => 5,
            Class::Other => 50,
            _ => 80,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_costs_about_what_tokenizers_count() {
        let english = "Yesterday I went to the farmers market with Alice and we bought fresh strawberries for her birthday cake";
        let per_char = estimate_tokens(english) as f32 / english.chars().count() as f32;
        assert!((0.2..0.32).contains(&per_char), "{per_char}");
        let chinese = "昨天晚上我和小李去了三里屯的那家日本料理店，吃了寿司和拉面，味道特别好";
        let per_char = estimate_tokens(chinese) as f32 / chinese.chars().count() as f32;
        assert!((0.65..0.8).contains(&per_char), "{per_char}");
        assert_eq!(estimate_tokens(""), 0);
    }
}
