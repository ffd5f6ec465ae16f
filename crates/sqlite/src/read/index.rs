use memoir_model::{Result, Space, SpaceKey, Speaker};
use memoir_store::columns::unreadable;
use memoir_store::{IndexDelta, IndexPoint, IndexRow, Piece};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{all, at_one_moment};
use crate::codec::{self, message_key, message_seq, space_column};
use crate::error::storage;

const COLUMNS: &str = "key, said_at, author, role, session, CASE state WHEN 0 THEN terms END";

fn index_row(row: &Row<'_>) -> Result<IndexRow> {
    Ok(IndexRow {
        seq: message_seq(row.get(0).map_err(storage)?),
        said_at: codec::time(row.get(1).map_err(storage)?)?,
        author: row.get(2).map_err(storage)?,
        role: Speaker::from_code(row.get(3).map_err(storage)?).ok_or_else(|| unreadable("role"))?,
        session_no: row.get::<_, i64>(4).map_err(storage)? as u64,
        terms: row.get(5).map_err(storage)?,
    })
}

fn point(connection: &Connection, key: &SpaceKey) -> Result<Option<IndexPoint>> {
    connection
        .prepare_cached("SELECT version, last_seq FROM spaces WHERE space = ?1 AND tenant = ?2")
        .and_then(|mut s| {
            s.query_row(params![space_column(key.no), key.tenant.as_str()], |row| {
                Ok(IndexPoint {
                    version: row.get::<_, i64>(0)? as u64,
                    last_seq: row.get::<_, i64>(1)? as u64,
                })
            })
            .optional()
        })
        .map_err(storage)
}

/// Everything between `known` and now, in one snapshot. When nothing is new this is one lookup.
pub(crate) fn delta(
    connection: &Connection,
    key: &SpaceKey,
    known: Option<IndexPoint>,
) -> Result<Option<IndexDelta>> {
    if let Some(known) = known {
        match point(connection, key)? {
            None => return Ok(None),
            Some(now) if now == known => {
                return Ok(Some(IndexDelta { point: now, pieces: Vec::new(), rows: Vec::new() }));
            }
            Some(_) => {}
        }
    }
    at_one_moment(connection, |connection| {
        let Some(now) = point(connection, key)? else { return Ok(None) };
        let delta = match known {
            Some(known) => IndexDelta { point: now, pieces: Vec::new(), rows: news(connection, key, known)? },
            None => whole(connection, key, now)?,
        };
        Ok(Some(delta))
    })
}

fn between(connection: &Connection, key: &SpaceKey, first: u64, last: u64) -> Result<Vec<IndexRow>> {
    // A larger number would reach into the bits of the space.
    if first > Space::MOST_MESSAGES {
        return Ok(Vec::new());
    }
    let last = last.min(Space::MOST_MESSAGES);
    let sql = format!("SELECT {COLUMNS} FROM messages WHERE key BETWEEN ?1 AND ?2 ORDER BY key");
    all(connection, &sql, params![message_key(key.no, first), message_key(key.no, last)], index_row)
}

fn news(connection: &Connection, key: &SpaceKey, known: IndexPoint) -> Result<Vec<IndexRow>> {
    let mut rows = changed(connection, key, known)?;
    rows.extend(between(connection, key, known.last_seq + 1, Space::MOST_MESSAGES)?);
    Ok(rows)
}

/// Rows that the index has, in an older wording.
fn changed(connection: &Connection, key: &SpaceKey, known: IndexPoint) -> Result<Vec<IndexRow>> {
    let seqs = all(
        connection,
        "SELECT DISTINCT seq FROM changes WHERE space = ?1 AND version > ?2 AND seq <= ?3 ORDER BY seq",
        params![space_column(key.no), known.version as i64, known.last_seq as i64],
        |row| row.get::<_, i64>(0).map(|seq| seq as u64).map_err(storage),
    )?;
    let mut rows = Vec::with_capacity(seqs.len());
    for seq in seqs {
        rows.extend(between(connection, key, seq, seq)?);
    }
    Ok(rows)
}

/// Sealed pieces as they are, and the rows of every stretch that is not sealed.
fn whole(connection: &Connection, key: &SpaceKey, now: IndexPoint) -> Result<IndexDelta> {
    let pieces = all(
        connection,
        "SELECT no, bytes FROM pieces WHERE space = ?1 ORDER BY no",
        [space_column(key.no)],
        |row| {
            Ok(Piece {
                no: row.get::<_, i64>(0).map_err(storage)? as u64,
                bytes: row.get(1).map_err(storage)?,
            })
        },
    )?;
    let mut rows = Vec::new();
    let mut next = 1;
    for piece in &pieces {
        let covers = Piece::covers(piece.no);
        if *covers.start() > next {
            rows.extend(between(connection, key, next, covers.start() - 1)?);
        }
        next = covers.end() + 1;
    }
    if next <= now.last_seq {
        rows.extend(between(connection, key, next, now.last_seq)?);
    }
    Ok(IndexDelta { point: now, pieces, rows })
}

pub(crate) fn piece_rows(
    connection: &Connection,
    key: &SpaceKey,
    piece: u64,
) -> Result<(u64, Vec<IndexRow>)> {
    let version = point(connection, key)?.map_or(0, |point| point.version);
    let covers = Piece::covers(piece);
    Ok((version, between(connection, key, *covers.start(), *covers.end())?))
}

pub(crate) fn unsealed(connection: &Connection, key: &SpaceKey, limit: usize) -> Result<Vec<u64>> {
    let last_seq = point(connection, key)?.map_or(0, |point| point.last_seq);
    let full = (last_seq + 1) / Piece::ROWS;
    let sealed = all(connection, "SELECT no FROM pieces WHERE space = ?1", [space_column(key.no)], |row| {
        row.get::<_, i64>(0).map(|no| no as u64).map_err(storage)
    })?;
    Ok((0..full).filter(|no| !sealed.contains(no)).take(limit).collect())
}
