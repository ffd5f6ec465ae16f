//! What is looked for.

use std::collections::HashMap;

use memoir_text::{Form, Token};

use crate::phrase::{Phrase, Unit};
use crate::term::{BuildTermHasher, TermHash};

/// Distinct terms that a query may have; the lightest of the others are dropped.
pub const MAX_TERMS: usize = 256;
/// Units that the phrases of a query may have together; what comes after them need not occur.
pub const MAX_PHRASE_UNITS: usize = 256;

/// What the stem of a Latin word or a Han word weighs.
const WORD_WEIGHT: f32 = 1.0;
/// What it adds that a word stands there letter by letter.
const EXACT_WEIGHT: f32 = 0.3;
/// What a pair of Han characters or a part of a word weighs.
const SUB_WORD_WEIGHT: f32 = 0.5;
/// What a single Han character weighs.
const CHARACTER_WEIGHT: f32 = 0.15;
/// By how much a stop word is lighter.
const STOP_FACTOR: f32 = 0.2;

/// The marks that make a phrase of what they enclose.
const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』')];

/// A search, read from what a person typed or said.
///
/// What stands in quotation marks ("…", “…”, 「…」 or 『…』) is a phrase that every hit must hold; all terms,
/// quoted or not, are ranked. A mark that is never closed is text like any other.
///
/// ```
/// use memoir_index::Query;
///
/// assert!(Query::parse("…?!").is_empty());
/// assert!(!Query::parse("the cat “Miso”").is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// Ascending by hash, so that scores add up in the same order everywhere.
    terms: Vec<QueryTerm>,
    phrases: Vec<Phrase>,
    truncated: bool,
}

/// A term that is ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) hash: TermHash,
    pub(crate) weight: f32,
    /// Whether a row that holds it is a strong hit.
    pub(crate) strong: bool,
}

impl Query {
    /// Reads a query. Any text is one; text without a word finds nothing.
    pub fn parse(text: &str) -> Self {
        let mut draft = Draft::default();
        let mut rest = text;
        while let Some(quoted) = next_quoted(rest) {
            draft.add_text(quoted.before);
            draft.add_phrase(quoted.inside);
            rest = quoted.after;
        }
        draft.add_text(rest);
        draft.finish()
    }

    /// Reads the words of a message, quoted ones among others: nothing has to occur as it stands.
    pub fn of_message(text: &str) -> Self {
        let mut draft = Draft::default();
        draft.add_text(text);
        draft.finish()
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether the text had more than a query may have, and some of it was left out.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// The distinct terms, ascending.
    pub fn hashes(&self) -> impl Iterator<Item = TermHash> + '_ {
        self.terms.iter().map(|term| term.hash)
    }

    pub(crate) fn terms(&self) -> &[QueryTerm] {
        &self.terms
    }

    pub(crate) fn phrases(&self) -> &[Phrase] {
        &self.phrases
    }

    pub(crate) fn term(&self, hash: TermHash) -> Option<&QueryTerm> {
        let at = self.terms.binary_search_by_key(&hash, |term| term.hash).ok()?;
        self.terms.get(at)
    }
}

struct Quoted<'t> {
    before: &'t str,
    inside: &'t str,
    after: &'t str,
}

fn next_quoted(text: &str) -> Option<Quoted<'_>> {
    text.char_indices().find_map(|(at, mark)| {
        let (open, close) = *QUOTES.iter().find(|(open, _)| *open == mark)?;
        let (before, from_mark) = text.split_at_checked(at)?;
        let (inside, after) = from_mark.strip_prefix(open)?.split_once(close)?;
        Some(Quoted { before, inside, after })
    })
}

/// A query being read: its terms in order of appearance.
#[derive(Default)]
struct Draft {
    terms: Vec<QueryTerm>,
    places: HashMap<TermHash, usize, BuildTermHasher>,
    phrases: Vec<Phrase>,
    phrase_units: usize,
    truncated: bool,
}

impl Draft {
    fn add_text(&mut self, text: &str) {
        memoir_text::tokens(text, |token| {
            self.add_term(&token, token.form != Form::Character && !token.stop);
        });
    }

    /// A phrase was asked for in so many words: its stop words count as words, and so does a lone character.
    fn add_phrase(&mut self, text: &str) {
        let mut draft = PhraseDraft::default();
        memoir_text::tokens(text, |token| draft.add(&token));
        let mut phrase = draft.finish();
        let lone = phrase.units.len() == 1;
        memoir_text::tokens(text, |token| self.add_term(&token, token.form != Form::Character || lone));

        let room = MAX_PHRASE_UNITS - self.phrase_units;
        self.truncated |= phrase.units.len() > room;
        phrase.units.truncate(room);
        self.phrase_units += phrase.units.len();
        if !phrase.units.is_empty() {
            self.phrases.push(phrase);
        }
    }

    fn add_term(&mut self, token: &Token<'_>, strong: bool) {
        let hash = TermHash::of(token.form, token.text);
        let weight = weight_of(token);
        let place = *self.places.entry(hash).or_insert_with(|| {
            self.terms.push(QueryTerm { hash, weight, strong });
            self.terms.len() - 1
        });
        if let Some(term) = self.terms.get_mut(place) {
            term.weight = term.weight.max(weight);
            term.strong |= strong;
        }
    }

    fn finish(mut self) -> Query {
        if self.terms.len() > MAX_TERMS {
            // Stable: of terms with the same weight those that came first stay.
            self.terms.sort_by(|left, right| right.weight.total_cmp(&left.weight));
            self.terms.truncate(MAX_TERMS);
            self.truncated = true;
        }
        if !self.terms.iter().any(|term| term.strong) {
            // A lone character, or nothing but stop words: then these are what is looked for.
            self.terms.iter_mut().for_each(|term| term.strong = true);
        }
        self.terms.sort_by_key(|term| term.hash);
        Query { terms: self.terms, phrases: self.phrases, truncated: self.truncated }
    }
}

