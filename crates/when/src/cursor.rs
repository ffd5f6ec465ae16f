use crate::piece::{Part, Piece};

/// A place in a folded text. Each language adds its own ways of going on from there.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) chars: &'a [char],
    pub(crate) at: usize,
}

/// Over how many blanks a time goes on.
const MOST_BLANKS: usize = 16;

/// Pieces of a time, and the place after them.
pub(crate) type Parsed = (Vec<Piece>, usize);

/// A single piece that ends there.
pub(crate) fn one(piece: Piece, end: Cursor<'_>) -> Option<Parsed> {
    Some((vec![piece], end.at))
}

/// A part of a day so many days from now, for words that say both.
pub(crate) const fn day_part(by: i32, part: Part) -> [Piece; 2] {
    [Piece::DayRel(by), Piece::Part(part)]
}

impl<'a> Cursor<'a> {
    pub(crate) fn rest(self) -> &'a [char] {
        self.chars.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn peek(self) -> Option<char> {
        self.rest().first().copied()
    }

    pub(crate) fn skip(self, count: usize) -> Self {
        Cursor { at: self.at + count, ..self }
    }

    /// Passes blanks; what stands far away belongs to something else.
    pub(crate) fn blanks(self) -> Self {
        self.skip(self.rest().iter().take(MOST_BLANKS).take_while(|c| **c == ' ').count())
    }

    /// Passes a text.
    pub(crate) fn eat(self, text: &str) -> Option<Self> {
        let mut next = self;
        for c in text.chars() {
            if next.peek() != Some(c) {
                return None;
            }
            next = next.skip(1);
        }
        Some(next)
    }
}
