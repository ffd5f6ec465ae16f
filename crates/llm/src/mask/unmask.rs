use std::collections::HashMap;

/// The brackets of a placeholder: ours, and those that models make of them.
const BRACKETS: [(char, char); 3] = [('⟦', '⟧'), ('[', ']'), ('【', '】')];
/// How many blanks a model may put inside the brackets.
const BLANKS: usize = 2;

/// What a value is put into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    Plain,
    /// A JSON string, so that quotation marks and line breaks are escaped.
    Json,
}

/// The text with the value of every known name in place of its placeholder. What was put in is not looked at again.
pub(super) fn unmask(names: &HashMap<String, String>, text: &str, writing: Writing) -> String {
    if names.is_empty() {
        return text.to_owned();
    }
    let longest = longest(names);
    let mut unmasked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, closing)) = next_opening(rest) {
        let (before, bracketed) = rest.split_at(at);
        unmasked.push_str(before);
        let opening = bracketed.chars().next().map_or(0, char::len_utf8);
        let inside = &bracketed[opening..];
        let value = end_of_name(inside, closing, longest)
            .and_then(|end| Some((names.get(inside[..end].trim())?, end + closing.len_utf8())));
        match value {
            Some((value, length)) => {
                push(&mut unmasked, value, writing);
                rest = &inside[length..];
            }
            None => {
                unmasked.push_str(&bracketed[..opening]);
                rest = inside;
            }
        }
    }
    unmasked.push_str(rest);
    unmasked
}

fn next_opening(text: &str) -> Option<(usize, char)> {
    text.char_indices().find_map(|(at, c)| Some((at, closing(c)?)))
}

fn closing(opening: char) -> Option<char> {
    BRACKETS.iter().find(|(open, _)| *open == opening).map(|(_, close)| *close)
}

fn end_of_name(inside: &str, closing: char, longest: usize) -> Option<usize> {
    inside.char_indices().take(longest + 2 * BLANKS + 1).find(|(_, c)| *c == closing).map(|(at, _)| at)
}

fn longest(names: &HashMap<String, String>) -> usize {
    names.keys().map(|name| name.chars().count()).max().unwrap_or(0)
}

fn push(text: &mut String, value: &str, writing: Writing) {
    match writing {
        Writing::Plain => text.push_str(value),
        Writing::Json => {
            let quoted = serde_json::Value::from(value).to_string();
            text.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
        }
    }
}

/// Unmasks text that comes in pieces, wherever a placeholder is cut.
#[derive(Debug)]
pub struct StreamUnmasker {
    names: HashMap<String, String>,
    writing: Writing,
    held: String,
}

impl StreamUnmasker {
    pub(super) fn new(names: HashMap<String, String>, writing: Writing) -> Self {
        StreamUnmasker { names, writing, held: String::new() }
    }

    /// As much of the text as is certain by now.
    pub fn push(&mut self, piece: &str) -> String {
        if self.names.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        let rest = self.held.split_off(self.certain());
        let certain = std::mem::replace(&mut self.held, rest);
        unmask(&self.names, &certain, self.writing)
    }

    /// The rest.
    pub fn finish(self) -> String {
        unmask(&self.names, &self.held, self.writing)
    }

    /// Up to where no placeholder can have begun that is not complete.
    fn certain(&self) -> usize {
        let longest = longest(&self.names) + 2 * BLANKS + 1;
        let tail = self.held.char_indices().rev().take(longest + 1);
        let begun =
            tail.filter(|(at, c)| closing(*c).is_some_and(|closing| self.may_begin(*at, *c, closing)));
        begun.last().map_or(self.held.len(), |(at, _)| at)
    }

    fn may_begin(&self, at: usize, opening: char, closing: char) -> bool {
        let inside = &self.held[at + opening.len_utf8()..];
        let name = inside.trim();
        let fits = |known: &String| {
            if inside.ends_with(char::is_whitespace) && !name.is_empty() {
                known == name
            } else {
                known.starts_with(name)
            }
        };
        !inside.contains(closing) && self.names.keys().any(fits)
    }
}
