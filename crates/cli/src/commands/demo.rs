use clap::Args;
use memoir_engine::{
    BackfillProgress, BackfillRequest, Caller, ContextRequest, Edit, Engine, EngineSettings, HistoryFound,
    Models, NewMessage, ReceiptStatus, SearchRequest, SpacePatch, SystemClock, TalkRole as Role,
    TimelineRequest, Turn,
};
use memoir_model::{BlockKind, MessageId, SpaceId, Speaker, SummaryLevel, TenantId};
use memoir_sqlite::{Options, SqliteStore};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::embedding;
use crate::models;
use crate::output::{Output, message_line};
use crate::reranking;
use crate::settings::{Database, Settings, without_password};
use crate::wiring;

#[derive(Args)]
pub(crate) struct Demo {}

/// The sample: whose memory, in which zone, with which taste, and what was said.
const SAMPLE: &[(&str, &str, &str, &str)] = &[
    ("user:chen-wei", "Asia/Shanghai", "consult", include_str!("../../sample/consult.ndjson")),
    ("user:maya", "America/New_York", "coach", include_str!("../../sample/coach.ndjson")),
    ("group:launch-crew", "Asia/Shanghai", "general", include_str!("../../sample/group.ndjson")),
    ("user:lin", "Asia/Taipei", "reading", include_str!("../../sample/reader.ndjson")),
];

/// What is searched for, and what it shows.
const SEARCHES: &[(&str, &str, &str)] = &[
    ("user:chen-wei", "头孢过敏", "a two-character word inside a longer one"),
    ("user:chen-wei", "血红蛋白", "only in the caption of a picture"),
    ("user:maya", "IT band or meniscus", "English, stemmed and ranked"),
    ("user:maya", "clocks changed", "the night the clocks went back"),
    ("group:launch-crew", "发布改到11月3日", "Chinese and digits in a mixed group"),
    ("group:launch-crew", "老用户价格", "who decided what about prices"),
    ("user:lin", "还书日期", "simplified words find a traditional message"),
];

/// What is looked for by meaning: other words, or another language, than those of the message.
const MEANINGS: &[(&str, &str)] = &[
    ("user:maya", "which part of my leg hurts"),
    ("group:launch-crew", "when do we ship"),
    ("user:chen-wei", "不能吃什么药"),
];

/// Who asks what before a reply, and when.
const QUESTIONS: &[(&str, &str, &str)] = &[
    ("user:maya", "When do I have to send the draft to Tess?", "2026-11-12T09:00:00-05:00"),
    ("user:chen-wei", "牙医要给我开药，我对什么药过敏？", "2026-11-13T10:00:00+08:00"),
];

/// Who asks about the day before, and when.
const YESTERDAYS: &[(&str, &str, &str)] = &[
    ("user:chen-wei", "昨天我们聊了什么？", "2026-11-13T10:00:00+08:00"),
    ("user:maya", "What did we talk about yesterday?", "2026-11-11T09:00:00-05:00"),
];

/// How many days of the timeline are shown.
const DAYS_SHOWN: usize = 4;

/// How many tokens the contexts of the tour have.
const BUDGET: usize = 320;

/// How long the tour waits for vectors.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sentences that speak of times, said on a Wednesday noon.
const TIMES: &[&str] = &[
    "上周五下午我们聊了什么？",
    "what did I tell you about my knee the weekend before last?",
    "3号到5号的记录",
    "since Thanksgiving",
    "昨晚两点我又醒了",
    "a week ago Saturday",
];

/// The sample in a store, and who walks through it.
struct Tour {
    engine: Engine,
    caller: Caller,
    output: Output,
    /// What finds by meaning, or why nothing does.
    embedder: String,
}

