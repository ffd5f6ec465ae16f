use anyhow::Context;
use clap::Args;
use futures::TryStreamExt;
use memoir_model::SpaceId;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

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
    pub(crate) async fn run(self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let opened = wiring::open(settings)?;
        let (caller, space) = (wiring::operator(self.tenant.as_deref())?, self.space.parse::<SpaceId>()?);
        let mut lines = opened.engine.export(&caller, &space).await?;
        let mut out: Box<dyn Write> = match &self.out {
            Some(path) => {
                let file = std::fs::File::create_new(path)
                    .with_context(|| format!("cannot create {}; an existing file is not overwritten", path.display()))?;
                Box::new(std::io::BufWriter::new(file))
            }
            None => Box::new(std::io::BufWriter::new(std::io::stdout())),
        };
        while let Some(line) = lines.try_next().await? {
            serde_json::to_writer(&mut out, &line)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
