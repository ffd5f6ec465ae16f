use memoir_model::{Error, ErrorCode, Result};
use rusqlite::{Connection, TransactionBehavior};

use crate::error::storage;

/// Every step from an empty file to the present, in order. A released step is never changed (X10).
const STEPS: &[&str] = &[
    include_str!("../migrations/0001_foundation.sql"),
    include_str!("../migrations/0002_vectors.sql"),
    include_str!("../migrations/0003_bodies.sql"),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_and_memories_of_an_older_file_are_found_in_the_next() {
        let mut connection = Connection::open_in_memory().unwrap();
        STEPS[..2].iter().for_each(|step| connection.execute_batch(step).unwrap());
        connection.pragma_update(None, "user_version", 2).unwrap();
        connection
            .execute_batch(
                "INSERT INTO summaries VALUES (1, 2, '2026-01-06', 'day', x'01'), (1, 2, '2026-01-05', 'before', x'02'); \
                 INSERT INTO memories VALUES (1, 'm', 'fact', 0, 'tea', x'03')",
            )
            .unwrap();
        run(&mut connection).unwrap();
        let found = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(schema_version(&connection).unwrap(), SCHEMA_VERSION);
        assert_eq!(
            found("SELECT body FROM summaries WHERE space = 1 AND level = 2 AND period = '2026-01-05'"),
            "before"
        );
        assert_eq!(
            found("SELECT group_concat(period) FROM (SELECT period FROM summaries ORDER BY period)"),
            "2026-01-05,2026-01-06"
        );
        assert_eq!(found("SELECT body FROM memories WHERE space = 1 AND id = 'm'"), "tea");
    }
}
