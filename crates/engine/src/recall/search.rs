use jiff::Timestamp;
use memoir_index::{Filter, Work};
use memoir_model::{Author, Error, Message, MessageState, Result, Space, SpaceId};
use memoir_when::Convention;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::candidates::{Candidate, Candidates, Inquiry, candidates, is_quick};
use super::explain::{ExplainedLine, explain};
use super::fuse::fuse;
use super::occasion::Occasion;
use super::queries::{Purpose, Wanted, queries};
use super::ranking::Table;
use super::signals::{Signal, Signals};
use super::stages::Stages;
use super::understand::Understanding;
use super::wording::Wording;
use crate::access::{Access, Caller};
use crate::embedding::{Meanings, Unavailable};
use crate::engine::Engine;
use crate::search::{HotMessage, HotSpace, author_hash};

/// How many of the best are read word by word.
const READ: usize = 60;
/// Fewer messages than this are too few to tell what is usual among them.
const FEW_ROWS: usize = 40;
/// How near in meaning a message must be to matter among so few.
const NEAR_AMONG_FEW: f32 = 0.15;
/// The longest message that is recalled for, in bytes.
pub(crate) const LONGEST_MESSAGE: usize = 64 * 1024;
/// How many turns before the message a caller may send along.
const MOST_TURNS: usize = 64;

/// How a recall ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RecallMode {
    /// By everything that is known.
    #[default]
    Full,
    /// By the words alone, as a plain search does: the way back if the other disappoints (B9).
    Keyword,
}

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct RecallRequest {
    /// What was said.
    pub message: String,
    /// The last turns before it, oldest first.
    pub turns: Vec<String>,
    /// Who says it.
    pub speaker: Option<Author>,
    /// When; now, if it is not said.
    pub now: Option<Timestamp>,
    /// Only what was said before this moment.
    pub as_of: Option<Timestamp>,
    /// Only what had reached us before this moment.
    pub known_at: Option<Timestamp>,
    /// How to rank; as the settings say, if it is not said.
    pub mode: Option<RecallMode>,
    /// Whether a model may be asked for further ways of asking.
    pub ask_model: bool,
    /// Whether to say why each message is there.
    pub explain: bool,
    /// How many at most.
    pub limit: usize,
}

impl RecallRequest {
    /// How many messages one recall gives at most.
    pub const MOST: usize = 200;
}

/// A message that may matter now.
#[derive(Debug, Clone)]
pub struct RecallHit {
    /// The message.
    pub message: Arc<Message>,
    /// How well it fits; comparable within one recall.
    pub score: f32,
    /// How likely it is to matter; 0 to 1, comparable across recalls. Where words alone were ranked, the share of the best.
    pub confidence: f32,
    /// What speaks for and against it.
    pub signals: Signals,
}

/// What a recall found.
#[derive(Debug, Clone)]
pub struct Recall {
    /// The best first.
    pub hits: Vec<RecallHit>,
    /// None of them deserves its tokens.
    pub nothing_relevant: bool,
    /// On what occasion; none when the space is empty.
    pub occasion: Option<Occasion>,
    /// Why meaning was not compared, if it was not.
    pub unavailable: Option<Unavailable>,
    /// The space is so large that only its newest messages were looked at.
    pub partial: bool,
    /// For each hit why it is there, if that was asked.
    pub explained: Vec<ExplainedLine>,
    /// How long each stage took.
    pub stages: Stages,
    /// What it cost.
    pub work: Work,
}

/// A message on its way through the stages.
struct Quest {
    understanding: Understanding,
    /// Where the message names somebody who speaks in the space.
    spoken: Vec<Range<usize>>,
    /// Who that is.
    about: Vec<u64>,
    queries: Vec<Wanted>,
    now: Timestamp,
    filter: Filter,
}

/// What came of it.
struct Found {
    quest: Quest,
    candidates: Candidates,
    hits: Vec<Ranked>,
    unavailable: Option<Unavailable>,
}

impl Engine {
    /// The messages of a space that matter for a message, the best first.
    pub async fn recall(&self, caller: &Caller, space: &SpaceId, request: RecallRequest) -> Result<Recall> {
        if request.message.len() > LONGEST_MESSAGE {
            return Err(Error::invalid("message", "must be at most 65536 bytes"));
        }
        if request.message.trim().is_empty() {
            return Err(Error::invalid("message", "must say what to look for"));
        }
        check_turns(&request.turns)?;
        if !(1..=RecallRequest::MOST).contains(&request.limit) {
            return Err(Error::invalid("limit", "must be 1 to 200"));
        }
        let space = self.open_space(caller, Access::Read, space).await?;
        let filter = self.visible(&space, request.as_of, request.known_at).await?;
        self.recall_in(&space, &request, filter).await
    }

