use memoir_index::Vectors;
use memoir_model::{Error, Generation, Result, Space, SpaceKey};
use memoir_store::{Store, VectorQuery, VectorRow};

/// How many vectors are read from the store at a time.
const PAGE: usize = 2048;

/// The vectors of a hot space, of the generation that serves.
pub(crate) struct HotVectors {
    pub(crate) generation: Generation,
    /// The space's `vectors` as they were known when these were read. What was written since is read again.
    pub(crate) point: u64,
    pub(crate) vectors: Vectors,
}

impl HotVectors {
    pub(crate) fn new(generation: Generation) -> Self {
        let vectors = Vectors::new(generation.dimension as usize);
        HotVectors { generation, point: 0, vectors }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.vectors.bytes()
    }

    /// Takes in what was read: new vectors, and which have to be made again.
    pub(crate) fn take_in(&mut self, rows: &[VectorRow]) -> Result<()> {
        self.vectors.reserve(rows.len());
        for row in rows {
            match &row.vector {
                Some(vector) => {
                    self.vectors.upsert(row.seq, vector).map_err(|e| Error::internal(e.to_string()))?;
                }
                None => drop(self.vectors.remove(row.seq)),
            }
        }
        Ok(())
    }
}

/// The generation of a space that serves, if one does.
pub(crate) async fn serving(store: &dyn Store, key: &SpaceKey) -> Result<Option<Generation>> {
    Ok(store.generations(key).await?.into_iter().find(|generation| generation.serves))
}

/// The next vectors of a generation that changed after `since`, beyond the message `after`; empty at the end.
pub(crate) async fn page(
    store: &dyn Store,
    space: &Space,
    generation: u32,
    since: u64,
    after: u64,
) -> Result<Vec<VectorRow>> {
    store.vectors(&space.key(), VectorQuery { generation, since, after, limit: PAGE }).await
}
