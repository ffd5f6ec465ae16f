//! Puts a commit into the open transaction.

use memoir_model::{Error, ErrorCode, Message, MessageVersion, Result, Session, Space, SpaceKey, TenantId};
use memoir_store::columns::{Extra, json, metadata_column};
use memoir_store::{Commit, Committed, MessageRow, Piece, Row, Target};
use rusqlite::{Connection, OptionalExtension, Params, params};

use crate::codec::{message_key, space_column, time_column};
use crate::error::{is_taken, storage};
use crate::{jobs, vectors};

/// Whether the commit destroys something that must not survive anywhere in the file.
pub(crate) fn erases(commit: &Commit) -> bool {
    commit.writes.rows.iter().any(|row| matches!(row, Row::EraseSpace | Row::EraseMessage(_)))
}

pub(crate) fn commit(connection: &Connection, commit: &Commit) -> Result<Committed> {
    match &commit.target {
        Target::Tenant(tenant) => {
            for row in &commit.writes.rows {
                put_tenant_row(connection, tenant, row)?;
            }
            Ok(Committed { version: 0 })
        }
        Target::Space(key) => commit_to_space(connection, key, commit),
    }
}

/// The counters of a space while a commit is being applied.
struct Counters {
    version: u64,
    last_seq: u64,
    last_session: u64,
    vectors: u64,
}

fn commit_to_space(connection: &Connection, key: &SpaceKey, commit: &Commit) -> Result<Committed> {
    if let Some(Row::NewSpace(space)) = commit.writes.rows.first() {
        insert_space(connection, space)?;
    }
    let mut counters = match counters(connection, key) {
        // Who planned on a version has seen the space; it was erased in the meantime.
        Err(error) if error.code() == ErrorCode::NotFound && commit.expected_version.is_some() => {
            return Err(Error::new(ErrorCode::VersionMoved, "the space was erased in the meantime"));
        }
        counters => counters?,
    };
    if commit.expected_version.is_some_and(|expected| expected != counters.version) {
        return Err(Error::new(ErrorCode::VersionMoved, "the space changed in the meantime"));
    }
    if let Some(lease) = commit.lease {
        jobs::check_lease(connection, key, lease)?;
    }
    if !commit.writes.rows.is_empty() {
        counters.version += u64::from(!commit.writes.rows.iter().all(Row::is_of_vectors));
        counters.vectors += u64::from(commit.writes.rows.iter().any(Row::is_of_vectors));
        for row in &commit.writes.rows {
            if matches!(row, Row::EraseSpace) {
                erase_space(connection, key)?;
                // Nothing of the space is left to count; the tenant's audit line may still follow.
                return commit
                    .writes
                    .rows
                    .iter()
                    .try_for_each(|row| match row {
                        Row::Audit(_) => put_tenant_row(connection, &key.tenant, row),
                        Row::EraseSpace => Ok(()),
                        _ => Err(Error::internal("an erasure stands alone")),
                    })
                    .map(|()| Committed { version: counters.version });
            }
            put_space_row(connection, key, row, &mut counters)?;
        }
        connection
            .prepare_cached(
                "UPDATE spaces SET version = ?2, last_seq = ?3, last_session = ?4, vectors = ?5 WHERE space = ?1",
            )
            .and_then(|mut s| {
                s.execute(params![
                    space_column(key.no),
                    counters.version as i64,
                    counters.last_seq as i64,
                    counters.last_session as i64,
                    counters.vectors as i64,
                ])
            })
            .map_err(storage)?;
    }
    for change in &commit.writes.jobs {
        jobs::change(connection, key, commit.lease, change)?;
    }
    Ok(Committed { version: counters.version })
}

fn counters(connection: &Connection, key: &SpaceKey) -> Result<Counters> {
    connection
        .prepare_cached(
            "SELECT version, last_seq, last_session, vectors FROM spaces WHERE space = ?1 AND tenant = ?2",
        )
        .and_then(|mut s| {
            s.query_row(params![space_column(key.no), key.tenant.as_str()], |row| {
                Ok(Counters {
                    version: row.get::<_, i64>(0)? as u64,
                    last_seq: row.get::<_, i64>(1)? as u64,
                    last_session: row.get::<_, i64>(2)? as u64,
                    vectors: row.get::<_, i64>(3)? as u64,
                })
            })
            .optional()
        })
        .map_err(storage)?
        .ok_or_else(|| Error::not_found("space", key.no))
}

