use memoir_index::{Filter, Near, RowMeta, Segment, SpaceIndex, Terms, Vectors};
use memoir_model::{Error, ErrorCode, Generation, Message, Result, Space, SpaceKey, SpaceNo};
use memoir_store::{IndexDelta, IndexPoint, IndexRow, Piece, Store};
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

use crate::cache::ByteCache;
use crate::embedding::{HotVectors, vectors};
use crate::search::words::Words;

/// How much memory the messages of one hot space may take.
const MESSAGES_BYTES: usize = 4 << 20;
/// What a message takes besides its texts and what was read in them, about.
const MESSAGE_BYTES: usize = 512;

/// The indexes of recently searched spaces, in memory. Each knows the version of its space that it stands at and
/// pulls what is newer before it answers.
pub(crate) struct HotSpaces {
    spaces: Mutex<ByteCache<SpaceNo, Arc<HotSpace>>>,
    max_rows: u64,
}

/// One space's index and how far it has come.
pub(crate) struct HotSpace {
    key: SpaceKey,
    index: RwLock<(SpaceIndex, Option<IndexPoint>)>,
    /// The messages that were read lately, as the index knows them.
    messages: Mutex<ByteCache<u64, Arc<HotMessage>>>,
    /// Its vectors, once somebody asked for them.
    vectors: RwLock<Option<HotVectors>>,
    /// Held by whoever brings it up to date, so that a space is read once however many ask.
    catching_up: tokio::sync::Mutex<()>,
}

/// A message in memory, and what was read in it.
pub(crate) struct HotMessage {
    pub(crate) message: Arc<Message>,
    pub(crate) words: Words,
}

impl HotMessage {
    fn new(message: Message) -> Self {
        HotMessage { words: Words::of(&message), message: Arc::new(message) }
    }

    /// The memory it takes, about.
    fn bytes(&self) -> usize {
        let captions = self.message.attachments.iter().filter_map(|attachment| attachment.caption.as_ref());
        let texts = self.message.content.len() + captions.map(String::len).sum::<usize>();
        texts + self.words.bytes() + MESSAGE_BYTES
    }
}

impl HotSpaces {
    pub(crate) fn new(most_bytes: usize, max_rows: u64) -> Self {
        HotSpaces { spaces: Mutex::new(ByteCache::new(most_bytes)), max_rows }
    }

    /// Whether the space has more messages than are kept in memory, so that only the newest are searched.
    pub(crate) fn exceeds(&self, space: &Space) -> bool {
        space.last_seq > self.max_rows
    }

    /// Where the index of a space begins: at its first message, or with the newest ones of a space that is too large.
    fn beginning(&self, space: &Space) -> Option<IndexPoint> {
        let last_seq = space.last_seq.saturating_sub(self.max_rows);
        self.exceeds(space).then_some(IndexPoint { version: space.version, last_seq })
    }

    /// The spaces that are in memory.
    pub(crate) fn keys(&self) -> Vec<SpaceKey> {
        self.spaces.lock().values().map(|hot| hot.key.clone()).collect()
    }

    pub(crate) fn forget(&self, space: SpaceNo) {
        self.spaces.lock().remove(&space);
    }

    /// The index of the space, at the space's version or later.
    pub(crate) async fn at(&self, store: &dyn Store, space: &Space) -> Result<Arc<HotSpace>> {
        let known = self.spaces.lock().get(&space.no).cloned();
        let hit = known.is_some();
        let hot = known.unwrap_or_else(|| {
            let fresh = Arc::new(HotSpace {
                key: space.key(),
                index: RwLock::default(),
                messages: Mutex::new(ByteCache::new(MESSAGES_BYTES)),
                vectors: RwLock::default(),
                catching_up: tokio::sync::Mutex::default(),
            });
            self.spaces.lock().insert(space.no, fresh.clone(), 4096);
            fresh
        });
        metrics::counter!("memoir_index_spaces_total", "found" => if hit { "hot" } else { "cold" })
            .increment(1);
        if hot.version() < Some(space.version) {
            let _one = hot.catching_up.lock().await;
            let point = hot.index.read().1.or_else(|| self.beginning(space));
            if hot.version() < Some(space.version) {
                let delta = store.index_delta(&space.key(), point).await?;
                let delta = delta.ok_or_else(|| Error::not_found("space", &space.id))?;
                let (behind, max_rows) = (hot.clone(), self.max_rows);
                let news = News::read(store, &space.key(), delta).await?;
                elsewhere(move || behind.apply(point, news, max_rows)).await??;
                self.weigh(&hot);
            }
        }
        Ok(hot)
    }

