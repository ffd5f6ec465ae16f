//! `memoir-bench score`: compares what was written with what is right.

mod retrieval;
mod timex;

use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};

use crate::report::Report;

/// `memoir-bench score`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Time expressions: the share read exactly, and the share whose start is right.
    Timex {
        /// The expressions with their right answers.
        #[arg(long, value_name = "FILE")]
        gold: PathBuf,
        /// What `memoir-bench timex` wrote.
        #[arg(long, value_name = "FILE")]
        pred: PathBuf,
    },
    /// Ranked messages: how much of the evidence is among the first, and how far up the first of it stands.
    Retrieval {
        /// The questions with their evidence: `{"conv", "qid", "category", "evidence"}`.
        #[arg(long, value_name = "FILE")]
        gold: PathBuf,
        /// What was found: `{"conv", "qid", "ids"}`, the best first.
        #[arg(long, value_name = "FILE")]
        pred: PathBuf,
    },
}

/// Compares.
pub(crate) fn run(args: &Args) -> Result<Report> {
    match &args.what {
        What::Timex { gold, pred } => timex::run(gold, pred),
        What::Retrieval { gold, pred } => retrieval::run(gold, pred),
    }
}

fn lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parsed = text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
    parsed
        .collect::<Result<_, _>>()
        .with_context(|| format!("{} is not of the documented shape", path.display()))
}
