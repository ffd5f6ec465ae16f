//! `memoir-bench fit`: learns what each signal of a recall weighs, and says how well that does on conversations which it
//! did not learn from.

mod learn;
mod trace;

use anyhow::{Context, Result, bail};
use memoir_engine::{Occasion, Ranking};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use self::learn::{Learned, learn};
use self::trace::{Trace, traces, write_signals};
use crate::Common;
use crate::report::{Report, Table};
use crate::stats::mean;

/// Into how many parts the conversations of a set are divided.
const FOLDS: usize = 8;

/// `memoir-bench fit`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// `NAME=CORPUS,QUERIES,EMBEDDER|none`; may be repeated.
    #[arg(long, value_name = "SET", required = true)]
    set: Vec<String>,
    /// Where the ranking goes that is learned from everything.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where the signals of every candidate go, for looking at them elsewhere.
    #[arg(long, value_name = "FILE")]
    signals: Option<PathBuf>,
}

/// Plays, asks and learns.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let mut all = Vec::new();
    for set in &args.set {
        let parts = set.split_once('=').map(|(name, rest)| (name, rest.split(',').collect::<Vec<_>>()));
        let Some((name, [corpus, queries, embedder])) =
            parts.as_ref().map(|(name, parts)| (name, &parts[..]))
        else {
            bail!("--set must be NAME=CORPUS,QUERIES,EMBEDDER")
        };
        let embedder = (*embedder != "none").then(|| Path::new(embedder));
        all.extend(traces(&args.common, name, Path::new(corpus), Path::new(queries), embedder)?);
    }
    if let Some(path) = &args.signals {
        write_signals(path, &all)?;
    }
    let folds = folds(&all);
    let mut judged: Vec<(&Trace, Figures)> = Vec::new();
    for fold in 0..FOLDS {
        let (apart, rest): (Vec<_>, Vec<_>) = all.iter().zip(&folds).partition(|(_, of)| **of == fold);
        if apart.is_empty() {
            continue;
        }
        let learned = learn(&rest.into_iter().map(|(trace, _)| trace).collect::<Vec<_>>());
        judged.extend(apart.into_iter().map(|(trace, _)| (trace, figures(trace, &learned))));
    }
    if let Some(path) = &args.out {
        let ranking = ranking(&learn(&all.iter().collect::<Vec<_>>()))?;
        std::fs::write(path, ranking.to_toml())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(report(args, &judged))
}

/// The part that each question belongs to: all of a conversation to one.
fn folds(all: &[Trace]) -> Vec<usize> {
    let mut conversations: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for trace in all {
        conversations.entry(&trace.set).or_default().insert(&trace.conv);
    }
    let place = |trace: &Trace| conversations[trace.set.as_str()].iter().position(|conv| *conv == trace.conv);
    all.iter().map(|trace| place(trace).unwrap_or_default() % FOLDS).collect()
}

fn ranking(learned: &BTreeMap<(Occasion, bool), Learned>) -> Result<Ranking> {
    let mut tables = BTreeMap::new();
    for occasion in Occasion::ALL {
        let table = |by_meaning: bool| {
            let learned =
                learned.get(&(occasion, by_meaning)).or_else(|| learned.get(&(occasion, !by_meaning)));
            learned
                .map(Learned::table)
                .with_context(|| format!("no set has the occasion {}", occasion.name()))
        };
        tables.insert(occasion, [table(true)?, table(false)?]);
    }
    Ok(Ranking::of(tables))
}

/// How well one question went.
struct Figures {
    /// recall@5, recall@10, recall@20, hit@10, hit@20, MRR; none where nothing answers it.
    ranked: Option<[f64; 6]>,
    /// Whether it was said that nothing is relevant.
    nothing: bool,
}

fn figures(trace: &Trace, learned: &BTreeMap<(Occasion, bool), Learned>) -> Figures {
    let Some(learned) = trace.occasion.and_then(|occasion| learned.get(&(occasion, trace.by_meaning))) else {
        return Figures { ranked: (trace.evidence > 0).then_some([0.0; 6]), nothing: true };
    };
    let right = learned.ranked(trace);
    let nothing = learned.is_nothing(trace);
    let evidence = trace.evidence as f64;
    let among = |first: usize| right.iter().take(first).filter(|right| **right).count() as f64;
    let hit = |first: usize| f64::from(u8::from(among(first) > 0.0));
    let first = right.iter().position(|right| *right);
    let ranked = (trace.evidence > 0).then(|| {
        let reciprocal = first.map_or(0.0, |place| 1.0 / (place + 1) as f64);
        [among(5) / evidence, among(10) / evidence, among(20) / evidence, hit(10), hit(20), reciprocal]
    });
    Figures { ranked, nothing }
}

fn report(args: &Args, judged: &[(&Trace, Figures)]) -> Report {
    let head = [
        "set",
        "questions",
        "recall@5",
        "recall@10",
        "recall@20",
        "hit@10",
        "hit@20",
        "MRR",
        "wrongly nothing",
    ];
    let mut table = Table::new(&head);
    let mut absent = Table::new(&["set", "questions without an answer", "answered with nothing"]);
    let sets: BTreeSet<&str> = judged.iter().map(|(trace, _)| trace.set.as_str()).collect();
    let mut figures_of = BTreeMap::new();
    for set in sets {
        let of_set = || judged.iter().filter(|(trace, _)| trace.set == set);
        let ranked: Vec<[f64; 6]> = of_set().filter_map(|(_, figures)| figures.ranked).collect();
        let means: Vec<f64> =
            (0..6).map(|nth| mean(&ranked.iter().map(|figures| figures[nth]).collect::<Vec<_>>())).collect();
        let nothing = |answered: bool| {
            let asked = of_set()
                .filter(|(trace, _)| (trace.evidence > 0) == answered && trace.asks_absent != answered);
            asked.map(|(_, figures)| f64::from(u8::from(figures.nothing))).collect::<Vec<_>>()
        };
        let (wrongly, rightly) = (nothing(true), nothing(false));
        let mut row = vec![set.to_owned(), ranked.len().to_string()];
        row.extend(means.iter().map(|mean| format!("{mean:.3}")));
        row.push(format!("{:.3}", mean(&wrongly)));
        table.row(row);
        if !rightly.is_empty() {
            let share = mean(&rightly);
            absent.row(vec![set.to_owned(), rightly.len().to_string(), format!("{share:.3}")]);
        }
        figures_of.insert(set, json!({"means": means, "wrongly_nothing": mean(&wrongly)}));
    }
    Report {
        command: "fit",
        quick: args.common.quick,
        notes: vec!["Every conversation is ranked by weights learned from the others.".into()],
        tables: vec![table, absent],
        figures: json!(figures_of),
        bindings: Vec::new(),
    }
}