fn weight_of(token: &Token<'_>) -> f32 {
    let weight = match token.form {
        Form::Word => WORD_WEIGHT,
        Form::Exact => EXACT_WEIGHT,
        Form::SubWord => SUB_WORD_WEIGHT,
        Form::Character => CHARACTER_WEIGHT,
    };
    if token.stop { weight * STOP_FACTOR } else { weight }
}

/// A phrase being read. For each unit it holds one term that every row with the same text also has there.
#[derive(Default)]
struct PhraseDraft {
    /// By position: how good the choice is (lower is better), and the term.
    choices: Vec<(u32, u8, TermHash)>,
}

impl PhraseDraft {
    fn add(&mut self, token: &Token<'_>) {
        // Where a Han word ends depends on what stands around it, so one-unit terms come first. A longer one
        // only serves where the analyser gives no other.
        let rank = match (token.units, token.form) {
            (_, Form::Exact) => return,
            (0 | 1, Form::Word) => 0,
            (0 | 1, Form::Character) => 1,
            (0 | 1, Form::SubWord) => 2,
            (_, Form::SubWord | Form::Character) => 3,
            (_, Form::Word) => 4,
        };
        self.choices.push((token.position, rank, TermHash::of(token.form, token.text)));
    }

    fn finish(mut self) -> Phrase {
        self.choices.sort_unstable();
        self.choices.dedup_by_key(|(position, ..)| *position);
        let start = self.choices.first().map_or(0, |(position, ..)| *position);
        let units =
            self.choices.iter().map(|&(position, _, hash)| Unit { hash, offset: position - start }).collect();
        Phrase { units }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> TermHash {
        TermHash::of(Form::Word, text)
    }

    fn strong(query: &Query, text: &str) -> Option<bool> {
        query.term(word(text)).map(|term| term.strong)
    }

    #[test]
    fn every_kind_of_quotation_mark_makes_a_phrase() {
        for text in ["\"cat hat\"", "“cat hat”", "「cat hat」", "『cat hat』", "my \"cat hat\" rat"] {
            let query = Query::parse(text);
            let [phrase] = query.phrases() else { panic!("{text}: {query:?}") };
            let units = [Unit { hash: word("cat"), offset: 0 }, Unit { hash: word("hat"), offset: 1 }];
            assert_eq!(phrase.units, units, "{text}");
            assert!(query.term(word("cat")).is_some());
        }
    }

    #[test]
    fn an_unclosed_or_empty_quotation_is_no_phrase() {
        for text in ["cat \"hat", "cat \"\" hat", "cat “…” hat", "cat 」hat「"] {
            let query = Query::parse(text);
            assert_eq!(query.phrases(), [], "{text}");
            assert!(query.term(word("hat")).is_some(), "{text}");
        }
    }

    #[test]
    fn several_phrases_are_all_kept() {
        assert_eq!(Query::parse("\"cat\" and 「hat」“rat”").phrases().len(), 3);
    }

    #[test]
    fn a_han_phrase_is_told_by_its_characters() {
        let query = Query::parse("「喜欢」");
        let units = [Unit { hash: word("喜"), offset: 0 }, Unit { hash: word("欢"), offset: 1 }];
        assert_eq!(query.phrases()[0].units, units);
    }

    #[test]
    fn a_term_said_twice_counts_once_with_its_greatest_weight() {
        let query = Query::parse("cat cat cats");
        assert_eq!(query.hashes().filter(|&hash| hash == word("cat")).count(), 1);
        assert_eq!(query.term(word("cat")).map(|term| term.weight), Some(WORD_WEIGHT));
    }

    #[test]
    fn stop_words_are_strong_only_when_there_is_nothing_else() {
        assert_eq!(strong(&Query::parse("the cat"), "the"), Some(false));
        assert_eq!(strong(&Query::parse("the"), "the"), Some(true));
        assert_eq!(strong(&Query::parse("\"the\" cat"), "the"), Some(true));
    }

    #[test]
    fn a_lone_character_is_strong() {
        assert_eq!(strong(&Query::parse("猫"), "猫"), Some(true));
        assert_eq!(strong(&Query::parse("喜欢"), "喜"), Some(false));
        assert_eq!(strong(&Query::parse("喜欢"), "喜欢"), Some(true));
    }

    #[test]
    fn text_without_a_word_is_an_empty_query() {
        assert!(Query::parse("").is_empty());
        assert!(Query::parse("  ?! \"…\"").is_empty());
    }

    #[test]
    fn of_too_many_terms_the_heaviest_stay() {
        let text: String = (0..400).map(|n| format!("the{n}thing 猫 word{n} ")).collect();
        let query = Query::parse(&text);
        assert!(query.truncated());
        assert_eq!(query.hashes().count(), MAX_TERMS);
        assert!(query.term(word("word0")).is_some());
        assert!(query.terms().iter().all(|term| term.weight == WORD_WEIGHT));
        assert!(!Query::parse("the cat").truncated());
    }

    #[test]
    fn a_phrase_beyond_the_bound_is_cut() {
        let text: String = (0..200).map(|n| format!("word{n} ")).collect();
        let query = Query::parse(&format!("\"{text}\" “{text}” 「cat」"));
        assert!(query.truncated());
        assert_eq!(query.phrases().iter().map(|phrase| phrase.units.len()).sum::<usize>(), MAX_PHRASE_UNITS);
    }
}