fn put_tenant_row(connection: &Connection, tenant: &TenantId, row: &Row) -> Result<()> {
    let done = match row {
        Row::Audit(entry) if entry.tenant != *tenant => {
            return Err(Error::internal("a line of another tenant's audit log"));
        }
        Row::Audit(entry) => connection
            .prepare_cached("INSERT INTO audit VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            .and_then(|mut s| {
                s.execute(params![
                    entry.tenant.as_str(),
                    entry.id.to_string(),
                    time_column(entry.at),
                    entry.actor,
                    serde_json::to_value(entry.action).ok().as_ref().and_then(|v| v.as_str()),
                    entry.space.as_ref().map(ToString::to_string),
                    entry.target,
                ])
            }),
        Row::Tenant(row) => connection
            .prepare_cached(
                "INSERT INTO tenants VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET label = excluded.label",
            )
            .and_then(|mut s| s.execute(params![row.id.as_str(), row.label, time_column(row.created_at)])),
        Row::Key(row) => connection
            .prepare_cached(
                "INSERT INTO keys VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET \
                 label = excluded.label, revoked_at = excluded.revoked_at WHERE tenant = excluded.tenant",
            )
            .and_then(|mut s| {
                s.execute(params![
                    row.id.as_str(),
                    row.tenant.as_str(),
                    row.role.as_str(),
                    row.space.as_ref().map(ToString::to_string),
                    row.label,
                    row.secret_sha256,
                    time_column(row.created_at),
                    row.revoked_at.map(time_column),
                ])
            }),
        Row::Taxonomy(row) => {
            let (name, body) = (row.name().as_str(), json(row)?);
            put(
                connection,
                "INSERT INTO taxonomies VALUES (?1, ?2, ?3, ?4)",
                params![tenant.as_str(), name, row.version(), body],
            )
        }
        _ => return Err(Error::internal("a row of a space was sent to a tenant")),
    };
    done.map(drop).map_err(|e| taken_or("row", e))
}

fn put_space_row(connection: &Connection, key: &SpaceKey, row: &Row, counters: &mut Counters) -> Result<()> {
    match row {
        Row::NewSpace(_) => Ok(()),
        Row::Space(space) if space.no != key.no => Err(Error::internal("the settings of another space")),
        Row::Space(space) => update_space(connection, space),
        Row::Message(row) => {
            if row.message.seq != counters.last_seq + 1 {
                return Err(Error::new(ErrorCode::VersionMoved, "the message's number is not the next one"));
            }
            counters.last_seq += 1;
            insert_message(connection, key, row)
        }
        Row::ReviseMessage { row, previous } => {
            insert_version(connection, key, row.message.seq, previous)?;
            replace_message(connection, key, row, counters.version)?;
            vectors::outdate(connection, key, row.message.seq, counters.vectors)
        }
        Row::EraseMessage(row) => {
            connection
                .prepare_cached("DELETE FROM message_versions WHERE space = ?1 AND seq = ?2")
                .and_then(|mut s| s.execute(params![space_column(key.no), row.message.seq as i64]))
                .map_err(storage)?;
            replace_message(connection, key, row, counters.version)?;
            vectors::outdate(connection, key, row.message.seq, counters.vectors)
        }
        Row::Session(session) => {
            counters.last_session = counters.last_session.max(session.no);
            put_session(connection, key, session)
        }
        Row::Piece { no, built_version, bytes } => put_piece(connection, key, *no, *built_version, bytes),
        Row::Generation(generation) => vectors::put_generation(connection, key, generation),
        Row::DropGeneration(no) => vectors::drop_generation(connection, key, *no),
        Row::Vectors { generation, vectors } => {
            vectors::put(connection, key, *generation, vectors, counters.vectors)
        }
        Row::OutdateVector { seq } => vectors::outdate(connection, key, *seq, counters.vectors),
        Row::Summary { summary, terms } => {
            let (level, period, body) = (summary.period.level().code(), summary.period.key(), json(summary)?);
            put(
                connection,
                "INSERT INTO summaries VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (space, level, period) \
                 DO UPDATE SET body = excluded.body, terms = excluded.terms",
                params![space_column(key.no), level, period, body, terms],
            )
            .map(drop)
            .map_err(storage)
        }
        Row::DropSummary(period) => put(
            connection,
            "DELETE FROM summaries WHERE space = ?1 AND level = ?2 AND period = ?3",
            params![space_column(key.no), period.level().code(), period.key()],
        )
        .map(drop)
        .map_err(storage),
        Row::Memory { memory, terms } => {
            let (kind, status, body) = (memory.kind.as_str(), memory.status.code(), json(memory)?);
            put(
                connection,
                "INSERT INTO memories VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (space, id) DO UPDATE SET \
                 kind = excluded.kind, status = excluded.status, body = excluded.body, terms = excluded.terms",
                params![space_column(key.no), memory.id.as_str(), kind, status, body, terms],
            )
            .map(drop)
            .map_err(storage)
        }
        Row::Audit(_) => put_tenant_row(connection, &key.tenant, row),
        Row::EraseSpace | Row::Tenant(_) | Row::Key(_) | Row::Taxonomy(_) => {
            Err(Error::internal("a row of a tenant was sent to a space"))
        }
    }
}

