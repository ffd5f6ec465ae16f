//! `memoir-bench timex`: reads a file of time expressions and writes what each means.

use anyhow::{Context, Result};
use jiff::civil::DateTime;
use memoir_when::{Convention, Ends, Prefer, find};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

use crate::report::Report;

/// `memoir-bench timex`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Lines of `{"id", "text", "ref_time"}`.
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// Where `{"id", "start", "end", "grain"}` is written, a line each; null where nothing is found.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which reading comes first where words could mean a past or a coming time.
    #[arg(long, value_enum, default_value = "past")]
    prefer: Direction,
    /// Where "from the 3rd to the 5th" ends: through the 5th, as the product reads it, or before it, as one of the suites does.
    #[arg(long, value_enum, default_value = "through")]
    ends: Last,
}

/// [`Ends`], on the command line.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Last {
    Through,
    Before,
}

/// [`Prefer`], on the command line.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Direction {
    Past,
    Future,
}

/// One expression.
#[derive(Deserialize)]
struct Line {
    id: Value,
    text: String,
    ref_time: DateTime,
}

/// Reads, finds, writes.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let prefer = match args.prefer {
        Direction::Past => Prefer::Past,
        Direction::Future => Prefer::Future,
    };
    let ends = match args.ends {
        Last::Through => Ends::Through,
        Last::Before => Ends::Before,
    };
    let convention = Convention { prefer, ends };
    let text = std::fs::read_to_string(&args.input)
        .with_context(|| format!("cannot read {}", args.input.display()))?;
    let mut out = Vec::new();
    let (mut lines, mut found) = (0, 0);
    let started = std::time::Instant::now();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line).context("a line is not of the documented shape")?;
        // The expression is the whole text: where several times are found, the longest is it.
        let best = find(&line.text, line.ref_time, convention).into_iter().max_by_key(|time| time.span.len());
        let shown = |side: Option<DateTime>| side.map(|at| at.to_string());
        let value = match &best {
            Some(time) => json!({
                "id": line.id, "start": shown(time.reading.start), "end": shown(time.reading.end), "grain": time.reading.grain().as_str(),
            }),
            None => json!({ "id": line.id, "start": null, "end": null, "grain": null }),
        };
        writeln!(out, "{value}")?;
        lines += 1;
        found += usize::from(best.is_some());
    }
    let micros = started.elapsed().as_secs_f64() * 1e6 / f64::from(lines.max(1));
    std::fs::write(&args.out, out).with_context(|| format!("cannot write {}", args.out.display()))?;
    Ok(Report {
        command: "timex",
        quick: false,
        notes: vec![format!(
            "{found} of {lines} expressions found, {micros:.1} µs each, reading and writing included"
        )],
        tables: Vec::new(),
        figures: json!({ "lines": lines, "found": found, "micros_per_line": micros }),
        bindings: Vec::new(),
    })
}
