use anyhow::Context;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::commands::import;
use crate::output::Output;
use crate::settings::{Database, Settings};
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
        let Database::Sqlite(target) = settings.database() else {
            anyhow::bail!(
                "`memoir restore` puts a SQLite file in place; restore a PostgreSQL database with pg_restore"
            );
        };
        let _alone = wiring::take_alone(&target)?;
        let backup = memoir_sqlite::verify(&self.file)
            .with_context(|| format!("{} was not restored", self.file.display()))?;
        // Without its log the copy of a store would lack what was written last.
        if companions(&self.file)[0].metadata().is_ok_and(|log| log.len() > 0) {
            let file = self.file.display();
            anyhow::bail!(
                "{file} is a store in use, not a backup: part of it is in {file}-wal; use `memoir backup`"
            );
        }
        if target.exists() && !self.replace {
            anyhow::bail!(
                "{} exists; repeat with --replace to put the backup in its place",
                target.display()
            );
        }
        // The store stays where it is until the copy is whole: a full disk must not leave the folder without one.
        let copy = target.with_extension("restoring");
        copy_whole(&self.file, &copy).inspect_err(|_| drop(std::fs::remove_file(&copy)))?;
        let kept = if target.exists() { Some(keep(&target)?) } else { None };
        // A log whose store somebody deleted would be taken for the log of the new one.
        remove_companions(&target)?;
        std::fs::rename(&copy, &target)?;
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::File::open(folder)?.sync_all()?;
        }
        // A mark of how far an import had come is about the store that was here before.
        import::forget_marks(&settings.data.dir);
        let value = json!({ "store": target, "copy": backup, "kept": kept });
        output.result(&value, || {
            let kept = kept.as_ref().map(|kept| format!("; the store before it is {}", kept.display()));
            let (messages, spaces) = (backup.messages, backup.spaces);
            format!(
                "{}: {messages} messages in {spaces} spaces{}",
                target.display(),
                kept.unwrap_or_default()
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Copies a backup and examines the copy too: what is put in place is what was found whole.
fn copy_whole(backup: &Path, copy: &Path) -> anyhow::Result<()> {
    std::fs::copy(backup, copy).with_context(|| format!("cannot write {}", copy.display()))?;
    std::fs::File::open(copy)?.sync_all()?;
    memoir_sqlite::verify(copy).context("the copy of the backup is not whole")?;
    remove_companions(copy)
}

/// Moves a store out of the way, whole: what its log still holds is written into it first.
fn keep(store: &Path) -> anyhow::Result<PathBuf> {
    drop(memoir_sqlite::SqliteStore::open(&memoir_sqlite::Options::at(store)));
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%.6fZ").to_string();
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
