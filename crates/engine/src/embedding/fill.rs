use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use memoir_embed::{EmbedError, Embedder, Purpose};
use memoir_model::{
    Error, GeneratedId, Generation, GenerationId, Lane, Message, MessageState, NewJob, Result,
};
use memoir_store::{JobChange, NewVector, Row, WriteSet};
use serde_json::Value;

use super::embedders::fit;
use crate::upkeep::{Completion, JobContext, Work};

const KIND: &str = "embed";
/// How many messages one run looks at, so that it ends before anybody wonders, and others get their turn.
const MESSAGES: usize = 128;
/// How many bytes of text one run embeds, unless a single message has more.
const BYTES: usize = 256 << 10;
/// How much of one message is embedded: no model reads further.
const LONGEST_TEXT: usize = 16 << 10;

/// Makes the vectors that a space lacks. One job per space goes on from where the last one stopped.
pub(crate) struct Fill;

pub(crate) fn job(id: GeneratedId, due: Timestamp) -> NewJob {
    NewJob {
        id,
        kind: KIND.into(),
        key: "messages".into(),
        payload: Value::Null,
        lane: Lane::Free,
        run_at: due,
    }
}

#[async_trait]
impl Work for Fill {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn lane(&self) -> Lane {
        Lane::Free
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let engine = &context.engine;
        let Some((id, embedder)) = engine.inner.embedders.current() else {
            // Another process may have one; without any there is nothing to do.
            return Ok(Completion::Effect(WriteSet::default()));
        };
        let mut plan = Plan::of(context, id, embedder.recipe().dimension).await?;
        let batch = plan.batch(context).await?;
        let vectors = match embed(embedder.as_ref(), &batch.messages).await {
            Ok(vectors) => vectors,
            Err(error) => return Ok(postpone(context, &error)),
        };
        metrics::counter!("memoir_vectors_made_total").increment(vectors.len() as u64);
        plan.generation.cursor = batch.cursor;
        let mut effect = WriteSet::default();
        plan.finish(batch.is_last, &mut effect.rows);
        if !vectors.is_empty() {
            effect.rows.push(Row::Vectors { generation: plan.generation.no, vectors });
        }
        if !batch.is_last {
            let now = engine.now();
            let again = job(engine.inner.ids.make(now, context.space.no), now);
            effect.jobs.push(JobChange::Enqueue(again));
        }
        Ok(Completion::Effect(effect))
    }
}

/// Which generation is being made, and what becomes of the others.
struct Plan {
    generation: Generation,
    others: Vec<Generation>,
}

/// What one run embeds.
struct Batch {
    messages: Vec<Message>,
    /// Where the cursor stands afterwards.
    cursor: u64,
    /// Whether nothing is left to do then.
    is_last: bool,
}

impl Plan {
    async fn of(context: &JobContext, id: &GenerationId, dimension: usize) -> Result<Self> {
        let mut known = context.engine.store().generations(&context.space.key()).await?;
        if let Some(place) = known.iter().position(|generation| generation.id == *id) {
            let generation = known.swap_remove(place);
            return Ok(Plan { generation, others: known });
        }
        // Beside the one that serves there is room for one; what was begun and never finished makes way.
        let serving = known.iter().find(|generation| generation.serves).map_or(0, |serving| serving.no);
        let dimension = u32::try_from(dimension).map_err(|_| Error::internal("a vector is too long"))?;
        let generation = Generation { no: serving + 1, id: id.clone(), dimension, cursor: 0, serves: false };
        Ok(Plan { generation, others: known })
    }

