use crate::glyph::Class;

/// The language of a span, as far as the rules of this crate have to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Chinese, simplified or traditional, with at most a few foreign words.
    Zh,
    /// English. Other languages in plain Latin letters are not told from it.
    En,
    /// Chinese and English side by side.
    Mixed,
    /// Another script, a Latin language with many accents, or no words at all.
    Other,
}

/// From this share of its units on, a text belongs to one script.
const MAIN_SHARE: f32 = 0.75;
/// So much kana among the characters makes a text with Han Japanese.
const KANA_SHARE: f32 = 0.1;
/// So many words with letters outside ASCII make a Latin text another language than English.
const ACCENTED_SHARE: f32 = 0.2;

/// The language of `text`: a Han character counts as much as a Latin word.
///
/// ```
/// use memoir_text::{Language, language};
/// assert_eq!(language("我昨天买了 iPhone，屏幕很好"), Language::Zh);
/// assert_eq!(language("see you at 10"), Language::En);
/// assert_eq!(language("这个 feature 的 deadline 是 Friday"), Language::Mixed);
/// ```
pub fn language(text: &str) -> Language {
    let counts = Counts::of(text);
    let (han, latin, other) = (counts.han as f32, counts.latin as f32, counts.other as f32);
    let known = han + latin;
    if known == 0.0 || other > known {
        return Language::Other;
    }
    if counts.kana as f32 > KANA_SHARE * (known + other) {
        return Language::Other;
    }
    if han >= MAIN_SHARE * known {
        Language::Zh
    } else if latin >= MAIN_SHARE * known {
        let accented = counts.accented as f32 > ACCENTED_SHARE * latin;
        if accented { Language::Other } else { Language::En }
    } else {
        Language::Mixed
    }
}

#[derive(Default)]
struct Counts {
    han: usize,
    /// Latin words, and those of them with a letter outside ASCII.
    latin: usize,
    accented: usize,
    /// Characters of unspaced scripts and words of others; kana is among them.
    other: usize,
    kana: usize,
}

impl Counts {
    fn of(text: &str) -> Counts {
        let mut counts = Counts::default();
        // What the current word is: nothing, Latin with or without an accent so far, or of another script.
        let mut word = Word::None;
        for c in text.chars() {
            let next = match Class::of(c.to_ascii_lowercase()) {
                Class::Han => {
                    counts.han += 1;
                    Word::None
                }
                Class::Hiragana | Class::Katakana => {
                    counts.other += 1;
                    counts.kana += 1;
                    Word::None
                }
                Class::Hangul | Class::Unspaced => {
                    counts.other += 1;
                    Word::None
                }
                Class::Letter if c.is_ascii() => match word {
                    Word::None | Word::Other => Word::Latin,
                    same => same,
                },
                Class::Letter if is_latin(c) => Word::Accented,
                // A combining accent belongs to the letter before it.
                Class::Letter if matches!(c, '\u{300}'..='\u{36F}') => word,
                Class::Letter => Word::Other,
                Class::Other if matches!(c, '\'' | '’') => word,
                _ => Word::None,
            };
            counts.pass(word, next);
            word = next;
        }
        counts.pass(word, Word::None);
        counts
    }

    /// Counts a word when it ends.
    fn pass(&mut self, word: Word, next: Word) {
        let goes_on = word == next || (word == Word::Latin && next == Word::Accented);
        if goes_on {
            return;
        }
        match word {
            Word::None => {}
            Word::Latin => self.latin += 1,
            Word::Accented => {
                self.latin += 1;
                self.accented += 1;
            }
            Word::Other => self.other += 1,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    None,
    Latin,
    Accented,
    Other,
}

fn is_latin(c: char) -> bool {
    matches!(c, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_foreign_words_do_not_change_the_language() {
        let cases = [
            ("我喜欢喝咖啡", Language::Zh),
            ("我喜歡喝咖啡", Language::Zh),
            ("今天meeting上老板说要改方案", Language::Zh),
            ("I went to 北京 last year with my parents and it was cold", Language::En),
            ("Don't you think it's fine?", Language::En),
            ("用 Rust 写 backend 很 happy", Language::Mixed),
            ("今日は天気がいいですね", Language::Other),
            ("오늘 날씨가 좋네요", Language::Other),
            ("привет, как дела", Language::Other),
            ("été à la plage où j'étais", Language::Other),
            ("", Language::Other),
            ("123 !!! 😀", Language::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(language(text), expected, "{text}");
        }
    }
}
