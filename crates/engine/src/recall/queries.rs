use memoir_index::Query;
use memoir_text::keywords;
use std::ops::Range;

use super::understand::Understanding;

/// How many key phrases make a query of their own.
const KEY_PHRASES: usize = 4;
/// How much of the talk before a message is looked at, in bytes.
const TALK_BYTES: usize = 2 * 1024;

/// Why something is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The message itself.
    Message,
    /// The message and the talk that led to it.
    Talk,
    /// The sentence of it that asks, if others only lead there.
    Question,
    /// Its key phrases.
    KeyPhrases,
    /// The titles and terms that it names.
    Named,
    /// The message without its times.
    Timeless,
    /// A question that a model made of it.
    Asked,
}

impl Purpose {
    /// Its name in an explanation.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Purpose::Message => "message",
            Purpose::Talk => "talk",
            Purpose::Question => "question",
            Purpose::KeyPhrases => "key_phrases",
            Purpose::Named => "named",
            Purpose::Timeless => "timeless",
            Purpose::Asked => "asked",
        }
    }
}

/// One way of asking.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) purpose: Purpose,
    /// The words as a person or a model would say them.
    pub(crate) text: String,
    /// The words as they are looked up.
    pub(crate) words: Query,
}

/// Every way of asking for what a message needs. The message itself comes first.
pub(crate) fn queries(
    understanding: &Understanding,
    spoken: &[Range<usize>],
    turns: &[String],
    asked: Vec<String>,
) -> Vec<Wanted> {
    let text = understanding.text.as_str();
    // Whoever speaks here is known by their turns, not by their name in them.
    let message = without(text, spoken);
    let mut queries = vec![wanted(Purpose::Message, text.to_owned(), &message)];
    if !turns.is_empty() {
        let mut talk = turns.join("\n");
        talk.drain(..talk.ceil_char_boundary(talk.len().saturating_sub(TALK_BYTES)));
        talk.push('\n');
        talk.push_str(text);
        queries.push(wanted(Purpose::Talk, talk.clone(), &talk));
    }
    if let Some(question) = &understanding.question {
        push_new(&mut queries, Purpose::Question, without(&text[question.clone()], &[]));
    }
    let phrases: Vec<&str> = keywords(&message, KEY_PHRASES).iter().map(|keyword| keyword.text).collect();
    push_new(&mut queries, Purpose::KeyPhrases, phrases.join(" "));
    let named: Vec<&str> = understanding.titles.iter().map(String::as_str).collect();
    push_new(&mut queries, Purpose::Named, named.join(" "));
    let times: Vec<Range<usize>> = understanding.times.iter().map(|time| time.span.clone()).collect();
    if !times.is_empty() {
        let hidden: Vec<Range<usize>> = spoken.iter().cloned().chain(times).collect();
        push_new(&mut queries, Purpose::Timeless, without(text, &hidden));
    }
    for question in asked {
        queries.push(wanted(Purpose::Asked, question.clone(), &question));
    }
    queries
}

fn wanted(purpose: Purpose, text: String, words: &str) -> Wanted {
    Wanted { purpose, text, words: Query::of_message(words) }
}

/// Adds a way of asking, unless it has no words or asks for the same as another.
fn push_new(queries: &mut Vec<Wanted>, purpose: Purpose, text: String) {
    let new = wanted(purpose, text.clone(), &text);
    if !new.words.is_empty() && queries.iter().all(|known| known.words != new.words) {
        queries.push(new);
    }
}

/// The text with blanks in place of some stretches.
fn without(text: &str, spans: &[Range<usize>]) -> String {
    let hidden = |at: usize| spans.iter().any(|span| span.contains(&at));
    text.char_indices().map(|(at, c)| if hidden(at) { ' ' } else { c }).collect()
}
