use memoir_model::{
    Memory, MemoryId, Period, Result, SpaceKey, Summary, SummaryLevel, Taxonomy, TaxonomyName, TenantId,
};
use memoir_store::MemoryQuery;
use memoir_store::columns::from_json;
use rusqlite::{Connection, Row, params};
use serde::de::DeserializeOwned;

use super::{all, first};
use crate::codec::space_column;
use crate::error::storage;

fn body<T: DeserializeOwned>(row: &Row<'_>) -> Result<T> {
    from_json(&row.get::<_, String>(0).map_err(storage)?, "row")
}

pub(crate) fn summary(connection: &Connection, key: &SpaceKey, period: &Period) -> Result<Option<Summary>> {
    first(
        connection,
        "SELECT body FROM summaries WHERE space = ?1 AND level = ?2 AND period = ?3",
        params![space_column(key.no), period.level().code(), period.key()],
        body,
    )
}

pub(crate) fn summaries_at(
    connection: &Connection,
    key: &SpaceKey,
    periods: &[Period],
) -> Result<Vec<Summary>> {
    periods.iter().filter_map(|period| summary(connection, key, period).transpose()).collect()
}

pub(crate) fn summaries(
    connection: &Connection,
    key: &SpaceKey,
    level: SummaryLevel,
    from: &str,
    until: &str,
    limit: usize,
) -> Result<Vec<Summary>> {
    all(
        connection,
        "SELECT body FROM summaries WHERE space = ?1 AND level = ?2 AND period BETWEEN ?3 AND ?4 \
         ORDER BY period LIMIT ?5",
        params![space_column(key.no), level.code(), from, until, limit as i64],
        body,
    )
}

pub(crate) fn memory(connection: &Connection, key: &SpaceKey, id: &MemoryId) -> Result<Option<Memory>> {
    first(
        connection,
        "SELECT body FROM memories WHERE space = ?1 AND id = ?2",
        params![space_column(key.no), id.as_str()],
        body,
    )
}

pub(crate) fn memories(connection: &Connection, key: &SpaceKey, query: &MemoryQuery) -> Result<Vec<Memory>> {
    all(
        connection,
        "SELECT body FROM memories WHERE space = ?1 AND id > ?2 AND (?3 IS NULL OR kind = ?3) \
         AND (?4 IS NULL OR status = ?4) ORDER BY id LIMIT ?5",
        params![
            space_column(key.no),
            query.after.as_ref().map_or("", MemoryId::as_str),
            query.kind.as_ref().map(memoir_model::KindName::as_str),
            query.status.map(memoir_model::MemoryStatus::code),
            query.limit as i64,
        ],
        body,
    )
}

pub(crate) fn taxonomy(
    connection: &Connection,
    tenant: &TenantId,
    name: &TaxonomyName,
) -> Result<Option<Taxonomy>> {
    first(
        connection,
        "SELECT body FROM taxonomies WHERE tenant = ?1 AND name = ?2 ORDER BY version DESC LIMIT 1",
        params![tenant.as_str(), name.as_str()],
        body,
    )
}
