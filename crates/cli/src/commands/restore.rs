use anyhow::Context;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Settings;
use crate::wiring;

#[derive(Args)]
pub(crate) struct Restore {
    /// The backup.
    file: PathBuf,
    /// Replace a store that exists; it is kept beside the new one under another name.
    #[arg(long)]
    replace: bool,
}

impl Restore {
    pub(crate) fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let target = settings.sqlite_file();
        let _alone = wiring::take_alone(&target)?;
        let backup = memoir_sqlite::verify(&self.file)
            .with_context(|| format!("{} was not restored", self.file.display()))?;
        let kept = match (target.exists(), self.replace) {
            (false, _) => None,
            (true, true) => Some(keep(&target)?),
            (true, false) => anyhow::bail!("{} exists; repeat with --replace to put the backup in its place", target.display()),
        };
        let copy = target.with_extension("restoring");
        std::fs::copy(&self.file, &copy)?;
        std::fs::File::open(&copy)?.sync_all()?;
        // The copy is examined too: what is put in place is what was found whole.
        memoir_sqlite::verify(&copy).context("the copy of the backup is not whole")?;
        remove_companions(&copy)?;
        std::fs::rename(&copy, &target)?;
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::File::open(folder)?.sync_all()?;
        }
        let value = json!({ "store": target, "copy": backup, "kept": kept });
        output.result(&value, || {
            let kept = kept.as_ref().map(|kept| format!("; the store before it is {}", kept.display()));
            let (messages, spaces) = (backup.messages, backup.spaces);
            format!("{}: {messages} messages in {spaces} spaces{}", target.display(), kept.unwrap_or_default())
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Moves a store out of the way, whole: what its log still holds is written into it first.
fn keep(store: &Path) -> anyhow::Result<PathBuf> {
    drop(memoir_sqlite::SqliteStore::open(&memoir_sqlite::Options::at(store)));
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let kept = store.with_extension(format!("before-{stamp}.db"));
    std::fs::rename(store, &kept)?;
    for (from, to) in companions(store).into_iter().zip(companions(&kept)) {
        if from.exists() {
            std::fs::rename(from, to)?;
        }
    }
    Ok(kept)
}

fn companions(store: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|suffix| {
        let mut name = store.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

fn remove_companions(store: &Path) -> anyhow::Result<()> {
    for companion in companions(store) {
        if companion.exists() {
            std::fs::remove_file(companion)?;
        }
    }
    Ok(())
}
