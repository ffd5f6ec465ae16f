//! `memoir-bench intent`: how well questions about past talk are told from other messages, on two labelled tables: one with
//! sentences of our own, one with ids of public data.

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::report::{Binding, Report, Table};

const OWN: &str = include_str!("../../crates/when/data/intent.tsv");
const PUBLIC: &str = include_str!("../data/intent.tsv");
/// What both must reach.
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
    detail: bool,
    text: String,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let mut messages = own();
    if let Some(folder) = &args.retrieval {
        messages.extend(public(folder)?);
    }
    let mut table = Table::new(&["table", "language", "messages", "precision", "recall", "detail right"]);
    let (mut figures, mut bindings) = (Vec::new(), Vec::new());
    for (name, lang) in [("own", "zh"), ("own", "en"), ("public", "zh"), ("public", "en")] {
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
        let details = judged.iter().filter(|(message, intent)| message.history && intent.history);
        let right = details.clone().filter(|(message, intent)| message.detail == intent.detail).count()
            as f64
            / hits.max(1.0);
        table.row(vec![
            name.into(),
            lang.into(),
            part.len().to_string(),
            format!("{precision:.3}"),
            format!("{recall:.3}"),
            format!("{right:.3}"),
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
    let lines = OWN.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let labelled = |fields: Vec<&str>| match fields.as_slice() {
        [label, detail, lang, text] => Some(Labelled {
            table: "own",
            lang: (*lang).to_owned(),
            history: *label == "history",
            detail: *detail == "yes",
            text: (*text).to_owned(),
        }),
        _ => None,
    };
    lines.filter_map(labelled).collect()
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
            detail: *detail == "yes",
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
