//! Puts vectors into a transaction.

use memoir_model::{Error, Generation, Result, SpaceKey};
use memoir_store::NewVector;
use pgvector::Vector;

use crate::codec::{number_column, space_column};
use crate::error::Fault;
use crate::transaction::{Owned, Pipeline};

pub(crate) async fn put_generation<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    generation: &'a Generation,
) -> Result<(), Fault> {
    let Generation { no, id, dimension, cursor, serves } = generation;
    let given: Vec<Owned<'a>> = vec![
        Box::new(space_column(key.no)),
        Box::new(i64::from(*no)),
        Box::new(key.tenant.as_str()),
        Box::new(id.as_str()),
        Box::new(i64::from(*dimension)),
        Box::new(number_column(*cursor)),
        Box::new(*serves),
    ];
    let sql = "INSERT INTO generations (space, no, tenant, id, dimension, cursor, serves) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (space, no) DO UPDATE SET \
         cursor = excluded.cursor, serves = excluded.serves";
    pipeline.push(sql, given).await
}

pub(crate) async fn drop_generation<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    no: u32,
) -> Result<(), Fault> {
    for sql in [
        "DELETE FROM vectors WHERE space = $1 AND generation = $2",
        "DELETE FROM generations WHERE space = $1 AND no = $2",
    ] {
        pipeline.push(sql, vec![Box::new(space_column(key.no)), Box::new(i64::from(no))]).await?;
    }
    Ok(())
}

/// Left out when their generation is gone; refused when they do not fit it.
pub(crate) async fn put<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    generation: u32,
    vectors: &'a [NewVector],
    version: u64,
) -> Result<(), Fault> {
    let Some(dimension) = vectors.first().map(|new| new.vector.len()) else { return Ok(()) };
    if vectors.iter().any(|new| new.vector.len() != dimension) {
        return Err(other_dimension().into());
    }
    let check: Vec<Owned<'a>> = vec![
        Box::new(space_column(key.no)),
        Box::new(i64::from(generation)),
        Box::new(i64::try_from(dimension).unwrap_or(i64::MAX)),
    ];
    let sql = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM generations WHERE space = $1 AND no = $2 AND dimension <> $3)";
    pipeline.push_one(sql, check, other_dimension()).await?;
    let seqs: Vec<i64> = vectors.iter().map(|new| number_column(new.seq)).collect();
    let versions: Vec<i64> = vectors.iter().map(|new| i64::from(new.message_version)).collect();
    let before_seqs: Vec<Option<i64>> =
        vectors.iter().map(|new| new.before.map(|(seq, _)| number_column(seq))).collect();
    let before_versions: Vec<Option<i64>> =
        vectors.iter().map(|new| new.before.map(|(_, version)| i64::from(version))).collect();
    let numbers: Vec<Vector> = vectors.iter().map(|new| Vector::from(new.vector.clone())).collect();
    let given: Vec<Owned<'a>> = vec![
        Box::new(space_column(key.no)),
        Box::new(i64::from(generation)),
        Box::new(key.tenant.as_str()),
        Box::new(number_column(version)),
        Box::new(seqs),
        Box::new(versions),
        Box::new(before_seqs),
        Box::new(before_versions),
        Box::new(numbers),
    ];
    let sql = "INSERT INTO vectors (space, generation, seq, tenant, version, vector) \
         SELECT $1, $2, m.seq, $3, $4, CASE WHEN m.version = n.message_version \
         AND (n.before_seq IS NULL OR b.version = n.before_version) THEN n.vector END \
         FROM unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::public.vector[]) \
         AS n (seq, message_version, before_seq, before_version, vector) \
         JOIN messages AS m ON m.space = $1 AND m.seq = n.seq AND m.state = 0 \
         LEFT JOIN messages AS b ON b.space = $1 AND b.seq = n.before_seq \
         WHERE EXISTS (SELECT 1 FROM generations AS g WHERE g.space = $1 AND g.no = $2) \
         ON CONFLICT (space, generation, seq) DO UPDATE SET version = excluded.version, vector = excluded.vector";
    pipeline.push(sql, given).await
}

fn other_dimension() -> Error {
    Error::internal("a vector has another dimension than its generation")
}

/// Words in the vectors of a message changed: they go, and are wanted again if it can still be found.
pub(crate) async fn outdate<'a>(
    pipeline: &mut Pipeline<'a>,
    key: &'a SpaceKey,
    seq: u64,
    version: u64,
) -> Result<(), Fault> {
    let (space, seq) = (space_column(key.no), number_column(seq));
    let sql = "DELETE FROM vectors WHERE space = $1 AND generation IN \
         (SELECT g.no FROM generations AS g WHERE g.space = $1) AND seq = $2";
    pipeline.push(sql, vec![Box::new(space), Box::new(seq)]).await?;
    let given: Vec<Owned<'a>> =
        vec![Box::new(space), Box::new(seq), Box::new(key.tenant.as_str()), Box::new(number_column(version))];
    let sql = "INSERT INTO vectors (space, generation, seq, tenant, version, vector) \
         SELECT $1, g.no, m.seq, $3, $4, NULL FROM generations AS g \
         JOIN messages AS m ON m.space = $1 AND m.seq = $2 AND m.state = 0 \
         WHERE g.space = $1 AND g.cursor >= $2";
    pipeline.push(sql, given).await
}
