use memoir_model::{Generation, GenerationId, Result, Space, SpaceKey};
use memoir_store::columns::unreadable;
use memoir_store::{VectorQuery, VectorRow};
use rusqlite::{Connection, Row, params};

use super::all;
use crate::codec::{message_key, message_seq, space_column};
use crate::error::storage;
use crate::vectors::table;

pub(crate) fn generations(connection: &Connection, key: &SpaceKey) -> Result<Vec<Generation>> {
    let sql = "SELECT no, id, dimension, cursor, serves FROM generations WHERE space = ?1 ORDER BY no";
    all(connection, sql, [space_column(key.no)], |row| {
        Ok(Generation {
            no: row.get(0).map_err(storage)?,
            id: GenerationId::new(row.get::<_, String>(1).map_err(storage)?)?,
            dimension: row.get(2).map_err(storage)?,
            cursor: row.get::<_, i64>(3).map_err(storage)? as u64,
            serves: row.get(4).map_err(storage)?,
        })
    })
}

fn vector_row(row: &Row<'_>) -> Result<VectorRow> {
    let seq = message_seq(row.get(0).map_err(storage)?);
    let bytes = row.get_ref(1).map_err(storage)?.as_blob_or_null().map_err(|_| unreadable("vector"))?;
    let Some(bytes) = bytes else { return Ok(VectorRow { seq, vector: None }) };
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(unreadable("vector"));
    }
    let vector = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
    Ok(VectorRow { seq, vector: Some(vector) })
}

pub(crate) fn vectors(connection: &Connection, key: &SpaceKey, query: VectorQuery) -> Result<Vec<VectorRow>> {
    let VectorQuery { generation, since, after, limit } = query;
    if after >= Space::MOST_MESSAGES {
        return Ok(Vec::new());
    }
    let (first, last) = (message_key(key.no, after + 1), message_key(key.no, Space::MOST_MESSAGES));
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let table = table(generation);
    if !exists(connection, key, generation)? {
        return Ok(Vec::new());
    }
    if since == 0 {
        let sql = format!(
            "SELECT key, vector FROM {table} WHERE key BETWEEN ?1 AND ?2 AND vector IS NOT NULL ORDER BY key LIMIT ?3"
        );
        return all(connection, &sql, params![first, last, limit], vector_row);
    }
    let sql = format!(
        "SELECT key, vector FROM {table} WHERE key >> 24 = ?1 AND version > ?2 AND +key BETWEEN ?3 AND ?4 \
         ORDER BY +key LIMIT ?5"
    );
    all(connection, &sql, params![space_column(key.no), since as i64, first, last, limit], vector_row)
}

/// Another generation may have used the table before.
fn exists(connection: &Connection, key: &SpaceKey, generation: u32) -> Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM generations WHERE space = ?1 AND no = ?2")
        .and_then(|mut s| s.exists(params![space_column(key.no), generation]))
        .map_err(storage)
}

pub(crate) fn wanted(
    connection: &Connection,
    key: &SpaceKey,
    generation: u32,
    limit: usize,
) -> Result<Vec<u64>> {
    if !exists(connection, key, generation)? {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT key FROM {} WHERE key >> 24 = ?1 AND vector IS NULL ORDER BY key LIMIT ?2",
        table(generation)
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(connection, &sql, params![space_column(key.no), limit], |row| {
        row.get(0).map(message_seq).map_err(storage)
    })
}
