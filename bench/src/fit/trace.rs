//! What a recall knew of every candidate, and which of them were right.

use anyhow::{Context, Result};
use memoir_engine::{EngineSettings, Occasion, RecallRequest, Signal};
use serde_json::json;
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Common;
use crate::memoir;
use crate::replay::{Asked, Player, Said, conversations, moment, read_lines, steps};

/// How many questions of other conversations are asked of each.
const STRANGE: usize = 20;

/// The candidates of one question.
pub(super) struct Trace {
    pub(super) set: String,
    pub(super) conv: String,
    pub(super) qid: String,
    pub(super) category: String,
    /// On what occasion it was asked; none in an empty space.
    pub(super) occasion: Option<Occasion>,
    /// Whether meaning was compared.
    pub(super) by_meaning: bool,
    /// How many messages answer it.
    pub(super) evidence: usize,
    /// Whether it asks for something that is not there.
    pub(super) asks_absent: bool,
    pub(super) candidates: Vec<Candidate>,
}

/// One message and whether it answers.
pub(super) struct Candidate {
    pub(super) signals: Vec<f32>,
    pub(super) is_right: bool,
}

/// Plays a set and asks all its questions, and each conversation some of the others'.
pub(super) fn traces(
    common: &Common,
    set: &str,
    corpus: &Path,
    queries: &Path,
    embedder: Option<&Path>,
) -> Result<Vec<Trace>> {
    let corpus: Vec<Said> = read_lines(corpus)?;
    let asked: Vec<Asked> = read_lines(queries)?;
    let folder = common.folder()?;
    memoir::runtime()?.block_on(async {
        let player = Player::new(folder.path(), embedder, EngineSettings::default())?;
        let mut traces = Vec::new();
        for (conv, said) in conversations(&corpus) {
            let known: HashSet<&str> = said.iter().map(|said| said.id.as_str()).collect();
            let mut spoken = 0;
            for step in steps(conv, &said, &asked)? {
                player.say(conv, &said[spoken..step.visible.max(spoken)]).await?;
                spoken = spoken.max(step.visible);
                let evidence: HashSet<&str> =
                    step.asked.evidence.iter().map(String::as_str).filter(|id| known.contains(id)).collect();
                let found = player.ask(step.asked, step.now, RecallRequest::MOST).await?;
                let candidates = found.hits.iter().map(|hit| Candidate {
                    signals: hit.signals.values().to_vec(),
                    is_right: evidence.contains(hit.message.id.as_str()),
                });
                traces.push(Trace {
                    set: set.to_owned(),
                    conv: conv.to_owned(),
                    qid: step.asked.qid.clone(),
                    category: step.asked.category.clone().unwrap_or_default(),
                    occasion: found.occasion,
                    by_meaning: found.unavailable.is_none(),
                    evidence: evidence.len(),
                    asks_absent: step.asked.abstain == Some(true) && evidence.is_empty(),
                    candidates: candidates.collect(),
                });
            }
            player.say(conv, &said[spoken..]).await?;
            let now = said.iter().rev().find_map(|said| said.time.as_deref()).map(moment).transpose()?;
            let others: Vec<&Asked> = asked.iter().filter(|asked| asked.conv != conv).collect();
            for stranger in others.iter().step_by((others.len() / STRANGE).max(1)).take(STRANGE) {
                let asked = Asked { conv: conv.to_owned(), ..(*stranger).clone() };
                let found = player.ask(&asked, now.unwrap_or_default(), RecallRequest::MOST).await?;
                traces.push(Trace {
                    set: set.to_owned(),
                    conv: conv.to_owned(),
                    qid: format!("{} in {conv}", asked.qid),
                    category: "of another conversation".into(),
                    occasion: found.occasion,
                    by_meaning: found.unavailable.is_none(),
                    evidence: 0,
                    asks_absent: true,
                    candidates: found
                        .hits
                        .iter()
                        .map(|hit| Candidate { signals: hit.signals.values().to_vec(), is_right: false })
                        .collect(),
                });
            }
        }
        player.stop().await;
        Ok(traces)
    })
}

/// One line of JSON for each question, and beside it the numbers of all candidates.
pub(super) fn write_signals(path: &Path, traces: &[Trace]) -> Result<()> {
    let create = |path: &Path| {
        let file = std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        anyhow::Ok(BufWriter::new(file))
    };
    let (mut lines, mut numbers) = (create(path)?, create(&path.with_extension("f32"))?);
    let names: Vec<&str> = Signal::ALL.iter().map(|signal| signal.name()).collect();
    writeln!(lines, "{}", json!({ "signals": names }))?;
    for trace in traces {
        let right = trace.candidates.iter().enumerate().filter(|(_, candidate)| candidate.is_right);
        let right: Vec<usize> = right.map(|(place, _)| place).collect();
        let line = json!({"set": trace.set, "conv": trace.conv, "qid": trace.qid, "category": trace.category,
            "kind": trace.occasion.map(Occasion::name), "evidence": trace.evidence, "absent": trace.asks_absent,
            "candidates": trace.candidates.len(), "right": right});
        writeln!(lines, "{line}")?;
        for number in trace.candidates.iter().flat_map(|candidate| &candidate.signals) {
            numbers.write_all(&number.to_le_bytes())?;
        }
    }
    lines.flush()?;
    numbers.flush()?;
    Ok(())
}
