use memoir_model::{Error, ErrorCode, Result};
use rusqlite::{Connection, TransactionBehavior};

use crate::error::storage;

/// Every step from an empty file to the present, in order. A released step is never changed (X10).
const STEPS: &[&str] =
    &[include_str!("../migrations/0001_foundation.sql"), include_str!("../migrations/0002_vectors.sql")];

/// The schema that this program writes; kept in the file as `user_version`.
pub const SCHEMA_VERSION: u32 = STEPS.len() as u32;

/// The schema version of a file.
pub fn schema_version(connection: &Connection) -> Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(storage)
}

/// Brings a file to [`SCHEMA_VERSION`], one transaction per step.
pub(crate) fn run(connection: &mut Connection) -> Result<()> {
    loop {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(storage)?;
        let version = schema_version(&transaction)?;
        if version > SCHEMA_VERSION {
            return Err(Error::new(
                ErrorCode::StorageUnavailable,
                format!(
                    "the store has schema {version} and this program knows {SCHEMA_VERSION}; use a newer memoir"
                ),
            ));
        }
        let Some(step) = STEPS.get(version as usize) else { return Ok(()) };
        transaction.execute_batch(step).map_err(storage)?;
        transaction.pragma_update(None, "user_version", version + 1).map_err(storage)?;
        transaction.commit().map_err(storage)?;
    }
}
