use memoir_model::{
    ApiKey, AuditAction, AuditEntry, Error, GeneratedId, Job, KeyId, Result, Tenant, TenantId,
};
use memoir_store::columns::unreadable;
use memoir_store::{JobQuery, Stats};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{all, first};
use crate::codec::{self, JOB_COLUMNS, space_column, time};
use crate::error::storage;

const KEY_COLUMNS: &str = "id, tenant, role, space, label, secret, created_at, revoked_at";

fn api_key(row: &Row<'_>) -> Result<ApiKey> {
    let get_text = |i: usize| row.get::<_, String>(i).map_err(storage);
    let space: Option<String> = row.get(3).map_err(storage)?;
    let revoked_at: Option<i64> = row.get(7).map_err(storage)?;
    Ok(ApiKey {
        id: KeyId::new(get_text(0)?)?,
        tenant: TenantId::new(get_text(1)?)?,
        role: get_text(2)?.parse()?,
        space: space.map(|text| text.parse()).transpose()?,
        label: get_text(4)?,
        secret_sha256: row.get(5).map_err(storage)?,
        created_at: time(row.get(6).map_err(storage)?)?,
        revoked_at: revoked_at.map(time).transpose()?,
    })
}

pub(crate) fn key(connection: &Connection, id: &KeyId) -> Result<Option<ApiKey>> {
    first(connection, &format!("SELECT {KEY_COLUMNS} FROM keys WHERE id = ?1"), [id.as_str()], api_key)
}

pub(crate) fn keys(connection: &Connection, tenant: &TenantId) -> Result<Vec<ApiKey>> {
    let sql = format!("SELECT {KEY_COLUMNS} FROM keys WHERE tenant = ?1 ORDER BY created_at, id");
    all(connection, &sql, [tenant.as_str()], api_key)
}

pub(crate) fn has_keys(connection: &Connection) -> Result<bool> {
    connection
        .query_row("SELECT EXISTS (SELECT 1 FROM keys WHERE revoked_at IS NULL)", [], |row| row.get(0))
        .map_err(storage)
}

pub(crate) fn tenants(connection: &Connection) -> Result<Vec<Tenant>> {
    all(connection, "SELECT id, label, created_at FROM tenants ORDER BY id", [], |row| {
        Ok(Tenant {
            id: TenantId::new(row.get::<_, String>(0).map_err(storage)?)?,
            label: row.get(1).map_err(storage)?,
            created_at: time(row.get(2).map_err(storage)?)?,
        })
    })
}

pub(crate) fn audit(
    connection: &Connection,
    tenant: &TenantId,
    below: Option<GeneratedId>,
    limit: usize,
) -> Result<Vec<AuditEntry>> {
    // Every id is lower than this; ids are hexadecimal.
    let below = below.map_or_else(|| "g".to_owned(), |id| id.to_string());
    all(
        connection,
        "SELECT id, at, actor, action, space, target FROM audit WHERE tenant = ?1 AND id < ?2 \
         ORDER BY id DESC LIMIT ?3",
        params![tenant.as_str(), below, limit as i64],
        |row| {
            let action: String = row.get(3).map_err(storage)?;
            let space: Option<String> = row.get(4).map_err(storage)?;
            Ok(AuditEntry {
                id: row.get::<_, String>(0).map_err(storage)?.parse()?,
                tenant: tenant.clone(),
                at: time(row.get(1).map_err(storage)?)?,
                actor: row.get(2).map_err(storage)?,
                action: serde_json::from_value::<AuditAction>(action.into())
                    .map_err(|_| unreadable("audit line"))?,
                space: space.map(|text| text.parse()).transpose()?,
                target: row.get(5).map_err(storage)?,
            })
        },
    )
}

pub(crate) fn jobs(connection: &Connection, tenant: &TenantId, query: &JobQuery) -> Result<Vec<Job>> {
    let sql = format!(
        "SELECT {JOB_COLUMNS} FROM jobs WHERE tenant = ?1 AND id > ?2 AND (?3 IS NULL OR space = ?3) \
         AND (?4 IS NULL OR state = ?4) ORDER BY id LIMIT ?5"
    );
    let after = query.after.map(|id| id.to_string()).unwrap_or_default();
    let state = query.state.map(memoir_model::JobState::code);
    let space = query.space.map(space_column);
    all(connection, &sql, params![tenant.as_str(), after, space, state, query.limit as i64], codec::job)
}

pub(crate) fn job(connection: &Connection, tenant: &TenantId, id: GeneratedId) -> Result<Option<Job>> {
    let sql = format!("SELECT {JOB_COLUMNS} FROM jobs WHERE space = ?1 AND id = ?2 AND tenant = ?3");
    first(connection, &sql, params![space_column(id.space()), id.to_string(), tenant.as_str()], codec::job)
}

pub(crate) fn stats(connection: &Connection, tenant: &TenantId) -> Result<Stats> {
    let mut stats = connection
        .query_row(
            "SELECT count(*), coalesce(sum(last_seq), 0), coalesce(sum(last_session), 0) FROM spaces \
             WHERE tenant = ?1",
            [tenant.as_str()],
            |row| {
                let number = |i| row.get::<_, i64>(i).map(|n| n as u64);
                Ok(Stats {
                    spaces: number(0)?,
                    messages: number(1)?,
                    sessions: number(2)?,
                    ..Stats::default()
                })
            },
        )
        .map_err(storage)?;
    (stats.jobs_open, stats.jobs_dead) = connection
        .query_row(
            "SELECT coalesce(sum(state < 2), 0), coalesce(sum(state = 2), 0) FROM jobs WHERE tenant = ?1",
            [tenant.as_str()],
            |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
        )
        .map_err(storage)?;
    let page = |name: &str| -> Result<u64> {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map(|n| n as u64)
            .map_err(storage)
    };
    stats.store_bytes = page("page_count")? * page("page_size")?;
    Ok(stats)
}

pub(crate) fn ping(connection: &Connection) -> Result<()> {
    let answer: Option<i64> =
        connection.query_row("SELECT 1", [], |row| row.get(0)).optional().map_err(storage)?;
    answer.map(drop).ok_or_else(|| Error::internal("the store does not answer"))
}
