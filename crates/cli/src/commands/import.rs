mod chatgpt;
mod checkpoint;
mod lines;
mod ndjson;
mod revision;
mod sink;

use anyhow::Context;
use clap::{Args, ValueEnum};
use memoir_model::SpaceId;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::checkpoint::Checkpoint;
use self::sink::Sink;
use crate::output::Output;
use crate::settings::Settings;
use crate::wiring;

#[derive(Args)]
pub(crate) struct Import {
    /// The file to bring in.
    file: PathBuf,
    /// What it is.
    #[arg(long, value_enum, default_value_t = Format::Auto)]
    format: Format,
    /// The space for messages that do not name one; needed for a ChatGPT export.
    #[arg(long)]
    space: Option<String>,
    /// The tenant.
    #[arg(long)]
    tenant: Option<String>,
    /// Start at the beginning even if an earlier import of this file was interrupted.
    #[arg(long)]
    restart: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// By the first character of the file.
    Auto,
    /// One JSON message per line, or an export of Memoir.
    Ndjson,
    /// ChatGPT's conversations.json.
    Chatgpt,
}

impl Import {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let space = self.space.as_deref().map(str::parse::<SpaceId>).transpose()?;
        let caller = wiring::operator(self.tenant.as_deref())?;
        let unreadable = || format!("cannot read {}", self.file.display());
        let file = std::fs::File::open(&self.file).with_context(unreadable)?;
        let about_file = file.metadata().with_context(unreadable)?;
        anyhow::ensure!(
            about_file.is_file(),
            "{}: it is not a file, and only a file can be read again",
            unreadable()
        );
        let format = match self.format {
            Format::Auto => detect(&self.file).with_context(unreadable)?,
            format => format,
        };
        let opened = wiring::open(settings).await?;
        let about = format!("{}|{}|{space:?}", opened.about(settings).await?.place, caller.tenant);
        let checkpoint = Checkpoint::of(&settings.data.dir, &self.file, &about)?;
        if self.restart {
            checkpoint.forget();
        }
        let bar =
            output.progress(about_file.len(), "{bar:30} {bytes}/{total_bytes} {msg} {elapsed} (eta {eta})");
        let mut sink = Sink::new(opened.engine.clone(), caller, checkpoint, bar);
        match format {
            Format::Chatgpt => {
                let space =
                    space.context("a ChatGPT export does not say whose it is: add --space user:NAME")?;
                chatgpt::import(file, &space, &mut sink).await?;
            }
            Format::Auto | Format::Ndjson => ndjson::import(file, space.as_ref(), &mut sink).await?,
        }
        let summary = sink.finish().await?;
        output.result(&summary, || summary.to_string())?;
        Ok(if summary.refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Makes every import that was interrupted start at the beginning when it is run again.
pub(crate) fn forget_marks(data: &Path) {
    Checkpoint::forget_all(data);
}

fn detect(path: &Path) -> std::io::Result<Format> {
    let mut head = [0; 64];
    let read = std::fs::File::open(path)?.read(&mut head)?;
    let text = head[..read].strip_prefix(lines::BYTE_ORDER_MARK).unwrap_or(&head[..read]);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    Ok(if first == Some(&b'[') { Format::Chatgpt } else { Format::Ndjson })
}
