use memoir_model::{Error, ErrorCode, Result};
use memoir_store::Severity;
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;
use std::path::Path;

use crate::error::storage;
use crate::migrate::{SCHEMA_VERSION, schema_version};
use crate::{SqliteStore, check};

/// A copy of a store that was examined and found whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Its schema.
    pub schema: u32,
    /// How many spaces it has.
    pub spaces: u64,
    /// How many messages it has.
    pub messages: u64,
    /// How large it is.
    pub bytes: u64,
}

impl SqliteStore {
    /// Writes a consistent copy while the store goes on working, then examines the copy. The target must not exist.
    pub async fn backup(&self, target: &Path) -> Result<Snapshot> {
        let (source, target) = (self.path().to_owned(), target.to_owned());
        let copy = move || {
            if target.exists() {
                let message = format!("{} exists already; choose another name", target.display());
                return Err(Error::new(ErrorCode::Conflict, message));
            }
            crate::make_private(&target)?;
            let name = target.to_str().ok_or_else(|| Error::invalid("target", "must be valid UTF-8"))?;
            let connection = Connection::open(&source).map_err(storage)?;
            let copied = connection.execute("VACUUM INTO ?1", [name]).map_err(storage).and_then(|_| {
                std::fs::File::open(&target).and_then(|file| file.sync_all()).map_err(|e| {
                    Error::new(ErrorCode::StorageUnavailable, format!("cannot sync the copy: {e}"))
                })?;
                verify(&target)
            });
            // What is not whole must not lie there as if it were a backup.
            copied.inspect_err(|_| drop(std::fs::remove_file(&target)))
        };
        tokio::task::spawn_blocking(copy).await.map_err(|_| Error::internal("the backup was cut short"))?
    }
}

/// Examines a file without changing it; fails unless it is a store that this program can open.
pub fn verify(path: &Path) -> Result<Snapshot> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(storage)?;
    let schema = schema_version(&connection)?;
    if schema == 0 || schema > SCHEMA_VERSION {
        let message = format!("schema {schema} is not one that this program knows (1 to {SCHEMA_VERSION})");
        return Err(Error::new(ErrorCode::Corrupt, message));
    }
    if let Some(bad) = check::run(&mut connection)?.into_iter().find(|f| f.severity == Severity::Broken) {
        return Err(Error::new(ErrorCode::Corrupt, format!("{}: {}", bad.subject, bad.finding)));
    }
    let (spaces, messages): (i64, i64) = connection
        .query_row("SELECT count(*), coalesce(sum(last_seq), 0) FROM spaces", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .map_err(storage)?;
    let bytes = std::fs::metadata(path).map(|m| m.len()).unwrap_or_default();
    Ok(Snapshot { schema, spaces: spaces as u64, messages: messages as u64, bytes })
}
