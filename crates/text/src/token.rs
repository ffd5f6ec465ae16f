use std::ops::Range;

/// How a token stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// A segmented word (Latin: its stem). These, and only these, count for a document's length.
    Word,
    /// The unstemmed Latin word, only given when it differs from its stem.
    Exact,
    /// A part of something longer: pairs of characters, dictionary words inside a longer one, `iphone` and `15` in
    /// `iphone15`, `user` in `getUserName`, `3` and `5` in `3.5`.
    SubWord,
    /// A single character of an unspaced script that is not a word by itself.
    Character,
}

/// One token, lent to the sink of [`tokens`](crate::tokens).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The folded text: what is compared, hashed and stored.
    pub text: &'t str,
    /// How the token stands in the text.
    pub form: Form,
    /// Index of the token's first unit. A unit is one character of an unspaced script (Han, kana, Hangul, Thai), one
    /// Latin word or number, or one emoji; punctuation and white space have none.
    pub position: u32,
    /// How many units the token covers: the number of characters for Han, 1 for a Latin word and for its parts.
    pub units: u32,
    /// Byte range in the original text, on character boundaries.
    pub span: Range<usize>,
    /// A function word, Chinese or English: it matches but says little.
    pub stop: bool,
}
