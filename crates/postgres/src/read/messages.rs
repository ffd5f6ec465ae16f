use memoir_model::{Message, MessageId, MessageState, MessageVersion, Result, SpaceKey};
use memoir_store::columns::from_json;
use memoir_store::{MessageQuery, Order, TakenId};

use crate::codec::{self, MESSAGE_COLUMNS, MESSAGE_TABLES, get, limit, number, number_column, space_column};
use crate::pool::{Given, Pool};
use crate::scope::Scope;
use crate::transaction::Owned;

pub(crate) async fn by_id(pool: &Pool, key: &SpaceKey, id: &MessageId) -> Result<Option<Message>> {
    let sql = format!("SELECT {MESSAGE_COLUMNS} FROM {MESSAGE_TABLES} WHERE m.space = $1 AND m.id = $2");
    let row = pool.first(Scope::Space(key), &sql, &[&space_column(key.no), &id.as_str()]).await?;
    row.as_ref().map(codec::message).transpose()
}

pub(crate) async fn by_seqs(pool: &Pool, key: &SpaceKey, seqs: &[u64]) -> Result<Vec<Message>> {
    let sql =
        format!("SELECT {MESSAGE_COLUMNS} FROM {MESSAGE_TABLES} WHERE m.space = $1 AND m.seq = ANY ($2)");
    let wanted: Vec<i64> = seqs.iter().map(|seq| number_column(*seq)).collect();
    let rows = pool.read(Scope::Space(key), &sql, &[&space_column(key.no), &wanted]).await?;
    let found: Vec<Message> = rows.iter().map(codec::message).collect::<Result<_>>()?;
    Ok(seqs.iter().filter_map(|seq| found.iter().find(|message| message.seq == *seq).cloned()).collect())
}

pub(crate) async fn list(pool: &Pool, key: &SpaceKey, query: &MessageQuery) -> Result<Vec<Message>> {
    let mut sql = format!("SELECT {MESSAGE_COLUMNS} FROM {MESSAGE_TABLES} WHERE m.space = $1");
    let mut given: Vec<Owned<'_>> = vec![Box::new(space_column(key.no))];
    let mut and = |condition: &str, value: Owned<'static>| {
        given.push(value);
        sql.push_str(&format!(" AND {condition} ${}", given.len()));
    };
    if let Some(session) = query.session_no {
        and("m.session =", Box::new(number_column(session)));
    }
    if let Some(from) = query.from {
        and("m.said_at >=", Box::new(from));
    }
    if let Some(until) = query.until {
        and("m.said_at <", Box::new(until));
    }
    if let Some(author) = &query.author {
        and("m.author =", Box::new(author.clone()));
    }
    if let Some(role) = query.role {
        and("m.role =", Box::new(i16::from(role.code())));
    }
    if query.active_only {
        and("m.state =", Box::new(i16::from(MessageState::Active.code())));
    }
    if let Some(seq) = query.up_to {
        and("m.seq <=", Box::new(number_column(seq)));
    }
    let (beyond, direction) = if query.order == Order::Oldest { (">", "ASC") } else { ("<", "DESC") };
    if let Some((said_at, seq)) = query.after {
        given.push(Box::new(said_at));
        given.push(Box::new(number_column(seq)));
        let places = (given.len() - 1, given.len());
        sql.push_str(&format!(" AND (m.said_at, m.seq) {beyond} (${}, ${})", places.0, places.1));
    }
    given.push(Box::new(limit(query.limit)));
    sql.push_str(&format!(" ORDER BY m.said_at {direction}, m.seq {direction} LIMIT ${}", given.len()));
    let given: Vec<Given<'_>> = given.iter().map(|value| value.as_ref() as Given<'_>).collect();
    let rows = pool.read(Scope::Space(key), &sql, &given).await?;
    rows.iter().map(codec::message).collect()
}

pub(crate) async fn versions(pool: &Pool, key: &SpaceKey, seq: u64) -> Result<Vec<MessageVersion>> {
    let sql = "SELECT version, content, attachments, replaced_at FROM message_versions \
         WHERE space = $1 AND seq = $2 ORDER BY version";
    let rows = pool.read(Scope::Space(key), sql, &[&space_column(key.no), &number_column(seq)]).await?;
    let version = |row| {
        Ok(MessageVersion {
            version: number(row, 0)? as u32,
            content: get(row, 1)?,
            attachments: from_json(get(row, 2)?, "attachment")?,
            replaced_at: get(row, 3)?,
        })
    };
    rows.iter().map(version).collect()
}

pub(crate) async fn taken(pool: &Pool, key: &SpaceKey, ids: &[MessageId]) -> Result<Vec<TakenId>> {
    let sql = "SELECT id, seq, digest FROM messages WHERE space = $1 AND id = ANY ($2)";
    let wanted: Vec<&str> = ids.iter().map(MessageId::as_str).collect();
    let rows = pool.read(Scope::Space(key), sql, &[&space_column(key.no), &wanted]).await?;
    let taken = |row| {
        let id = MessageId::new(get::<String>(row, 0)?)?;
        Ok(TakenId { id, seq: number(row, 1)?, digest: number(row, 2)? })
    };
    rows.iter().map(taken).collect()
}
