use crate::numeral::{self, Numeral};
use crate::piece::Piece;

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) chars: &'a [char],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn rest(self) -> &'a [char] {
        self.chars.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(self) -> Option<char> {
        self.rest().first().copied()
    }

    pub(super) fn skip(self, count: usize) -> Self {
        Cursor { at: self.at + count, ..self }
    }

    /// Passes blanks.
    pub(super) fn blanks(self) -> Self {
        self.skip(self.rest().iter().take_while(|c| **c == ' ').count())
    }

    /// Passes a text.
    pub(super) fn eat(self, text: &str) -> Option<Self> {
        let mut next = self;
        for c in text.chars() {
            if next.peek() != Some(c) {
                return None;
            }
            next = next.skip(1);
        }
        Some(next)
    }

    /// Passes the first of these texts that is there.
    pub(super) fn eat_any(self, texts: &[&str]) -> Option<Self> {
        texts.iter().find_map(|text| self.eat(text))
    }

    /// Passes one of these texts if it is there.
    pub(super) fn maybe(self, texts: &[&str]) -> Self {
        self.eat_any(texts).unwrap_or(self)
    }

    pub(super) fn number(self) -> Option<(Numeral, Self)> {
        let numeral = numeral::any(self.rest())?;
        Some((numeral, self.skip(numeral.len)))
    }
}

pub(super) type Parsed = (Vec<Piece>, usize);

pub(super) fn one(piece: Piece, end: Cursor<'_>) -> Option<Parsed> {
    Some((vec![piece], end.at))
}