    /// Messages of a hot space by their numbers, in any order; those that were read lately from memory.
    pub(crate) async fn messages(
        &self,
        hot: &HotSpace,
        store: &dyn Store,
        seqs: &[u64],
    ) -> Result<Vec<Arc<HotMessage>>> {
        let version = hot.version();
        let (mut messages, missing) = hot.remembered(seqs);
        if !missing.is_empty() {
            let stored = store.messages_at(&hot.key, &missing).await?;
            let read = |message| Arc::new(HotMessage::new(message));
            let read = elsewhere(move || stored.into_iter().map(read).collect()).await?;
            messages.extend(hot.remember(version, read));
            self.weigh(hot);
        }
        Ok(messages)
    }

    /// Brings the vectors of a hot space up to date. Returns the generation that serves; `None` when none does.
    pub(crate) async fn with_vectors(
        &self,
        hot: &Arc<HotSpace>,
        store: &dyn Store,
        space: &Space,
    ) -> Result<Option<Generation>> {
        if let Some(known) = hot.vectors.read().as_ref().filter(|known| known.point >= space.vectors) {
            return Ok(Some(known.generation.clone()));
        }
        let _one = hot.catching_up.lock().await;
        let Some(generation) = vectors::serving(store, &space.key()).await? else {
            *hot.vectors.write() = None;
            return Ok(None);
        };
        // What was read before the space was known to have any is no point to go on from.
        let is_same = |known: &HotVectors| {
            known.generation.no == generation.no && known.generation.id == generation.id && known.point > 0
        };
        let since = hot.vectors.read().as_ref().filter(|known| is_same(known)).map(|known| known.point);
        if since.is_none() {
            *hot.vectors.write() = Some(HotVectors::new(generation.clone()));
        }
        let mut after = space.last_seq.saturating_sub(self.max_rows);
        loop {
            let rows = vectors::page(store, space, generation.no, since.unwrap_or_default(), after).await?;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            let behind = hot.clone();
            elsewhere(move || behind.vectors.write().as_mut().map_or(Ok(()), |known| known.take_in(&rows)))
                .await??;
        }
        if let Some(known) = hot.vectors.write().as_mut() {
            known.point = space.vectors;
        }
        self.weigh(hot);
        Ok(Some(generation))
    }

    /// Counts a space anew after it has grown.
    fn weigh(&self, hot: &HotSpace) {
        let vectors = hot.vectors.read().as_ref().map_or(0, HotVectors::bytes);
        let mut spaces = self.spaces.lock();
        let messages = hot.messages.lock().bytes();
        spaces.resize(&hot.key.no, hot.index.read().0.bytes() + messages + vectors + 4096);
        metrics::gauge!("memoir_index_cache_bytes").set(spaces.bytes() as f64);
    }
}

impl HotSpace {
    fn version(&self) -> Option<u64> {
        self.index.read().1.map(|point| point.version)
    }

    /// What is in memory of these messages, and which are not.
    fn remembered(&self, seqs: &[u64]) -> (Vec<Arc<HotMessage>>, Vec<u64>) {
        let mut known = self.messages.lock();
        let mut missing = Vec::new();
        let found = seqs.iter().filter_map(|seq| {
            let message = known.get(seq).map(|message| message.clone());
            if message.is_none() {
                missing.push(*seq);
            }
            message
        });
        (found.collect(), missing)
    }

    /// Keeps messages that were read when the index stood at a version, unless it has moved on: then they may be others by
    /// now.
    fn remember(&self, version: Option<u64>, read: Vec<Arc<HotMessage>>) -> Vec<Arc<HotMessage>> {
        // Held to the end, so that no change is taken in between the look and the keeping.
        let index = self.index.read();
        if index.1.map(|point| point.version) == version {
            let mut known = self.messages.lock();
            for read in &read {
                known.insert(read.message.seq, read.clone(), read.bytes());
            }
        }
        read
    }