    /// First what has to be made again, then what was never looked at.
    async fn batch(&self, context: &JobContext) -> Result<Batch> {
        let (store, key) = (context.engine.store(), context.space.key());
        let Generation { no, cursor, .. } = self.generation;
        let again = store.vectors_wanted(&key, no, MESSAGES).await?;
        let anew = again.is_empty();
        let last_seq = context.space.last_seq;
        let seqs = if anew { (cursor + 1..=last_seq).take(MESSAGES).collect() } else { again };
        let mut messages = Vec::new();
        let mut bytes = 0;
        let mut reached = cursor;
        for message in store.messages_at(&key, &seqs).await? {
            if bytes > 0 && bytes + message.content.len() > BYTES {
                break;
            }
            reached = reached.max(message.seq);
            if message.state == MessageState::Active {
                bytes += message.content.len();
                messages.push(message);
            }
        }
        let cursor = if anew { reached } else { cursor };
        Ok(Batch { messages, cursor, is_last: anew && cursor >= last_seq })
    }

    /// Notes how far the generation has come. Once it is complete it serves and the others go; the very first one serves
    /// at once.
    fn finish(&mut self, is_complete: bool, rows: &mut Vec<Row>) {
        let replaces = self.others.iter().any(|other| other.serves);
        self.generation.serves |= is_complete || !replaces;
        let stays = |other: &Generation| other.serves && !self.generation.serves;
        rows.extend(
            self.others.iter().filter(|other| !stays(other)).map(|other| Row::DropGeneration(other.no)),
        );
        rows.push(Row::Generation(self.generation.clone()));
    }
}

/// The vectors of messages. A text that an embedder will not take, or cannot deal with while it deals with others, is left
/// without one.
async fn embed(embedder: &dyn Embedder, messages: &[Message]) -> Result<Vec<NewVector>, EmbedError> {
    let texts: Vec<String> = messages.iter().map(text).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let answer = embedder.embed(&texts, Purpose::Document).await;
    let vectors = match answer.and_then(|vectors| fit(embedder, vectors, texts.len())) {
        Ok(vectors) => vectors.into_iter().map(Some).collect(),
        Err(error) if may_be_of_text(&error) => one_by_one(embedder, &texts).await?,
        Err(error) => return Err(error),
    };
    let made = messages.iter().zip(vectors).filter_map(|(message, vector): (_, Option<_>)| {
        Some(NewVector { seq: message.seq, message_version: message.version, vector: vector? })
    });
    Ok(made.collect())
}

async fn one_by_one(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
    let mut vectors = Vec::with_capacity(texts.len());
    let mut unfit = None;
    for text in texts {
        let answer = embedder.embed(std::slice::from_ref(text), Purpose::Document).await;
        match answer.and_then(|vector| fit(embedder, vector, 1)) {
            Ok(vector) => vectors.extend(vector.into_iter().map(Some)),
            Err(error) if may_be_of_text(&error) => {
                vectors.push(None);
                unfit = unfit.or(matches!(error, EmbedError::Unfit(_)).then_some(error));
            }
            Err(error) => return Err(error),
        }
    }
    // An embedder that never answers as it should is at fault, and not the texts.
    match unfit {
        Some(error) if vectors.iter().all(Option::is_none) => Err(error),
        _ => {
            let left_out = vectors.iter().filter(|vector| vector.is_none()).count() as u64;
            metrics::counter!("memoir_vectors_refused_total").increment(left_out);
            Ok(vectors)
        }
    }
}

/// Whether another text might fare better.
fn may_be_of_text(error: &EmbedError) -> bool {
    matches!(error, EmbedError::Refused { status: 400 | 413 | 422, .. } | EmbedError::Unfit(_))
}

/// What of a message becomes its vector: its words and the captions of what came with it.
fn text(message: &Message) -> String {
    let mut text = message.searchable().join("\n");
    let mut end = text.len().min(LONGEST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// An embedder that is away comes back: the work waits for it and is never given up.
fn postpone(context: &JobContext, error: &EmbedError) -> Completion {
    let seconds = match error {
        EmbedError::Refused { status: 401 | 403 | 404, .. } | EmbedError::Model(_) => 300,
        _ => 15 + rand::random_range(0..15),
    };
    tracing::warn!("vectors have to wait {seconds} s: {error}");
    metrics::counter!("memoir_embedder_failures_total").increment(1);
    let later = context.engine.now().saturating_add(SignedDuration::from_secs(seconds));
    Completion::Postpone(later.unwrap_or(Timestamp::MAX))
}
