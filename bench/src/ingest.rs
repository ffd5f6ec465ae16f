//! `memoir-bench ingest`: how many messages a second become durable, beside the same bytes in a bare SQLite table.

mod contender;
mod direct;
mod floor;
mod http;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::path::Path;

use crate::Common;
use crate::corpus::Corpus;
use crate::report::{Binding, Report, Table, count};
use crate::stats::{mean, median, percentile};
use crate::usage::machine;
use contender::{Contender, Slice};

/// How many messages a batch has.
const BATCH: usize = 100;
/// Connections that send single messages.
const CONNECTIONS: usize = 8;

/// `memoir-bench ingest`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How many producers send batches at once, each to a space of its own.
    #[arg(long, default_value_t = 4)]
    producers: usize,
    /// How many slices of each contender are measured.
    #[arg(long, default_value_t = 10)]
    slices: usize,
    /// How long a slice takes, about, in seconds.
    #[arg(long, default_value_t = 0.7)]
    seconds: f64,
    /// Only this contender, for a profiler; nothing binds then.
    #[arg(long, value_name = "CONTENDER")]
    only: Option<String>,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let about = machine();
    let folder = args.common.folder()?;
    memoir_text::warm_up();
    let (slices, seconds) = if args.common.quick { (2, 0.1) } else { (args.slices.max(1), args.seconds) };
    let mut lineup = lineup(folder.path(), args.producers.max(1))?;
    lineup.retain(|series| args.only.as_deref().is_none_or(|only| series.name() == only));
    ensure!(!lineup.is_empty(), "there is no such contender");
    let mut source = Source { corpus: Corpus::new(args.common.seed), next: 0 };
    for series in &mut lineup {
        series.warm_up(&mut source, seconds)?;
    }
    for slice in 1..=slices {
        for series in &mut lineup {
            series.slice(&mut source, seconds)?;
        }
        eprintln!("slice {slice} of {slices}");
    }
    let sample = source.corpus.messages(0..2_000);
    let size = |measure: fn(&String) -> usize| {
        mean(&sample.iter().map(|text| measure(text) as f64).collect::<Vec<_>>())
    };
    let mut notes = vec![
        about,
        format!(
            "medians of {slices} interleaved slices of about {seconds} s, new messages in each: half Chinese, half \
             English, {:.0} characters ({:.0} bytes) on average",
            size(|text| text.chars().count()),
            size(String::len),
        ),
        "every store in its own file on one disk, WAL, synchronous=FULL, checkpoints every 4,000 pages".into(),
        "floor: text and ready-made terms blob into (rowid, content, terms), one connection, 1 or 100 rows a commit".into(),
        format!(
            "engine-batches: {} producers with a space each, batches of {BATCH}; analysis, sessions, ids and sealing included",
            args.producers
        ),
        format!(
            "http: the real server on loopback in this process; the client is raw HTTP/1.1 over keep-alive TcpStreams on \
             one thread; single: {CONNECTIONS} connections; batches of {BATCH}: {} connections with a space each",
            args.producers
        ),
        "cpu: processor time of the whole process per row, the client and the sealing during the slice included; writer: \
         the part of the store's one writer thread"
            .into(),
        "a ratio is the median of the ratios within each round".into(),
    ];
    notes.extend(lineup.iter().find(|series| series.name() == "floor-1").map(sync_note));
    Ok(report(args, notes, &lineup))
}

fn lineup(folder: &Path, producers: usize) -> Result<Vec<Series>> {
    let single = http::Shape { connections: CONNECTIONS, spaces: CONNECTIONS, batch: 1 };
    let group = http::Shape { spaces: 1, ..single };
    let batches = http::Shape { connections: producers, spaces: producers, batch: BATCH };
    // Each right after its floor: what slows the disk down for a second slows both.
    let contenders: Vec<Box<dyn Contender>> = vec![
        Box::new(floor::Floor::new("floor-1", folder, 1)?),
        Box::new(http::Http::new("http-single", folder, single)?),
        Box::new(http::Http::new("http-single-group", folder, group)?),
        Box::new(floor::Floor::new("floor-100", folder, BATCH)?),
        Box::new(direct::Direct::new("engine-batches", folder, producers, BATCH)?),
        Box::new(http::Http::new("http-batches", folder, batches)?),
    ];
    Ok(contenders.into_iter().map(|contender| Series { contender, rate: 0.0, slices: Vec::new() }).collect())
}

/// Hands out messages, none of them twice.
struct Source {
    corpus: Corpus,
    next: u64,
}

impl Source {
    fn take(&mut self, count: usize) -> Vec<String> {
        let first = self.next;
        self.next += count as u64;
        self.corpus.messages(first..self.next)
    }
}

