use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Settings;
use crate::wiring;

#[derive(Args)]
pub(crate) struct Backup {
    /// The file to write; it must not exist.
    file: PathBuf,
}

impl Backup {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let opened = wiring::open_existing(settings).await?;
        let wiring::Backend::Sqlite(store) = &opened.backend else {
            anyhow::bail!("`memoir backup` copies a SQLite file; copy a PostgreSQL database with pg_dump");
        };
        let bar = output.progress(0, "{spinner} copying and examining {elapsed}");
        bar.enable_steady_tick(std::time::Duration::from_millis(120));
        let copy = store.backup(&self.file).await?;
        bar.finish_and_clear();
        output.result(&json!({ "file": self.file, "copy": copy }), || {
            format!(
                "{}: {} messages in {} spaces, {} bytes, schema {}; examined and whole",
                self.file.display(),
                copy.messages,
                copy.spaces,
                copy.bytes,
                copy.schema
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
