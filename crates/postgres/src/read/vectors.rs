use memoir_model::{Generation, GenerationId, Result, SpaceKey};
use memoir_store::{VectorQuery, VectorRow};
use pgvector::Vector;

use crate::codec::{get, limit, number, number_column, space_column};
use crate::pool::{Given, Pool};
use crate::scope::Scope;

pub(crate) async fn generations(pool: &Pool, key: &SpaceKey) -> Result<Vec<Generation>> {
    let sql = "SELECT no, id, dimension, cursor, serves FROM generations WHERE space = $1 ORDER BY no";
    let rows = pool.read(Scope::Space(key), sql, &[&space_column(key.no)]).await?;
    let generation = |row| {
        Ok(Generation {
            no: number(row, 0)? as u32,
            id: GenerationId::new(get::<String>(row, 1)?)?,
            dimension: number(row, 2)? as u32,
            cursor: number(row, 3)?,
            serves: get(row, 4)?,
        })
    };
    rows.iter().map(generation).collect()
}

pub(crate) async fn vectors(pool: &Pool, key: &SpaceKey, query: VectorQuery) -> Result<Vec<VectorRow>> {
    let there = if query.since == 0 { "AND vector IS NOT NULL" } else { "" };
    let sql = format!(
        "SELECT seq, vector FROM vectors WHERE space = $1 AND generation = $2 AND version > $3 AND seq > $4 \
         {there} ORDER BY seq LIMIT $5"
    );
    let given: [Given<'_>; 5] = [
        &space_column(key.no),
        &i64::from(query.generation),
        &number_column(query.since),
        &number_column(query.after),
        &limit(query.limit),
    ];
    let rows = pool.read(Scope::Space(key), &sql, &given).await?;
    let vector =
        |row| Ok(VectorRow { seq: number(row, 0)?, vector: get::<Option<Vector>>(row, 1)?.map(Vec::from) });
    rows.iter().map(vector).collect()
}

pub(crate) async fn wanted(pool: &Pool, key: &SpaceKey, generation: u32, most: usize) -> Result<Vec<u64>> {
    let sql = "SELECT seq FROM vectors WHERE space = $1 AND generation = $2 AND vector IS NULL ORDER BY seq LIMIT $3";
    let given: [Given<'_>; 3] = [&space_column(key.no), &i64::from(generation), &limit(most)];
    let rows = pool.read(Scope::Space(key), sql, &given).await?;
    rows.iter().map(|row| number(row, 0)).collect()
}
