use std::ops::Range;

use super::{
    clause::{self, clauses, connective, stands_alone, waits},
    filler,
    signal::Signal,
    turn::{Role, Turn},
};
use crate::{Language, graph, language, sentences, term::Lexicon};

/// A sentence of the talk with the ways to shorten it.
pub(super) struct Passage<'t> {
    pub(super) turn: usize,
    /// The whole text of the turn.
    pub(super) text: &'t str,
    /// The sentence and its shorter forms, in bytes of `text`.
    pub(super) forms: Vec<PassageForm>,
}

/// The sentence, or clauses of it that can stand alone.
pub(super) struct PassageForm {
    pub(super) span: Range<usize>,
    /// Its different words with what each is worth here.
    pub(super) words: Vec<(usize, f32)>,
    /// What it is worth beside its words.
    pub(super) bonus: f32,
    /// By what all that is multiplied: who speaks, whether it asks.
    pub(super) factor: f32,
}

const ASSISTANT: f32 = 0.4;
/// Advice with names or titles in it is a recommendation that may be asked for later.
const ASSISTANT_NAMED: f32 = 0.75;
const USER_QUESTION: f32 = 0.3;
/// `Do you like tea?` tells nothing about the one who asks.
const QUESTION_TO_YOU: f32 = 0.1;
const ASSISTANT_QUESTION: f32 = 0.0;
/// The first statements say what the talk is about.
const OPENING: f32 = 1.1;
const OPENING_TURNS: usize = 2;
/// How much a word gains by being central to the talk.
const CENTRALITY: f32 = 0.5;
/// Longer sentences are cut at the end of a clause.
const LONGEST_FORM: usize = 8;

/// Shorter sentences must have a name, a title, a number or a cue.
const FEWEST_HAN: usize = 5;
const FEWEST_WORDS: usize = 4;
/// In how many turns the speakers' names are looked for.
const NAMED_TURNS: usize = 64;

/// The passages of a talk that are worth a look, in order.
pub(super) fn of<'t>(turns: &[Turn<'t>]) -> Vec<Passage<'t>> {
    let mut lexicon = Lexicon::default();
    // Who speaks is known: their names tell nothing.
    for turn in turns.iter().take(NAMED_TURNS) {
        lexicon.silence(turn.speaker);
    }
    let mut passages = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        for sentence in sentences(turn.text) {
            if let Some(passage) = passage(turn, index, sentence, &mut lexicon) {
                passages.push(passage);
            }
        }
    }
    weigh(&mut passages, &lexicon);
    passages
}

fn passage<'t>(
    turn: &Turn<'t>,
    index: usize,
    sentence: Range<usize>,
    lexicon: &mut Lexicon,
) -> Option<Passage<'t>> {
    let text = turn.text.get(sentence.clone())?;
    let skipped = filler::interjection(text);
    let (start, text) = (sentence.start + skipped, text.get(skipped..)?);
    let chinese = matches!(language(text), Language::Zh | Language::Mixed);
    let marks = |c: char| !matches!(c, '?' | '？') && !c.is_alphanumeric();
    let asks = text.trim_end_matches(marks).ends_with(['?', '？']);
    let parts: Vec<Part> = clauses(text).into_iter().map(|range| Part::new(text, range, lexicon)).collect();
    let mut forms = Vec::new();
    for (from, first) in parts.iter().enumerate() {
        // English clauses lean on their beginning, Chinese ones often stand alone.
        if from > 0 && !chinese {
            break;
        }
        let head = text.get(first.range.clone())?;
        let joined = connective(head);
        if first.filler || (from > 0 && joined == 0 && !stands_alone(head)) {
            continue;
        }
        let mut form = PassageForm { span: 0..0, words: Vec::new(), bonus: 0.0, factor: 0.0 };
        let (mut signal, mut question) = (Signal::default(), false);
        for (to, last) in parts.iter().enumerate().skip(from).take(LONGEST_FORM) {
            let tail = text.get(last.range.clone())?;
            form.words.extend(last.words.iter().map(|&word| (word, 0.0)));
            signal = signal.and(last.signal);
            question |= asks && (to + 1 == parts.len() || clause::asks(tail));
            let span = first.range.start + joined..last.range.end;
            let unfinished = last.filler || (to + 1 < parts.len() && waits(tail));
            let slight = !signal.is_concrete() && is_short(text.get(span.clone())?);
            if unfinished || slight || form.words.is_empty() {
                continue;
            }
            form.words.sort_unstable_by_key(|&(word, _)| word);
            form.words.dedup_by_key(|&mut (word, _)| word);
            forms.push(PassageForm {
                span: start + span.start..start + span.end,
                words: form.words.clone(),
                bonus: signal.worth(),
                factor: if question && turn.role == Role::User && addresses(text) {
                    QUESTION_TO_YOU
                } else {
                    factor(turn.role, index, question, signal)
                },
            });
        }
    }
    (!forms.is_empty()).then_some(Passage { turn: index, text: turn.text, forms })
}

