//! The sources that there are.

use async_trait::async_trait;
use jiff::Timestamp;
use memoir_index::Filter;
use memoir_model::{BlockKind, ErrorCode, Message, Result};
use memoir_store::MessageQuery;
use memoir_text::estimate_tokens;
use std::collections::HashMap;
use std::sync::Arc;

use super::pack::{Piece, Unit};
use super::render;
use super::search::{RecallHit, RecallRequest};
use super::source::{Offer, Scene, Source};
use super::stages::Stages;
use crate::embedding::Unavailable;
use crate::engine::Engine;
use crate::layers::{Account, is_talk};
use crate::search::{HotMessage, Words};

/// How many messages are looked for.
const HITS: usize = 50;
/// A turn over this share of the budget is shown in parts.
const LONGEST_SHARE: usize = 4;
/// Beside how many of the best their neighbours are shown.
const WITH_NEIGHBOURS: usize = 8;
/// How many tokens a neighbour may take; a longer one is shown in parts.
const NEIGHBOUR_TOKENS: usize = 60;

/// How many messages stand beside summaries that do not tell enough (A8).
const DETAIL: usize = 20;

/// Every source, in the order in which they are given their share of the budget.
pub(crate) fn all() -> [&'static dyn Source; 3] {
    [&Window, &Summaries, &Messages]
}

/// The end of the talk that is going on.
struct Window;

#[async_trait]
impl Source for Window {
    fn kind(&self) -> BlockKind {
        BlockKind::Window
    }

    fn share(&self) -> f32 {
        0.4
    }

    async fn offer<'s>(
        &self,
        engine: &Engine,
        scene: &'s Scene<'_>,
        stages: &mut Stages,
    ) -> Result<Offer<'s>> {
        let window = if scene.is_primary { engine.current_window(scene).await? } else { Vec::new() };
        stages.done("window");
        let turns = window.into_iter().rev();
        Ok(Offer::last(turns.map(|turn| piece(scene, &turn, None, 1.0, scene.budget / LONGEST_SHARE))))
    }
}

/// What sessions, days, weeks and months came to.
struct Summaries;

#[async_trait]
impl Source for Summaries {
    fn kind(&self) -> BlockKind {
        BlockKind::Summaries
    }

    fn share(&self) -> f32 {
        0.6
    }

    async fn offer<'s>(&self, _: &Engine, scene: &'s Scene<'_>, _: &mut Stages) -> Result<Offer<'s>> {
        let unit = |account: &Account| {
            let Account { id, at, line } = account.clone();
            Unit { found: Piece::new(id, (at, 0), line, 1.0), beside: Vec::new() }
        };
        let asked = scene.past.history.is_some();
        Ok(Offer {
            nothing_relevant: asked.then_some(scene.past.accounts.is_empty()),
            notes: scene.past.partial.then_some("partial").into_iter().collect(),
            ..Offer::ranked(scene.past.accounts.iter().map(unit))
        })
    }
}

/// Verbatim talk from before that matters now.
struct Messages;

#[async_trait]
impl Source for Messages {
    fn kind(&self) -> BlockKind {
        BlockKind::Messages
    }

    fn share(&self) -> f32 {
        1.0
    }

    async fn offer<'s>(
        &self,
        engine: &Engine,
        scene: &'s Scene<'_>,
        stages: &mut Stages,
    ) -> Result<Offer<'s>> {
        let request = RecallRequest {
            message: scene.message.to_owned(),
            turns: scene.request.turns.clone(),
            speaker: scene.request.speaker.clone(),
            now: Some(scene.now),
            as_of: scene.request.as_of,
            known_at: scene.request.known_at,
            mode: scene.request.mode,
            ask_model: scene.request.ask_model,
            explain: scene.request.explain,
            limit: HITS,
        };
        if scene.message.trim().is_empty() {
            return Ok(Offer { nothing_relevant: Some(true), ..Offer::nothing() });
        }
        let with_summaries = scene.request.includes(BlockKind::Summaries);
        if let Some(stretch) = scene.past.particulars(with_summaries) {
            return engine.particulars(scene, request, stretch, stages).await;
        }
        if scene.past.is_all {
            return Ok(Offer::nothing());
        }
        let recall = engine.recall_in(scene.space, &request, scene.filter.clone()).await?;
        for (stage, spent) in recall.stages.spent() {
            stages.add(stage, *spent);
        }
        stages.skip();
        let hits = if recall.nothing_relevant { Vec::new() } else { recall.hits };
        let units = engine.units(scene, hits).await?;
        stages.done("neighbours");
        let notes = recall.unavailable.map(Unavailable::as_str);
        let partial = recall.partial.then_some("partial");
        Ok(Offer {
            nothing_relevant: Some(recall.nothing_relevant),
            explained: recall.explained,
            notes: notes.into_iter().chain(partial).collect(),
            ..Offer::ranked(units)
        })
    }
}

