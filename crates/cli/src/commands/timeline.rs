use clap::{Args, ValueEnum};
use jiff::civil::Date;
use memoir_engine::{Caller, Engine, TimelineRequest};
use memoir_model::{Error, Period, SpaceId, Summary, SummaryLevel};
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Settings;
use crate::wiring;

/// How many summaries are read at a time.
const PAGE: usize = 500;

#[derive(Args)]
pub(crate) struct Timeline {
    /// The space, such as user:alice.
    space: String,
    /// Only what begins on this day or later, such as 2026-01-07.
    #[arg(long, value_name = "DATE")]
    from: Option<Date>,
    /// Only what begins on this day or earlier.
    #[arg(long, value_name = "DATE")]
    to: Option<Date>,
    /// How much time each line stands for.
    #[arg(long, value_enum, default_value = "day")]
    grain: Grain,
    /// The tenant.
    #[arg(long)]
    tenant: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Grain {
    /// One session.
    Session,
    /// One day.
    Day,
    /// Monday to Sunday.
    Week,
    /// One calendar month.
    Month,
}

impl From<Grain> for SummaryLevel {
    fn from(grain: Grain) -> Self {
        match grain {
            Grain::Session => SummaryLevel::Session,
            Grain::Day => SummaryLevel::Day,
            Grain::Week => SummaryLevel::Week,
            Grain::Month => SummaryLevel::Month,
        }
    }
}

impl Timeline {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let opened = wiring::open_existing(settings).await?;
        let (caller, space) = (wiring::operator(self.tenant.as_deref())?, self.space.parse::<SpaceId>()?);
        if self.from.zip(self.to).is_some_and(|(from, to)| to < from) {
            return Err(Error::invalid("--to", "must not lie before --from").into());
        }
        let summaries = self.read(&opened.engine, &caller, &space).await?;
        let text = match summaries.as_slice() {
            [] => "nothing is summed up there; `memoir backfill` makes what is missing".to_owned(),
            summaries => summaries.iter().map(line).collect::<Vec<_>>().join("\n"),
        };
        output.result(&memoir_server::timeline_to_json(summaries), || text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// All of them, page by page.
    async fn read(&self, engine: &Engine, caller: &Caller, space: &SpaceId) -> anyhow::Result<Vec<Summary>> {
        let (grain, from, to) = (self.grain.into(), self.from, self.to);
        let mut summaries = Vec::new();
        let mut after = None;
        loop {
            let request = TimelineRequest { grain, from, to, after, limit: PAGE };
            let page = engine.timeline(caller, space, request).await?;
            summaries.extend(page.summaries);
            after = page.next;
            if after.is_none() {
                return Ok(summaries);
            }
        }
    }
}

/// A summary for people: when, how much, and what.
fn line(summary: &Summary) -> String {
    let when = match &summary.period {
        Period::Day(day) => day.strftime("%F %a").to_string(),
        Period::Month(first) => first.strftime("%Y-%m").to_string(),
        period => match period.days() {
            Some((first, last)) => format!("{first} to {last}"),
            None => period.key(),
        },
    };
    let plural = |n: u32, thing: &str| format!("{n} {thing}{}", if n == 1 { "" } else { "s" });
    let (sessions, messages) = (plural(summary.sessions, "session"), plural(summary.messages, "message"));
    let topics =
        if summary.topics.is_empty() { String::new() } else { format!("  {}", summary.topics.join(", ")) };
    let stale = if summary.stale { "  (has changed since)" } else { "" };
    format!("{when}  {sessions}, {messages}{topics}{stale}\n    {}", summary.text.replace('\n', "\n    "))
}
