//! Puts a commit into a transaction and makes it durable.

use memoir_model::{Error, ErrorCode, MessageVersion, Result, Session, Space, SpaceKey, TenantId};
use memoir_store::columns::{Extra, json, metadata_column};
use memoir_store::{Commit, Committed, MessageRow, Piece, Row, Target};

use crate::codec::{number, number_column, space_column};
use crate::error::Fault;
use crate::pool::Pool;
use crate::scope::Scope;
use crate::transaction::{End, Mode, Owned, Pipeline, Transaction};
use crate::{jobs, vectors};

/// Makes a commit durable, or says why not. Waits for a database that is away, and finds out what became of a commit
/// whose answer was lost.
pub(crate) async fn run(pool: &Pool, commit: &Commit) -> Result<Committed> {
    let mut patience = pool.patience();
    loop {
        let attempt = match &commit.target {
            Target::Space(key) => to_space(pool, key, commit).await,
            Target::Tenant(tenant) => to_tenant(pool, tenant, commit).await,
        };
        let (committed, end) = match attempt {
            Ok(Applied { transaction, committed, number }) => match transaction.commit().await {
                End::Durable => return Ok(committed),
                End::Refused(fault) => (committed, Err(fault)),
                End::Unknown(fault) => (committed, Ok((fault, number))),
            },
            Err(fault) => (Committed { version: 0 }, Err(fault)),
        };
        match end {
            Err(fault) => patience.after(fault).await?,
            Ok((fault, number)) => {
                if became_durable(pool, &number).await.ok_or(fault.error)? {
                    return Ok(committed);
                }
            }
        }
    }
}

/// A commit that is in its transaction, which has this number.
struct Applied {
    transaction: Transaction,
    committed: Committed,
    number: String,
}

/// Whether the transaction of that number is durable; `None` when that cannot be found out.
async fn became_durable(pool: &Pool, number: &String) -> Option<bool> {
    let mut patience = pool.patience();
    loop {
        let asked = async {
            let client = pool.get().await?;
            let statement = client.prepare_cached("SELECT pg_xact_status($1::text::xid8)").await?;
            let row = client.query_one(&statement, &[number]).await?;
            Ok::<_, Fault>(row.try_get::<_, Option<String>>(0)?)
        };
        match asked.await {
            Ok(status) => match status.as_deref() {
                Some("committed") => return Some(true),
                Some("aborted") => return Some(false),
                // It still runs on a connection that the database has not noticed to be gone, or it is forgotten.
                _ => {
                    let fault =
                        Fault { error: Error::internal("the outcome is not known yet"), may_pass: true };
                    patience.after(fault).await.ok()?;
                }
            },
            Err(fault) => patience.after(fault).await.ok()?,
        }
    }
}

/// Locks the space: who holds this row is the one writer. The number of the transaction tells later what became of it.
const LOCK_SPACE: &str = "SELECT version, last_seq, last_session, pg_current_xact_id()::text, vectors FROM space_heads \
     WHERE space = $1 AND tenant = $2 FOR NO KEY UPDATE";

/// The counters of a space while a commit is being applied.
struct Counters {
    version: u64,
    last_seq: u64,
    last_session: u64,
    vectors: u64,
}

