use jiff::Timestamp;
use memoir_model::{
    Author, Block, BlockKind, Context, Error, Line, Result, SessionId, Space, SpaceId, SpaceNo,
};
use memoir_store::LatestTalk;
use memoir_text::{estimate_tokens, language};
use parking_lot::Mutex;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::excerpt::Sought;
use super::explain::ExplainedLine;
use super::pack::{Piece, pack, pack_last};
use super::render::{self, Tongue};
use super::search::{LONGEST_MESSAGE, RecallMode, check_turns};
use super::source::{Offered, Scene};
use super::sources;
use super::stages::Stages;
use crate::access::{Access, Caller};
use crate::cache::ByteCache;
use crate::engine::Engine;
use crate::layers::{Asked, History, Past, View};

/// How many spaces one context may draw from.
const MOST_SPACES: usize = 8;
/// The smallest and the largest budget.
const BUDGETS: std::ops::RangeInclusive<usize> = 64..=200_000;

/// What depends on the summaries.
const TOLD_BY_PAST: [BlockKind; 2] = [BlockKind::Summaries, BlockKind::Messages];

/// What a product asks before it replies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ContextRequest {
    /// Whose memory it is.
    pub space: Option<SpaceId>,
    /// Other spaces that may be drawn from (the user in a group, the agent), each with its share of the budget.
    pub further: Vec<SpaceId>,
    /// What was said just now.
    pub message: String,
    /// The last turns before it, oldest first, if the caller has them.
    pub turns: Vec<String>,
    /// What the session is about: what is asked for as long as nothing was said.
    pub task: Option<String>,
    /// Who says it.
    pub speaker: Option<Author>,
    /// The session that goes on; without it the one that messages without a session go to.
    pub session: Option<SessionId>,
    /// When; now, if it is not said.
    pub now: Option<Timestamp>,
    /// How many tokens the rendered text may have.
    pub budget: Option<usize>,
    /// Which blocks; all, if none is named.
    pub include: BTreeSet<BlockKind>,
    /// Only what was said before this moment.
    pub as_of: Option<Timestamp>,
    /// Only what had reached us before this moment.
    pub known_at: Option<Timestamp>,
    /// How to rank.
    pub mode: Option<RecallMode>,
    /// Whether a model may be asked for further ways of asking.
    pub ask_model: bool,
    /// Whether to say why each line is there.
    pub explain: bool,
    /// In which language to put it; that of the message, if it is not said.
    pub tongue: Option<Tongue>,
}

/// What the model should know for one reply.
#[derive(Debug, Clone)]
pub struct ContextReply {
    /// The blocks, in a stable order: what changes least comes first, so that prompt caches hit.
    pub context: Context,
    /// All of it, ready for a system prompt.
    pub text: String,
    /// About how many tokens the text has.
    pub tokens: usize,
    /// What came of it, if the message asks about past talk.
    pub history: Option<History>,
    /// Why each line is there, if that was asked.
    pub explained: Vec<ExplainedLine>,
    /// What could not be used: `no_embedder`, `no_vectors`, `other_model`, `embedder_failed`, `partial`.
    pub notes: Vec<&'static str>,
    /// How long each stage took.
    pub stages: Stages,
    /// Whether it was made before and is still true.
    pub cached: bool,
}

/// Contexts that were made lately. A context is good for one version of each of its spaces, for one caller's rights and
/// for a few minutes.
pub(crate) struct Contexts {
    known: Mutex<ByteCache<Key, (Timestamp, Arc<ContextReply>)>>,
}

/// Everything that a context depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    /// Each space with its version and the version of its vectors; their numbers are unique across tenants.
    spaces: Vec<(SpaceNo, u64, u64)>,
    /// The one space that the caller is bound to.
    bound: Option<SpaceId>,
    request: ContextRequest,
}

impl Contexts {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Contexts { known: Mutex::new(ByteCache::new(most_bytes)) }
    }

    /// Forgets everything that draws from a space.
    pub(crate) fn forget(&self, space: SpaceNo) {
        self.known.lock().retain(|key, _| key.spaces.iter().all(|(no, ..)| *no != space));
    }
}

impl ContextRequest {
    fn check(&self) -> Result<()> {
        if self.message.len() > LONGEST_MESSAGE {
            return Err(Error::invalid("message", "must be at most 65536 bytes"));
        }
        check_turns(&self.turns)?;
        if self.budget.is_some_and(|budget| !BUDGETS.contains(&budget)) {
            return Err(Error::invalid("budget", "must be 64 to 200000 tokens"));
        }
        if self.further.len() >= MOST_SPACES {
            return Err(Error::invalid("further", "must name at most 7 spaces"));
        }
        Ok(())
    }

    pub(crate) fn includes(&self, kind: BlockKind) -> bool {
        self.include.is_empty() || self.include.contains(&kind)
    }

    /// Whether something depends on the summaries.
    fn tells_of_past(&self) -> bool {
        TOLD_BY_PAST.iter().any(|kind| self.includes(*kind))
    }

