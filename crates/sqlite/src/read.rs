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
