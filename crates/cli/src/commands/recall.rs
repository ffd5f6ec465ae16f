use clap::Args;
use jiff::Timestamp;
use memoir_engine::{ExplainedLine, QueryRank, RecallHit, RecallRequest};
use memoir_model::SpaceId;
use std::process::ExitCode;

use crate::output::{Output, message_line};
use crate::settings::Settings;
use crate::{models, wiring};

/// How many signals are shown of each message.
const SIGNALS: usize = 5;
/// How far explanations stand to the right.
const INDENT: &str = "                    ";

#[derive(Args)]
pub(crate) struct Recall {
    /// The space, such as user:alice.
    space: String,
    /// What was said or asked.
    message: String,
    /// Say why each message is there: its ranks, and the signals that weigh most.
    #[arg(long)]
    explain: bool,
    /// How many messages at most.
    #[arg(long, value_name = "N", default_value = "10")]
    limit: usize,
    /// When it is said, RFC 3339, so that "yesterday" is known; now when absent.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
    /// Only what was said before this moment, RFC 3339.
    #[arg(long, value_name = "TIME")]
    as_of: Option<Timestamp>,
    /// The tenant.
    #[arg(long)]
    tenant: Option<String>,
}

impl Recall {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let (caller, space) = (wiring::operator(self.tenant.as_deref())?, self.space.parse::<SpaceId>()?);
        wiring::check_exists(settings)?;
        let opened = wiring::open_with(settings, models::open(settings).await?).await?;
        let request = RecallRequest {
            message: self.message,
            now: self.now,
            as_of: self.as_of,
            explain: self.explain,
            limit: self.limit,
            ..RecallRequest::default()
        };
        let recall = opened.engine.recall(&caller, &space, request).await?;
        let text = tell(&recall);
        output.result(&memoir_server::recall_to_json(recall, self.explain), || text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn tell(recall: &memoir_engine::Recall) -> String {
    let mut lines = Vec::new();
    for (nth, hit) in recall.hits.iter().enumerate() {
        let RecallHit { message, score, confidence, .. } = hit;
        lines.push(format!(
            "{:3}. {score:7.2} {:4.0} %  {}",
            nth + 1,
            confidence * 100.0,
            message_line(message)
        ));
        lines.extend(recall.explained.get(nth).into_iter().flat_map(why));
    }
    if recall.nothing_relevant {
        lines.push("nothing relevant".to_owned());
    }
    if let Some(why) = recall.unavailable {
        lines.push(format!("meaning was not compared: {}", why.as_str()));
    }
    if recall.partial {
        lines.push("only the newest messages were looked at; see index.max_rows".to_owned());
    }
    lines.join("\n")
}

/// The reason, the ranks and the heaviest signals of a message, in columns.
fn why(line: &ExplainedLine) -> Vec<String> {
    let mut lines = Vec::new();
    if !line.reason.is_empty() {
        lines.push(format!("{INDENT}because it {}", line.reason));
    }
    let widest = line.ranks.iter().map(|rank| rank.query.len()).max().unwrap_or_default();
    lines.extend(line.ranks.iter().map(|rank| {
        let QueryRank { query, text, by_words, by_meaning } = rank;
        let place = |rank: Option<u16>| rank.map_or_else(|| "-".to_owned(), |rank| format!("#{rank}"));
        let (words, meaning) = (place(*by_words), place(*by_meaning));
        format!(
            "{INDENT}{query:widest$}  by words {words:>5}  by meaning {meaning:>5}  {}",
            text.replace('\n', " / ")
        )
    }));
    let heaviest = &line.signals[..line.signals.len().min(SIGNALS)];
    let widest = heaviest.iter().map(|signal| signal.name.len()).max().unwrap_or_default();
    lines.extend(heaviest.iter().map(|signal| {
        let (name, value, weight) = (signal.name, signal.value, signal.weight);
        format!(
            "{INDENT}{name:widest$}  {value:7.3} × {weight:7.3} = {:7.3}  {}",
            value * weight,
            signal.words
        )
    }));
    lines
}
