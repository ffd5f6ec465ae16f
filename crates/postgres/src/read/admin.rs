use memoir_model::{
    ApiKey, AuditAction, AuditEntry, Error, GeneratedId, Job, KeyId, Result, SpaceKey, Tenant, TenantId,
};
use memoir_store::columns::unreadable;
use memoir_store::{JobQuery, Stats};
use tokio_postgres::Row;

use crate::codec::{self, JOB_COLUMNS, get, limit, number, space_column};
use crate::pool::{Given, Pool};
use crate::scope::Scope;

const KEY_COLUMNS: &str = "id, tenant, role, space, label, secret, created_at, revoked_at";

fn api_key(row: &Row) -> Result<ApiKey> {
    Ok(ApiKey {
        id: KeyId::new(get::<String>(row, 0)?)?,
        tenant: TenantId::new(get::<String>(row, 1)?)?,
        role: get::<&str>(row, 2)?.parse()?,
        space: get::<Option<&str>>(row, 3)?.map(str::parse).transpose()?,
        label: get(row, 4)?,
        secret_sha256: get::<&[u8]>(row, 5)?.try_into().map_err(|_| unreadable("key"))?,
        created_at: get(row, 6)?,
        revoked_at: get(row, 7)?,
    })
}

pub(crate) async fn key(pool: &Pool, id: &KeyId) -> Result<Option<ApiKey>> {
    let sql = format!("SELECT {KEY_COLUMNS} FROM keys WHERE id = $1");
    let row = pool.first(Scope::Key(id), &sql, &[&id.as_str()]).await?;
    row.as_ref().map(api_key).transpose()
}

pub(crate) async fn keys(pool: &Pool, tenant: &TenantId) -> Result<Vec<ApiKey>> {
    let sql = format!("SELECT {KEY_COLUMNS} FROM keys WHERE tenant = $1 ORDER BY created_at, id");
    pool.read(Scope::Tenant(tenant), &sql, &[&tenant.as_str()]).await?.iter().map(api_key).collect()
}

pub(crate) async fn has_keys(pool: &Pool) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM keys WHERE revoked_at IS NULL)";
    let row = pool.first(Scope::Worker, sql, &[]).await?;
    row.as_ref().map_or(Ok(false), |row| get(row, 0))
}

pub(crate) async fn tenants(pool: &Pool) -> Result<Vec<Tenant>> {
    let rows = pool.read(Scope::Worker, "SELECT id, label, created_at FROM tenants ORDER BY id", &[]).await?;
    let tenant = |row| {
        let id = TenantId::new(get::<String>(row, 0)?)?;
        Ok(Tenant { id, label: get(row, 1)?, created_at: get(row, 2)? })
    };
    rows.iter().map(tenant).collect()
}

pub(crate) async fn audit(
    pool: &Pool,
    tenant: &TenantId,
    below: Option<GeneratedId>,
    most: usize,
) -> Result<Vec<AuditEntry>> {
    // Every id is lower than this; ids are hexadecimal.
    let below = below.map_or_else(|| "g".to_owned(), |id| id.to_string());
    let sql = "SELECT id, at, actor, action, space, target FROM audit WHERE tenant = $1 AND id < $2 \
         ORDER BY id DESC LIMIT $3";
    let rows = pool.read(Scope::Tenant(tenant), sql, &[&tenant.as_str(), &below, &limit(most)]).await?;
    let entry = |row| {
        let action: String = get(row, 3)?;
        Ok(AuditEntry {
            id: get::<&str>(row, 0)?.parse()?,
            tenant: tenant.clone(),
            at: get(row, 1)?,
            actor: get(row, 2)?,
            action: serde_json::from_value::<AuditAction>(action.into())
                .map_err(|_| unreadable("audit line"))?,
            space: get::<Option<&str>>(row, 4)?.map(str::parse).transpose()?,
            target: get(row, 5)?,
        })
    };
    rows.iter().map(entry).collect()
}

pub(crate) async fn jobs(pool: &Pool, tenant: &TenantId, query: &JobQuery) -> Result<Vec<Job>> {
    let sql = format!(
        "SELECT {JOB_COLUMNS} FROM jobs WHERE tenant = $1 AND id > $2 AND ($3::bigint IS NULL OR space = $3) \
         AND ($4::smallint IS NULL OR state = $4) ORDER BY id LIMIT $5"
    );
    let given: [Given<'_>; 5] = [
        &tenant.as_str(),
        &query.after.map(|id| id.to_string()).unwrap_or_default(),
        &query.space.map(space_column),
        &query.state.map(|state| i16::from(state.code())),
        &limit(query.limit),
    ];
    pool.read(Scope::Tenant(tenant), &sql, &given).await?.iter().map(codec::job).collect()
}

pub(crate) async fn job(pool: &Pool, tenant: &TenantId, id: GeneratedId) -> Result<Option<Job>> {
    let key = SpaceKey { tenant: tenant.clone(), no: id.space() };
    let sql = format!("SELECT {JOB_COLUMNS} FROM jobs WHERE space = $1 AND id = $2");
    let row = pool.first(Scope::Space(&key), &sql, &[&space_column(key.no), &id.to_string()]).await?;
    row.as_ref().map(codec::job).transpose()
}

pub(crate) async fn stats(pool: &Pool, tenant: &TenantId) -> Result<Stats> {
    let sql = "SELECT s.spaces, s.messages, s.sessions, j.open, j.dead, pg_database_size(current_database()) FROM \
         (SELECT count(*) AS spaces, coalesce(sum(h.last_seq), 0)::bigint AS messages, \
          coalesce(sum(h.last_session), 0)::bigint AS sessions FROM spaces AS d \
          JOIN space_heads AS h ON h.space = d.space WHERE d.tenant = $1) AS s, \
         (SELECT count(*) FILTER (WHERE state < 2) AS open, count(*) FILTER (WHERE state = 2) AS dead FROM jobs \
          WHERE tenant = $1) AS j";
    let row = pool.first(Scope::Tenant(tenant), sql, &[&tenant.as_str()]).await?;
    let row = row.ok_or_else(|| Error::internal("the counts have no row"))?;
    Ok(Stats {
        spaces: number(&row, 0)?,
        messages: number(&row, 1)?,
        sessions: number(&row, 2)?,
        jobs_open: number(&row, 3)?,
        jobs_dead: number(&row, 4)?,
        store_bytes: number(&row, 5)?,
    })
}

pub(crate) async fn ping(pool: &Pool) -> Result<()> {
    pool.first(Scope::Worker, "SELECT 1", &[]).await.map(drop)
}
