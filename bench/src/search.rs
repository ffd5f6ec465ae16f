//! `memoir-bench search`: what a search in one space costs, alone in a store and among many other spaces, beside FTS5.

mod fts5;
pub(crate) mod population;
pub(crate) mod product;
pub(crate) mod queries;
mod searcher;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Common;
use crate::corpus::Corpus;
use crate::report::{Binding, Report, Table, count};
use crate::stats::{mean, median, percentile};
use crate::usage::{Usage, machine};
use fts5::{Fts5, Isolation};
use population::Population;
use product::Memoir;
use queries::QUERIES;
use searcher::{Answer, Searcher};

/// `memoir-bench search`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How many messages the searched space has.
    #[arg(long, default_value_t = 5_000)]
    messages: usize,
    /// How many other spaces there are.
    #[arg(long, default_value_t = 1_000)]
    spaces: usize,
    /// How many messages each of them has.
    #[arg(long, default_value_t = 500)]
    others: usize,
    /// How many slices of each searcher are measured; a slice is every query once.
    #[arg(long, default_value_t = 15)]
    slices: usize,
    /// Leave FTS5 out.
    #[arg(long)]
    no_fts5: bool,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let about = machine();
    let quick = args.common.quick;
    let folder = args.common.folder()?;
    let corpus = Corpus::new(args.common.seed);
    let alone = Population { corpus, messages: args.messages, spaces: 0, others: 0 };
    let among = match quick {
        true => Population { spaces: 10, others: 100, ..alone },
        false => Population { spaces: args.spaces, others: args.others, ..alone },
    };
    let mut series = lineup(folder.path(), alone, among, args.no_fts5)?;
    let (slices, cold_slices) = if quick { (2, 1) } else { (args.slices.max(1), args.slices.div_ceil(5)) };
    check_same_results(&mut series)?;
    for slice in 0..slices {
        // Every other time the other way round, so that none always follows the same one.
        each(&mut series, slice % 2 == 1, Series::hot_slice)?;
    }
    eprintln!("hot slices done");
    for slice in 0..cold_slices {
        each(&mut series, slice % 2 == 1, Series::cold_slice)?;
    }
    let notes = vec![
        about,
        format!(
            "a space of {} messages, alone in a store and among {} others of {} ({} messages in all); {} queries of 1 to \
             6 words, Chinese, English and mixed; {slices} interleaved slices of all of them",
            count(alone.messages as f64),
            count(among.spaces as f64),
            among.others,
            count(among.total() as f64),
            QUERIES.len(),
        ),
        "memoir: the ten best messages, read from the store and highlighted, through Engine::search_messages".into(),
        "cold: the file opened anew and then the first search; the page cache of the system is warm".into(),
        "reads: read calls of the whole process per search, one for each page that SQLite's own cache did not have".into(),
        "fts5: one table of all spaces, unicode61 over the words that Memoir's analyser finds (no characters, no pairs, so \
         less work than ours), optimised after loading, 16 MiB of page cache; any word matches; ORDER BY rank LIMIT 10 \
         and the text returned; bm25() counts the words of the whole table"
            .into(),
        "fts5 filtered: space = ? over an UNINDEXED column; fts5 term: the space is a word of the query as well".into(),
    ];
    Ok(report(quick, notes, &series))
}

fn lineup(folder: &Path, alone: Population, among: Population, no_fts5: bool) -> Result<Vec<Series>> {
    let mut searchers: Vec<(&'static str, &'static str, Box<dyn Searcher>)> = vec![
        ("memoir", "alone", Box::new(Memoir::build(&folder.join("alone.db"), alone)?)),
        ("memoir", "among", Box::new(Memoir::build(&folder.join("among.db"), among)?)),
    ];
    if !no_fts5 {
        let (one, many) = (folder.join("alone-fts5.db"), folder.join("among-fts5.db"));
        fts5::build(&one, alone)?;
        fts5::build(&many, among)?;
        for (name, isolation) in [("fts5 filtered", Isolation::Filtered), ("fts5 term", Isolation::Term)] {
            searchers.push((name, "alone", Box::new(Fts5::new(&one, isolation))));
            searchers.push((name, "among", Box::new(Fts5::new(&many, isolation))));
        }
    }
    Ok(searchers.into_iter().map(|(name, place, searcher)| Series::new(name, place, searcher)).collect())
}

fn each(series: &mut [Series], backwards: bool, step: fn(&mut Series) -> Result<()>) -> Result<()> {
    match backwards {
        true => series.iter_mut().rev().try_for_each(step),
        false => series.iter_mut().try_for_each(step),
    }
}

/// The other spaces must not change what is found, nor the order, nor what is touched to find it. Warms up as well.
fn check_same_results(series: &mut [Series]) -> Result<()> {
    for query in QUERIES {
        let answers =
            series.iter_mut().map(|series| series.searcher.search(query)).collect::<Result<Vec<_>>>()?;
        let ours = answers.get(..2).unwrap_or_default();
        ensure!(ours.windows(2).all(|pair| pair[0] == pair[1]), "«{query}» is not answered alike: {ours:?}");
        let empty = series.iter().zip(&answers).find(|(_, answer)| answer.found.is_empty());
        ensure!(
            empty.is_none(),
            "«{query}» finds nothing with {}",
            empty.map_or("", |(series, _)| series.name)
        );
    }
    Ok(())
}

/// A searcher in one of the two stores, and what was measured of it.
struct Series {
    name: &'static str,
    place: &'static str,
    searcher: Box<dyn Searcher>,
    hot: Vec<Measured>,
    cold: Vec<Measured>,
}

/// One slice: every query once.
#[derive(Default)]
struct Measured {
    micros: Vec<f64>,
    reads: f64,
    answers: Vec<Answer>,
}