    /// Which messages existed at a moment, and which of them were known at another.
    pub(crate) async fn visible(
        &self,
        space: &Space,
        as_of: Option<Timestamp>,
        known_at: Option<Timestamp>,
    ) -> Result<Filter> {
        let mut filter = Filter { until: as_of.map(Timestamp::as_microsecond), ..Filter::default() };
        if let Some(known_at) = known_at {
            // Messages are numbered as they arrive, so that those known by then come first.
            let (mut known, mut unknown) = (0, space.last_seq + 1);
            while known + 1 < unknown {
                let middle = known + (unknown - known) / 2;
                let message = self.inner.store.messages_at(&space.key(), &[middle]).await?;
                let was_known = message.first().is_none_or(|message| message.recorded_at < known_at);
                if was_known { known = middle } else { unknown = middle }
            }
            filter.seqs = Some(0..unknown);
        }
        Ok(filter)
    }

    pub(crate) async fn recall_in(
        &self,
        space: &Space,
        request: &RecallRequest,
        filter: Filter,
    ) -> Result<Recall> {
        let mut stages = Stages::start();
        let mode = request.mode.unwrap_or(self.inner.settings.recall_mode);
        let Found { quest, candidates, mut hits, unavailable } =
            self.find(space, request, filter, mode, &mut stages).await?;
        let table = self.inner.settings.ranking.table(candidates.occasion, candidates.by_meaning);
        let nothing_relevant = match mode {
            RecallMode::Full => is_nothing(table, &hits, candidates.rows),
            RecallMode::Keyword => hits.is_empty(),
        };
        if mode == RecallMode::Full {
            self.rerank(&request.message, &mut hits).await;
            stages.done("rerank");
        }
        hits.truncate(request.limit.min(RecallRequest::MOST));
        let explained = hits.iter().filter(|_| request.explain);
        let explained = explained.map(|ranked| explain(&space.id, ranked, &quest.queries, table)).collect();
        stages.done("explain");
        Ok(Recall {
            hits: hits.into_iter().map(|(hit, _)| hit).collect(),
            nothing_relevant,
            occasion: candidates.occasion,
            unavailable,
            partial: self.inner.hot.exceeds(space),
            explained,
            stages,
            work: candidates.work,
        })
    }

    /// From a message to its ranked hits.
    async fn find(
        &self,
        space: &Space,
        request: &RecallRequest,
        filter: Filter,
        mode: RecallMode,
        stages: &mut Stages,
    ) -> Result<Found> {
        let now = request.now.or(request.as_of).unwrap_or_else(|| self.now());
        let zone = space.zones.at(now).time_zone().clone();
        let understanding = Understanding::of(&request.message, now, &zone, Convention::default());
        stages.done("understand");
        let hot = self.inner.hot.at(self.inner.store.as_ref(), space).await?;
        stages.done("open");
        let (spoken, about) = speakers(&hot, &understanding, request.speaker.as_ref());
        let asked = if request.ask_model && mode == RecallMode::Full {
            self.questions_about(&space.tenant, &request.message, &request.turns).await
        } else {
            Vec::new()
        };
        let queries = match mode {
            RecallMode::Full => queries(&understanding, &spoken, &request.turns, asked.clone()),
            RecallMode::Keyword => {
                queries(&understanding, &[], &[], Vec::new()).into_iter().take(1).collect()
            }
        };
        stages.done("queries");
        let (meanings, unavailable) = match mode {
            RecallMode::Full => self.meanings_of(&hot, space, &queries).await?,
            RecallMode::Keyword => (None, None),
        };
        stages.done("embed");
        let quest = Quest { understanding, spoken, about, queries, now, filter };
        let most = READ.max(request.limit.min(RecallRequest::MOST));
        let (quest, mut candidates) = self.candidates(&hot, quest, meanings, mode, most).await?;
        stages.done("candidates");
        let mut hits = self.read(&hot, &quest, &mut candidates, mode).await?;
        stages.done("read");
        if !asked.is_empty() {
            self.join(space, request, &asked, &quest, &mut hits).await?;
            stages.done("fuse");
        }
        Ok(Found { quest, candidates, hits, unavailable })
    }

