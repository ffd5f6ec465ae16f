use memoir_model::{
    Memory, MemoryId, Period, Result, SpaceKey, Summary, SummaryLevel, Taxonomy, TaxonomyName, TenantId,
};
use memoir_store::MemoryQuery;
use memoir_store::columns::from_json;
use serde::de::DeserializeOwned;
use tokio_postgres::Row;

use crate::codec::{get, limit, space_column};
use crate::pool::{Given, Pool};
use crate::scope::Scope;

fn body<T: DeserializeOwned>(row: &Row) -> Result<T> {
    from_json(get(row, 0)?, "row")
}

pub(crate) async fn summary(pool: &Pool, key: &SpaceKey, period: &Period) -> Result<Option<Summary>> {
    let sql = "SELECT body FROM summaries WHERE space = $1 AND level = $2 AND period = $3";
    let given: [Given<'_>; 3] = [&space_column(key.no), &i16::from(period.level().code()), &period.key()];
    pool.first(Scope::Space(key), sql, &given).await?.as_ref().map(body).transpose()
}

pub(crate) async fn summaries_at(pool: &Pool, key: &SpaceKey, periods: &[Period]) -> Result<Vec<Summary>> {
    let sql = "SELECT s.body FROM unnest($2::smallint[], $3::text[]) WITH ORDINALITY AS asked (level, period, place) \
         JOIN summaries AS s ON s.space = $1 AND s.level = asked.level AND s.period = asked.period ORDER BY asked.place";
    let levels: Vec<i16> = periods.iter().map(|period| i16::from(period.level().code())).collect();
    let keys: Vec<String> = periods.iter().map(Period::key).collect();
    let given: [Given<'_>; 3] = [&space_column(key.no), &levels, &keys];
    pool.read(Scope::Space(key), sql, &given).await?.iter().map(body).collect()
}

pub(crate) async fn summaries(
    pool: &Pool,
    key: &SpaceKey,
    level: SummaryLevel,
    from: &str,
    until: &str,
    most: usize,
) -> Result<Vec<Summary>> {
    let sql = "SELECT body FROM summaries WHERE space = $1 AND level = $2 AND period BETWEEN $3 AND $4 \
         ORDER BY period LIMIT $5";
    let given: [Given<'_>; 5] =
        [&space_column(key.no), &i16::from(level.code()), &from, &until, &limit(most)];
    pool.read(Scope::Space(key), sql, &given).await?.iter().map(body).collect()
}

pub(crate) async fn memory(pool: &Pool, key: &SpaceKey, id: &MemoryId) -> Result<Option<Memory>> {
    let sql = "SELECT body FROM memories WHERE space = $1 AND id = $2";
    let row = pool.first(Scope::Space(key), sql, &[&space_column(key.no), &id.as_str()]).await?;
    row.as_ref().map(body).transpose()
}

pub(crate) async fn memories(pool: &Pool, key: &SpaceKey, query: &MemoryQuery) -> Result<Vec<Memory>> {
    let sql = "SELECT body FROM memories WHERE space = $1 AND id > $2 AND ($3::text IS NULL OR kind = $3) \
         AND ($4::smallint IS NULL OR status = $4) ORDER BY id LIMIT $5";
    let given: [Given<'_>; 5] = [
        &space_column(key.no),
        &query.after.as_ref().map_or("", MemoryId::as_str),
        &query.kind.as_ref().map(memoir_model::KindName::as_str),
        &query.status.map(|status| i16::from(status.code())),
        &limit(query.limit),
    ];
    pool.read(Scope::Space(key), sql, &given).await?.iter().map(body).collect()
}

pub(crate) async fn taxonomy(
    pool: &Pool,
    tenant: &TenantId,
    name: &TaxonomyName,
) -> Result<Option<Taxonomy>> {
    let sql = "SELECT body FROM taxonomies WHERE tenant = $1 AND name = $2 ORDER BY version DESC LIMIT 1";
    let row = pool.first(Scope::Tenant(tenant), sql, &[&tenant.as_str(), &name.as_str()]).await?;
    row.as_ref().map(body).transpose()
}