    /// As of when past talk is looked at.
    fn view(&self) -> View {
        View { as_of: self.as_of, known_at: self.known_at }
    }

    /// What is asked: the message, else the task.
    fn question(&self) -> &str {
        match (self.message.trim(), &self.task) {
            ("", Some(task)) => task,
            _ => &self.message,
        }
    }
}

impl Engine {
    /// What the model should know for this reply, inside a budget.
    pub async fn context(&self, caller: &Caller, request: ContextRequest) -> Result<ContextReply> {
        request.check()?;
        let primary = request.space.clone().ok_or_else(|| Error::invalid("space", "must be named"))?;
        let mut stages = Stages::start();
        let spaces = self.context_spaces(caller, &primary, &request).await?;
        let key = Key {
            spaces: spaces.iter().map(|(space, _)| (space.no, space.version, space.vectors)).collect(),
            bound: caller.space.clone(),
            request,
        };
        stages.done("spaces");
        if let Some(known) = self.known_context(&key) {
            return Ok(ContextReply { cached: true, stages, ..known });
        }
        let reply = self.make_context(&spaces, &key.request, stages).await?;
        self.keep_context(key, &reply);
        Ok(reply)
    }

    /// The spaces that are drawn from, each with what was talked of last in it as far as that is needed.
    async fn context_spaces(
        &self,
        caller: &Caller,
        primary: &SpaceId,
        request: &ContextRequest,
    ) -> Result<Vec<(Space, LatestTalk)>> {
        let mut spaces: Vec<(Space, LatestTalk)> = Vec::with_capacity(request.further.len() + 1);
        for (nth, id) in std::iter::once(primary).chain(&request.further).enumerate() {
            let opened = if request.tells_of_past() || (nth == 0 && request.session.is_none()) {
                self.open_space_and_talk(caller, id, request.view()).await
            } else {
                let space = self.open_space(caller, Access::Read, id).await;
                space.map(|space| (space, LatestTalk::default()))
            };
            let field = || if nth == 0 { "space".to_owned() } else { format!("further[{}]", nth - 1) };
            let opened = opened.map_err(|error| error.at(field()))?;
            if spaces.iter().all(|(known, _)| known.no != opened.0.no) {
                spaces.push(opened);
            }
        }
        Ok(spaces)
    }

    async fn make_context(
        &self,
        spaces: &[(Space, LatestTalk)],
        request: &ContextRequest,
        mut stages: Stages,
    ) -> Result<ContextReply> {
        let (primary, _) = &spaces[0];
        let question = request.question();
        let now = request.now.or(request.as_of).unwrap_or_else(|| self.now());
        let tongue = request.tongue.unwrap_or_else(|| Tongue::of(language(question)));
        let budget = request.budget.unwrap_or(self.inner.settings.context_budget);
        let sought = Sought::of(question);
        let mut draft = Draft::new(primary, tongue, budget);
        if request.includes(BlockKind::Instruction) {
            draft.instruct();
        }
        let mut found = Found::default();
        let mut history = None;
        let mut shares = spaces.len() + 1;
        for (nth, (space, latest)) in spaces.iter().enumerate() {
            let filter = self.visible(space, request.as_of, request.known_at).await?;
            // The session that the request names, else the one that goes on by itself.
            let going_on = || request.session.as_ref().or(latest.open.as_ref().map(|open| &open.id));
            let session = if nth == 0 { going_on() } else { None };
            let past = if request.tells_of_past() {
                let (message, view) = (&request.message, request.view());
                let asked = Asked { message, now, tongue, view, latest, current: session };
                self.past(space, &asked).await?
            } else {
                Past::default()
            };
            stages.done("layers");
            if nth == 0 {
                history.clone_from(&past.history);
            }
            // The space that it is about has twice the share of another.
            let own = if nth == 0 { 2 } else { 1 };
            let mut allowed = draft.left() * own / shares;
            shares -= own;
            for source in sources::all().into_iter().filter(|source| request.includes(source.kind())) {
                let scene = Scene {
                    space,
                    is_primary: nth == 0,
                    request,
                    message: question,
                    sought: &sought,
                    now,
                    tongue,
                    session,
                    past: &past,
                    filter: &filter,
                    budget,
                };
                let offer = source.offer(self, &scene, &mut stages).await?;
                let most = (allowed as f32 * source.share()) as usize;
                let spent = draft.add(source.kind(), space, offer.offered, most);
                allowed = allowed.saturating_sub(spent);
                found.take(offer.nothing_relevant, offer.explained, &offer.notes);
                stages.done("pack");
            }
        }
        let (blocks, text) = draft.finish();
        stages.done("render");
        let tokens = estimate_tokens(&text);
        metrics::histogram!("memoir_context_tokens").record(tokens as f64);
        let context = Context {
            id: self.inner.ids.make(self.now(), primary.no),
            blocks,
            nothing_relevant: found.nothing_relevant.unwrap_or(false),
        };
        let Found { explained, notes, .. } = found;
        Ok(ContextReply { context, text, tokens, history, explained, notes, stages, cached: false })
    }

