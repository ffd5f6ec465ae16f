//! The floor: what the disk and SQLite allow when nothing else is done.

use anyhow::Result;
use memoir_index::Terms;
use rusqlite::{Connection, params};
use std::path::Path;

use super::contender::{Contender, Slice};
use crate::usage::measured;

/// The bytes of a message, and only those, in a table without an index.
pub(super) struct Floor {
    name: &'static str,
    connection: Connection,
    rows_per_commit: usize,
}

impl Floor {
    pub(super) fn new(name: &'static str, folder: &Path, rows_per_commit: usize) -> Result<Self> {
        let connection = Connection::open(folder.join(format!("{name}.db")))?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        // As the engine has it, so that neither side pays for more checkpoints than the other.
        connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
        connection.pragma_update(None, "cache_size", -65_536)?;
        connection.execute_batch(
            "CREATE TABLE rows (id INTEGER PRIMARY KEY, content TEXT NOT NULL, terms BLOB NOT NULL)",
        )?;
        Ok(Floor { name, connection, rows_per_commit })
    }
}

impl Contender for Floor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&self) -> usize {
        self.rows_per_commit
    }

    fn run(&mut self, texts: Vec<String>) -> Result<Slice> {
        let rows: Vec<(String, Vec<u8>)> = texts
            .into_iter()
            .map(|text| {
                let terms = Terms::of(&[&text]).into_blob();
                (text, terms)
            })
            .collect();
        let (written, elapsed, usage) = measured(|| self.write(&rows));
        written?;
        Ok(Slice { rows: rows.len(), elapsed, usage, latencies: Vec::new() })
    }
}

impl Floor {
    fn write(&self, rows: &[(String, Vec<u8>)]) -> Result<()> {
        let mut begin = self.connection.prepare_cached("BEGIN IMMEDIATE")?;
        let mut insert =
            self.connection.prepare_cached("INSERT INTO rows (content, terms) VALUES (?1, ?2)")?;
        let mut commit = self.connection.prepare_cached("COMMIT")?;
        for group in rows.chunks(self.rows_per_commit) {
            begin.execute([])?;
            for (content, terms) in group {
                insert.execute(params![content, terms])?;
            }
            commit.execute([])?;
        }
        Ok(())
    }
}
