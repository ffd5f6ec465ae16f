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
        cost += match c {
            '\0'..='\x7F' => usize::from(ASCII[c as usize]),
            '\u{4E00}'..='\u{9FFF}' => HAN,
            _ => cost_of(c),
        };
    }
    (cost + TOKEN / 2) / TOKEN
}

/// What a Han character costs.
const HAN: usize = 75;

/// What each character of ASCII costs.
const ASCII: [u8; 128] = {
    let mut costs = [50; 128];
    let mut c = 0;
    while c < costs.len() {
        costs[c] = match c as u8 {
            b'a'..=b'z' => 15,
            b'A'..=b'Z' => 25,
            b'0'..=b'9' => 35,
            b'\n' => 30,
            b' ' | b'\t' | b'\r' | 0x0B | 0x0C => 5,
            _ => 50,
        };
        c += 1;
    }
    costs
};

/// What a character beyond ASCII costs.
fn cost_of(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' => 50,
        // Accented Latin letters, Greek, Cyrillic.
        '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{52F}' => 50,
        // The punctuation of Chinese.
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{FF01}' | '\u{FF0C}' | '\u{FF1F}' => 50,
        _ => match Class::of(c) {
            Class::Han => HAN,
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

    #[test]
    fn what_is_known_beforehand_is_what_the_class_says() {
        for c in (0..=0xFFFF).filter_map(char::from_u32).filter(|c| !c.is_ascii_alphanumeric() && *c != '\n')
        {
            let is_listed = matches!(c, '\u{C0}'..='\u{24F}' | '\u{300}'..='\u{36F}' | '\u{370}'..='\u{52F}')
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}');
            let cost = match Class::of(c) {
                _ if is_listed => 50,
                Class::Han => HAN,
                Class::Emoji | Class::Flag => 200,
                Class::Space => 5,
                Class::Other => 50,
                _ => 80,
            };
            let hundred = c.to_string().repeat(100);
            assert_eq!(estimate_tokens(&hundred), cost, "{c:?}");
        }
    }
}
