use anyhow::Context;
use clap::Args;
use futures::{Stream, TryStreamExt};
use memoir_engine::ExportLine;
use memoir_model::SpaceId;
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::output::{Output, unless_closed};
use crate::settings::Settings;
use crate::wiring;

#[derive(Args)]
pub(crate) struct Export {
    /// The space, such as user:alice.
    space: String,
    /// The file to write; the standard output when absent.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The tenant.
    #[arg(long)]
    tenant: Option<String>,
}

impl Export {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let opened = wiring::open_existing(settings).await?;
        let (caller, space) = (wiring::operator(self.tenant.as_deref())?, self.space.parse::<SpaceId>()?);
        let lines = opened.engine.export(&caller, &space).await?;
        let Some(path) = self.out else {
            write(lines, &mut BufWriter::new(io::stdout())).await?;
            return Ok(ExitCode::SUCCESS);
        };
        let file = std::fs::File::create_new(&path).with_context(|| {
            format!("cannot create {}; an existing file is not overwritten", path.display())
        })?;
        let messages = write(lines, &mut BufWriter::new(&file)).await?;
        file.sync_all()?;
        output.result(&json!({ "file": path, "space": space, "messages": messages }), || {
            format!("{}: {messages} messages of {space}", path.display())
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the lines and returns how many messages are among them. Ends early, and well, when nobody reads any more.
async fn write(
    lines: impl Stream<Item = memoir_model::Result<ExportLine>>,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let mut lines = std::pin::pin!(lines);
    let mut messages = 0;
    while let Some(line) = lines.try_next().await? {
        messages += u64::from(matches!(line, ExportLine::Message { .. }));
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        match out.write_all(&text) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            written => written?,
        }
    }
    unless_closed(out.flush())?;
    Ok(messages)
}
