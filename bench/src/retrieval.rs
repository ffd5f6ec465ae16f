//! `memoir-bench retrieval`: plays a corpus through the write path, asks every question and writes what was found.

use anyhow::{Context, Result};
use memoir_engine::{EngineSettings, Ranking};
use serde_json::json;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::Common;
use crate::memoir;
use crate::replay::{Asked, Player, Said, conversations, read_lines, steps};
use crate::report::{Report, Table, count};

/// How many ids are written for each question.
const WRITTEN: usize = 50;

/// `memoir-bench retrieval`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The messages: `{"conv", "id", "session", "speaker", "time", "text"}`, packed or not.
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,
    /// The questions: `{"conv", "qid", "question"}`.
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Where what was found goes: `{"conv", "qid", "ids"}`, the best first.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The folder of a local model, or `none`.
    #[arg(long, value_name = "FOLDER", default_value = "none")]
    embedder: String,
    /// Another ranking table than the built-in one.
    #[arg(long, value_name = "FILE")]
    ranking: Option<PathBuf>,
}

/// Plays and asks.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let corpus: Vec<Said> = read_lines(&args.corpus)?;
    let asked: Vec<Asked> = read_lines(&args.queries)?;
    let folder = args.common.folder()?;
    let mut settings = EngineSettings::default();
    if let Some(path) = &args.ranking {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        settings.ranking = Arc::new(Ranking::parse(&text)?);
    }
    let embedder = (args.embedder != "none").then(|| PathBuf::from(&args.embedder));
    let out =
        std::fs::File::create(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let mut out = BufWriter::new(out);
    let runtime = memoir::runtime()?;
    let answered = runtime.block_on(async {
        let player = Player::new(folder.path(), embedder.as_deref(), settings)?;
        let mut answered = 0usize;
        for (conv, said) in conversations(&corpus) {
            let mut spoken = 0;
            for step in steps(conv, &said, &asked)? {
                player.say(conv, &said[spoken..step.visible.max(spoken)]).await?;
                spoken = spoken.max(step.visible);
                let found = player.ask(step.asked, step.now, WRITTEN).await?;
                let ids: Vec<&str> = found.hits.iter().map(|hit| hit.message.id.as_str()).collect();
                writeln!(out, "{}", json!({"conv": conv, "qid": step.asked.qid, "ids": ids}))?;
                answered += 1;
            }
        }
        player.stop().await;
        anyhow::Ok(answered)
    })?;
    out.flush()?;
    let mut table = Table::new(&["messages", "questions"]);
    table.row(vec![count(corpus.len() as f64), count(answered as f64)]);
    Ok(Report {
        command: "retrieval",
        quick: args.common.quick,
        notes: Vec::new(),
        tables: vec![table],
        figures: json!({}),
        bindings: Vec::new(),
    })
}