    /// Ranks for each question that a model made of the message, and fuses the lists: found in many comes first (B5).
    async fn join(
        &self,
        space: &Space,
        request: &RecallRequest,
        asked: &[String],
        quest: &Quest,
        hits: &mut Vec<Ranked>,
    ) -> Result<()> {
        let mut ranks: HashMap<u64, Vec<u16>> = HashMap::new();
        let mut note = |seq: u64, nth: usize| {
            ranks.entry(seq).or_default().push(u16::try_from(nth + 1).unwrap_or(u16::MAX));
        };
        hits.iter().enumerate().for_each(|(nth, (hit, _))| note(hit.message.seq, nth));
        for question in asked {
            let further = RecallRequest {
                message: question.clone(),
                turns: Vec::new(),
                ask_model: false,
                ..request.clone()
            };
            let (filter, mut apart) = (quest.filter.clone(), Stages::start());
            let found = Box::pin(self.find(space, &further, filter, RecallMode::Full, &mut apart)).await?;
            for (nth, (hit, _)) in found.hits.into_iter().enumerate() {
                note(hit.message.seq, nth);
                if hits.iter().all(|(known, _)| known.message.seq != hit.message.seq) {
                    hits.push((hit, vec![(None, None); quest.queries.len()]));
                }
            }
        }
        for (hit, _) in hits.iter_mut() {
            hit.score = fuse(ranks.get(&hit.message.seq).into_iter().flatten().copied());
        }
        sort(hits);
        Ok(())
    }

    /// The vectors of those queries that say something in whole sentences.
    async fn meanings_of(
        &self,
        hot: &Arc<HotSpace>,
        space: &Space,
        queries: &[Wanted],
    ) -> Result<(Option<Meanings>, Option<Unavailable>)> {
        let texts: Vec<&str> =
            queries.iter().filter(|query| query.purpose.is_said()).map(|query| query.text.as_str()).collect();
        Ok(match self.meanings(hot, space, &texts).await? {
            Ok(meanings) => (Some(meanings), None),
            Err(why) => (None, Some(why)),
        })
    }

    /// Looks for what may matter and keeps so many of the best; away from the async workers, if it takes a while.
    async fn candidates(
        &self,
        hot: &Arc<HotSpace>,
        quest: Quest,
        meanings: Option<Meanings>,
        mode: RecallMode,
        most: usize,
    ) -> Result<(Quest, Candidates)> {
        let (hot, ranking) = (hot.clone(), self.inner.settings.ranking.clone());
        let generation = meanings.as_ref().map(|meanings| &meanings.generation);
        let quick = hot.with_vectors_of(generation, is_quick);
        let search = move || {
            if mode == RecallMode::Keyword {
                let found =
                    hot.with(|index| Candidates::by_words(index, &quest.queries, &quest.filter, most));
                return (quest, found);
            }
            let (generation, vectors) = match meanings {
                Some(Meanings { generation, vectors }) => (Some(generation), vectors),
                None => (None, Vec::new()),
            };
            let mut vectors = vectors.into_iter();
            let meanings: Vec<Option<Arc<[f32]>>> = quest
                .queries
                .iter()
                .map(|query| if query.purpose.is_said() { vectors.next() } else { None })
                .collect();
            let inquiry = Inquiry {
                understanding: &quest.understanding,
                queries: &quest.queries,
                meanings: &meanings,
                about: &quest.about,
                filter: &quest.filter,
                now: quest.now.as_microsecond(),
                ranking: &ranking,
                most,
            };
            let found = hot
                .with_vectors_of(generation.as_ref(), |index, vectors| candidates(index, vectors, &inquiry));
            (quest, found)
        };
        if quick {
            return Ok(search());
        }
        tokio::task::spawn_blocking(search).await.map_err(|_| Error::internal("the recall was cut short"))
    }