async fn to_space(pool: &Pool, key: &SpaceKey, commit: &Commit) -> Result<Applied, Fault> {
    let tenant = key.tenant.as_str();
    let (transaction, mut rows) = Transaction::begin(
        pool,
        Mode::Write,
        Scope::Space(key),
        LOCK_SPACE,
        &[&space_column(key.no), &tenant],
    )
    .await?;
    let applied = async {
        if let Some(Row::NewSpace(space)) = commit.writes.rows.first() {
            insert_space(&transaction, space).await?;
            rows = transaction.query(LOCK_SPACE, &[&space_column(key.no), &tenant]).await?;
        }
        let Some(row) = rows.first() else {
            // Who planned on a version has seen the space; it was erased in the meantime.
            return Err(Fault::from(if commit.expected_version.is_some() {
                Error::new(ErrorCode::VersionMoved, "the space was erased in the meantime")
            } else {
                Error::not_found("space", key.no)
            }));
        };
        let mut counters = Counters {
            version: number(row, 0)?,
            last_seq: number(row, 1)?,
            last_session: number(row, 2)?,
            vectors: number(row, 4)?,
        };
        let transaction_number: String = row.try_get(3)?;
        if commit.expected_version.is_some_and(|expected| expected != counters.version) {
            return Err(Error::new(ErrorCode::VersionMoved, "the space changed in the meantime").into());
        }
        if let Some(lease) = commit.lease {
            jobs::check_lease(&transaction, key, lease).await?;
        }
        put_all(&transaction, key, commit, &mut counters).await?;
        for change in &commit.writes.jobs {
            jobs::change(&transaction, key, commit.lease, change).await?;
        }
        Ok((Committed { version: counters.version }, transaction_number))
    };
    match applied.await {
        Ok((committed, number)) => Ok(Applied { transaction, committed, number }),
        Err(fault) => {
            transaction.give_up(&fault).await;
            Err(fault)
        }
    }
}

async fn put_all(
    transaction: &Transaction,
    key: &SpaceKey,
    commit: &Commit,
    counters: &mut Counters,
) -> Result<(), Fault> {
    let rows = &commit.writes.rows;
    if rows.is_empty() {
        return Ok(());
    }
    counters.version += u64::from(!rows.iter().all(Row::is_of_vectors));
    counters.vectors += u64::from(rows.iter().any(Row::is_of_vectors));
    let mut pipeline = Pipeline::new(transaction)?;
    if rows.iter().any(|row| matches!(row, Row::EraseSpace)) {
        erase_space(&mut pipeline, key).await?;
        for row in rows {
            match row {
                Row::EraseSpace => {}
                // Nothing of the space is left; the tenant's audit line may still follow.
                Row::Audit(_) => put_tenant_row(&mut pipeline, &key.tenant, row).await?,
                _ => return Err(Error::internal("an erasure stands alone").into()),
            }
        }
        return pipeline.finish().await;
    }
    let mut messages: Vec<&MessageRow> = Vec::new();
    for row in rows {
        if let Row::Message(row) = row {
            if row.message.seq != counters.last_seq + 1 {
                return Err(
                    Error::new(ErrorCode::VersionMoved, "the message's number is not the next one").into()
                );
            }
            counters.last_seq += 1;
            messages.push(row);
            continue;
        }
        if !matches!(row, Row::Session(_)) {
            insert_messages(&mut pipeline, key, &std::mem::take(&mut messages)).await?;
        }
        put_space_row(&mut pipeline, key, row, counters).await?;
    }
    insert_messages(&mut pipeline, key, &messages).await?;
    let counted: Vec<Owned<'_>> = vec![
        Box::new(space_column(key.no)),
        Box::new(number_column(counters.version)),
        Box::new(number_column(counters.last_seq)),
        Box::new(number_column(counters.last_session)),
        Box::new(number_column(counters.vectors)),
    ];
    pipeline
        .push(
            "UPDATE space_heads SET version = $2, last_seq = $3, last_session = $4, vectors = $5 WHERE space = $1",
            counted,
        )
        .await?;
    pipeline.finish().await
}

