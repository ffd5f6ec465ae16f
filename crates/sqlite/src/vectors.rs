//! Puts vectors into the open transaction.

use memoir_model::{Error, Generation, Result, Space, SpaceKey};
use memoir_store::NewVector;
use rusqlite::{Connection, OptionalExtension, params};

use crate::codec::{message_key, space_column};
use crate::error::storage;

const TABLES: [&str; 2] = ["vectors_even", "vectors_odd"];

/// The table that holds the vectors of a generation.
pub(crate) fn table(generation: u32) -> &'static str {
    TABLES[(generation & 1) as usize]
}

pub(crate) fn put_generation(connection: &Connection, key: &SpaceKey, generation: &Generation) -> Result<()> {
    let Generation { no, id, dimension, cursor, serves } = generation;
    connection
        .prepare_cached(
            "INSERT INTO generations VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (space, no) DO UPDATE SET \
             cursor = excluded.cursor, serves = excluded.serves",
        )
        .and_then(|mut s| {
            s.execute(params![space_column(key.no), no, id.as_str(), dimension, *cursor as i64, serves])
        })
        .map(drop)
        .map_err(storage)
}

pub(crate) fn drop_generation(connection: &Connection, key: &SpaceKey, no: u32) -> Result<()> {
    let known = connection
        .prepare_cached("DELETE FROM generations WHERE space = ?1 AND no = ?2")
        .and_then(|mut s| s.execute(params![space_column(key.no), no]))
        .map_err(storage)?;
    if known == 1 { clear(connection, key, table(no)) } else { Ok(()) }
}

pub(crate) fn erase_space(connection: &Connection, key: &SpaceKey) -> Result<()> {
    TABLES.iter().try_for_each(|table| clear(connection, key, table))?;
    connection
        .execute("DELETE FROM generations WHERE space = ?1", [space_column(key.no)])
        .map(drop)
        .map_err(storage)
}

fn clear(connection: &Connection, key: &SpaceKey, table: &str) -> Result<()> {
    connection
        .execute(
            &format!("DELETE FROM {table} WHERE key BETWEEN ?1 AND ?2"),
            params![message_key(key.no, 0), message_key(key.no, Space::MOST_MESSAGES)],
        )
        .map(drop)
        .map_err(storage)
}

pub(crate) fn put(
    connection: &Connection,
    key: &SpaceKey,
    generation: u32,
    vectors: &[NewVector],
    version: u64,
) -> Result<()> {
    let dimension: Option<u32> = connection
        .prepare_cached("SELECT dimension FROM generations WHERE space = ?1 AND no = ?2")
        .and_then(|mut s| s.query_row(params![space_column(key.no), generation], |row| row.get(0)).optional())
        .map_err(storage)?;
    let Some(dimension) = dimension else { return Ok(()) };
    let table = table(generation);
    let sql = format!(
        "INSERT OR REPLACE INTO {table} SELECT key, ?2, CASE WHEN version = ?4 AND (?5 IS NULL OR EXISTS \
         (SELECT 1 FROM messages b WHERE b.key = ?5 AND b.version = ?6)) THEN ?3 END FROM messages \
         WHERE key = ?1 AND state = 0"
    );
    let mut statement = connection.prepare_cached(&sql).map_err(storage)?;
    for NewVector { seq, message_version, before, vector } in vectors {
        if vector.len() != dimension as usize {
            return Err(Error::internal("a vector has another dimension than its generation"));
        }
        if !is_possible(*seq) {
            continue;
        }
        // No message has the number 0, so that one which cannot be is one which is gone.
        let before_key = before.map(|(seq, _)| message_key(key.no, if is_possible(seq) { seq } else { 0 }));
        let key = message_key(key.no, *seq);
        let before_version = before.map(|(_, version)| version);
        statement
            .execute(params![key, version as i64, bytes(vector), message_version, before_key, before_version])
            .map_err(storage)?;
    }
    Ok(())
}

/// Words in the vectors of a message changed: they go, and are wanted again if it can still be found.
pub(crate) fn outdate(connection: &Connection, key: &SpaceKey, seq: u64, version: u64) -> Result<()> {
    if !is_possible(seq) {
        return Ok(());
    }
    let generations: Vec<u32> = connection
        .prepare_cached("SELECT no FROM generations WHERE space = ?1 AND cursor >= ?2")
        .and_then(|mut s| s.query_map(params![space_column(key.no), seq as i64], |row| row.get(0))?.collect())
        .map_err(storage)?;
    for generation in generations {
        let table = table(generation);
        let key = message_key(key.no, seq);
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE key = ?1"))
            .and_then(|mut s| s.execute([key]))
            .map_err(storage)?;
        connection
            .prepare_cached(&format!(
                "INSERT INTO {table} SELECT key, ?2, NULL FROM messages WHERE key = ?1 AND state = 0"
            ))
            .and_then(|mut s| s.execute(params![key, version as i64]))
            .map_err(storage)?;
    }
    Ok(())
}

/// Whether a message may have the number; a larger one would reach into the bits of the space.
fn is_possible(seq: u64) -> bool {
    seq <= Space::MOST_MESSAGES
}

fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}
