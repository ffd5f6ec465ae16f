//! Reads, one file per kind of row. Every function runs on a reader's connection.

pub(crate) mod admin;
pub(crate) mod derived;
pub(crate) mod index;
pub(crate) mod messages;
pub(crate) mod sessions;
pub(crate) mod spaces;
pub(crate) mod vectors;

use memoir_model::Result;
use rusqlite::{Connection, Params, Row};

use crate::error::storage;

/// Runs a read inside one transaction: it sees the store at one moment, and what a statement has seen of the file the next
/// need not read again.
pub(crate) fn at_one_moment<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T>,
) -> Result<T> {
    run_sql(connection, "BEGIN")?;
    let result = work(connection);
    let ended = run_sql(connection, "ROLLBACK");
    result.and_then(|value| ended.map(|()| value))
}

/// Runs a statement that gives no rows.
pub(crate) fn run_sql(connection: &Connection, sql: &str) -> Result<()> {
    connection.prepare_cached(sql).and_then(|mut s| s.execute([])).map(drop).map_err(storage)
}

/// The rows of a query, each made into a value.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    make: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql).map_err(storage)?;
    let mut rows = statement.query(params).map_err(storage)?;
    let mut values = Vec::new();
    while let Some(row) = rows.next().map_err(storage)? {
        values.push(make(row)?);
    }
    Ok(values)
}

/// The first row of a query, made into a value.
pub(crate) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    make: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    let mut statement = connection.prepare_cached(sql).map_err(storage)?;
    let mut rows = statement.query(params).map_err(storage)?;
    rows.next().map_err(storage)?.map(make).transpose()
}
