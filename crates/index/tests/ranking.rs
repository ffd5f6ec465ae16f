//! The ranking is a function of the live rows alone: random spaces against a scorer that knows no index.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use memoir_index::{
    B, Filter, Hit, K1, PIECE_ROWS, Query, Row, RowMeta, Segment, SpaceIndex, Terms, piece_of,
};
use memoir_text::{Form, tokens};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// Few words, so that rows share them: with stop words, forms of a word and Han text.
const WORDS: [&str; 14] = [
    "cat",
    "cats",
    "running",
    "runs",
    "the",
    "is",
    "york",
    "new",
    "猫",
    "熊猫",
    "喜欢",
    "我的",
    "天气",
    "今天天气",
];

type Rows = BTreeMap<u64, (RowMeta, String)>;

#[derive(Debug, Clone)]
enum Change {
    Upsert(u64, RowMeta, String),
    Remove(u64),
    /// Seal the piece of this row as it is now.
    Seal(u64),
    /// Seal it and go through the bytes.
    SealAndLoad(u64),
}

fn seq() -> impl Strategy<Value = u64> {
    // Three pieces, and few rows of each, so that changes meet.
    (0u64..3, 0u64..6).prop_map(|(piece, row)| piece * PIECE_ROWS + row * 700)
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec((prop::sample::select(&WORDS[..]), prop::bool::weighted(0.7)), 0..8).prop_map(
        |words| {
            words
                .into_iter()
                .map(|(word, apart)| if apart { format!("{word} ") } else { word.to_owned() })
                .collect()
        },
    )
}

fn meta() -> impl Strategy<Value = RowMeta> {
    (0i64..10, 0u64..3, 0u8..2, 0u64..3).prop_map(|(said_at, author, role, session)| RowMeta {
        said_at,
        author,
        role,
        session,
    })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (seq(), meta(), text()).prop_map(|(seq, meta, text)| Change::Upsert(seq, meta, text)),
        2 => seq().prop_map(Change::Remove),
        1 => seq().prop_map(Change::Seal),
        1 => seq().prop_map(Change::SealAndLoad),
    ]
}

fn query() -> impl Strategy<Value = String> {
    (text(), prop::option::weighted(0.3, text())).prop_map(|(plain, phrase)| match phrase {
        Some(phrase) => format!("{plain} 「{}」", phrase.chars().take(6).collect::<String>()),
        None => plain,
    })
}

fn filter() -> impl Strategy<Value = Filter> {
    let set = || prop::option::weighted(0.2, prop::collection::btree_set(0u64..3, 1..3));
    (prop::option::weighted(0.2, 0i64..10), prop::option::weighted(0.2, 0i64..10), set(), set()).prop_map(
        |(from, until, authors, sessions)| Filter { from, until, authors, sessions, ..Filter::default() },
    )
}

fn seal(space: &mut SpaceIndex, rows: &Rows, piece: u64, load: bool) -> TestCaseResult {
    let failed = |error: &dyn Error| TestCaseError::fail(error.to_string());
    let terms: Vec<(u64, RowMeta, Terms)> = rows
        .iter()
        .filter(|(seq, _)| piece_of(**seq) == piece)
        .map(|(seq, (meta, text))| (*seq, *meta, Terms::of(&[text])))
        .collect();
    let rows = terms.iter().map(|(seq, meta, terms)| Row { seq: *seq, meta: *meta, terms });
    let mut segment = Segment::build(piece, rows).map_err(|error| failed(&error))?;
    if load {
        segment = Segment::from_bytes(segment.to_bytes()).map_err(|error| failed(&error))?;
    }
    space.add_segment(segment);
    Ok(())
}

fn apply(space: &mut SpaceIndex, rows: &mut Rows, change: &Change) -> TestCaseResult {
    match change {
        Change::Upsert(seq, meta, text) => {
            space.upsert(*seq, *meta, &Terms::of(&[text]));
            rows.insert(*seq, (*meta, text.clone()));
        }
        Change::Remove(seq) => prop_assert_eq!(space.remove(*seq), rows.remove(seq).is_some()),
        Change::Seal(seq) => seal(space, rows, piece_of(*seq), false)?,
        Change::SealAndLoad(seq) => seal(space, rows, piece_of(*seq), true)?,
    }
    Ok(())
}

/// A term, as the reference knows it: the unstemmed form apart from the rest.
type Name = (bool, String);

fn names(text: &str) -> Vec<(Name, Form, u32, u32, bool)> {
    let mut names = Vec::new();
    tokens(text, |token| {
        let name = (token.form == Form::Exact, token.text.to_owned());
        names.push((name, token.form, token.position, token.units, token.stop));
    });
    names
}