async fn put_space_row<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    row: &'a Row,
    counters: &mut Counters,
) -> Result<(), Fault> {
    let space: Owned<'_> = Box::new(space_column(key.no));
    let tenant: Owned<'_> = Box::new(key.tenant.as_str());
    match row {
        Row::NewSpace(_) | Row::Message(_) => Ok(()),
        Row::Space(changed) if changed.no != key.no => {
            Err(Error::internal("the settings of another space").into())
        }
        Row::Space(changed) => {
            let given: Vec<Owned<'_>> = vec![
                space,
                Box::new(json(&changed.zones)?),
                Box::new(changed.preset.as_str()),
                Box::new(metadata_column(&changed.metadata)?),
            ];
            let sql = "UPDATE space_heads SET zones = $2, preset = $3, metadata = $4 WHERE space = $1";
            pipeline.push(sql, given).await
        }
        Row::ReviseMessage { row, previous } => {
            insert_version(pipeline, key, row.message.seq, previous).await?;
            replace_message(pipeline, key, row, counters.version).await?;
            vectors::outdate(pipeline, key, row.message.seq, counters.vectors).await
        }
        Row::EraseMessage(row) => {
            let given: Vec<Owned<'_>> = vec![space, Box::new(number_column(row.message.seq))];
            pipeline.push("DELETE FROM message_versions WHERE space = $1 AND seq = $2", given).await?;
            replace_message(pipeline, key, row, counters.version).await?;
            vectors::outdate(pipeline, key, row.message.seq, counters.vectors).await
        }
        Row::Session(session) => {
            counters.last_session = counters.last_session.max(session.no);
            put_session(pipeline, key, session).await
        }
        Row::Piece { no, built_version, bytes } => {
            // Left out when a row of it changed after its rows were read.
            let covers = Piece::covers(*no);
            let fresh = "NOT EXISTS (SELECT 1 FROM changes AS c WHERE c.space = $1 AND c.version > $3 \
                 AND c.seq BETWEEN $4 AND $5)";
            let given = || -> Vec<Owned<'a>> {
                vec![
                    Box::new(space_column(key.no)),
                    Box::new(number_column(*no)),
                    Box::new(number_column(*built_version)),
                    Box::new(number_column(*covers.start())),
                    Box::new(number_column(*covers.end())),
                ]
            };
            pipeline
                .push(&format!("DELETE FROM pieces WHERE space = $1 AND no = $2 AND {fresh}"), given())
                .await?;
            let mut row = given();
            row.extend([tenant, Box::new(bytes.as_slice())]);
            let sql =
                format!("INSERT INTO pieces (space, no, tenant, bytes) SELECT $1, $2, $6, $7 WHERE {fresh}");
            pipeline.push(&sql, row).await
        }
        Row::Generation(generation) => vectors::put_generation(pipeline, key, generation).await,
        Row::DropGeneration(no) => vectors::drop_generation(pipeline, key, *no).await,
        Row::Vectors { generation, vectors } => {
            vectors::put(pipeline, key, *generation, vectors, counters.vectors).await
        }
        Row::OutdateVector { seq } => vectors::outdate(pipeline, key, *seq, counters.vectors).await,
        Row::Summary { summary, terms } => {
            let given: Vec<Owned<'_>> = vec![
                space,
                Box::new(i16::from(summary.period.level().code())),
                Box::new(summary.period.key()),
                tenant,
                Box::new(json(summary)?),
                Box::new(terms.as_slice()),
            ];
            let sql = "INSERT INTO summaries (space, level, period, tenant, body, terms) \
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (space, level, period) DO UPDATE SET \
                 body = excluded.body, terms = excluded.terms";
            pipeline.push(sql, given).await
        }
        Row::DropSummary(period) => {
            let given: Vec<Owned<'_>> =
                vec![space, Box::new(i16::from(period.level().code())), Box::new(period.key())];
            let sql = "DELETE FROM summaries WHERE space = $1 AND level = $2 AND period = $3";
            pipeline.push(sql, given).await
        }
        Row::Memory { memory, terms } => {
            let given: Vec<Owned<'_>> = vec![
                space,
                Box::new(memory.id.as_str()),
                tenant,
                Box::new(memory.kind.as_str()),
                Box::new(i16::from(memory.status.code())),
                Box::new(json(memory)?),
                Box::new(terms.as_slice()),
            ];
            let sql = "INSERT INTO memories (space, id, tenant, kind, status, body, terms) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (space, id) DO UPDATE SET kind = excluded.kind, \
                 status = excluded.status, body = excluded.body, terms = excluded.terms";
            pipeline.push(sql, given).await
        }
        Row::Audit(_) => put_tenant_row(pipeline, &key.tenant, row).await,
        Row::EraseSpace | Row::Tenant(_) | Row::Key(_) | Row::Taxonomy(_) => {
            Err(Error::internal("a row of a tenant was sent to a space").into())
        }
    }
}

