use clap::Args;
use jiff::Timestamp;
use memoir_engine::{ContextRequest, History, HistoryFound};
use memoir_model::SpaceId;
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Settings;
use crate::{models, wiring};

#[derive(Args)]
pub(crate) struct Context {
    /// The space, such as user:alice.
    space: String,
    /// What was said just now.
    message: String,
    /// How many tokens it may have; recall.budget when absent.
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
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

impl Context {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let (caller, space) = (wiring::operator(self.tenant.as_deref())?, self.space.parse::<SpaceId>()?);
        wiring::check_exists(settings)?;
        let opened = wiring::open_with(settings, models::open(settings).await?).await?;
        let request = ContextRequest {
            space: Some(space),
            message: self.message,
            budget: self.budget,
            now: self.now,
            as_of: self.as_of,
            ..ContextRequest::default()
        };
        let reply = opened.engine.context(&caller, request).await?;
        let mut text = if reply.text.is_empty() { "nothing to say".to_owned() } else { reply.text.clone() };
        if let Some(history) = &reply.history {
            text = format!("{text}\n\n{}", about(history));
        }
        output.result(&memoir_server::context_to_json(reply, false), || text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What came of a question about past talk, on one line.
fn about(history: &History) -> String {
    let days = match history.days {
        Some((first, last)) if first == last => format!(" about {first}"),
        Some((first, last)) => format!(" about {first} to {last}"),
        None => String::new(),
    };
    let words = history.words.as_ref().map(|words| format!(" (“{words}”)")).unwrap_or_default();
    let found = match history.found {
        HistoryFound::Ready => "summaries that were ready",
        HistoryFound::Made => "summaries, some of them made just now",
        HistoryFound::Messages => "messages alone",
        HistoryFound::Nothing => "nothing: nothing was said then",
    };
    let detail = history.needs_detail.map(|why| format!("; with messages beside them: {}", why.as_str()));
    format!("history: a question{days}{words}, answered by {found}{}", detail.unwrap_or_default())
}
