use crate::cursor::Cursor;
use crate::numeral;

impl Cursor<'_> {
    /// Whether no word goes on here.
    pub(super) fn ends(self) -> bool {
        self.peek().is_none_or(|c| !c.is_ascii_alphanumeric())
    }

    /// Whether nothing more is said here, or a sentence ends.
    pub(super) fn ends_clause(self) -> bool {
        let next = self.blanks();
        next.peek().is_none_or(|c| matches!(c, '.' | '!' | '?' | ';' | '。' | '…'))
            && !next.skip(1).peek().is_some_and(|c| c.is_ascii_alphanumeric())
    }

    /// Passes whole words; a blank stands for blanks or a hyphen.
    pub(super) fn words(self, text: &str) -> Option<Self> {
        let mut next = self;
        for byte in text.bytes() {
            if byte == b' ' {
                if !next.ends() {
                    return None;
                }
                next = if next.peek() == Some('-') { next.skip(1) } else { next.blanks() };
            } else if next.peek() == Some(char::from(byte)) {
                next = next.skip(1);
            } else {
                return None;
            }
        }
        next.ends().then_some(next)
    }

    pub(super) fn any(self, texts: &[&str]) -> Option<Self> {
        texts.iter().filter_map(|text| self.words(text)).max_by_key(|end| end.at)
    }

    /// Passes one of these and the blanks after it, if it is there.
    pub(super) fn maybe(self, texts: &[&str]) -> Self {
        self.any(texts).map_or(self, Cursor::blanks)
    }

    /// A number in digits or words: 3, three, twenty-seven, a, a couple of.
    pub(super) fn count(self) -> Option<(i64, Self)> {
        if let Some(number) = numeral::arabic(self.rest()) {
            return Some((number.value, self.skip(number.len)));
        }
        if let Some(end) = self.any(&["a couple of", "a couple", "couple of", "couple"]) {
            return Some((2, end));
        }
        if let Some(end) = self.any(&["a few", "few", "several"]) {
            return Some((3, end));
        }
        if let Some(end) = self.any(&["a", "an"]) {
            return Some((1, end));
        }
        self.spelled()
    }

    /// A number in words.
    pub(super) fn spelled(self) -> Option<(i64, Self)> {
        let (first, end) = self.letters()?;
        let value = numeral::english_word(&first)?;
        if value >= 20 {
            let joined = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
            if let Some((second, end)) = joined.letters()
                && let Some(ones) = numeral::english_word(&second).filter(|ones| (1..10).contains(ones))
            {
                return Some((value + ones, end));
            }
        }
        Some((value, end))
    }

    pub(super) fn letters(self) -> Option<(String, Self)> {
        let len = self.rest().iter().take(16).take_while(|c| c.is_ascii_alphabetic()).count();
        let end = self.skip(len);
        (len > 0 && end.ends()).then(|| (self.rest()[..len].iter().collect(), end))
    }

    /// 3rd, third, twenty-second.
    pub(super) fn ordinal(self) -> Option<(i64, Self)> {
        let len = self.rest().iter().take(16).take_while(|c| c.is_ascii_alphanumeric()).count();
        let word: String = self.rest()[..len].iter().collect();
        let end = self.skip(len);
        if let Some(value) = numeral::english_ordinal(&word) {
            return Some((value, end));
        }
        let tens = numeral::english_word(&word).filter(|tens| matches!(tens, 20 | 30))?;
        let joined = if end.peek() == Some('-') { end.skip(1) } else { end.blanks() };
        let (second, end) = joined.letters()?;
        Some((tens + numeral::english_ordinal(&second).filter(|ones| (1..10).contains(ones))?, end))
    }
}