impl Engine {
    /// The messages of a stretch of time that a question about it needs: those that fit it best, and, if that leaves
    /// room, the others as they were said.
    async fn particulars<'s>(
        &self,
        scene: &'s Scene<'_>,
        request: RecallRequest,
        (from, until): (Timestamp, Timestamp),
        stages: &mut Stages,
    ) -> Result<Offer<'s>> {
        let end = until.as_microsecond();
        let filter = Filter {
            from: Some(from.as_microsecond()),
            until: Some(scene.filter.until.map_or(end, |seen| seen.min(end))),
            ..scene.filter.clone()
        };
        let request = RecallRequest { limit: DETAIL, ..request };
        let recall = self.recall_in(scene.space, &request, filter.clone()).await?;
        for (stage, spent) in recall.stages.spent() {
            stages.add(stage, *spent);
        }
        stages.skip();
        let mut pieces: Vec<Unit> =
            recall.hits.iter().map(|hit| alone(scene, &hit.message, hit.confidence)).collect();
        if pieces.len() < DETAIL {
            let query = MessageQuery {
                from: Some(from),
                until: Some(Timestamp::from_microsecond(filter.until.unwrap_or(end)).unwrap_or(until)),
                active_only: true,
                ..MessageQuery::all(DETAIL * 2)
            };
            let rest = self.inner.store.messages(&scene.space.key(), &query).await?;
            let seen = |message: &&Message| {
                is_talk(message) && filter.seqs.as_ref().is_none_or(|seqs| seqs.contains(&message.seq))
            };
            for message in rest.iter().filter(seen) {
                let is_new = recall.hits.iter().all(|hit| hit.message.seq != message.seq);
                if is_new && pieces.len() < DETAIL {
                    pieces.push(alone(scene, message, 0.0));
                }
            }
        }
        stages.done("particulars");
        Ok(Offer {
            nothing_relevant: Some(pieces.is_empty()),
            explained: recall.explained,
            ..Offer::ranked(pieces.into_iter())
        })
    }

    /// The end of the session that goes on.
    async fn current_window(&self, scene: &Scene<'_>) -> Result<Vec<Arc<Message>>> {
        let (space, session) = (scene.space, scene.session);
        let Some(session) = session else { return Ok(Vec::new()) };
        let window = self.window_of(space, session, None).await.map_err(|error| match error.code() {
            ErrorCode::NotFound => error.at("session"),
            _ => error,
        })?;
        let seen = |message: &Arc<Message>| {
            let until = scene.filter.until.is_none_or(|until| message.said_at.as_microsecond() < until);
            until && scene.filter.seqs.as_ref().is_none_or(|seqs| seqs.contains(&message.seq))
        };
        Ok(window.into_iter().filter(seen).collect())
    }

    /// The found messages with what stands beside the best of them.
    async fn units<'s>(
        &self,
        scene: &'s Scene<'_>,
        hits: Vec<RecallHit>,
    ) -> Result<impl Iterator<Item = Unit> + Send + 's> {
        let longest = scene.budget / LONGEST_SHARE;
        let beside = self.beside(scene, &hits).await?;
        Ok(hits.into_iter().map(move |hit| {
            let neighbours = beside.get(&hit.message.seq).into_iter().flatten().map(Arc::as_ref);
            Unit {
                found: piece(scene, &hit.message, None, hit.confidence, longest),
                beside: neighbours
                    .map(|HotMessage { message, words }| {
                        piece(scene, message, Some(words), hit.confidence, longest.min(NEIGHBOUR_TOKENS))
                    })
                    .collect(),
            }
        }))
    }

    /// By the number of a found message: what people and assistants said just before and after it.
    async fn beside(
        &self,
        scene: &Scene<'_>,
        hits: &[RecallHit],
    ) -> Result<HashMap<u64, Vec<Arc<HotMessage>>>> {
        let first: Vec<u64> = hits.iter().take(WITH_NEIGHBOURS).map(|hit| hit.message.seq).collect();
        if first.is_empty() {
            return Ok(HashMap::new());
        }
        let hot = self.inner.hot.at(self.inner.store.as_ref(), scene.space).await?;
        let around: Vec<(u64, [Option<u64>; 2])> = hot.with(|index| {
            let talk = index.talk();
            let admitted = |place: usize| {
                let turn = talk.turn(place)?;
                let seq = talk.seq(place);
                scene.filter.admits(seq, &turn.meta).then_some(seq)
            };
            let around = first.iter().filter_map(|&seq| {
                let place = talk.place(seq)?;
                Some((seq, [talk.before(place).and_then(admitted), talk.after(place).and_then(admitted)]))
            });
            around.collect()
        });
        let mut seqs: Vec<u64> =
            around.iter().flat_map(|(_, around)| around.iter().flatten().copied()).collect();
        seqs.sort_unstable();
        seqs.dedup();
        let messages = self.inner.hot.messages(&hot, self.inner.store.as_ref(), &seqs).await?;
        let by_seq: HashMap<u64, Arc<HotMessage>> = messages
            .into_iter()
            .filter(|known| is_talk(&known.message))
            .map(|known| (known.message.seq, known))
            .collect();
        let found = |seq: &u64| by_seq.get(seq).cloned();
        Ok(around
            .iter()
            .map(|(seq, around)| (*seq, around.iter().flatten().filter_map(found).collect()))
            .collect())
    }
}

/// A message without those beside it.
fn alone(scene: &Scene<'_>, message: &Message, score: f32) -> Unit {
    Unit { found: piece(scene, message, None, score, scene.budget / LONGEST_SHARE), beside: Vec::new() }
}

/// A message as it would stand in the context: whole, or in parts if it is too long. `words` are its words, if they are known.
fn piece(
    scene: &Scene<'_>,
    message: &Message,
    words: Option<&Words>,
    score: f32,
    most_tokens: usize,
) -> Piece {
    let zone = scene.space.zones.at(message.said_at).time_zone();
    let line = |words: &str| render::turn(message, words, zone, scene.tongue);
    let piece =
        |line: String| Piece::new(message.id.to_string(), (message.said_at, message.seq), line, score);
    let whole = piece(line(&message.content));
    // Its end is not a part of it.
    if whole.tokens - 1 <= most_tokens {
        return whole;
    }
    let bare = estimate_tokens(&line(""));
    piece(line(&scene.sought.excerpt(&message.content, words, most_tokens.saturating_sub(bare))))
}
