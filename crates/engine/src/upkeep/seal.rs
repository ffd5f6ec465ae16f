use async_trait::async_trait;
use jiff::Timestamp;
use memoir_index::{Row as SegmentRow, Segment};
use memoir_model::{Error, GeneratedId, Lane, NewJob, Result};
use memoir_store::{Row, WriteSet};
use serde_json::Value;

use super::work::{Completion, JobContext, Work};
use crate::search::index_row;

const KIND: &str = "seal";
/// How many pieces one run seals before it makes room for others.
const PIECES: usize = 4;

/// Seals full pieces of a space's index, so that a cold space is read in large blocks and not row by row.
pub(crate) struct Seal;

pub(crate) fn job(id: GeneratedId, due: Timestamp) -> NewJob {
    NewJob {
        id,
        kind: KIND.into(),
        key: "pieces".into(),
        payload: Value::Null,
        lane: Lane::Free,
        run_at: due,
    }
}

#[async_trait]
impl Work for Seal {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn lane(&self) -> Lane {
        Lane::Free
    }

    fn is_upkeep(&self) -> bool {
        true
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let (store, key) = (context.engine.store(), context.space.key());
        let unsealed = store.unsealed_pieces(&key, PIECES + 1).await?;
        let mut effect = WriteSet::default();
        for piece in unsealed.iter().take(PIECES) {
            let (built_version, rows) = store.piece_rows(&key, *piece).await?;
            let no = *piece;
            let bytes = tokio::task::spawn_blocking(move || build(no, &rows))
                .await
                .map_err(|_| Error::internal("the sealing was cut short"))??;
            effect.rows.push(Row::Piece { no, built_version, bytes });
        }
        if unsealed.len() > PIECES {
            let now = context.engine.now();
            let again = job(context.engine.inner.ids.make(now, key.no), now);
            effect.jobs.push(memoir_store::JobChange::Enqueue(again));
        }
        Ok(Completion::Effect(effect))
    }
}

pub(crate) fn build(piece: u64, rows: &[memoir_store::IndexRow]) -> Result<Vec<u8>> {
    let mut parts = Vec::with_capacity(rows.len());
    for row in rows {
        parts.extend(index_row(row)?.map(|(meta, terms)| (row.seq, meta, terms)));
    }
    let rows = parts.iter().map(|(seq, meta, terms)| SegmentRow { seq: *seq, meta: *meta, terms });
    let segment = Segment::build(piece, rows).map_err(|e| Error::internal(e.to_string()))?;
    Ok(segment.to_bytes())
}
