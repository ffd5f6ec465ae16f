use unicode_normalization::char::is_combining_mark;

/// One folded character and where it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyph {
    /// Byte offset in the folded text.
    pub(crate) at: usize,
    /// Byte range in the original text. Characters that one original character expanded to share its range.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) c: char,
    pub(crate) class: Class,
    /// The original was an upper-case letter, which folding hides and `camelCase` needs.
    pub(crate) upper: bool,
    /// A Han character that is a function word by itself.
    pub(crate) stop: bool,
    /// A Han character that some longer function word begins with.
    pub(crate) stop_head: bool,
}

/// What a character does to segmentation. Neighbours of one class form a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Other,
    Space,
    Letter,
    Digit,
    Han,
    Hiragana,
    Katakana,
    Hangul,
    /// Scripts written without spaces for which there is no dictionary: Thai, Lao, Tibetan, Burmese, Khmer.
    Unspaced,
    Emoji,
    /// A regional indicator: two of them make a flag.
    Flag,
}

impl Class {
    /// The class of a folded character. The common ones are decided in the folding loop and do not come here.
    pub(crate) fn of(c: char) -> Class {
        match c {
            '0'..='9' => Class::Digit,
            'a'..='z' => Class::Letter,
            '\u{3099}' | '\u{309A}' => Class::Other,
            '々' | '〇' | '〡'..='〩' => Class::Han,
            '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => Class::Han,
            '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}' => Class::Han,
            '\u{3041}'..='\u{309F}' | '\u{1B000}'..='\u{1B16F}' => Class::Hiragana,
            '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' => Class::Katakana,
            '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' => Class::Hangul,
            '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' => Class::Hangul,
            '\u{1F1E6}'..='\u{1F1FF}' => Class::Flag,
            '\u{231A}' | '\u{231B}' | '\u{23E9}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}' => Class::Emoji,
            '\u{2B50}' | '\u{2B55}' | '\u{1F000}'..='\u{1FAFF}' => Class::Emoji,
            _ if c.is_whitespace() => Class::Space,
            // Marks carry vowels in Indic scripts and Thai: a word must not break at them.
            _ if c.is_alphanumeric() || is_combining_mark(c) => match c {
                '\u{0E00}'..='\u{0FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => {
                    Class::Unspaced
                }
                _ => Class::Letter,
            },
            _ => Class::Other,
        }
    }
}