impl Series {
    fn new(name: &'static str, place: &'static str, searcher: Box<dyn Searcher>) -> Self {
        Series { name, place, searcher, hot: Vec::new(), cold: Vec::new() }
    }

    fn hot_slice(&mut self) -> Result<()> {
        let mut slice = Measured::default();
        // Twice, because the first pass finds the processor's caches full of another searcher's data.
        for query in QUERIES {
            self.searcher.search(query)?;
        }
        let before = Usage::now();
        for query in QUERIES {
            let (answer, time) = timed(|| self.searcher.search(query))?;
            slice.micros.push(micros(time));
            slice.answers.push(answer);
        }
        slice.reads = reads_since(before) / QUERIES.len() as f64;
        self.hot.push(slice);
        Ok(())
    }

    fn cold_slice(&mut self) -> Result<()> {
        let mut slice = Measured::default();
        for query in QUERIES {
            self.searcher.reopen()?;
            let before = Usage::now();
            let (answer, time) = timed(|| self.searcher.search(query))?;
            slice.reads += reads_since(before) / QUERIES.len() as f64;
            slice.micros.push(micros(time));
            slice.answers.push(answer);
        }
        self.cold.push(slice);
        Ok(())
    }

    fn times(slices: &[Measured]) -> Vec<f64> {
        slices.iter().flat_map(|slice| slice.micros.iter().copied()).collect()
    }

    fn reads(slices: &[Measured]) -> f64 {
        median(&slices.iter().map(|slice| slice.reads).collect::<Vec<_>>())
    }

    /// The mean over the queries of something that was touched; the same in every slice.
    fn touched(&self, figure: impl Fn(&memoir_engine::SearchWork) -> usize) -> Option<f64> {
        let works: Vec<_> =
            self.hot.first()?.answers.iter().map(|answer| answer.work).collect::<Option<_>>()?;
        Some(mean(&works.iter().map(|work| figure(work) as f64).collect::<Vec<_>>()))
    }
}

fn timed(search: impl FnOnce() -> Result<Answer>) -> Result<(Answer, Duration)> {
    let start = Instant::now();
    let answer = search()?;
    Ok((answer, start.elapsed()))
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The read calls since then, without those that the counting itself makes.
fn reads_since(before: Usage) -> f64 {
    let counting = Usage::now();
    let own = Usage::now().since(counting).reads;
    counting.since(before).reads.saturating_sub(own) as f64
}

fn report(quick: bool, notes: Vec<String>, series: &[Series]) -> Report {
    let mut table = Table::new(&[
        "searcher",
        "store",
        "hot p50 µs",
        "hot p99 µs",
        "hot reads",
        "cold p50 µs",
        "cold reads",
        "rows",
        "postings",
        "segments",
    ]);
    let mut figures = Vec::new();
    for one in series {
        let (hot, cold) = (Series::times(&one.hot), Series::times(&one.cold));
        let (rows, postings) = (one.touched(|work| work.rows), one.touched(|work| work.postings));
        let segments = one.touched(|work| work.segments);
        let shown = |value: Option<f64>| value.map(count).unwrap_or_default();
        table.row(vec![
            one.name.into(),
            one.place.into(),
            count(median(&hot)),
            count(percentile(&hot, 0.99)),
            format!("{:.1}", Series::reads(&one.hot)),
            count(median(&cold)),
            format!("{:.1}", Series::reads(&one.cold)),
            shown(rows),
            shown(postings),
            shown(segments),
        ]);
        figures.push(json!({
            "searcher": one.name, "store": one.place, "hot_p50_us": median(&hot), "hot_p99_us": percentile(&hot, 0.99),
            "hot_reads": Series::reads(&one.hot), "cold_p50_us": median(&cold), "cold_p99_us": percentile(&cold, 0.99),
            "cold_reads": Series::reads(&one.cold), "rows": rows, "postings": postings, "segments": segments,
        }));
    }
    let mut ratios = Table::new(&["among / alone", "hot p50", "cold p50", "hot reads", "cold reads"]);
    for pair in series.chunks(2) {
        let [alone, among] = pair else { continue };
        let times = |value: f64| format!("{value:.2}x");
        let reads = |alone: &[Measured], among: &[Measured]| match Series::reads(alone) {
            none if none < 0.05 => "-".to_owned(),
            some => times(Series::reads(among) / some),
        };
        ratios.row(vec![
            alone.name.into(),
            times(paired_ratio(&alone.hot, &among.hot)),
            times(paired_ratio(&alone.cold, &among.cold)),
            reads(&alone.hot, &among.hot),
            reads(&alone.cold, &among.cold),
        ]);
    }
    let bindings = bindings(series);
    let figures = Value::Array(figures);
    Report { command: "search", quick, notes, tables: vec![table, ratios], figures, bindings }
}

/// The median over the slices of the ratio of their medians: what slows the machine down for a while slows both.
fn paired_ratio(alone: &[Measured], among: &[Measured]) -> f64 {
    let ratio =
        |(alone, among): (&Measured, &Measured)| median(&among.micros) / median(&alone.micros).max(1e-9);
    median(&alone.iter().zip(among).map(ratio).collect::<Vec<_>>())
}

fn bindings(series: &[Series]) -> Vec<Binding> {
    let [alone, among, ..] = series else { return Vec::new() };
    let touched =
        |one: &Series| one.touched(|work| work.rows + work.postings + work.segments).unwrap_or_default();
    vec![
        Binding::at_most("memoir hot p50, among / alone", paired_ratio(&alone.hot, &among.hot), 1.15),
        Binding::at_most("memoir touched, among / alone", touched(among) / touched(alone).max(1e-9), 1.0),
    ]
}
