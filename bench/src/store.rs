//! `memoir-bench store`: the same work on SQLite and on PostgreSQL, side by side in one run.

mod backend;
mod load;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::Common;
use crate::corpus::Corpus;
use crate::memoir;
use crate::report::{Report, Table, count};
use crate::stats::{median, percentile};
use crate::usage::machine;
use backend::Backend;
use load::{Load, Slice, Work};

/// How many clients work at once.
const CLIENTS: [usize; 3] = [1, 8, 32];

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A file.
    Sqlite,
    /// The server at `--url`.
    Postgres,
}

/// `memoir-bench store`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Only this backend; both when absent.
    #[arg(long, value_enum, value_name = "BACKEND")]
    backend: Option<Kind>,
    /// The PostgreSQL server, such as the one that `tests/postgres start bench` names; a database is made on it and
    /// removed afterwards.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// How many messages each space has that is read.
    #[arg(long, default_value_t = 500)]
    messages: usize,
    /// How many slices of each kind are measured.
    #[arg(long, default_value_t = 5)]
    slices: usize,
    /// How long a slice takes, about, in seconds.
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
}

/// One backend doing one kind of work for so many clients.
struct Series {
    backend: &'static str,
    work: Work,
    clients: usize,
    slices: Vec<Slice>,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let about = machine();
    memoir_text::warm_up();
    let (slices, seconds, messages) = if args.common.quick {
        (1, 0.1, 50)
    } else {
        (args.slices.max(1), args.seconds, args.messages.max(1))
    };
    let runtime = memoir::runtime()?;
    let folder = args.common.folder()?;
    let mut backends = Vec::new();
    if args.backend != Some(Kind::Postgres) {
        backends.push(Backend::sqlite(folder.path())?);
    }
    if args.backend != Some(Kind::Sqlite) {
        ensure!(
            args.url.is_some(),
            "PostgreSQL needs --url URL, for example --url \"$(tests/postgres start bench)\""
        );
        backends.push(runtime.block_on(Backend::postgres(args.url.as_deref().unwrap_or_default()))?);
    }
    let mut notes = vec![
        about,
        format!(
            "medians of {slices} interleaved slices of about {seconds} s; each client reads a space of its own of \
             {messages} messages and fills another, one call after the other, through the engine in this process"
        ),
        "ingest: one message per call, durable when it returns; search: the ten best of the space, highlighted; window: \
         the last messages of the open session"
            .into(),
    ];
    notes.extend(backends.iter().map(|backend| format!("{}: {}", backend.name(), backend.about())));
    let mut loads: Vec<Load> =
        backends.iter().map(|backend| Load::new(backend, Corpus::new(args.common.seed))).collect();
    for load in &mut loads {
        runtime.block_on(load.prepare(CLIENTS[CLIENTS.len() - 1], messages))?;
    }
    let mut lineup: Vec<Series> = Vec::new();
    for work in [Work::Ingest, Work::Search, Work::Window] {
        for clients in CLIENTS {
            lineup.extend(loads.iter().map(|load| Series {
                backend: load.name(),
                work,
                clients,
                slices: Vec::new(),
            }));
        }
    }
    for slice in 1..=slices {
        for series in &mut lineup {
            let Some(load) = loads.iter_mut().find(|load| load.name() == series.backend) else { continue };
            series.slices.push(runtime.block_on(load.run(series.work, series.clients, seconds))?);
        }
        eprintln!("slice {slice} of {slices}");
    }
    drop(loads);
    for backend in backends {
        runtime.block_on(backend.remove())?;
    }
    Ok(report(args, notes, &lineup))
}

fn report(args: &Args, notes: Vec<String>, lineup: &[Series]) -> Report {
    let mut table =
        Table::new(&["work", "clients", "backend", "calls/s", "p50 ms", "p99 ms", "beside sqlite"]);
    let mut figures = Vec::new();
    for series in lineup {
        let rate = median(&series.rates());
        let latency = |p| percentile(&series.latencies(), p);
        let peer = lineup.iter().find(|other| {
            other.backend == "sqlite" && (other.work, other.clients) == (series.work, series.clients)
        });
        let ratio = peer.filter(|peer| peer.backend != series.backend).map(|peer| {
            let rounds = series.rates().into_iter().zip(peer.rates());
            median(&rounds.map(|(own, other)| own / other).collect::<Vec<_>>())
        });
        table.row(vec![
            series.work.name().into(),
            series.clients.to_string(),
            series.backend.into(),
            count(rate),
            format!("{:.2}", latency(0.5)),
            format!("{:.2}", latency(0.99)),
            ratio.map(|ratio| format!("{ratio:.2}x")).unwrap_or_default(),
        ]);
        figures.push(json!({
            "work": series.work.name(), "clients": series.clients, "backend": series.backend, "calls_per_second": rate,
            "p50_ms": latency(0.5), "p99_ms": latency(0.99), "beside_sqlite": ratio,
        }));
    }
    Report {
        command: "store",
        quick: args.common.quick,
        notes,
        tables: vec![table],
        figures: Value::Array(figures),
        bindings: Vec::new(),
    }
}

impl Series {
    fn rates(&self) -> Vec<f64> {
        self.slices.iter().map(Slice::rate).collect()
    }

    fn latencies(&self) -> Vec<f64> {
        self.slices
            .iter()
            .flat_map(|slice| &slice.latencies)
            .map(|latency| latency.as_secs_f64() * 1e3)
            .collect()
    }
}
