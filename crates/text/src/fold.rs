use unicode_normalization::char::{compose, decompose_compatible};

use crate::{
    glyph::{Class, Glyph},
    simplify::{self, Simplifier},
};

/// A text folded to the form in which texts are compared, with the way back to the original.
///
/// The fold is compatibility decomposition, lower case, without Latin, Greek and Cyrillic accents and invisible
/// characters, simplified, and composed again. **It is idempotent**: folding what was folded changes nothing.
#[derive(Default)]
pub(crate) struct Folded {
    pub(crate) text: String,
    /// One for every character of `text`.
    pub(crate) glyphs: Vec<Glyph>,
    /// The number of glyphs when a zero-width joiner followed an emoji: the next emoji belongs to that one.
    joined_at: Option<usize>,
}

impl Folded {
    /// Replaces the contents by the fold of `original`.
    pub(crate) fn fold(&mut self, original: &str) {
        self.text.clear();
        self.glyphs.clear();
        self.joined_at = None;
        self.text.reserve(original.len());
        let simplifier = simplify::load();
        for (from, c) in original.char_indices() {
            let to = from + c.len_utf8();
            match c {
                '\0'..='\x7F' => self.push_ascii(c, from, to),
                '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => self.push_han(simplifier, c, from, to),
                '\u{3041}'..='\u{3096}' => self.push(c, Class::Hiragana, false, from, to),
                '\u{30A1}'..='\u{30FA}' | 'ー' => self.push_katakana(c, from, to),
                '\u{AC00}'..='\u{D7A3}' => self.push(c, Class::Hangul, false, from, to),
                // Typed on purpose (ㅋㅋ, ㅠㅠ). Decomposed they would join into syllables nobody wrote.
                '\u{3131}'..='\u{318E}' => self.push(c, Class::Hangul, false, from, to),
                // Chinese punctuation. The full-width comma stays what it is: 1，000 is two numbers, 1,000 is one.
                '、'..='〃' | '〈'..='】' | '，' | '“' | '”' | '—' => {
                    self.push(c, Class::Other, false, from, to);
                }
                '！'..='～' => {
                    let narrow = char::from_u32(c as u32 - 0xFEE0).unwrap_or(c);
                    self.push_ascii(narrow, from, to);
                }
                _ => self.push_rare(simplifier, c, from, to),
            }
        }
    }

    /// The folded text of a range of glyphs.
    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &str {
        let from = self.glyphs.get(start).map_or(self.text.len(), |glyph| glyph.at);
        let to = self.glyphs.get(end).map_or(self.text.len(), |glyph| glyph.at);
        &self.text[from..to]
    }

    /// The folded text with white space collapsed to single blanks and trimmed.
    pub(crate) fn collapsed(&self) -> String {
        let mut collapsed = String::with_capacity(self.text.len());
        let mut pending = false;
        for glyph in &self.glyphs {
            if glyph.class == Class::Space {
                pending = !collapsed.is_empty();
            } else {
                if std::mem::take(&mut pending) {
                    collapsed.push(' ');
                }
                collapsed.push(glyph.c);
            }
        }
        collapsed
    }

    #[inline]
    fn push(&mut self, c: char, class: Class, upper: bool, from: usize, to: usize) {
        self.glyphs.push(Glyph {
            at: self.text.len(),
            from,
            to,
            c,
            class,
            upper,
            stop: false,
            stop_head: false,
        });
        self.text.push(c);
    }

