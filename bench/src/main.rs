//! `memoir-bench`: how fast Memoir is, always beside a floor or a peer that is measured in the same run. What binds is
//! a ratio, so that a slow machine or a busy one moves both sides.
#![expect(clippy::print_stdout, reason = "printing the figures is what it is for")]

mod client;
mod corpus;
mod embed;
mod fit;
mod ingest;
mod intent;
mod layers;
mod memoir;
mod recall;
mod replay;
mod report;
mod retrieval;
mod score;
mod search;
mod stats;
mod store;
mod summaries;
mod timex;
mod usage;
mod vectors;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use tempfile::TempDir;

/// As in the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures Memoir beside a floor.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Durable throughput, beside the same bytes in a bare SQLite table.
    Ingest(ingest::Args),
    /// Full-text search in a space, alone in a store and among many others, beside SQLite's FTS5.
    Search(search::Args),
    /// Ingest, search and window with 1, 8 and 32 clients, on SQLite and on PostgreSQL side by side.
    Store(store::Args),
    /// Reads time expressions from a file and writes what each means.
    Timex(timex::Args),
    /// Tells questions about past talk from other messages, on labelled tables.
    Intent(intent::Args),
    /// Texts per second of a local model, beside onnxruntime with 8 bits.
    Embed(embed::Args),
    /// Exact search among the vectors of a space, beside a plain read of the same bytes.
    Vectors(vectors::Args),
    /// Reading yesterday, a night's work, and how short days become.
    Layers(layers::Args),
    /// A context over HTTP by stage, beside the index query and the vector scan alone.
    Recall(recall::Args),
    /// Plays a corpus through the write path, asks every question and writes what was found.
    Retrieval(retrieval::Args),
    /// Learns what each signal of a recall weighs.
    Fit(fit::Args),
    /// Compares what was written with what is right.
    Score(score::Args),
    /// What survives a day's summary of what is asked for later, beside a cut and a random choice.
    Summaries(summaries::Args),
}

/// What every measurement takes.
#[derive(Debug, clap::Args)]
struct Common {
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// A smoke run of a few seconds; its ratios are shown but do not bind.
    #[arg(long)]
    quick: bool,
    /// Where the stores are made; they are removed afterwards.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The seed of the generated text.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Common {
    /// A new folder on the disk that is measured.
    fn folder(&self) -> Result<TempDir> {
        let parent = self.dir.clone().unwrap_or_else(std::env::temp_dir);
        TempDir::with_prefix_in("memoir-bench-", &parent)
            .with_context(|| format!("cannot make a folder in {}", parent.display()))
    }
}

fn main() -> ExitCode {
    let (result, json) = match Cli::parse().command {
        Command::Ingest(args) => (ingest::run(&args), args.common.json),
        Command::Search(args) => (search::run(&args), args.common.json),
        Command::Store(args) => (store::run(&args), args.common.json),
        Command::Timex(args) => (timex::run(&args), false),
        Command::Intent(args) => (intent::run(&args), false),
        Command::Embed(args) => (embed::run(&args), args.common.json),
        Command::Vectors(args) => (vectors::run(&args), args.common.json),
        Command::Layers(args) => (layers::run(&args), args.common.json),
        Command::Recall(args) => (recall::run(&args), args.common.json),
        Command::Retrieval(args) => (retrieval::run(&args), args.common.json),
        Command::Fit(args) => (fit::run(&args), args.common.json),
        Command::Score(args) => (score::run(&args), false),
        Command::Summaries(args) => (summaries::run(&args), args.common.json),
    };
    match result {
        Ok(report) => {
            println!("{}", if json { report.json() } else { report.text() });
            ExitCode::from(u8::from(!report.passes()))
        }
        Err(error) => {
            eprintln!("memoir-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}