fn insert_space(connection: &Connection, space: &Space) -> Result<()> {
    let (zones, metadata) = (json(&space.zones)?, metadata_column(&space.metadata)?);
    put(
        connection,
        "INSERT INTO spaces VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, 0, 0)",
        params![
            space_column(space.no),
            space.tenant.as_str(),
            space.id.to_string(),
            zones,
            space.preset.as_str(),
            metadata,
            time_column(space.created_at),
        ],
    )
    .map(drop)
    .map_err(|e| taken_or("space", e))
}

fn update_space(connection: &Connection, space: &Space) -> Result<()> {
    let (zones, metadata) = (json(&space.zones)?, metadata_column(&space.metadata)?);
    put(
        connection,
        "UPDATE spaces SET zones = ?2, preset = ?3, metadata = ?4 WHERE space = ?1",
        params![space_column(space.no), zones, space.preset.as_str(), metadata],
    )
    .map(drop)
    .map_err(storage)
}

fn insert_message(connection: &Connection, key: &SpaceKey, row: &MessageRow) -> Result<()> {
    let m: &Message = &row.message;
    let extra = Extra::column(m)?;
    connection
        .prepare_cached(
            "INSERT INTO messages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )
        .and_then(|mut s| {
            s.execute(params![
                message_key(key.no, m.seq),
                m.id.as_str(),
                row.session_no as i64,
                m.author.as_str(),
                m.role.code(),
                m.state.code(),
                m.version,
                time_column(m.said_at),
                time_column(m.recorded_at),
                m.local.date.to_string(),
                m.local.offset_seconds,
                row.digest as i64,
                m.reply_to.as_ref().map(memoir_model::MessageId::as_str),
                extra,
                m.content,
                row.terms,
            ])
        })
        .map(drop)
        .map_err(|e| taken_or("message", e))
}

/// Puts other words, another state or no words at all into a message that exists, notes the change for indexes that
/// are behind, and drops the sealed piece that still has the old words.
fn replace_message(connection: &Connection, key: &SpaceKey, row: &MessageRow, version: u64) -> Result<()> {
    let m = &row.message;
    let extra = Extra::column(m)?;
    let space = space_column(key.no);
    let changed = connection
        .prepare_cached(
            "UPDATE messages SET state = ?2, version = ?3, extra = ?4, content = ?5, terms = ?6, digest = ?7, \
             reply_to = ?8 WHERE key = ?1",
        )
        .and_then(|mut s| {
            s.execute(params![
                message_key(key.no, m.seq),
                m.state.code(),
                m.version,
                extra,
                m.content,
                (!row.terms.is_empty()).then_some(&row.terms),
                row.digest as i64,
                m.reply_to.as_ref().map(memoir_model::MessageId::as_str),
            ])
        })
        .map_err(storage)?;
    if changed != 1 {
        return Err(Error::not_found("message", &m.id));
    }
    connection
        .prepare_cached("INSERT OR IGNORE INTO changes VALUES (?1, ?2, ?3)")
        .and_then(|mut s| s.execute(params![space, version as i64, m.seq as i64]))
        .map_err(storage)?;
    connection
        .prepare_cached("DELETE FROM pieces WHERE space = ?1 AND no = ?2")
        .and_then(|mut s| s.execute(params![space, Piece::covering(m.seq) as i64]))
        .map(drop)
        .map_err(storage)
}

fn insert_version(
    connection: &Connection,
    key: &SpaceKey,
    seq: u64,
    previous: &MessageVersion,
) -> Result<()> {
    let attachments = json(&previous.attachments)?;
    connection
        .prepare_cached("INSERT OR IGNORE INTO message_versions VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        .and_then(|mut s| {
            s.execute(params![
                space_column(key.no),
                seq as i64,
                previous.version,
                previous.content,
                attachments,
                time_column(previous.replaced_at),
            ])
        })
        .map(drop)
        .map_err(storage)
}

