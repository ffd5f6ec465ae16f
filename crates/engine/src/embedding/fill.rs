use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use memoir_embed::{EmbedError, Embedder, Purpose};
use memoir_model::{
    Error, GeneratedId, Generation, GenerationId, Lane, Message, MessageState, NewJob, Result,
};
use memoir_store::{JobChange, NewVector, Row, WriteSet};
use serde_json::Value;

use super::embedders::fit;
use super::turns::{Turn, Turns};
use crate::upkeep::{Completion, JobContext, Work};

const KIND: &str = "embed";
/// How many messages one run looks at, so that it ends before anybody wonders, and others get their turn.
const MESSAGES: usize = 128;
/// How many bytes of text one run embeds, unless a single message has more.
const BYTES: usize = 256 << 10;

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
        let turns = Turns::of(engine, &context.space).await?;
        let mut batch = plan.again(context, &turns).await?;
        let mut made = embed(embedder.as_ref(), &batch.turns).await;
        // Nothing has to be made again, or nothing that can be.
        if made.as_ref().is_ok_and(Vec::is_empty) {
            batch = plan.anew(context, &turns).await?;
            made = embed(embedder.as_ref(), &batch.turns).await;
        }
        let vectors = match made {
            Ok(vectors) => vectors,
            Err(error) => return Ok(postpone(context, &error)),
        };
        metrics::counter!("memoir_vectors_made_total").increment(vectors.len() as u64);
        plan.generation.cursor = batch.cursor;
        let mut effect = WriteSet::default();
        plan.finish(batch.is_last, &mut effect.rows);
        batch.displaced.retain(|seq| vectors.iter().all(|made| made.seq != *seq));
        batch.is_last &= batch.displaced.is_empty();
        effect.rows.extend(batch.displaced.into_iter().map(|seq| Row::OutdateVector { seq }));
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
    turns: Vec<Turn>,
    /// Those of them that have a vector, which is of another context.
    displaced: Vec<u64>,
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

    /// What has to be made again.
    async fn again(&self, context: &JobContext, turns: &Turns<'_>) -> Result<Batch> {
        let Generation { no, cursor, .. } = self.generation;
        let seqs = context.engine.store().vectors_wanted(&context.space.key(), no, MESSAGES).await?;
        let (messages, _) = read(context, &seqs).await?;
        let turns = turns.before(messages).await?;
        Ok(Batch { turns, displaced: Vec::new(), cursor, is_last: false })
    }

    /// What was never looked at, and with a message that came late the turn after it, which has another one before it now.
    async fn anew(&self, context: &JobContext, turns: &Turns<'_>) -> Result<Batch> {
        let (last_seq, cursor) = (context.space.last_seq, self.generation.cursor);
        let seqs: Vec<u64> = (cursor + 1..=last_seq).take(MESSAGES).collect();
        let (mut messages, reached) = read(context, &seqs).await?;
        let mut displaced = turns.after(&messages);
        displaced.retain(|seq| *seq <= cursor);
        messages.extend(read(context, &displaced).await?.0);
        let reached = reached.max(cursor);
        let turns = turns.before(messages).await?;
        Ok(Batch { turns, displaced, cursor: reached, is_last: reached >= last_seq })
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

/// The messages of a batch that can be found, and the last one that was looked at; fewer than asked for if they are long.
async fn read(context: &JobContext, seqs: &[u64]) -> Result<(Vec<Message>, u64)> {
    let (mut messages, mut bytes, mut reached) = (Vec::new(), 0, 0);
    for message in context.engine.store().messages_at(&context.space.key(), seqs).await? {
        if bytes > 0 && bytes + message.content.len() > BYTES {
            break;
        }
        reached = message.seq;
        if message.state == MessageState::Active {
            bytes += message.content.len();
            messages.push(message);
        }
    }
    Ok((messages, reached))
}

/// The vectors of turns. A text that an embedder will not take, or cannot deal with while it deals with others, is left
/// without one.
async fn embed(embedder: &dyn Embedder, turns: &[Turn]) -> Result<Vec<NewVector>, EmbedError> {
    if turns.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = turns.iter().map(Turn::text).collect();
    let answer = embedder.embed(&texts, Purpose::Document).await;
    match answer.and_then(|vectors| fit(embedder, vectors, texts.len())) {
        Ok(vectors) => Ok(turns.iter().zip(vectors).map(|(turn, vector)| turn.vector(vector)).collect()),
        Err(error) if may_be_of_text(&error) => one_by_one(embedder, turns).await,
        Err(error) => Err(error),
    }
}

async fn one_by_one(embedder: &dyn Embedder, turns: &[Turn]) -> Result<Vec<NewVector>, EmbedError> {
    let (mut vectors, mut unfit) = (Vec::new(), None);
    for turn in turns {
        let mut answer = one(embedder, turn).await;
        // What is wrong may be what was said before it.
        if let (Err(error), Some(alone)) = (&answer, turn.alone())
            && may_be_of_text(error)
        {
            answer = one(embedder, &alone).await;
        }
        match answer {
            Ok(vector) => vectors.push(vector),
            Err(error) if may_be_of_text(&error) => {
                unfit = unfit.or(matches!(error, EmbedError::Unfit(_)).then_some(error));
            }
            Err(error) => return Err(error),
        }
    }
    // An embedder that never answers as it should is at fault, and not the texts.
    match unfit {
        Some(error) if vectors.is_empty() => Err(error),
        _ => {
            let left_out = (turns.len() - vectors.len()) as u64;
            metrics::counter!("memoir_vectors_refused_total").increment(left_out);
            Ok(vectors)
        }
    }
}

async fn one(embedder: &dyn Embedder, turn: &Turn) -> Result<NewVector, EmbedError> {
    let answer = embedder.embed(&[turn.text()], Purpose::Document).await;
    let vector = answer.and_then(|vectors| fit(embedder, vectors, 1))?.swap_remove(0);
    Ok(turn.vector(vector))
}

/// Whether another text might fare better.
fn may_be_of_text(error: &EmbedError) -> bool {
    matches!(error, EmbedError::Refused { status: 400 | 413 | 422, .. } | EmbedError::Unfit(_))
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
