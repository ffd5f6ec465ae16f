//! An extractive summary: what stands in for a language model.

mod clause;
mod filler;
mod limit;
mod passage;
mod selection;
mod signal;
mod topic;
mod turn;

use std::ops::Range;

use crate::{
    Language, language,
    voice::{self, Voices},
};
use passage::Passage;
use turn::Labels;

pub use filler::is_courtesy;
pub use limit::Limit;
pub use topic::topics;
pub use turn::{Role, Turn};

/// A summary and where its sentences come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The sentences in the order in which they were said, in the third person where that is safe.
    pub text: String,
    /// The sentences one by one, in the same order.
    pub sentences: Vec<Extract>,
}

impl Summary {
    /// The same sentences with the most important first.
    pub fn by_importance(&self) -> String {
        let mut sentences: Vec<&Extract> = self.sentences.iter().collect();
        sentences.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut text = String::with_capacity(self.text.len());
        for sentence in sentences {
            append(&mut text, &sentence.text);
        }
        text
    }
}

/// A sentence of a summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Extract {
    /// Index of the turn that it was taken from.
    pub turn: usize,
    /// Byte range of the original words in that turn's text.
    pub span: Range<usize>,
    /// As it stands in the summary.
    pub text: String,
    /// How much it tells; comparable within one summary.
    pub score: f32,
}

/// A talk with more sentences than this is summarised in parts first, and the summary is made of theirs.
const LARGEST_PART: usize = 300;

/// Summarises a talk by its own sentences, within `limit`.
///
/// Sentences are chosen for what they tell (rare and central words, names, titles, numbers, decisions, preferences,
/// plans, health), for what the others do not tell yet, and for who says it: the user's statements before the
/// assistant's advice, questions last. Greetings and filler are left out and clauses without content cut off. The first
/// and second person become the third where that is safe. The same turns give the same summary.
///
/// ```
/// use memoir_text::{Limit, Role, Turn, summarise};
/// let turns = [
///     Turn { speaker: "", role: Role::User, text: "你好！我下个月要去厦门旅游，预算五千元。" },
///     Turn { speaker: "", role: Role::Assistant, text: "听起来很棒！祝你玩得开心。" },
/// ];
/// let summary = summarise(&turns, Limit::Characters(40));
/// assert_eq!(summary.text, "用户下个月要去厦门旅游，预算五千元。");
/// ```
pub fn summarise(turns: &[Turn<'_>], limit: Limit) -> Summary {
    let labels = Labels::of(turns);
    let passages = condense(passage::of(turns), limit);
    let chosen = selection::choose(&passages, limit, |text, turn| spoken(turns, &labels, text, turn));
    let mut summary = Summary::default();
    for extract in chosen {
        append(&mut summary.text, &extract.text);
        summary.sentences.push(extract);
    }
    summary
}

/// Sums up long talks part by part until what is left fits into one.
fn condense(mut passages: Vec<Passage<'_>>, limit: Limit) -> Vec<Passage<'_>> {
    while passages.len() > LARGEST_PART {
        let before = passages.len();
        let mut rest = Vec::new();
        let mut passages_left = passages.into_iter().peekable();
        while passages_left.peek().is_some() {
            let part: Vec<Passage<'_>> = passages_left.by_ref().take(LARGEST_PART / 2).collect();
            let kept = selection::kept(&part, limit);
            rest.extend(part.into_iter().zip(kept).filter_map(|(passage, kept)| kept.then_some(passage)));
        }
        passages = rest;
        // The limit is so wide that the parts hardly shrink: choosing is near-linear all the same.
        if passages.len() * 4 > before * 3 {
            break;
        }
    }
    passages
}

/// A passage as it stands in the summary: in the third person, with a stop at its end.
fn spoken(turns: &[Turn<'_>], labels: &Labels<'_>, passage: &str, turn: usize) -> String {
    let language = language(passage);
    let Some(said) = turns.get(turn) else { return passage.to_owned() };
    let voices =
        Voices { speaker: labels.speaker(said, language), addressee: labels.addressee(said, language) };
    let mut text = capitalised(&voice::third(passage, voices).unwrap_or_else(|| passage.to_owned()));
    let kept = text
        .trim_end_matches(|c: char| {
            c.is_whitespace() || matches!(c, '，' | ',' | '；' | ';' | '：' | ':' | '、')
        })
        .len();
    text.truncate(kept);
    let closed = text.chars().next_back().is_some_and(|c| {
        matches!(c, '。' | '！' | '？' | '.' | '!' | '?' | '…' | '”' | '"' | '」' | '）' | ')')
            || !c.is_ascii() && !c.is_alphanumeric() && c != '》'
    });
    if !closed {
        text.push(if matches!(language, Language::Zh | Language::Mixed) { '。' } else { '.' });
    }
    text
}

/// What is left of a sentence begins like one.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Adds a sentence, with a blank after a Latin one.
fn append(text: &mut String, sentence: &str) {
    let last = text.chars().next_back();
    let quoted = matches!(last, Some('”' | '’')) && sentence.starts_with(|c: char| c.is_ascii());
    if quoted || last.is_some_and(|c| c.is_ascii()) {
        text.push(' ');
    }
    text.push_str(sentence);
}
