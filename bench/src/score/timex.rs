use anyhow::Result;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::lines;
use crate::report::{Report, Table};

#[derive(Deserialize, Clone, PartialEq)]
struct Stretch {
    start: Option<String>,
    end: Option<String>,
}

#[derive(Deserialize)]
struct Gold {
    id: Value,
    lang: String,
    source: String,
    expect: Stretch,
    #[serde(default)]
    alts: Vec<Stretch>,
    #[serde(default)]
    holiday: Value,
}

#[derive(Deserialize)]
struct Pred {
    id: Value,
    grain: Option<String>,
    #[serde(flatten)]
    stretch: Stretch,
}

/// How many there are and how many are right.
#[derive(Default, Clone, Copy)]
struct Tally {
    count: usize,
    exact: usize,
    start: usize,
}

impl Tally {
    fn share(part: usize, whole: usize) -> f64 {
        part as f64 / whole.max(1) as f64
    }
}

/// The share read exactly, and the share whose start is right, by language and source.
pub(super) fn run(gold: &Path, pred: &Path) -> Result<Report> {
    let answers: HashMap<String, Pred> =
        lines::<Pred>(pred)?.into_iter().map(|pred| (pred.id.to_string(), pred)).collect();
    let mut tallies: BTreeMap<(String, String, &str), Tally> = BTreeMap::new();
    for gold in lines::<Gold>(gold)? {
        let answer = answers.get(&gold.id.to_string()).filter(|pred| pred.grain.is_some());
        let right = || std::iter::once(&gold.expect).chain(&gold.alts);
        let exact = answer.is_some_and(|pred| right().any(|right| *right == pred.stretch));
        let start = answer.is_some_and(|pred| right().any(|right| right.start == pred.stretch.start));
        let source = gold.source.split('/').next().unwrap_or_default().to_owned();
        let is_holiday = !matches!(gold.holiday, Value::Null | Value::Bool(false));
        for (source, part) in [
            (source.clone(), "all"),
            (source, "no holidays"),
            ("(all)".into(), "all"),
            ("(all)".into(), "no holidays"),
        ] {
            if part == "no holidays" && is_holiday {
                continue;
            }
            let tally = tallies.entry((gold.lang.clone(), source, part)).or_default();
            tally.count += 1;
            tally.exact += usize::from(exact);
            tally.start += usize::from(start);
        }
    }
    let mut table = Table::new(&["language", "source", "rows", "count", "exact", "start"]);
    let mut figures = Vec::new();
    for ((lang, source, part), tally) in &tallies {
        let (exact, start) = (Tally::share(tally.exact, tally.count), Tally::share(tally.start, tally.count));
        table.row(vec![
            lang.clone(),
            source.clone(),
            (*part).to_owned(),
            tally.count.to_string(),
            format!("{exact:.3}"),
            format!("{start:.3}"),
        ]);
        figures.push(json!({ "lang": lang, "source": source, "rows": part, "count": tally.count, "exact": exact, "start": start }));
    }
    Ok(Report {
        command: "score timex",
        quick: false,
        notes: Vec::new(),
        tables: vec![table],
        figures: Value::Array(figures),
        bindings: Vec::new(),
    })
}