/// A clause and what is in it.
struct Part {
    range: Range<usize>,
    words: Vec<usize>,
    signal: Signal,
    filler: bool,
}

impl Part {
    fn new(text: &str, range: Range<usize>, lexicon: &mut Lexicon) -> Part {
        let clause = text.get(range.clone()).unwrap_or_default();
        let mut words: Vec<usize> = lexicon.terms(clause).into_iter().map(|term| term.id).collect();
        words.retain(|&word| lexicon.weight(word) > 0.0);
        let signal = Signal::of(clause);
        let filler = filler::is_filler(clause, &words, signal, lexicon);
        Part { range, words, signal, filler }
    }
}

/// By what the worth of a statement is multiplied.
fn factor(role: Role, index: usize, question: bool, signal: Signal) -> f32 {
    match (role, question) {
        (Role::User, false) if index < OPENING_TURNS => OPENING,
        (Role::User, false) => 1.0,
        (Role::User, true) => USER_QUESTION,
        (Role::Assistant, true) => ASSISTANT_QUESTION,
        (Role::Assistant, false) if signal.is_named() => ASSISTANT_NAMED,
        (Role::Assistant, false) => ASSISTANT,
    }
}

/// Whether a question is about the one who is asked.
fn addresses(text: &str) -> bool {
    let you = |word: &str| word.eq_ignore_ascii_case("you") || word.eq_ignore_ascii_case("your");
    text.contains(['你', '您']) || text.split(|c: char| !c.is_alphanumeric()).any(you)
}

/// Whether a text is too short to say anything by itself.
fn is_short(text: &str) -> bool {
    let han = text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count();
    han < FEWEST_HAN && text.split_whitespace().count() < FEWEST_WORDS
}

/// Weighs every word by what it tells in general and by how central it is here: words and sentences that hold them
/// make a graph, and the rank of a word in it is its centrality.
fn weigh(passages: &mut [Passage<'_>], lexicon: &Lexicon) {
    let words = lexicon.len();
    let mut edges = Vec::new();
    for (sentence, passage) in passages.iter().enumerate() {
        let longest = passage.forms.iter().max_by_key(|form| form.words.len());
        for &(word, _) in longest.map(|form| form.words.as_slice()).unwrap_or_default() {
            edges.push((word, words + sentence, lexicon.weight(word)));
        }
    }
    let ranks = graph::rank(words + passages.len(), &edges);
    let greatest = ranks.iter().take(words).copied().fold(f32::MIN_POSITIVE, f32::max);
    for form in passages.iter_mut().flat_map(|passage| &mut passage.forms) {
        for (word, worth) in &mut form.words {
            let rank = ranks.get(*word).copied().unwrap_or_default();
            *worth = lexicon.weight(*word) * (1.0 + CENTRALITY * rank / greatest);
        }
    }
}