    /// Runs `work` on the index.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&SpaceIndex) -> T) -> T {
        work(&self.index.read().0)
    }

    /// Runs `work` on the index and on the vectors, if they are of that generation still.
    pub(crate) fn with_vectors_of<T>(
        &self,
        generation: Option<&Generation>,
        work: impl FnOnce(&SpaceIndex, Option<&Vectors>) -> T,
    ) -> T {
        let (vectors, index) = (self.vectors.read(), self.index.read());
        let known = vectors.as_ref().zip(generation).filter(|(known, asked)| known.generation.id == asked.id);
        work(&index.0, known.map(|(known, _)| &known.vectors))
    }

    /// The rows whose vectors lie nearest to a question, and how many vectors there are. Nothing, if the vectors are of
    /// another generation by now.
    pub(crate) fn nearest(
        &self,
        generation: &Generation,
        question: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> (Vec<Near>, usize) {
        let (vectors, index) = (self.vectors.read(), self.index.read());
        let Some(known) = vectors.as_ref().filter(|known| known.generation.id == generation.id) else {
            return (Vec::new(), 0);
        };
        let admits = |seq| index.0.meta(seq).is_some_and(|meta| filter.admits(seq, &meta));
        (known.vectors.nearest(question, limit, admits), known.vectors.len())
    }

    /// Takes in what came after `from`. What a space that is too large has grown out of goes, so that an index which
    /// grew in memory finds what one that was read just now finds.
    fn apply(&self, from: Option<IndexPoint>, news: News, max_rows: u64) -> Result<()> {
        let outgrown = |point: IndexPoint| point.last_seq.saturating_sub(max_rows);
        let (was, is) = (from.map_or(0, outgrown), outgrown(news.point));
        // In the order in which a search takes them.
        let mut vectors = self.vectors.write();
        let mut guard = self.index.write();
        let (index, point) = &mut *guard;
        let mut messages = self.messages.lock();
        if !news.segments.is_empty() {
            // A sealed piece does not say which of its rows have changed.
            messages.retain(|_, _| false);
        }
        news.rows.iter().for_each(|row| drop(messages.remove(&row.seq)));
        drop(messages);
        news.segments.into_iter().for_each(|segment| index.add_segment(segment));
        if !index.is_empty() {
            for seq in was + 1..=is {
                index.remove(seq);
            }
        }
        if let Some(known) = vectors.as_mut() {
            // Their words are others now. What was made of those is read after this.
            for row in &news.rows {
                known.vectors.remove(row.seq);
            }
            for seq in was + 1..=is {
                known.vectors.remove(seq);
            }
        }
        for row in news.rows.iter().filter(|row| row.seq > is) {
            match index_row(row)? {
                Some((meta, terms)) => index.upsert(row.seq, meta, &terms),
                None => drop(index.remove(row.seq)),
            }
        }
        *point = Some(news.point);
        Ok(())
    }
}

/// What an index that is behind has to take in, fit for use.
struct News {
    point: IndexPoint,
    segments: Vec<Segment>,
    rows: Vec<IndexRow>,
}

impl News {
    /// Opens the sealed pieces. In place of a damaged one come the rows that it was made of.
    async fn read(store: &dyn Store, key: &SpaceKey, delta: IndexDelta) -> Result<Self> {
        let IndexDelta { point, pieces, mut rows } = delta;
        let open = |pieces: Vec<Piece>| {
            let opened =
                pieces.into_iter().map(|piece| Segment::from_bytes(piece.bytes).map_err(|_| piece.no));
            opened.partition::<Vec<_>, _>(Result::is_ok)
        };
        let (segments, damaged) =
            if pieces.is_empty() { Default::default() } else { elsewhere(move || open(pieces)).await? };
        for piece in damaged.into_iter().filter_map(Result::err) {
            tracing::warn!(
                piece,
                "a sealed piece is damaged, its rows are read instead; run `memoir doctor`"
            );
            rows.extend(store.piece_rows(key, piece).await?.1);
        }
        Ok(News { point, segments: segments.into_iter().flatten().collect(), rows })
    }
}

/// Runs what takes a while away from the async workers.
async fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::internal("the index was cut short"))
}

/// What the index keeps of a row; `None` for one that must not be found.
pub(crate) fn index_row(row: &IndexRow) -> Result<Option<(RowMeta, Terms)>> {
    let Some(blob) = &row.terms else { return Ok(None) };
    let terms = Terms::from_blob(blob).map_err(|e| corrupt(&e.to_string()))?;
    let meta = RowMeta {
        said_at: row.said_at.as_microsecond(),
        author: author_hash(&row.author),
        role: row.role.code(),
        session: row.session_no,
    };
    Ok(Some((meta, terms)))
}

/// How an author is told from others inside an index.
pub(crate) fn author_hash(author: &str) -> u64 {
    xxh3_64(author.as_bytes())
}

fn corrupt(what: &str) -> Error {
    Error::new(ErrorCode::Corrupt, format!("the index of a space cannot be read: {what}"))
}
