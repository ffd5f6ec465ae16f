//! `memoir-bench layers`: what reading yesterday costs, how fast a night's work goes, how short days become, and whether
//! questions about days find them.

mod hands;
mod night;
mod talks;
mod yesterday;

use anyhow::{Context, Result};
use serde_json::json;
use std::path::PathBuf;

use crate::Common;
use crate::report::{Binding, Report, Table, count};
use crate::stats::{median, percentile};
use crate::usage::machine;

/// The share of the summariser's own rate that a night's work must keep.
const LEAST_OF_SUMMARISER: f64 = 0.6;
/// The share of questions that name a time which must find it.
const LEAST_FOUND: f64 = 0.95;

/// `memoir-bench layers`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Recorded talks to measure on: NAME=CORPUS,QUERIES.
    #[arg(long = "set", value_name = "NAME=CORPUS,QUERIES")]
    sets: Vec<String>,
    /// How many users have a day behind them.
    #[arg(long, default_value_t = 10_000)]
    users: usize,
    /// How often yesterday is read.
    #[arg(long, default_value_t = 2_000)]
    reads: usize,
    /// Only the recorded talks.
    #[arg(long)]
    only_sets: bool,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let quick = args.common.quick;
    let (mut tables, mut bindings, mut figures) = (Vec::new(), Vec::new(), Vec::new());
    if !args.only_sets {
        let reads = if quick { 50 } else { args.reads };
        let read = yesterday::measure(&args.common, reads)?;
        let ms = |value: f64| format!("{value:.3}");
        let mut table = Table::new(&["yesterday", "p50 ms", "p99 ms"]);
        for (name, spent) in [("POST /v1/context over HTTP", &read.context), ("the bare row", &read.row)] {
            table.row(vec![name.into(), ms(median(spent)), ms(percentile(spent, 0.99))]);
        }
        tables.push(table);
        figures.push(
            json!({"context_p50_ms": median(&read.context), "context_p99_ms": percentile(&read.context, 0.99),
            "row_p50_ms": median(&read.row)}),
        );
        let users = if quick { 50 } else { args.users };
        let night = night::measure(&args.common, users)?;
        let mut table =
            Table::new(&["a night by rules", "users", "users per second", "summariser alone", "share"]);
        let row = |name: &str, work: &night::Rate| {
            vec![
                name.to_owned(),
                count(users as f64),
                count(work.product),
                count(work.summariser),
                format!("{:.2}", work.share()),
            ]
        };
        table.row(row("sessions", &night.sessions));
        table.row(row("days and background", &night.days));
        table.row(row("all of it", &night.both()));
        tables.push(table);
        bindings.push(Binding::at_least(
            "a night's work, of the summariser's own rate",
            night.both().share(),
            LEAST_OF_SUMMARISER,
        ));
        figures.push(json!({"users": users, "sessions": night.sessions.json(), "days": night.days.json(), "all": night.both().json()}));
    }
    let mut table = Table::new(&["set", "days", "raw to day, median", "tokens, of sending the day"]);
    let mut found = Table::new(&["set", "name a time", "day found", "summary or 20 messages hold it"]);
    for set in &args.sets {
        let (name, files) = set.split_once('=').context("--set takes NAME=CORPUS,QUERIES")?;
        let (corpus, queries) = files.split_once(',').context("--set takes NAME=CORPUS,QUERIES")?;
        let talks = talks::measure(&args.common, &PathBuf::from(corpus), &PathBuf::from(queries))?;
        table.row(vec![
            name.into(),
            count(talks.days as f64),
            format!("{:.1}:1", median(&talks.ratios)),
            format!("{:.2}", median(&talks.tokens)),
        ]);
        let share = |part: usize| part as f64 / talks.timed.max(1) as f64;
        found.row(vec![
            name.into(),
            count(talks.timed as f64),
            format!("{:.3}", share(talks.in_interval)),
            format!("{:.3}", share(talks.held)),
        ]);
        if talks.timed > 0 && name.starts_with("memorybank") {
            bindings.push(Binding::at_least(
                format!("{name}: the day is found"),
                share(talks.in_interval),
                LEAST_FOUND,
            ));
            bindings.push(Binding::at_least(
                format!("{name}: the evidence is held"),
                share(talks.held),
                LEAST_FOUND,
            ));
        }
        for missed in &talks.missed {
            eprintln!("missed: {missed}");
        }
        figures.push(json!({"set": name, "days": talks.days, "raw_to_day": median(&talks.ratios),
            "tokens_of_raw": median(&talks.tokens), "timed": talks.timed, "in_interval": talks.in_interval, "held": talks.held}));
    }
    if !args.sets.is_empty() {
        tables.extend([table, found]);
    }
    let notes = vec![
        machine(),
        "yesterday: \"昨天我们聊了什么？\" with a day that is ready, contexts not remembered; the row: the same summary, read \
         from the store and nothing else, in turns"
            .into(),
        "a night: three sessions of eight messages each, summed up when they end, then their day, then the background; the \
         summariser alone has the same texts on as many threads"
            .into(),
    ];
    Ok(Report { command: "layers", quick, notes, tables, figures: json!(figures), bindings })
}