impl Demo {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let chosen = embedding::open(settings).await?;
        let embedder = chosen.told.clone();
        let models = Models {
            embedders: chosen.into_embedders()?,
            registry: Some(models::registry(settings)?),
            reranker: reranking::open(settings).await?.current,
        };
        match settings.database() {
            Database::Sqlite(_) => {
                let folder = tempfile::Builder::new().prefix("memoir-demo-").tempdir()?;
                let store = SqliteStore::open(&Options::at(folder.path().join("memoir.db")))?;
                let clock = Arc::new(SystemClock);
                let engine = Engine::with_models(Arc::new(store), clock, EngineSettings::default(), models);
                let caller = Caller::local(TenantId::default_tenant(), "demo");
                Tour { engine, caller, output, embedder }.walk().await?;
                output.line("\nThat was a temporary store; it is gone. `memoir serve` starts a real one.");
            }
            Database::Postgres(url) => {
                let engine = wiring::open_with(settings, models).await?.engine;
                let tenant = TenantId::new(format!("demo-{}", std::process::id()))?;
                output.line(&format!("In {}, as the tenant {tenant}.", without_password(url)));
                let tour = Tour { engine, caller: Caller::local(tenant, "demo"), output, embedder };
                let walked = tour.walk().await;
                for (space, ..) in SAMPLE {
                    drop(tour.engine.erase_space(&tour.caller, &space.parse()?).await);
                }
                walked?;
                output.line("\nWhat the tour stored is erased again; its audit log says so.");
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Tour {
    async fn walk(&self) -> anyhow::Result<()> {
        let remembered = self.remember().await?;
        let searched = self.search().await?;
        let meant = self.meaning().await?;
        let recalled = self.recall().await?;
        let times = self.times();
        let days = self.days().await?;
        let layers = self.layers().await?;
        let summary = self.summary().await?;
        let window = self.window().await?;
        let revised = self.revise().await?;
        if self.output.is_json() {
            let all = json!({ "remember": remembered, "search": searched, "meaning": meant, "recall": recalled,
                "times": times, "days": days, "layers": layers, "summary": summary, "window": window, "revise": revised });
            self.output.result(&all, String::new)?;
        }
        Ok(())
    }

    fn heading(&self, text: &str) {
        self.output.line(&format!("\n── {text} ──"));
    }

    async fn remember(&self) -> anyhow::Result<Value> {
        self.heading("remember: every message once, acknowledged when it is on disk");
        let mut shown = Vec::new();
        for (space, zone, preset, lines) in SAMPLE {
            let id: SpaceId = space.parse()?;
            let patch =
                SpacePatch { zone: Some(zone.parse()?), preset: Some(preset.parse()?), metadata: None };
            self.engine.put_space(&self.caller, &id, patch).await?;
            let messages = sample(lines)?;
            let started = Instant::now();
            let receipts = self.engine.remember(&self.caller, messages.into_iter().map(Ok).collect()).await?;
            let elapsed = started.elapsed();
            let created = receipts.iter().filter(|receipt| receipt.status == ReceiptStatus::Created).count();
            let sessions = self.engine.space(&self.caller, &id).await?.last_session;
            self.output.line(&format!(
                "{space:18} {created:3} messages, {sessions:2} sessions, zone {zone:16} {:.1} ms",
                elapsed.as_secs_f64() * 1e3
            ));
            shown.push(json!({ "space": space, "created": created, "sessions": sessions }));
        }
        let (space, _, _, lines) = SAMPLE[0];
        let again = self.engine.remember(&self.caller, sample(lines)?.into_iter().map(Ok).collect()).await?;
        let existed = again.iter().filter(|receipt| receipt.status == ReceiptStatus::Exists).count();
        self.output.line(&format!("{space:18} sent again: {existed} exist already, nothing is stored twice"));
        Ok(json!(shown))
    }

    async fn search(&self) -> anyhow::Result<Value> {
        self.heading("search: inside one space, Chinese and English alike");
        let mut shown = Vec::new();
        for (space, query, note) in SEARCHES {
            let request = SearchRequest { query: (*query).into(), limit: 1, ..SearchRequest::default() };
            let started = Instant::now();
            let page = self.engine.search_messages(&self.caller, &space.parse()?, request).await?;
            let elapsed = started.elapsed();
            let Some(hit) = page.hits.first() else { continue };
            self.output.line(&format!("{space}  “{query}”  ({note}; {:.2} ms)", elapsed.as_secs_f64() * 1e3));
            self.output.line(&format!("    {}", message_line(&hit.message)));
            self.output.line(&format!("    {}", marked(hit)));
            shown
                .push(json!({ "space": space, "query": query, "found": hit.message.id, "score": hit.score }));
        }
        Ok(json!(shown))
    }

    async fn meaning(&self) -> anyhow::Result<Value> {
        self.heading("by meaning: what says the same in other words");
        self.output.line(&format!("embedder: {}", self.embedder));
        let workers = self.engine.start_workers();
        let mut shown = Vec::new();
        for (space, query) in MEANINGS {
            let request = SearchRequest { query: (*query).into(), limit: 1, ..SearchRequest::default() };
            let space: SpaceId = space.parse()?;
            let begun = Instant::now();
            while self.fills(&space).await? && begun.elapsed() < PATIENCE {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let page = self.engine.nearest_messages(&self.caller, &space, request).await?;
            let Some(hit) = page.hits.first() else { continue };
            self.output.line(&format!(
                "{space}  “{query}”  ({:.2})\n    {}",
                hit.score,
                message_line(&hit.message)
            ));
            shown
                .push(json!({ "space": space, "query": query, "found": hit.message.id, "score": hit.score }));
        }
        workers.drain(Duration::from_secs(5)).await;
        Ok(json!(shown))
    }

    /// Whether vectors of a space are still being made.
    async fn fills(&self, space: &SpaceId) -> anyhow::Result<bool> {
        let jobs = self.engine.jobs(&self.caller, Some(space), None, None, 50).await?;
        Ok(jobs.iter().any(|job| job.kind.as_ref() == "embed"))
    }

    fn times(&self) -> Value {
        self.heading("times: what people mean, on a Wednesday noon (2026-01-07)");
        let now = jiff::civil::date(2026, 1, 7).at(12, 0, 0, 0);
        let mut shown = Vec::new();
        for text in TIMES {
            let asks = if memoir_when::intent(text).history { "; asks about past talk" } else { "" };
            for found in memoir_when::find(text, now, memoir_when::Prefer::Past) {
                let side = |at: Option<jiff::civil::DateTime>| {
                    at.map_or("…".into(), |at| at.strftime("%F %H:%M").to_string())
                };
                let (start, end) = (side(found.reading.start), side(found.reading.end));
                self.output.line(&format!("“{text}”  {start} – {end}{asks}"));
                shown.push(json!({ "text": text, "start": start, "end": end }));
            }
        }
        json!(shown)
    }

    async fn recall(&self) -> anyhow::Result<Value> {
        self.heading("recall: what the model should know before it replies, inside a budget");
        let mut shown = Vec::new();
        for (space, message, now) in QUESTIONS {
            let request = ContextRequest {
                space: Some(space.parse()?),
                message: (*message).to_owned(),
                now: Some(now.parse()?),
                budget: Some(BUDGET),
                include: [BlockKind::Instruction, BlockKind::Messages].into(),
                ..ContextRequest::default()
            };
            let started = Instant::now();
            let reply = self.engine.context(&self.caller, request).await?;
            let elapsed = started.elapsed();
            self.output.line(&format!(
                "{space}: {message}  ({} of {BUDGET} tokens, {:.1} ms)",
                reply.tokens,
                elapsed.as_secs_f64() * 1e3
            ));
            for line in reply.text.lines() {
                self.output.line(&format!("    {line}"));
            }
            let lines = reply.context.blocks.iter().flat_map(|block| &block.lines);
            let sources: Vec<&String> = lines.flat_map(|line| &line.sources).collect();
            shown.push(
                json!({ "space": space, "message": message, "tokens": reply.tokens, "sources": sources }),
            );
        }
        Ok(json!(shown))
    }

    async fn summary(&self) -> anyhow::Result<Value> {
        self.heading("what is worth remembering of a talk: by a model if there is one, else by rules");
        let space: SpaceId = "user:chen-wei".parse()?;
        let messages =
            self.engine.messages(&self.caller, &space, None, memoir_engine::MessageQuery::all(12)).await?;
        let turns: Vec<Turn<'_>> = messages
            .iter()
            .map(|message| Turn {
                speaker: message.author.as_str(),
                role: if message.role == Speaker::User { Role::User } else { Role::Assistant },
                text: &message.content,
            })
            .collect();
        let summary = self.engine.memory_summary(&self.caller.tenant, &turns).await;
        self.output.line(&format!("{space}: {}", summary.as_deref().unwrap_or("nothing")));
        Ok(json!(summary))
    }

    async fn days(&self) -> anyhow::Result<Value> {
        self.heading("time belongs to the user: one talk, two local days");
        let query = memoir_engine::MessageQuery::all(500);
        let mut shown = Vec::new();
        for (space, session_note) in
            [("user:chen-wei", "past midnight in Shanghai"), ("user:maya", "as the clocks go back")]
        {
            let messages = self.engine.messages(&self.caller, &space.parse()?, None, query.clone()).await?;
            let turn = messages.windows(2).find(|pair| {
                pair[0].session == pair[1].session
                    && (pair[0].local.date != pair[1].local.date
                        || pair[0].local.offset_seconds != pair[1].local.offset_seconds)
            });
            if let Some([before, after]) = turn {
                self.output.line(&format!("{space}: {session_note}"));
                self.output.line(&format!("    {}\n    {}", message_line(before), message_line(after)));
                shown.push(json!({ "space": space, "before": before.local.date, "after": after.local.date }));
            }
        }
        Ok(json!(shown))
    }

    /// What was said is summed up, and read when somebody asks.
    async fn layers(&self) -> anyhow::Result<Value> {
        self.heading("layers: what each day came to, ready when somebody asks");
        let mut shown = Vec::new();
        for (name, question, now) in YESTERDAYS {
            let space: SpaceId = name.parse()?;
            let made = self.fill(&space).await?;
            let days = self.timeline(&space).await?;
            let (found, told) = self.yesterday(&space, question, now.parse()?).await?;
            shown.push(json!({ "space": name, "made": made.made, "days": days, "message": question,
                "found": found.map(HistoryFound::as_str), "told": told }));
        }
        Ok(json!(shown))
    }

    /// Makes at once what a server makes every night.
    async fn fill(&self, space: &SpaceId) -> anyhow::Result<BackfillProgress> {
        let started = Instant::now();
        let request = BackfillRequest::default();
        let made = self.engine.backfill(&self.caller, space, request, &mut |_| {}).await?;
        let elapsed = started.elapsed().as_secs_f64() * 1e3;
        self.output.line(&format!(
            "{space}: {} sessions, days, weeks and months summed up in {elapsed:.0} ms; the last days:",
            made.made
        ));
        Ok(made)
    }

    /// The last days, each in one line; the last of all with what its first sentence rests on.
    async fn timeline(&self, space: &SpaceId) -> anyhow::Result<usize> {
        let request =
            TimelineRequest { grain: SummaryLevel::Day, from: None, to: None, after: None, limit: 500 };
        let days = self.engine.timeline(&self.caller, space, request).await?.summaries;
        for day in days.iter().rev().take(DAYS_SHOWN).rev() {
            self.output.line(&format!("    {}  {}", day.period.key(), day.headline));
        }
        let last = days.last().and_then(|day| day.period.days());
        if let Some((date, _)) = last
            && let Some(summary) = self.engine.day(&self.caller, space, date).await?.summary
            && let Some(line) = summary.lines.first()
        {
            let seqs = line.sources.iter().copied().collect();
            let ids = self.engine.message_ids(&self.caller, space, &seqs).await?;
            let ids: Vec<String> =
                line.sources.iter().filter_map(|seq| Some(ids.get(seq)?.to_string())).collect();
            self.output.line(&format!("    {date}  “{}” rests on {}", line.text, ids.join(", ")));
        }
        Ok(days.len())
    }

    /// Asks about the day before, and shows by what it is answered.
    async fn yesterday(
        &self,
        space: &SpaceId,
        question: &str,
        now: jiff::Timestamp,
    ) -> anyhow::Result<(Option<HistoryFound>, Vec<String>)> {
        let request = ContextRequest {
            space: Some(space.clone()),
            message: question.to_owned(),
            now: Some(now),
            include: [BlockKind::Summaries].into(),
            ..ContextRequest::default()
        };
        let started = Instant::now();
        let reply = self.engine.context(&self.caller, request).await?;
        let elapsed = started.elapsed().as_secs_f64() * 1e3;
        let found = reply.history.map(|history| history.found);
        let lines = reply.context.blocks.into_iter().flat_map(|block| block.lines);
        let told: Vec<String> = lines.map(|line| line.text).collect();
        self.output.line(&format!(
            "  {question}  (no model asked, {elapsed:.1} ms, summaries: {})",
            found.map_or("none", HistoryFound::as_str)
        ));
        for line in &told {
            self.output.line(&format!("    {line}"));
        }
        Ok((found, told))
    }

    async fn window(&self) -> anyhow::Result<Value> {
        self.heading("window: the end of the last session, for the next reply");
        let space: SpaceId = "user:lin".parse()?;
        let sessions = self.engine.sessions(&self.caller, &space, None, 1).await?;
        let Some(session) = sessions.first() else { return Ok(Value::Null) };
        let window = self.engine.window(&self.caller, &space, &session.id, None).await?;
        let started = Instant::now();
        let window_again = self.engine.window(&self.caller, &space, &session.id, None).await?;
        let elapsed = started.elapsed();
        self.output.line(&format!(
            "{space}: {} of {} messages (preset reading: at most 10), from memory in {:.2} ms",
            window_again.len(),
            session.messages,
            elapsed.as_secs_f64() * 1e3
        ));
        for message in window.iter().rev().take(3).rev() {
            self.output.line(&format!("    {}", message_line(message)));
        }
        Ok(json!({ "space": space, "messages": window.len() }))
    }

    async fn revise(&self) -> anyhow::Result<Value> {
        self.heading("edit, recall, erase: what was derived follows");
        let (space, id): (SpaceId, MessageId) = ("user:maya".parse()?, MessageId::new("k020")?);
        let edit =
            Edit { content: Some("Physio says it is the meniscus after all.".into()), ..Edit::default() };
        let edited = self.engine.edit_message(&self.caller, &space, &id, edit).await?;
        self.output.line(&format!("edited  {id}: version {}, the wording before it is kept", edited.version));
        let request =
            |query: &str| SearchRequest { query: query.into(), limit: 5, ..SearchRequest::default() };
        let hits = self.engine.search_messages(&self.caller, &space, request("physio meniscus")).await?;
        self.output.line(&format!("        search finds the new words first: {}", hits.hits[0].message.id));
        self.engine.erase_message(&self.caller, &space, &id).await?;
        let hits = self.engine.search_messages(&self.caller, &space, request("physio meniscus")).await?;
        let gone = hits.hits.iter().all(|hit| hit.message.id != id);
        self.output.line(&format!(
            "erased  {id}: {}",
            if gone { "search no longer finds it" } else { "still found" }
        ));
        Ok(json!({ "version": edited.version, "gone": gone }))
    }
}

fn sample(lines: &str) -> anyhow::Result<Vec<NewMessage>> {
    let message = |line: &str| Ok(memoir_server::message_from_json(serde_json::from_str(line)?)?);
    lines.lines().filter(|line| !line.trim().is_empty()).map(message).collect()
}

/// The text that matched, with brackets around the matches.
fn marked(hit: &memoir_engine::SearchHit) -> String {
    let matched =
        |ranges: &[std::ops::Range<usize>]| ranges.iter().map(ExactSizeIterator::len).sum::<usize>();
    let caption = hit.captions.first().filter(|(_, ranges)| matched(ranges) > matched(&hit.highlights));
    let (text, ranges) = match caption {
        Some((place, ranges)) => {
            (hit.message.attachments[*place].caption.as_deref().unwrap_or_default(), ranges.as_slice())
        }
        None => (hit.message.content.as_str(), hit.highlights.as_slice()),
    };
    let cut = memoir_engine::snippet(text, ranges, 60);
    let mut shown = String::from(if caption.is_some() { "picture: " } else { "" });
    let mut at = 0;
    for range in &cut.ranges {
        shown.extend([&cut.text[at..range.start], "【", &cut.text[range.clone()], "】"]);
        at = range.end;
    }
    shown.push_str(&cut.text[at..]);
    shown
}