/// Term, weight, strong; in the order in which the index adds up.
fn query_terms(text: &str, phrase: Option<&str>) -> Vec<(Name, f32, bool)> {
    let mut terms: BTreeMap<Name, (f32, bool)> = BTreeMap::new();
    let lone = phrase.is_some_and(|phrase| units(phrase).len() == 1);
    let parts = [(text, false), (phrase.unwrap_or_default(), true)];
    for (part, quoted) in parts {
        for (name, form, _, _, stop) in names(part) {
            let weight = match form {
                Form::Word => 1.0,
                Form::Exact => 0.3,
                Form::SubWord => 0.5,
                Form::Character => 0.15,
            } * if stop { 0.2 } else { 1.0 };
            let strong =
                if quoted { form != Form::Character || lone } else { form != Form::Character && !stop };
            let term = terms.entry(name).or_insert((0.0, false));
            *term = (term.0.max(weight), term.1 || strong);
        }
    }
    let any_strong = terms.values().any(|(_, strong)| *strong);
    let mut terms: Vec<_> =
        terms.into_iter().map(|(name, (weight, strong))| (name, weight, strong || !any_strong)).collect();
    terms.sort_by_key(|((exact, text), ..)| {
        let text = if *exact { format!("={text}") } else { text.clone() };
        xxhash_rust::xxh3::xxh3_64(text.as_bytes()) >> 16
    });
    terms
}

/// The one-unit terms of a text by position.
fn units(text: &str) -> Vec<(u32, String)> {
    let units: BTreeSet<(u32, String)> = names(text)
        .into_iter()
        .filter(|(_, form, _, units, _)| *units == 1 && matches!(form, Form::Word | Form::Character))
        .map(|((_, text), _, position, ..)| (position, text))
        .collect();
    units.into_iter().collect()
}

fn holds_phrase(text: &str, phrase: &str) -> bool {
    let text: Vec<String> = units(text).into_iter().map(|(_, unit)| unit).collect();
    let phrase: Vec<String> = units(phrase).into_iter().map(|(_, unit)| unit).collect();
    phrase.is_empty() || text.windows(phrase.len()).any(|window| window == phrase)
}

/// A live row as the reference sees it.
struct Document<'a> {
    seq: u64,
    meta: &'a RowMeta,
    text: &'a str,
    places: BTreeMap<Name, BTreeSet<u32>>,
    words: usize,
}

impl<'a> Document<'a> {
    fn new(seq: u64, meta: &'a RowMeta, text: &'a str) -> Self {
        let names = names(text);
        let mut places: BTreeMap<Name, BTreeSet<u32>> = BTreeMap::new();
        for (name, _, position, ..) in &names {
            places.entry(name.clone()).or_default().insert(*position);
        }
        let words = names.iter().filter(|(_, form, ..)| *form == Form::Word).count();
        Self { seq, meta, text, places, words }
    }
}

/// Scores every row from its text.
fn reference(rows: &Rows, query: &str, filter: &Filter, limit: usize) -> Vec<Hit> {
    let (plain, phrase) = match query.split_once('「') {
        Some((plain, phrase)) => (plain, phrase.strip_suffix('」')),
        None => (query, None),
    };
    let terms = query_terms(plain, phrase);
    let documents: Vec<Document<'_>> =
        rows.iter().map(|(seq, (meta, text))| Document::new(*seq, meta, text)).collect();
    let all_words: usize = documents.iter().map(|document| document.words).sum();
    let inverse_average = if all_words == 0 { 0.0 } else { documents.len() as f32 / all_words as f32 };
    let mut hits = Vec::new();
    for document in &documents {
        let mut hit = Hit { seq: document.seq, score: 0.0, strong: false, matched: 0 };
        for (name, weight, strong) in &terms {
            let Some(places) = document.places.get(name) else { continue };
            let holders = documents.iter().filter(|document| document.places.contains_key(name)).count();
            let idf = (((documents.len() - holders) as f32 + 0.5) / (holders as f32 + 0.5)).ln_1p();
            let frequency = places.len() as f32;
            let length = document.words as f32 * inverse_average;
            let gain = frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length));
            hit.score += weight * idf * gain;
            hit.strong |= strong;
            hit.matched += 1;
        }
        let passes = filter.admits(document.seq, document.meta)
            && phrase.is_none_or(|phrase| holds_phrase(document.text, phrase));
        if hit.matched > 0 && passes {
            hits.push(hit);
        }
    }
    if hits.iter().any(|hit| hit.strong) {
        hits.retain(|hit| hit.strong);
    }
    hits.sort_by(|left, right| right.score.total_cmp(&left.score).then(right.seq.cmp(&left.seq)));
    hits.truncate(limit);
    hits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_ranking_follows_from_the_live_rows_alone(
        // Enough for a tail of few rows to sweep its dead ones.
        changes in prop::collection::vec(change(), 0..240),
        queries in prop::collection::vec((query(), filter(), 0usize..12), 1..6),
    ) {
        let mut space = SpaceIndex::new();
        let mut rows = Rows::new();
        for change in &changes {
            apply(&mut space, &mut rows, change)?;
        }
        prop_assert_eq!(space.len(), rows.len());
        for seq in rows.keys() {
            prop_assert!(space.contains(*seq));
        }
        // The same rows, all in a tail that never saw another.
        let mut fresh = SpaceIndex::new();
        for (seq, (meta, text)) in &rows {
            fresh.upsert(*seq, *meta, &Terms::of(&[text]));
        }
        // The same rows, all sealed.
        let mut sealed = SpaceIndex::new();
        for piece in rows.keys().map(|seq| piece_of(*seq)).collect::<BTreeSet<_>>() {
            seal(&mut sealed, &rows, piece, true)?;
        }
        for (text, filter, limit) in &queries {
            let query = Query::parse(text);
            let expected = reference(&rows, text, filter, *limit);
            for index in [&space, &fresh, &sealed] {
                prop_assert_eq!(&index.search(&query, filter, *limit).hits, &expected, "{}", text);
            }
        }
    }
}