    /// Takes the candidates, reads them word by word and puts them in order.
    async fn read(
        &self,
        hot: &HotSpace,
        quest: &Quest,
        found: &mut Candidates,
        mode: RecallMode,
    ) -> Result<Vec<Ranked>> {
        let candidates = std::mem::take(&mut found.found);
        let seqs: Vec<u64> = candidates.iter().map(|candidate| candidate.seq).collect();
        let messages = self.inner.hot.messages(hot, self.inner.store.as_ref(), &seqs).await?;
        let mut messages: HashMap<u64, Arc<HotMessage>> =
            messages.into_iter().map(|known| (known.message.seq, known)).collect();
        let mut read: Vec<(Candidate, Arc<HotMessage>)> = candidates
            .into_iter()
            .filter_map(|candidate| messages.remove(&candidate.seq).map(|known| (candidate, known)))
            .filter(|(_, known)| known.message.state == MessageState::Active)
            .collect();
        if mode == RecallMode::Full {
            Wording::new(&quest.understanding, &quest.spoken).weigh(&mut read);
        }
        let table = self.inner.settings.ranking.table(found.occasion, found.by_meaning);
        let most_words = read.iter().map(|(candidate, _)| candidate.words).fold(f32::MIN_POSITIVE, f32::max);
        let mut ranked: Vec<Ranked> = read
            .into_iter()
            .map(|(Candidate { signals, ranks, words, .. }, known)| {
                let (score, confidence) = match mode {
                    RecallMode::Full => (table.score(&signals), table.confidence(&signals)),
                    RecallMode::Keyword => (words, words / most_words),
                };
                (RecallHit { message: known.message.clone(), score, confidence, signals }, ranks)
            })
            .collect();
        sort(&mut ranked);
        Ok(ranked)
    }
}

/// The turns before a message must not be more than anybody reads.
pub(crate) fn check_turns(turns: &[String]) -> Result<()> {
    let bytes: usize = turns.iter().map(String::len).sum();
    if turns.len() > MOST_TURNS || bytes > LONGEST_MESSAGE {
        return Err(Error::invalid("turns", "must be at most 64 turns and 65536 bytes; send the last ones"));
    }
    Ok(())
}

/// The best first, and of equals the newer one.
pub(crate) fn sort(hits: &mut [Ranked]) {
    hits.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score).then(b.message.seq.cmp(&a.message.seq)));
}

/// Whether nothing that was found deserves its tokens.
fn is_nothing(table: &Table, hits: &[Ranked], rows: usize) -> bool {
    let signals: Vec<&Signals> = hits.iter().take(READ).map(|(hit, _)| &hit.signals).collect();
    if signals.iter().any(|signals| signals.get(Signal::LookedUp) > 0.0) {
        return false;
    }
    if rows >= FEW_ROWS {
        return table.is_nothing(&signals);
    }
    // Among a few messages nothing is usual yet: whatever shares a word or stands out by its meaning may matter.
    let speaks = |signals: &&Signals| {
        signals.get(Signal::Coverage) > 0.0 || signals.get(Signal::Near) > NEAR_AMONG_FEW
    };
    !signals.iter().any(speaks)
}

/// A hit and its rank by words and by meaning in each query.
pub(crate) type Ranked = (RecallHit, Vec<(Option<u16>, Option<u16>)>);

impl Purpose {
    /// Whether its text is something that somebody would say, and so has a meaning worth comparing.
    fn is_said(self) -> bool {
        matches!(
            self,
            Purpose::Message | Purpose::Talk | Purpose::Question | Purpose::KeyPhrases | Purpose::Asked
        )
    }
}

/// Where the message names somebody who speaks in the space, and who that is. Somebody who speaks of themselves is meant
/// as well.
fn speakers(
    hot: &HotSpace,
    understanding: &Understanding,
    speaker: Option<&Author>,
) -> (Vec<Range<usize>>, Vec<u64>) {
    let mut spoken = Vec::new();
    let mut about = Vec::new();
    hot.with(|index| {
        let talk = index.talk();
        if talk.authors() < 2 {
            return;
        }
        for span in understanding.possible_names() {
            let Some(name) = understanding.text.get(span.clone()) else { continue };
            if let Some(author) =
                spellings(name).map(|name| author_hash(&name)).find(|&hash| talk.has_author(hash))
            {
                spoken.push(span);
                if !about.contains(&author) {
                    about.push(author);
                }
            }
        }
        if let Some(author) = speaker.map(|speaker| author_hash(speaker.as_str()))
            && understanding.of_speaker
            && talk.has_author(author)
            && !about.contains(&author)
        {
            about.push(author);
        }
    });
    (spoken, about)
}

/// How an id may be spelled by people: as it is, in small letters, with a capital.
fn spellings(name: &str) -> impl Iterator<Item = String> {
    let name = name.trim_start_matches('@');
    let lower = name.to_lowercase();
    let mut letters = lower.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>());
    [Some(name.to_owned()), Some(lower.clone()), capital].into_iter().flatten()
}