/// A contender and its slices so far.
struct Series {
    contender: Box<dyn Contender>,
    rate: f64,
    slices: Vec<Slice>,
}

impl Series {
    /// Finds out how many messages make a slice; nothing of it counts.
    fn warm_up(&mut self, source: &mut Source, seconds: f64) -> Result<()> {
        self.rate = 500.0;
        for share in [0.1, 0.3, 1.0] {
            self.slice(source, seconds * share)?;
        }
        self.slices.clear();
        Ok(())
    }

    fn slice(&mut self, source: &mut Source, seconds: f64) -> Result<()> {
        let unit = self.contender.unit();
        let units = ((self.rate * seconds / unit as f64).round() as usize).max(1);
        let slice = self.contender.run(source.take(units * unit))?;
        self.rate = slice.rate();
        self.slices.push(slice);
        self.contender.settle()
    }

    fn name(&self) -> &'static str {
        self.contender.name()
    }

    fn over_slices(&self, figure: impl Fn(&Slice) -> f64) -> Vec<f64> {
        self.slices.iter().map(figure).collect()
    }

    fn latency_millis(&self, p: f64) -> Option<f64> {
        let all: Vec<f64> =
            self.slices.iter().flat_map(|slice| &slice.latencies).map(|l| l.as_secs_f64() * 1e3).collect();
        (!all.is_empty()).then(|| percentile(&all, p))
    }
}

/// What the disk adds to a commit: the less, the more every other microsecond counts in the ratios.
fn sync_note(floor: &Series) -> String {
    let elapsed = median(&floor.over_slices(|slice| 1e6 / slice.rate()));
    let cpu = median(&floor.over_slices(|slice| slice.usage.cpu_micros as f64 / slice.rows as f64));
    let waiting = (elapsed - cpu).max(0.0);
    format!("a commit of floor-1 takes {elapsed:.0} µs, of which it waits {waiting:.0} µs for the disk")
}

fn report(args: &Args, notes: Vec<String>, lineup: &[Series]) -> Report {
    let mut table = Table::new(&[
        "contender",
        "rows/s",
        "slowest",
        "fastest",
        "cpu µs/row",
        "writer",
        "bytes/row",
        "p50 ms",
        "p99 ms",
    ]);
    let mut figures = Vec::new();
    for series in lineup {
        let rates = series.over_slices(Slice::rate);
        let per_row =
            |figure: fn(&Slice) -> u64| median(&series.over_slices(|s| figure(s) as f64 / s.rows as f64));
        let (cpu, written) = (per_row(|s| s.usage.cpu_micros), per_row(|s| s.usage.written));
        let writer = per_row(|s| s.usage.writer_micros);
        let (p50, p99) = (series.latency_millis(0.5), series.latency_millis(0.99));
        let millis = |value: Option<f64>| value.map(|value| format!("{value:.2}")).unwrap_or_default();
        table.row(vec![
            series.name().into(),
            count(median(&rates)),
            count(percentile(&rates, 0.0)),
            count(percentile(&rates, 1.0)),
            format!("{cpu:.1}"),
            if writer > 0.0 { format!("{writer:.1}") } else { String::new() },
            count(written),
            millis(p50),
            millis(p99),
        ]);
        figures.push(json!({
            "contender": series.name(), "rows_per_second": median(&rates), "slices": rates, "cpu_micros_per_row": cpu,
            "writer_micros_per_row": writer, "bytes_written_per_row": written, "p50_ms": p50, "p99_ms": p99,
        }));
    }
    Report {
        command: "ingest",
        quick: args.common.quick || args.only.is_some(),
        notes,
        tables: vec![table],
        figures: Value::Array(figures),
        bindings: bindings(lineup),
    }
}

fn bindings(lineup: &[Series]) -> Vec<Binding> {
    let series = |name: &str| lineup.iter().find(|series| series.name() == name);
    let ratio = |above: &str, below: &str, limit: f64| {
        let name = format!("{above} / {below}");
        Some(Binding::at_least(name, paired_ratio(series(above)?, series(below)?), limit))
    };
    let ratios = [
        ratio("engine-batches", "floor-100", 0.5),
        ratio("http-single", "floor-1", 3.0),
        ratio("http-single-group", "floor-1", 3.0),
    ];
    ratios.into_iter().flatten().collect()
}

/// The median of the ratios within each round.
fn paired_ratio(above: &Series, below: &Series) -> f64 {
    let rounds = above.slices.iter().zip(&below.slices);
    median(&rounds.map(|(above, below)| above.rate() / below.rate()).collect::<Vec<_>>())
}
