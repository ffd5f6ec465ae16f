use jiff::Timestamp;
use memoir_model::{Result, Session, SessionId, SpaceKey, Thread};

use crate::codec::{self, SESSION_COLUMNS, limit, number_column, space_column};
use crate::pool::{Given, Pool};
use crate::scope::Scope;

async fn one(pool: &Pool, key: &SpaceKey, condition: &str, value: Given<'_>) -> Result<Option<Session>> {
    let sql = format!("SELECT {SESSION_COLUMNS} FROM sessions WHERE space = $1 AND {condition}");
    let row = pool.first(Scope::Space(key), &sql, &[&space_column(key.no), value]).await?;
    row.as_ref().map(codec::session).transpose()
}

pub(crate) async fn by_id(pool: &Pool, key: &SpaceKey, id: &SessionId) -> Result<Option<Session>> {
    one(pool, key, "id = $2", &id.as_str()).await
}

pub(crate) async fn by_no(pool: &Pool, key: &SpaceKey, no: u64) -> Result<Option<Session>> {
    one(pool, key, "no = $2", &number_column(no)).await
}

pub(crate) async fn open_implicit(pool: &Pool, key: &SpaceKey, thread: &Thread) -> Result<Option<Session>> {
    one(pool, key, "thread = $2 AND NOT explicit AND ended_at IS NULL", &thread.as_str()).await
}

pub(crate) async fn list(
    pool: &Pool,
    key: &SpaceKey,
    below: Option<u64>,
    most: usize,
) -> Result<Vec<Session>> {
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM sessions WHERE space = $1 AND no < $2 ORDER BY no DESC LIMIT $3"
    );
    let below = below.map_or(i64::MAX, number_column);
    let rows = pool.read(Scope::Space(key), &sql, &[&space_column(key.no), &below, &limit(most)]).await?;
    rows.iter().map(codec::session).collect()
}

pub(crate) async fn implicit_between(
    pool: &Pool,
    key: &SpaceKey,
    thread: &Thread,
    from: Timestamp,
    until: Timestamp,
) -> Result<Vec<Session>> {
    // Sessions of a thread hardly overlap: those that began last before the range ended are the ones to look at,
    // however many came later.
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM (SELECT * FROM sessions WHERE space = $1 AND thread = $2 AND NOT explicit \
         AND first_said_at <= $4 ORDER BY first_said_at DESC LIMIT 64) AS near \
         WHERE last_said_at >= $3 ORDER BY last_said_at DESC LIMIT 8"
    );
    let given: [Given<'_>; 4] = [&space_column(key.no), &thread.as_str(), &from, &until];
    let rows = pool.read(Scope::Space(key), &sql, &given).await?;
    rows.iter().map(codec::session).collect()
}
