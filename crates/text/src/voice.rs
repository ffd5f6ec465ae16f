//! From the first and second person to the third.

mod chinese;
mod english;

use crate::{Language, language};

/// What to call the one who speaks and the one spoken to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Voices<'v> {
    /// Replaces 我 and `I`.
    pub(crate) speaker: &'v str,
    /// Replaces 你 and `you`; unknown among several.
    pub(crate) addressee: Option<&'v str>,
}

/// `text` in the third person, or `None` when that is not safe (then it stays what it is).
pub(crate) fn third(text: &str, voices: Voices<'_>) -> Option<String> {
    match language(text) {
        Language::Zh | Language::Mixed => chinese::third(text, voices),
        Language::En => english::third(text, voices),
        Language::Other => None,
    }
}

/// The byte ranges of what stands in quotation marks, where people speak for themselves.
fn quotations(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match open {
            Some((from, close)) if c == close => {
                ranges.push(from..at + c.len_utf8());
                open = None;
            }
            Some(_) => {}
            None => {
                let close = match c {
                    '“' => '”',
                    '「' => '」',
                    '『' => '』',
                    '《' => '》',
                    '"' => '"',
                    _ => continue,
                };
                open = Some((at, close));
            }
        }
    }
    ranges
}

fn is_quoted(quotations: &[std::ops::Range<usize>], at: usize) -> bool {
    let next = quotations.partition_point(|range| range.end <= at);
    quotations.get(next).is_some_and(|range| range.contains(&at))
}
