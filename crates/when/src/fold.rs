/// A text in the one spelling in which it is read: lower case, half width, simplified. Characters keep their places, so
/// that what is found can be shown in the original.
pub(crate) struct Folded {
    pub(crate) chars: Vec<char>,
    /// Where each character begins in the original, and where the text ends.
    pub(crate) offsets: Vec<usize>,
}

impl Folded {
    pub(crate) fn of(text: &str) -> Self {
        let mut chars = Vec::with_capacity(text.len());
        let mut offsets = Vec::with_capacity(text.len() + 1);
        for (at, c) in text.char_indices() {
            chars.push(fold(c));
            offsets.push(at);
        }
        offsets.push(text.len());
        Folded { chars, offsets }
    }
}

fn fold(c: char) -> char {
    match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        '～' | '－' | '–' | '—' | '―' | '〜' | '~' => '-',
        '！'..='｝' => fold(char::from_u32(c as u32 - 0xFEE0).unwrap_or(c)),
        '\u{3000}' | '\u{a0}' | '\t' | '\n' | '\r' => ' ',
        '’' | '‘' | '′' => '\'',
        '\u{4E00}'..='\u{9FFF}' => memoir_text::simplified(c),
        other => other,
    }
}