async fn insert_space(transaction: &Transaction, space: &Space) -> Result<(), Fault> {
    let mut pipeline = Pipeline::new(transaction)?;
    let (no, tenant, id) = (space_column(space.no), space.tenant.as_str(), space.id.to_string());
    let entry: Vec<Owned<'_>> = vec![Box::new(tenant), Box::new(id.clone()), Box::new(no)];
    pipeline.push("INSERT INTO spaces (tenant, id, space) VALUES ($1, $2, $3)", entry).await?;
    let head: Vec<Owned<'_>> = vec![
        Box::new(no),
        Box::new(tenant),
        Box::new(id),
        Box::new(json(&space.zones)?),
        Box::new(space.preset.as_str()),
        Box::new(metadata_column(&space.metadata)?),
        Box::new(space.created_at),
    ];
    let sql = "INSERT INTO space_heads (space, tenant, id, zones, preset, metadata, created_at, version, last_seq, \
         last_session, vectors) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, 0)";
    pipeline.push(sql, head).await?;
    pipeline.finish().await
}

const INSERT_MESSAGES: &str = "INSERT INTO messages (space, tenant, seq, id, session, author, role, state, version, \
     said_at, recorded_at, local_date, utc_offset, digest, reply_to, extra, content, terms) \
     SELECT $1, $2, m.* FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::smallint[], \
     $8::smallint[], $9::bigint[], $10::timestamptz[], $11::timestamptz[], $12::date[], $13::integer[], \
     $14::bigint[], $15::text[], $16::text[], $17::text[], $18::bytea[]) AS m";

/// All new messages of a commit in one statement.
async fn insert_messages<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    rows: &[&'a MessageRow],
) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    fn column<'a, T>(rows: &[&'a MessageRow], value: impl Fn(&'a MessageRow) -> T) -> Owned<'a>
    where
        T: tokio_postgres::types::ToSql + Sync + Send + 'a,
    {
        Box::new(rows.iter().map(|row| value(row)).collect::<Vec<T>>())
    }
    let extra: Vec<Option<String>> =
        rows.iter().map(|row| Extra::column(&row.message)).collect::<Result<_>>()?;
    let given: Vec<Owned<'a>> = vec![
        Box::new(space_column(key.no)),
        Box::new(key.tenant.as_str()),
        column(rows, |row| number_column(row.message.seq)),
        column(rows, |row| row.message.id.as_str()),
        column(rows, |row| number_column(row.session_no)),
        column(rows, |row| row.message.author.as_str()),
        column(rows, |row| i16::from(row.message.role.code())),
        column(rows, |row| i16::from(row.message.state.code())),
        column(rows, |row| i64::from(row.message.version)),
        column(rows, |row| row.message.said_at),
        column(rows, |row| row.message.recorded_at),
        column(rows, |row| row.message.local.date),
        column(rows, |row| row.message.local.offset_seconds),
        column(rows, |row| row.digest as i64),
        column(rows, |row| row.message.reply_to.as_ref().map(memoir_model::MessageId::as_str)),
        Box::new(extra),
        column(rows, |row| row.message.content.as_str()),
        column(rows, |row| Some(row.terms.as_slice())),
    ];
    pipeline.push(INSERT_MESSAGES, given).await
}

