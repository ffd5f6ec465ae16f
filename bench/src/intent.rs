//! `memoir-bench intent`: how well questions about past talk are told from other messages, on three labelled tables: sentences of
//! our own, what examiners wrote without knowing the rules, and ids of public data.

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::report::{Binding, Report, Table};

const OWN: &str = include_str!("../../crates/when/data/intent.tsv");
const EXAMINED: &str = include_str!("../../crates/when/data/examined.tsv");
const PUBLIC: &str = include_str!("../data/intent.tsv");
/// What each must reach.
const WANTED: f64 = 0.95;

/// `memoir-bench intent`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with the public retrieval data, which the second table points into; without it only the first is used.
    #[arg(long, value_name = "FOLDER")]
    retrieval: Option<PathBuf>,
}

/// One labelled message.
struct Labelled {
    table: &'static str,
    lang: String,
    history: bool,
    /// Whether it asks for particulars, where that is labelled.
    detail: Option<bool>,
    text: String,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let mut messages = own();
    messages.extend(examined());
    if let Some(folder) = &args.retrieval {
        messages.extend(public(folder)?);
    }
    let mut table = Table::new(&["table", "language", "messages", "precision", "recall", "detail right"]);
    let (mut figures, mut bindings) = (Vec::new(), Vec::new());
    let languages = |name: &'static str| [(name, "zh"), (name, "en")];
    for (name, lang) in ["own", "examined", "public"].into_iter().flat_map(languages) {
        let part: Vec<&Labelled> = messages
            .iter()
            .filter(|message| (message.table, message.lang.as_str()) == (name, lang))
            .collect();
        if part.is_empty() {
            continue;
        }
        let judged: Vec<_> =
            part.iter().map(|message| (message, memoir_when::intent(&message.text))).collect();
        let count = |test: &dyn Fn(bool, bool) -> bool| {
            judged.iter().filter(|(message, intent)| test(message.history, intent.history)).count() as f64
        };
        let hits = count(&|is, said| is && said);
        let precision = hits / count(&|_, said| said).max(1.0);
        let recall = hits / count(&|is, _| is).max(1.0);
        let has_detail = |(message, intent): &&(&&Labelled, memoir_when::Intent)| {
            message.history && intent.history && message.detail.is_some()
        };
        let details: Vec<_> = judged.iter().filter(has_detail).collect();
        let right = details.iter().filter(|(message, intent)| message.detail == Some(intent.detail)).count()
            as f64
            / details.len().max(1) as f64;
        let shown = if details.is_empty() { String::new() } else { format!("{right:.3}") };
        table.row(vec![
            name.into(),
            lang.into(),
            part.len().to_string(),
            format!("{precision:.3}"),
            format!("{recall:.3}"),
            shown,
        ]);
        figures.push(json!({ "table": name, "lang": lang, "messages": part.len(), "precision": precision, "recall": recall, "detail": right }));
        bindings.push(Binding::at_least(format!("{name} {lang} precision"), precision, WANTED));
        bindings.push(Binding::at_least(format!("{name} {lang} recall"), recall, WANTED));
    }
    Ok(Report {
        command: "intent",
        quick: false,
        notes: Vec::new(),
        tables: vec![table],
        figures: Value::Array(figures),
        bindings,
    })
}

fn own() -> Vec<Labelled> {
    labelled("own", OWN, |fields| match *fields {
        [label, detail, lang, text] => Some((label, Some(detail == "yes"), lang, text)),
        _ => None,
    })
}

fn examined() -> Vec<Labelled> {
    labelled("examined", EXAMINED, |fields| match *fields {
        [_, label, lang, text] => Some((label, None, lang, text)),
        _ => None,
    })
}

/// A label, whether particulars are asked for, a language and a text.
type Columns<'a> = (&'a str, Option<bool>, &'a str, &'a str);

/// The messages of a table whose columns are named by `columns`.
fn labelled(
    table: &'static str,
    lines: &str,
    columns: impl for<'a> Fn(&[&'a str]) -> Option<Columns<'a>>,
) -> Vec<Labelled> {
    let message = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let (label, detail, lang, text) = columns(&fields)?;
        let (lang, text) = (lang.to_owned(), text.to_owned());
        Some(Labelled { table, lang, history: label == "history", detail, text })
    };
    lines.lines().skip(1).filter_map(message).collect()
}

fn public(folder: &Path) -> Result<Vec<Labelled>> {
    let mut sets: HashMap<(String, String), HashMap<(String, String), String>> = HashMap::new();
    let mut messages = Vec::new();
    for line in PUBLIC.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [label, detail, lang, set, kind, conv, id] = fields.as_slice() else {
            bail!("{line} has not seven fields")
        };
        let key = ((*set).to_owned(), (*kind).to_owned());
        if !sets.contains_key(&key) {
            sets.insert(key.clone(), texts(folder, set, kind)?);
        }
        let text = sets.get(&key).and_then(|texts| texts.get(&((*conv).to_owned(), (*id).to_owned())));
        let text = text.with_context(|| format!("{set} has no {kind} {conv} {id}"))?.clone();
        messages.push(Labelled {
            table: "public",
            lang: (*lang).to_owned(),
            history: *label == "history",
            detail: Some(*detail == "yes"),
            text,
        });
    }
    Ok(messages)
}

/// The questions or the turns of a set, by conversation and id.
fn texts(folder: &Path, set: &str, kind: &str) -> Result<HashMap<(String, String), String>> {
    let (name, id, field) =
        if kind == "query" { ("queries", "qid", "question") } else { ("corpus", "id", "text") };
    let plain = folder.join(format!("{set}.dev.{name}.jsonl"));
    let packed = folder.join(format!("{set}.dev.{name}.jsonl.gz"));
    let mut text = String::new();
    if plain.exists() {
        text = std::fs::read_to_string(&plain)?;
    } else {
        let file =
            std::fs::File::open(&packed).with_context(|| format!("cannot read {}", packed.display()))?;
        GzDecoder::new(file).read_to_string(&mut text)?;
    }
    let mut texts = HashMap::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line)?;
        let get = |name: &str| value[name].as_str().map_or_else(|| value[name].to_string(), str::to_owned);
        texts.insert((get("conv"), get(id)), get(field));
    }
    Ok(texts)
}
