//! What models are asked, one task per file: its words in Chinese and English, what its answer must be, and the twin that
//! does the same by rules. Words that people wrote are fenced and labelled as data.

mod answer;
mod memory_summary;
mod questions;
mod summary;

use memoir_text::{Language, Turn};

pub(crate) use summary::{Brief, BriefOf};

/// A wording in each language.
struct Wording {
    chinese: &'static str,
    english: &'static str,
}

impl Wording {
    /// The wording for a talk in this language; mixed talk is addressed in Chinese, which its models read as well.
    fn of(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.english,
            _ => self.chinese,
        }
    }
}

/// A talk as one text, a line for each turn.
pub(crate) fn lines<'t>(turns: impl IntoIterator<Item = Turn<'t>>) -> String {
    let line = |turn: Turn<'_>| match turn.speaker {
        "" => turn.text.to_owned(),
        speaker => format!("{speaker}: {}", turn.text),
    };
    turns.into_iter().map(line).collect::<Vec<_>>().join("\n")
}