/// Puts other words, another state or no words at all into a message that exists, notes the change for indexes that
/// are behind, and drops the sealed piece that still has the old words.
async fn replace_message<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    row: &'a MessageRow,
    version: u64,
) -> Result<(), Fault> {
    let m = &row.message;
    let space = space_column(key.no);
    let given: Vec<Owned<'a>> = vec![
        Box::new(space),
        Box::new(number_column(m.seq)),
        Box::new(i16::from(m.state.code())),
        Box::new(i64::from(m.version)),
        Box::new(Extra::column(m)?),
        Box::new(m.content.as_str()),
        Box::new((!row.terms.is_empty()).then_some(row.terms.as_slice())),
        Box::new(row.digest as i64),
        Box::new(m.reply_to.as_ref().map(memoir_model::MessageId::as_str)),
    ];
    let sql = "UPDATE messages SET state = $3, version = $4, extra = $5, content = $6, terms = $7, digest = $8, \
         reply_to = $9 WHERE space = $1 AND seq = $2";
    pipeline.push_one(sql, given, Error::not_found("message", &m.id)).await?;
    let change: Vec<Owned<'a>> = vec![
        Box::new(space),
        Box::new(number_column(version)),
        Box::new(number_column(m.seq)),
        Box::new(key.tenant.as_str()),
    ];
    let sql = "INSERT INTO changes (space, version, seq, tenant) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (space, version, seq) DO NOTHING";
    pipeline.push(sql, change).await?;
    let piece: Vec<Owned<'a>> = vec![Box::new(space), Box::new(number_column(Piece::covering(m.seq)))];
    pipeline.push("DELETE FROM pieces WHERE space = $1 AND no = $2", piece).await
}

async fn insert_version<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    seq: u64,
    previous: &'a MessageVersion,
) -> Result<(), Fault> {
    let given: Vec<Owned<'a>> = vec![
        Box::new(space_column(key.no)),
        Box::new(number_column(seq)),
        Box::new(i64::from(previous.version)),
        Box::new(key.tenant.as_str()),
        Box::new(previous.content.as_str()),
        Box::new(json(&previous.attachments)?),
        Box::new(previous.replaced_at),
    ];
    let sql = "INSERT INTO message_versions (space, seq, version, tenant, content, attachments, replaced_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (space, seq, version) DO NOTHING";
    pipeline.push(sql, given).await
}

async fn put_session<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    session: &'a Session,
) -> Result<(), Fault> {
    let given: Vec<Owned<'a>> = vec![
        Box::new(space_column(key.no)),
        Box::new(number_column(session.no)),
        Box::new(key.tenant.as_str()),
        Box::new(session.id.as_str()),
        Box::new(session.thread.as_str()),
        Box::new(session.explicit),
        Box::new(session.task.as_deref()),
        Box::new(session.first_said_at),
        Box::new(session.last_said_at),
        Box::new(session.active_at),
        Box::new(session.ended.map(|(at, _)| at)),
        Box::new(session.ended.map(|(_, reason)| i16::from(reason.code()))),
        Box::new(number_column(session.messages)),
        Box::new(session.stale),
        Box::new(metadata_column(&session.metadata)?),
    ];
    let sql = "INSERT INTO sessions (space, no, tenant, id, thread, explicit, task, first_said_at, last_said_at, \
         active_at, ended_at, end_reason, messages, stale, metadata) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) \
         ON CONFLICT (space, no) DO UPDATE SET task = excluded.task, first_said_at = excluded.first_said_at, \
         last_said_at = excluded.last_said_at, active_at = excluded.active_at, ended_at = excluded.ended_at, \
         end_reason = excluded.end_reason, messages = excluded.messages, stale = excluded.stale, \
         metadata = excluded.metadata";
    pipeline.push(sql, given).await
}

async fn erase_space<'a>(pipeline: &mut Pipeline<'a>, key: &'a SpaceKey) -> Result<(), Fault> {
    for sql in [
        "DELETE FROM messages WHERE space = $1",
        "DELETE FROM message_versions WHERE space = $1",
        "DELETE FROM changes WHERE space = $1",
        "DELETE FROM pieces WHERE space = $1",
        "DELETE FROM sessions WHERE space = $1",
        "DELETE FROM summaries WHERE space = $1",
        "DELETE FROM memories WHERE space = $1",
        "DELETE FROM vectors WHERE space = $1",
        "DELETE FROM generations WHERE space = $1",
        "DELETE FROM jobs WHERE space = $1",
        "DELETE FROM job_hints WHERE space = $1",
        "DELETE FROM space_heads WHERE space = $1",
    ] {
        pipeline.push(sql, vec![Box::new(space_column(key.no))]).await?;
    }
    let given: Vec<Owned<'_>> = vec![Box::new(key.tenant.as_str()), Box::new(space_column(key.no))];
    pipeline.push("DELETE FROM spaces WHERE tenant = $1 AND space = $2", given).await
}

