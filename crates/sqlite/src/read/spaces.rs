use memoir_model::{Result, Space, SpaceId, SpaceKey, SpaceNo, TenantId};
use memoir_store::{LatestTalk, SpaceRange};
use rusqlite::{Connection, params};

use super::{all, at_one_moment, first, sessions};
use crate::codec::{self, SPACE_COLUMNS, space_column};
use crate::error::storage;

pub(crate) fn by_id(connection: &Connection, tenant: &TenantId, id: &SpaceId) -> Result<Option<Space>> {
    let sql = format!("SELECT {SPACE_COLUMNS} FROM spaces WHERE tenant = ?1 AND id = ?2");
    first(connection, &sql, params![tenant.as_str(), id.to_string()], codec::space)
}

pub(crate) fn with_talk(
    connection: &Connection,
    tenant: &TenantId,
    id: &SpaceId,
    sessions: usize,
) -> Result<Option<(Space, LatestTalk)>> {
    at_one_moment(connection, |connection| {
        let Some(space) = by_id(connection, tenant, id)? else { return Ok(None) };
        let latest = sessions::latest(connection, &space.key(), sessions)?;
        Ok(Some((space, latest)))
    })
}

pub(crate) fn by_key(connection: &Connection, key: &SpaceKey) -> Result<Option<Space>> {
    let sql = format!("SELECT {SPACE_COLUMNS} FROM spaces WHERE space = ?1 AND tenant = ?2");
    first(connection, &sql, params![space_column(key.no), key.tenant.as_str()], codec::space)
}

/// Whether the space exists and belongs to the tenant in its key.
pub(crate) fn is_owned(connection: &Connection, key: &SpaceKey) -> Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM spaces WHERE space = ?1 AND tenant = ?2")
        .and_then(|mut s| s.exists(params![space_column(key.no), key.tenant.as_str()]))
        .map_err(storage)
}

pub(crate) fn by_no(connection: &Connection, no: SpaceNo) -> Result<Option<Space>> {
    let sql = format!("SELECT {SPACE_COLUMNS} FROM spaces WHERE space = ?1");
    first(connection, &sql, params![space_column(no)], codec::space)
}

pub(crate) fn list(connection: &Connection, tenant: &TenantId, range: &SpaceRange) -> Result<Vec<Space>> {
    let after = range.after.as_ref().map(ToString::to_string).unwrap_or_default();
    let sql =
        format!("SELECT {SPACE_COLUMNS} FROM spaces WHERE tenant = ?1 AND id > ?2 ORDER BY id LIMIT ?3");
    all(connection, &sql, params![tenant.as_str(), after, range.limit as i64], codec::space)
}
