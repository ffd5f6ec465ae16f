use crate::cursor::Cursor;
use crate::numeral::{self, Numeral};

impl Cursor<'_> {
    /// Passes the first of these texts that is there.
    pub(super) fn eat_any(self, texts: &[&str]) -> Option<Self> {
        texts.iter().find_map(|text| self.eat(text))
    }

    /// Passes one of these texts if it is there.
    pub(super) fn maybe_eat(self, texts: &[&str]) -> Self {
        self.eat_any(texts).unwrap_or(self)
    }

    pub(super) fn number(self) -> Option<(Numeral, Self)> {
        let numeral = numeral::any(self.rest())?;
        Some((numeral, self.skip(numeral.len)))
    }
}