async fn to_tenant(pool: &Pool, tenant: &TenantId, commit: &Commit) -> Result<Applied, Fault> {
    let sql = "SELECT pg_current_xact_id()::text";
    let (transaction, rows) = Transaction::begin(pool, Mode::Write, Scope::Tenant(tenant), sql, &[]).await?;
    let applied = async {
        let mut pipeline = Pipeline::new(&transaction)?;
        for row in &commit.writes.rows {
            put_tenant_row(&mut pipeline, tenant, row).await?;
        }
        pipeline.finish().await?;
        let row = rows.first().ok_or_else(|| Error::internal("the transaction has no number"))?;
        Ok::<_, Fault>(row.try_get::<_, String>(0)?)
    };
    match applied.await {
        Ok(number) => Ok(Applied { transaction, committed: Committed { version: 0 }, number }),
        Err(fault) => {
            transaction.give_up(&fault).await;
            Err(fault)
        }
    }
}

async fn put_tenant_row<'a>(
    pipeline: &mut Pipeline<'a>,
    tenant: &'a TenantId,
    row: &'a Row,
) -> Result<(), Fault> {
    match row {
        Row::Audit(entry) if entry.tenant != *tenant => {
            Err(Error::internal("a line of another tenant's audit log").into())
        }
        Row::Audit(entry) => {
            let action = serde_json::to_value(entry.action).ok();
            let given: Vec<Owned<'a>> = vec![
                Box::new(tenant.as_str()),
                Box::new(entry.id.to_string()),
                Box::new(entry.at),
                Box::new(entry.actor.as_str()),
                Box::new(action.as_ref().and_then(|v| v.as_str()).unwrap_or_default().to_owned()),
                Box::new(entry.space.as_ref().map(ToString::to_string)),
                Box::new(entry.target.as_deref()),
            ];
            let sql = "INSERT INTO audit (tenant, id, at, actor, action, space, target) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)";
            pipeline.push(sql, given).await
        }
        Row::Tenant(row) => {
            let given: Vec<Owned<'a>> =
                vec![Box::new(row.id.as_str()), Box::new(row.label.as_str()), Box::new(row.created_at)];
            let sql = "INSERT INTO tenants (id, label, created_at) VALUES ($1, $2, $3) \
                 ON CONFLICT (id) DO UPDATE SET label = excluded.label";
            pipeline.push(sql, given).await
        }
        Row::Key(row) => {
            let given: Vec<Owned<'a>> = vec![
                Box::new(row.id.as_str()),
                Box::new(row.tenant.as_str()),
                Box::new(row.role.as_str()),
                Box::new(row.space.as_ref().map(ToString::to_string)),
                Box::new(row.label.as_str()),
                Box::new(row.secret_sha256.as_slice()),
                Box::new(row.created_at),
                Box::new(row.revoked_at),
            ];
            // Another tenant's key of that id is not to be seen, and so not to be changed: the policy refuses it.
            let sql = "INSERT INTO keys (id, tenant, role, space, label, secret, created_at, revoked_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
                 ON CONFLICT (id) DO UPDATE SET label = excluded.label, revoked_at = excluded.revoked_at";
            pipeline.push(sql, given).await
        }
        Row::Taxonomy(row) => {
            let given: Vec<Owned<'a>> = vec![
                Box::new(tenant.as_str()),
                Box::new(row.name().as_str()),
                Box::new(i64::from(row.version())),
                Box::new(json(row)?),
            ];
            let sql = "INSERT INTO taxonomies (tenant, name, version, body) VALUES ($1, $2, $3, $4)";
            pipeline.push(sql, given).await
        }
        _ => Err(Error::internal("a row of a space was sent to a tenant").into()),
    }
}