    #[inline]
    fn push_ascii(&mut self, c: char, from: usize, to: usize) {
        let class = match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            ' ' | '\t'..='\r' => Class::Space,
            _ => Class::Other,
        };
        self.push(c.to_ascii_lowercase(), class, c.is_ascii_uppercase(), from, to);
    }

    #[inline]
    fn push_han(&mut self, simplifier: &Simplifier, c: char, from: usize, to: usize) {
        let Some(simplified) = simplifier.get(c) else {
            return self.push(c, Class::Han, false, from, to);
        };
        self.push(simplified.c(), Class::Han, false, from, to);
        if simplified.is_marked()
            && let Some(last) = self.glyphs.last_mut()
        {
            last.stop = simplified.stop();
            last.stop_head = simplified.stop_head();
        }
    }

    fn push_katakana(&mut self, c: char, from: usize, to: usize) {
        // The long-vowel mark belongs to the script before it: らーめん is one word.
        let after_hiragana =
            c == 'ー' && self.glyphs.last().is_some_and(|last| last.class == Class::Hiragana);
        let class = if after_hiragana { Class::Hiragana } else { Class::Katakana };
        self.push(c, class, false, from, to);
    }

    /// Everything without a short way: accents, ligatures, compatibility forms, other scripts, emoji.
    fn push_rare(&mut self, simplifier: &Simplifier, c: char, from: usize, to: usize) {
        if is_attached(c) {
            if let Some(last) = self.glyphs.last_mut() {
                last.to = to;
            }
            return;
        }
        if is_invisible(c) {
            if c == '\u{200D}' && self.glyphs.last().is_some_and(|last| last.class == Class::Emoji) {
                self.joined_at = Some(self.glyphs.len());
            }
            return;
        }
        if self.joined_at.take() == Some(self.glyphs.len()) && Class::of(c) == Class::Emoji {
            if let Some(last) = self.glyphs.last_mut() {
                last.to = to;
            }
            return;
        }
        let upper = c.is_uppercase();
        decompose_compatible(c, |part| {
            for lower in part.to_lowercase() {
                for letter in typed(lower) {
                    self.push_or_compose(simplifier, letter, upper, from, to);
                }
            }
        });
    }

    fn push_or_compose(&mut self, simplifier: &Simplifier, c: char, upper: bool, from: usize, to: usize) {
        if is_attached(c) || is_invisible(c) {
            return;
        }
        if let Some(last) = self.glyphs.last_mut()
            && let Some(composed) = compose(last.c, c)
        {
            last.c = composed;
            last.class = Class::of(composed);
            last.to = to;
            self.text.truncate(last.at);
            self.text.push(composed);
            return;
        }
        match Class::of(c) {
            Class::Han => self.push_han(simplifier, c, from, to),
            Class::Katakana => self.push_katakana(c, from, to),
            class => self.push(c, class, upper, from, to),
        }
    }
}

/// Marks that are dropped but belong to the character before them, whose span they lengthen: accents, variation
/// selectors, key caps, skin tones, flag tags. The voicing marks of kana (U+3099, U+309A) are not among them.
fn is_attached(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}'
        | '\u{180B}'..='\u{180F}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{1F3FB}'..='\u{1F3FF}'
        | '\u{E0020}'..='\u{E007F}'
        | '\u{E0100}'..='\u{E01EF}')
}

/// Characters without width or meaning of their own: soft hyphen, zero-width spaces and joiners, direction marks.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}'
        | '\u{061C}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}')
}

/// Letters that Unicode does not decompose and people type without the stroke or as two, and typographic apostrophes.
fn typed(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'ø' => ('o', None),
        'đ' => ('d', None),
        'ł' => ('l', None),
        'ı' => ('i', None),
        'ς' => ('σ', None),
        '‘' | '’' | 'ʼ' => ('\'', None),
        _ => (c, None),
    };
    std::iter::once(first).chain(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_any_character_twice_is_folding_it_once() {
        let (mut once, mut twice) = (Folded::default(), Folded::default());
        for c in '\0'..=char::MAX {
            once.fold(c.encode_utf8(&mut [0; 4]));
            twice.fold(&once.text);
            assert_eq!(once.text, twice.text, "U+{:04X}", c as u32);
            let classes = |folded: &Folded| folded.glyphs.iter().map(|glyph| glyph.class).collect::<Vec<_>>();
            assert_eq!(classes(&once), classes(&twice), "U+{:04X}", c as u32);
        }
    }
}
