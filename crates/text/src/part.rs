use crate::glyph::{Class, Glyph};

/// More parts than this are not names of anything, and comparing each with all others must stay cheap.
const MOST_PARTS: usize = 16;

/// Whether a word has parts: letters beside digits, a decimal point, a capital inside.
pub(crate) fn is_compound(word: &[Glyph]) -> bool {
    word.windows(2)
        .any(|pair| is_numeric(&pair[0]) != is_numeric(&pair[1]) || pair[1].upper || pair[1].c == '.')
}

/// Calls `give` with the start and end of every part of the word from `start` to the end of `glyphs`: runs of letters
/// and of digits, `camelCase` pieces of the letters, the digits around a decimal point.
pub(crate) fn for_each(glyphs: &[Glyph], start: usize, mut give: impl FnMut(usize, usize)) {
    let end = glyphs.len();
    let mut left = MOST_PARTS;
    let mut give = |from: usize, to: usize| {
        if left > 0 && (from, to) != (start, end) {
            left -= 1;
            give(from, to);
        }
    };
    let mut from = start;
    while from < end {
        let numeric = is_numeric(&glyphs[from]);
        let to = from + glyphs[from..].iter().take_while(|glyph| is_numeric(glyph) == numeric).count();
        give(from, to);
        let mut piece = from;
        for at in from + 1..=to {
            let ends =
                at == to || if numeric { glyphs[at].c == '.' } else { is_hump(&glyphs[..to], from, at) };
            if !ends {
                continue;
            }
            // A single letter is no piece of a name: iPhone has `phone`, not `i`.
            if (piece, at) != (from, to) && (numeric || at - piece > 1) {
                give(piece, at);
            }
            piece = if numeric { at + 1 } else { at };
        }
        from = to;
    }
}

fn is_numeric(glyph: &Glyph) -> bool {
    glyph.class == Class::Digit || glyph.c == '.' || glyph.c == ','
}

/// Whether a `camelCase` piece begins at `at`: a capital after a small letter, or the last of several capitals when a
/// small letter follows it (`HTMLParser`). An apostrophe is neither: `O'Brien` is one piece.
fn is_hump(glyphs: &[Glyph], from: usize, at: usize) -> bool {
    let is_small = |glyph: &Glyph| glyph.class == Class::Letter && !glyph.upper;
    let before = glyphs[from..at].last();
    let last_capital = before.is_some_and(|glyph| glyph.upper) && glyphs.get(at + 1).is_some_and(is_small);
    glyphs[at].upper && (before.is_some_and(is_small) || last_capital)
}

/// The texts already emitted for one word, so that none is emitted twice.
#[derive(Default)]
pub(crate) struct Seen {
    texts: String,
    ends: Vec<usize>,
}

impl Seen {
    pub(crate) fn clear(&mut self) {
        self.texts.clear();
        self.ends.clear();
    }

    /// Remembers `text`; false if it was there.
    pub(crate) fn insert(&mut self, text: &str) -> bool {
        let mut start = 0;
        for &end in &self.ends {
            if &self.texts[start..end] == text {
                return false;
            }
            start = end;
        }
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        true
    }
}