    fn known_context(&self, key: &Key) -> Option<ContextReply> {
        let lasts = self.inner.settings.context_cache;
        let mut known = self.inner.contexts.known.lock();
        let (made_at, reply) = known.get(key)?;
        let is_fresh = made_at.duration_until(self.now()) < lasts;
        let reply = is_fresh.then(|| reply.as_ref().clone());
        metrics::counter!("memoir_contexts_total", "found" => if is_fresh { "remembered" } else { "stale" })
            .increment(1);
        reply
    }

    fn keep_context(&self, key: Key, reply: &ContextReply) {
        metrics::counter!("memoir_contexts_total", "found" => "made").increment(1);
        if !self.inner.settings.context_cache.is_positive() || key.request.explain {
            return;
        }
        let lines: usize = reply
            .context
            .blocks
            .iter()
            .flat_map(|block| &block.lines)
            .map(|line| line.text.len() + 128)
            .sum();
        let bytes = reply.text.len() + lines + key.request.message.len() + 1024;
        self.inner.contexts.known.lock().insert(key, (self.now(), Arc::new(reply.clone())), bytes);
    }
}

/// What the sources said besides their lines.
#[derive(Default)]
struct Found {
    /// Whether none of those that looked found anything.
    nothing_relevant: Option<bool>,
    explained: Vec<ExplainedLine>,
    notes: Vec<&'static str>,
}

impl Found {
    fn take(&mut self, nothing: Option<bool>, explained: Vec<ExplainedLine>, notes: &[&'static str]) {
        if let Some(nothing) = nothing {
            self.nothing_relevant = Some(self.nothing_relevant.unwrap_or(true) && nothing);
        }
        self.explained.extend(explained);
        for note in notes {
            if !self.notes.contains(note) {
                self.notes.push(note);
            }
        }
    }
}

/// A context being made.
struct Draft<'a> {
    primary: &'a Space,
    tongue: Tongue,
    budget: usize,
    spent: usize,
    /// Each with the text that it makes.
    blocks: Vec<(Block, String)>,
    /// By space: what is shown already.
    shown: HashMap<SpaceNo, HashSet<String>>,
}

impl<'a> Draft<'a> {
    fn new(primary: &'a Space, tongue: Tongue, budget: usize) -> Self {
        Draft { primary, tongue, budget, spent: 0, blocks: Vec::new(), shown: HashMap::new() }
    }

    fn left(&self) -> usize {
        self.budget.saturating_sub(self.spent)
    }

    /// Says how to use the rest, if there is room for that and for something to use.
    fn instruct(&mut self) {
        let text = render::instruction(self.tongue);
        let tokens = estimate_tokens(text) + 2;
        if tokens * 2 <= self.budget {
            let line = Line { text: text.to_owned(), sources: Vec::new(), at: None, score: 1.0 };
            let space = self.primary.id.clone();
            let block = Block { kind: BlockKind::Instruction, space, lines: vec![line] };
            self.blocks.push((block, text.to_owned()));
            self.spent += tokens;
        }
    }

    /// Adds what fits of what a source offers. Returns how many tokens it took.
    fn add(&mut self, kind: BlockKind, space: &Space, offered: Offered<'_>, most: usize) -> usize {
        let block = |lines| Block { kind, space: space.id.clone(), lines };
        let frame = estimate_tokens(&render::block(&block(Vec::new()), &self.primary.id, self.tongue)) + 3;
        let shown = self.shown.entry(space.no).or_default();
        let room = most.min(self.budget.saturating_sub(self.spent)).saturating_sub(frame);
        let pieces = match offered {
            Offered::Ranked(units) => pack(units, room, shown),
            Offered::Last(turns) => pack_last(turns, room, shown),
        };
        if pieces.is_empty() {
            return 0;
        }
        let line = |Piece { id, at, line, score, .. }: Piece| Line {
            text: line,
            sources: vec![id],
            at: Some(at.0),
            score: f64::from(score),
        };
        let block = block(pieces.into_iter().map(line).collect());
        let text = render::block(&block, &self.primary.id, self.tongue);
        let spent = estimate_tokens(&text) + 3;
        self.blocks.push((block, text));
        self.spent += spent;
        spent
    }

    /// The blocks in their order, and the text that they make.
    fn finish(mut self) -> (Vec<Block>, String) {
        // Stable, so that the spaces of a kind stay in the caller's order.
        self.blocks.sort_by_key(|(block, _)| block.kind);
        let has_lines = self.blocks.iter().any(|(block, _)| block.kind != BlockKind::Instruction);
        if !has_lines {
            return (Vec::new(), String::new());
        }
        let (blocks, parts): (Vec<Block>, Vec<String>) = self.blocks.into_iter().unzip();
        (blocks, parts.join("\n\n"))
    }
}
