use memoir_model::{Result, SpaceKey, Speaker};
use memoir_store::columns::unreadable;
use memoir_store::{IndexDelta, IndexPoint, IndexRow, Piece};
use tokio_postgres::Row;

use crate::codec::{get, limit, number, number_column, space_column};
use crate::error::Fault;
use crate::pool::{Given, Pool};
use crate::scope::Scope;
use crate::transaction::{Mode, Transaction};

/// What an index needs of a message that is active; of one that is not, no terms.
const ROWS: &str = "SELECT seq, said_at, author, role, session, CASE state WHEN 0 THEN terms END FROM messages \
     WHERE space = $1";
/// How far a space has come.
const POINT: &str = "SELECT version, last_seq FROM space_heads WHERE space = $1";

fn index_row(row: &Row) -> Result<IndexRow> {
    let role = u8::try_from(get::<i16>(row, 3)?).ok().and_then(Speaker::from_code);
    Ok(IndexRow {
        seq: number(row, 0)?,
        said_at: get(row, 1)?,
        author: get(row, 2)?,
        role: role.ok_or_else(|| unreadable("role"))?,
        session_no: number(row, 4)?,
        terms: get(row, 5)?,
    })
}

fn point(rows: &[Row]) -> Result<Option<IndexPoint>> {
    let point = |row| Ok(IndexPoint { version: number(row, 0)?, last_seq: number(row, 1)? });
    rows.first().map(point).transpose()
}

/// Everything between `known` and now, in one snapshot. When nothing is new this is one lookup.
pub(crate) async fn delta(
    pool: &Pool,
    key: &SpaceKey,
    known: Option<IndexPoint>,
) -> Result<Option<IndexDelta>> {
    if let Some(known) = known {
        match point(&pool.read(Scope::Space(key), POINT, &[&space_column(key.no)]).await?)? {
            None => return Ok(None),
            Some(now) if now == known => {
                return Ok(Some(IndexDelta { point: now, pieces: Vec::new(), rows: Vec::new() }));
            }
            Some(_) => {}
        }
    }
    let mut patience = pool.patience();
    loop {
        match try_delta(pool, key, known).await {
            Ok(delta) => return Ok(delta),
            Err(fault) => patience.after(fault).await?,
        }
    }
}

async fn try_delta(
    pool: &Pool,
    key: &SpaceKey,
    known: Option<IndexPoint>,
) -> Result<Option<IndexDelta>, Fault> {
    let (snapshot, rows) = snapshot(pool, key).await?;
    let delta = match (point(&rows)?, known) {
        (None, _) => None,
        (Some(now), Some(known)) => {
            Some(IndexDelta { point: now, pieces: Vec::new(), rows: news(&snapshot, key, known).await? })
        }
        (Some(now), None) => Some(whole(&snapshot, key, now).await?),
    };
    snapshot.commit().await;
    Ok(delta)
}

async fn snapshot(pool: &Pool, key: &SpaceKey) -> Result<(Transaction, Vec<Row>), Fault> {
    Transaction::begin(pool, Mode::Read, Scope::Space(key), POINT, &[&space_column(key.no)]).await
}

async fn rows(snapshot: &Transaction, sql: &str, given: &[Given<'_>]) -> Result<Vec<IndexRow>, Fault> {
    let rows = snapshot.query(sql, given).await?;
    Ok(rows.iter().map(index_row).collect::<Result<_>>()?)
}

async fn between(
    snapshot: &Transaction,
    key: &SpaceKey,
    first: u64,
    last: u64,
) -> Result<Vec<IndexRow>, Fault> {
    let sql = format!("{ROWS} AND seq BETWEEN $2 AND $3 ORDER BY seq");
    let given: [Given<'_>; 3] = [&space_column(key.no), &number_column(first), &number_column(last)];
    rows(snapshot, &sql, &given).await
}

/// Rows that the index has in an older wording, then those that it does not have.
async fn news(snapshot: &Transaction, key: &SpaceKey, known: IndexPoint) -> Result<Vec<IndexRow>, Fault> {
    let sql = format!(
        "{ROWS} AND seq IN (SELECT c.seq FROM changes AS c WHERE c.space = $1 AND c.version > $2 AND c.seq <= $3) \
         ORDER BY seq"
    );
    let given: [Given<'_>; 3] =
        [&space_column(key.no), &number_column(known.version), &number_column(known.last_seq)];
    let mut news = rows(snapshot, &sql, &given).await?;
    news.extend(between(snapshot, key, known.last_seq.saturating_add(1), u64::MAX).await?);
    Ok(news)
}

/// Sealed pieces as they are, and the rows of every stretch that is not sealed.
async fn whole(snapshot: &Transaction, key: &SpaceKey, now: IndexPoint) -> Result<IndexDelta, Fault> {
    let sealed = snapshot
        .query("SELECT no, bytes FROM pieces WHERE space = $1 ORDER BY no", &[&space_column(key.no)])
        .await?;
    let piece = |row| Ok(Piece { no: number(row, 0)?, bytes: get(row, 1)? });
    let pieces: Vec<Piece> = sealed.iter().map(piece).collect::<Result<_>>()?;
    let mut rows = Vec::new();
    let mut next = 1;
    for piece in &pieces {
        let covers = Piece::covers(piece.no);
        if *covers.start() > next {
            rows.extend(between(snapshot, key, next, covers.start() - 1).await?);
        }
        next = covers.end() + 1;
    }
    if next <= now.last_seq {
        rows.extend(between(snapshot, key, next, now.last_seq).await?);
    }
    Ok(IndexDelta { point: now, pieces, rows })
}

pub(crate) async fn piece_rows(pool: &Pool, key: &SpaceKey, piece: u64) -> Result<(u64, Vec<IndexRow>)> {
    let mut patience = pool.patience();
    loop {
        match try_piece_rows(pool, key, piece).await {
            Ok(rows) => return Ok(rows),
            Err(fault) => patience.after(fault).await?,
        }
    }
}

async fn try_piece_rows(pool: &Pool, key: &SpaceKey, piece: u64) -> Result<(u64, Vec<IndexRow>), Fault> {
    let (snapshot, found) = snapshot(pool, key).await?;
    let version = point(&found)?.map_or(0, |point| point.version);
    let covers = Piece::covers(piece);
    let rows = between(&snapshot, key, *covers.start(), *covers.end()).await?;
    snapshot.commit().await;
    Ok((version, rows))
}

pub(crate) async fn unsealed(pool: &Pool, key: &SpaceKey, most: usize) -> Result<Vec<u64>> {
    let sql = "SELECT n.no FROM space_heads AS h \
         CROSS JOIN LATERAL generate_series(0, (h.last_seq + 1) / $2 - 1) AS n (no) \
         WHERE h.space = $1 AND NOT EXISTS (SELECT 1 FROM pieces AS p WHERE p.space = $1 AND p.no = n.no) \
         ORDER BY n.no LIMIT $3";
    let given: [Given<'_>; 3] = [&space_column(key.no), &number_column(Piece::ROWS), &limit(most)];
    let rows = pool.read(Scope::Space(key), sql, &given).await?;
    rows.iter().map(|row| number(row, 0)).collect()
}