fn put_session(connection: &Connection, key: &SpaceKey, session: &Session) -> Result<()> {
    let metadata = metadata_column(&session.metadata)?;
    connection
        .prepare_cached(
            "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) \
             ON CONFLICT (space, no) DO UPDATE SET task = excluded.task, first_said_at = excluded.first_said_at, \
             last_said_at = excluded.last_said_at, active_at = excluded.active_at, ended_at = excluded.ended_at, \
             end_reason = excluded.end_reason, messages = excluded.messages, stale = excluded.stale, \
             metadata = excluded.metadata",
        )
        .and_then(|mut s| {
            s.execute(params![
                space_column(key.no),
                session.no as i64,
                session.id.as_str(),
                session.thread.as_str(),
                session.explicit,
                session.task,
                time_column(session.first_said_at),
                time_column(session.last_said_at),
                time_column(session.active_at),
                session.ended.map(|(at, _)| time_column(at)),
                session.ended.map(|(_, reason)| reason.code()),
                session.messages as i64,
                session.stale,
                metadata,
            ])
        })
        .map(drop)
        .map_err(|e| taken_or("session", e))
}

fn put_piece(
    connection: &Connection,
    key: &SpaceKey,
    no: u64,
    built_version: u64,
    bytes: &[u8],
) -> Result<()> {
    let covers = Piece::covers(no);
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO pieces SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM changes \
             WHERE space = ?1 AND version > ?4 AND seq BETWEEN ?5 AND ?6)",
        )
        .and_then(|mut s| {
            s.execute(params![
                space_column(key.no),
                no as i64,
                bytes,
                built_version as i64,
                *covers.start() as i64,
                *covers.end() as i64
            ])
        })
        .map(drop)
        .map_err(storage)
}

fn erase_space(connection: &Connection, key: &SpaceKey) -> Result<()> {
    let space = space_column(key.no);
    connection
        .execute(
            "DELETE FROM messages WHERE key BETWEEN ?1 AND ?2",
            params![message_key(key.no, 0), message_key(key.no, Space::MOST_MESSAGES)],
        )
        .map_err(storage)?;
    vectors::erase_space(connection, key)?;
    for table in
        ["message_versions", "changes", "pieces", "sessions", "summaries", "memories", "jobs", "spaces"]
    {
        connection.execute(&format!("DELETE FROM {table} WHERE space = ?1"), [space]).map_err(storage)?;
    }
    Ok(())
}

fn taken_or(what: &str, error: rusqlite::Error) -> Error {
    if is_taken(&error) {
        Error::new(ErrorCode::IdConflict, format!("the id of this {what} is taken"))
    } else {
        storage(error)
    }
}

fn put(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
    connection.prepare_cached(sql)?.execute(params)
}
