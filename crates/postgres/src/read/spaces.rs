use memoir_model::{Result, Space, SpaceId, SpaceKey, SpaceNo, TenantId};
use memoir_store::SpaceRange;

use crate::codec::{self, SPACE_COLUMNS, limit, space_column};
use crate::pool::Pool;
use crate::scope::Scope;

pub(crate) async fn by_id(pool: &Pool, tenant: &TenantId, id: &SpaceId) -> Result<Option<Space>> {
    let sql = format!(
        "SELECT {SPACE_COLUMNS} FROM spaces AS s JOIN space_heads AS h ON h.space = s.space \
         WHERE s.tenant = $1 AND s.id = $2"
    );
    let row = pool.first(Scope::Tenant(tenant), &sql, &[&tenant.as_str(), &id.to_string()]).await?;
    row.as_ref().map(codec::space).transpose()
}

pub(crate) async fn by_key(pool: &Pool, key: &SpaceKey) -> Result<Option<Space>> {
    let sql = format!("SELECT {SPACE_COLUMNS} FROM space_heads AS h WHERE h.space = $1");
    let row = pool.first(Scope::Space(key), &sql, &[&space_column(key.no)]).await?;
    row.as_ref().map(codec::space).transpose()
}

/// Whatever the tenant; only for workers. Finds out whose it is, then reads it as theirs.
pub(crate) async fn by_no(pool: &Pool, no: SpaceNo) -> Result<Option<Space>> {
    let sql = "SELECT tenant FROM space_heads WHERE space = $1";
    let Some(row) = pool.first(Scope::Worker, sql, &[&space_column(no)]).await? else { return Ok(None) };
    by_key(pool, &SpaceKey { tenant: TenantId::new(codec::get::<String>(&row, 0)?)?, no }).await
}

pub(crate) async fn list(pool: &Pool, tenant: &TenantId, range: &SpaceRange) -> Result<Vec<Space>> {
    let after = range.after.as_ref().map(ToString::to_string).unwrap_or_default();
    let sql = format!(
        "SELECT {SPACE_COLUMNS} FROM spaces AS s JOIN space_heads AS h ON h.space = s.space \
         WHERE s.tenant = $1 AND s.id > $2 ORDER BY s.id LIMIT $3"
    );
    let rows =
        pool.read(Scope::Tenant(tenant), &sql, &[&tenant.as_str(), &after, &limit(range.limit)]).await?;
    rows.iter().map(codec::space).collect()
}
