use clap::Args;
use jiff::civil::Date;
use memoir_engine::{BackfillProgress, BackfillRequest, Caller, Engine, SpaceRange};
use memoir_model::{ErrorCode, Space, SpaceId};
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;
use std::time::Instant;

use crate::output::Output;
use crate::settings::Settings;
use crate::{models, wiring};

/// How many spaces are read at a time.
const PAGE: usize = 500;

#[derive(Args)]
pub(crate) struct Backfill {
    /// Only this space, such as user:alice; all of the tenant when absent.
    #[arg(long)]
    space: Option<String>,
    /// Only from this day on, such as 2026-01-07.
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Only say what would be made.
    #[arg(long)]
    dry_run: bool,
    /// The tenant.
    #[arg(long)]
    tenant: Option<String>,
}

impl Backfill {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let caller = wiring::operator(self.tenant.as_deref())?;
        let only = self.space.as_deref().map(str::parse::<SpaceId>).transpose()?;
        wiring::check_exists(settings)?;
        let opened = wiring::open_with(settings, models::open(settings).await?).await?;
        let engine = &opened.engine;
        let spaces = match &only {
            Some(id) => vec![engine.space(&caller, id).await?],
            None => all_spaces(engine, &caller).await?,
        };
        let sessions = spaces.iter().map(|space| space.last_session).sum();
        let bar = output.progress(sessions, "{bar:30} {pos}/{len} sessions, {msg} {elapsed} (eta {eta})");
        let mut filling = Filling::new(self.dry_run, bar);
        let request = BackfillRequest { since: self.since, dry_run: self.dry_run };
        // Every summary is kept as soon as it is made, so that whoever stops here loses nothing.
        let filled = tokio::select! {
            filled = filling.fill(engine, &caller, &spaces, request) => Some(filled),
            _ = tokio::signal::ctrl_c() => None,
        };
        filling.bar.finish_and_clear();
        filling.report.interrupted = filled.is_none();
        if let Some(Err(error)) = filled {
            return Err(error.context(format!("stopped after {}", filling.report)));
        }
        output.result(&filling.report, || filling.report.to_string())?;
        Ok(if filling.report.interrupted { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

async fn all_spaces(engine: &Engine, caller: &Caller) -> anyhow::Result<Vec<Space>> {
    let mut spaces: Vec<Space> = Vec::new();
    loop {
        let after = spaces.last().map(|space| space.id.clone());
        let page = engine.spaces(caller, SpaceRange { after, limit: PAGE }).await?;
        let is_last = page.len() < PAGE;
        spaces.extend(page);
        if is_last {
            return Ok(spaces);
        }
    }
}

/// How far it has come through the spaces.
struct Filling {
    bar: indicatif::ProgressBar,
    begun: Instant,
    report: Report,
}

/// What was done.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// How many spaces were gone through to the end.
    spaces: u64,
    #[serde(flatten)]
    progress: BackfillProgress,
    /// How many periods were looked at in a second.
    per_second: f64,
    dry_run: bool,
    interrupted: bool,
}

impl Filling {
    fn new(dry_run: bool, bar: indicatif::ProgressBar) -> Self {
        Filling { bar, begun: Instant::now(), report: Report { dry_run, ..Report::default() } }
    }

    async fn fill(
        &mut self,
        engine: &Engine,
        caller: &Caller,
        spaces: &[Space],
        request: BackfillRequest,
    ) -> anyhow::Result<()> {
        let mut sessions = 0;
        for space in spaces {
            let before = self.report.progress;
            let mut step = |progress: BackfillProgress| {
                // Sessions come first, then the days, weeks and months made of them.
                self.show(before.and(progress), sessions + progress.seen.min(space.last_session));
            };
            match engine.backfill(caller, &space.id, request, &mut step).await {
                Ok(_) => self.report.spaces += 1,
                // It was erased meanwhile.
                Err(error) if error.code() == ErrorCode::NotFound => {}
                Err(error) => return Err(anyhow::Error::new(error).context(space.id.to_string())),
            }
            sessions += space.last_session;
            self.bar.set_position(sessions);
        }
        Ok(())
    }

    fn show(&mut self, progress: BackfillProgress, sessions: u64) {
        self.report.progress = progress;
        let rate = progress.seen as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        self.report.per_second = (rate * 10.0).round() / 10.0;
        self.bar.set_position(sessions);
        self.bar.set_message(format!("{} made, {:.0}/s", progress.made, rate));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BackfillProgress { seen, made, kept, too_little } = self.progress;
        let made_words = if self.dry_run { "would be made" } else { "made" };
        let spaces = if self.spaces == 1 { "space" } else { "spaces" };
        write!(
            f,
            "{} {spaces}: {made} summaries {made_words}, {kept} were there already, {too_little} periods with too little \
             talk ({seen} looked at, {:.0}/s)",
            self.spaces, self.per_second
        )?;
        if self.interrupted {
            write!(f, "\ninterrupted; run the same command again to go on")?;
        }
        Ok(())
    }
}
