use jiff::Timestamp;
use memoir_model::{Message, MessageId, MessageState, MessageVersion, Result, Space, SpaceKey};
use memoir_store::columns::{from_json, json};
use memoir_store::{MessageQuery, Order, TakenId};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::{all, first};
use crate::codec::{self, MESSAGE_COLUMNS, MESSAGE_TABLES, message_key, message_seq, space_column};
use crate::error::storage;

pub(crate) fn by_id(connection: &Connection, key: &SpaceKey, id: &MessageId) -> Result<Option<Message>> {
    let sql = format!("SELECT {MESSAGE_COLUMNS} FROM {MESSAGE_TABLES} WHERE m.key >> 24 = ?1 AND m.id = ?2");
    first(connection, &sql, params![space_column(key.no), id.as_str()], codec::message)
}

fn by_seq_sql() -> String {
    format!("SELECT {MESSAGE_COLUMNS} FROM {MESSAGE_TABLES} WHERE m.key = ?1")
}

pub(crate) fn by_seqs(connection: &Connection, key: &SpaceKey, seqs: &[u64]) -> Result<Vec<Message>> {
    let sql = by_seq_sql();
    let mut messages = Vec::with_capacity(seqs.len());
    for seq in seqs.iter().filter(|seq| **seq <= Space::MOST_MESSAGES) {
        messages.extend(first(connection, &sql, params![message_key(key.no, *seq)], codec::message)?);
    }
    Ok(messages)
}

/// One statement for each shape of a query: every value is bound, so that the next page finds it planned.
pub(crate) fn list(connection: &Connection, key: &SpaceKey, query: &MessageQuery) -> Result<Vec<Message>> {
    let mut values: Vec<Value> = Vec::new();
    let mut bind = |value: Value| {
        values.push(value);
        format!("?{}", values.len())
    };
    let micros = |time: Timestamp| Value::from(time.as_microsecond());
    let mut conditions = vec![format!("m.key >> 24 = {}", bind(space_column(key.no).into()))];
    if let Some(session) = query.session_no {
        conditions.push(format!("m.session = {}", bind((session as i64).into())));
    }
    if let Some(from) = query.from {
        conditions.push(format!("m.said_at >= {}", bind(micros(from))));
    }
    if let Some(until) = query.until {
        conditions.push(format!("m.said_at < {}", bind(micros(until))));
    }
    if let Some(author) = &query.author {
        conditions.push(format!("m.author = {}", bind(author.clone().into())));
    }
    if let Some(role) = query.role {
        conditions.push(format!("m.role = {}", bind(i64::from(role.code()).into())));
    }
    if query.active_only {
        conditions.push(format!("m.state = {}", bind(i64::from(MessageState::Active.code()).into())));
    }
    if let Some(seq) = query.up_to {
        // The times lead, and not the numbers.
        let last = bind(message_key(key.no, seq.min(Space::MOST_MESSAGES)).into());
        conditions.push(format!("+m.key <= {last}"));
    }
    let (beyond, direction) = if query.order == Order::Oldest { (">", "ASC") } else { ("<", "DESC") };
    if let Some((said_at, seq)) = query.after {
        let (said_at, seq) = (bind(micros(said_at)), bind(message_key(key.no, seq).into()));
        conditions.push(format!("m.said_at {beyond}= {said_at}"));
        conditions.push(format!("(m.said_at {beyond} {said_at} OR m.key {beyond} {seq})"));
    }
    let limit = bind((query.limit as i64).into());
    let conditions = conditions.join(" AND ");
    let sql = format!(
        "SELECT {MESSAGE_COLUMNS} FROM {MESSAGE_TABLES} WHERE {conditions} \
         ORDER BY m.said_at {direction}, m.key {direction} LIMIT {limit}"
    );
    all(connection, &sql, params_from_iter(values), codec::message)
}

pub(crate) fn versions(connection: &Connection, key: &SpaceKey, seq: u64) -> Result<Vec<MessageVersion>> {
    all(
        connection,
        "SELECT version, content, attachments, replaced_at FROM message_versions \
         WHERE space = ?1 AND seq = ?2 ORDER BY version",
        params![space_column(key.no), seq as i64],
        |row| {
            Ok(MessageVersion {
                version: row.get(0).map_err(storage)?,
                content: row.get(1).map_err(storage)?,
                attachments: from_json(&row.get::<_, String>(2).map_err(storage)?, "attachment")?,
                replaced_at: codec::time(row.get(3).map_err(storage)?)?,
            })
        },
    )
}

pub(crate) fn taken(connection: &Connection, key: &SpaceKey, ids: &[MessageId]) -> Result<Vec<TakenId>> {
    all(
        connection,
        "SELECT id, key, digest FROM messages WHERE key >> 24 = ?1 AND id IN (SELECT value FROM json_each(?2))",
        params![space_column(key.no), json(&ids)?],
        |row| {
            Ok(TakenId {
                id: MessageId::new(row.get::<_, String>(0).map_err(storage)?)?,
                seq: message_seq(row.get(1).map_err(storage)?),
                digest: row.get::<_, i64>(2).map_err(storage)? as u64,
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, SqliteStore, connection};
    use memoir_model::{SpaceNo, TenantId};
    use rusqlite::StatementStatus;

    #[test]
    fn a_statement_is_planned_once_whatever_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memoir.db");
        drop(SqliteStore::open(&Options::at(&path)).unwrap());
        let reader = connection::open_reader(&path).unwrap();
        let key = SpaceKey { tenant: TenantId::default_tenant(), no: SpaceNo::from_low_bits(1) };
        by_seqs(&reader, &key, &(1..50).collect::<Vec<u64>>()).unwrap();
        let statement = reader.prepare_cached(&by_seq_sql()).unwrap();
        assert!(statement.get_status(StatementStatus::Run) >= 49, "it is the statement that was used");
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
