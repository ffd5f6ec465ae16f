use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use memoir_engine::{ContextRequest, Engine, EngineSettings, MessageQuery};
use memoir_model::{BlockKind, Message, Period, SpaceId};
use memoir_text::estimate_tokens;
use memoir_when::{Convention, find};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::Common;
use crate::memoir;
use crate::replay::{Asked, Player, Said, conversations, read_lines, steps};

/// What recorded talks come to.
#[derive(Default)]
pub(super) struct Talks {
    pub(super) days: usize,
    /// Of each day, how many times as long the talk is as its summary.
    pub(super) ratios: Vec<f64>,
    /// Of each day, the tokens of the context for a question about it, of those of the talk itself.
    pub(super) tokens: Vec<f64>,
    /// Questions that name a time.
    pub(super) timed: usize,
    /// Those whose days hold the evidence's day.
    pub(super) in_interval: usize,
    /// Those of which the summary or the messages beside it hold the evidence.
    pub(super) held: usize,
    pub(super) missed: Vec<String>,
}

/// How many tokens a context may have: what counts is what is found.
const BUDGET: usize = 8_000;

/// Plays the talks, sums them up by rules and asks.
pub(super) fn measure(common: &Common, corpus: &Path, queries: &Path) -> Result<Talks> {
    let corpus: Vec<Said> = read_lines(corpus)?;
    let queries: Vec<Asked> = read_lines(queries)?;
    let runtime = memoir::runtime()?;
    let folder = common.folder()?;
    runtime.block_on(async {
        let settings = EngineSettings {
            layer_quiet: SignedDuration::ZERO,
            job_poll: SignedDuration::from_millis(20),
            ..EngineSettings::default()
        };
        let player = Player::new(folder.path(), None, settings)?;
        let mut talks = Talks::default();
        for (conv, said) in conversations(&corpus) {
            player.say(conv, &said).await?;
            let engine = player.engine();
            let space = Player::space(conv)?;
            memoir::done(engine, &space, "roll_up").await?;
            let days = by_day(engine, &space).await?;
            shortened(engine, &space, &days, &mut talks).await?;
            for step in steps(conv, &said, &queries)? {
                // Whoever asks does so after the last day.
                let now = step.now.checked_add(SignedDuration::from_hours(24))?;
                asked(engine, &space, step.asked, now, &days, &mut talks).await?;
            }
        }
        player.stop().await;
        Ok(talks)
    })
}

type Days = BTreeMap<jiff::civil::Date, Vec<Message>>;

async fn by_day(engine: &Engine, space: &SpaceId) -> Result<Days> {
    let mut days = Days::new();
    let mut after = None;
    loop {
        let query = MessageQuery { after, ..MessageQuery::all(1_000) };
        let page = engine.messages(&memoir::caller(), space, None, query).await?;
        let Some(last) = page.last() else { return Ok(days) };
        after = Some((last.said_at, last.seq));
        for message in page {
            days.entry(message.local_date()).or_default().push(message);
        }
    }
}

/// How much shorter the days became, and how much less a model is given to read.
async fn shortened(engine: &Engine, space: &SpaceId, days: &Days, talks: &mut Talks) -> Result<()> {
    let key = engine.space(&memoir::caller(), space).await?.key();
    for (day, said) in days {
        let Some(summary) = engine.store().summary(&key, &Period::Day(*day)).await? else { continue };
        let raw: usize = said.iter().map(|message| message.content.chars().count()).sum();
        talks.days += 1;
        talks.ratios.push(raw as f64 / summary.text.chars().count().max(1) as f64);
        let lines = said.iter().map(|message| format!("{}: {}", message.author, message.content));
        let talk = estimate_tokens(&lines.collect::<Vec<_>>().join("\n"));
        let is_chinese = said.iter().any(|message| message.content.contains(['的', '我', '是']));
        let question =
            if is_chinese { "昨天我们聊了什么？" } else { "What did we talk about yesterday?" };
        let noon = day.tomorrow()?.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC)?.timestamp();
        let request = ContextRequest {
            space: Some(space.clone()),
            message: question.into(),
            now: Some(noon),
            budget: Some(BUDGET),
            include: [BlockKind::Instruction, BlockKind::Summaries, BlockKind::Messages].into(),
            ..ContextRequest::default()
        };
        let reply = engine.context(&memoir::caller(), request).await?;
        talks.tokens.push(reply.tokens as f64 / talk.max(1) as f64);
    }
    Ok(())
}

async fn asked(
    engine: &Engine,
    space: &SpaceId,
    asked: &Asked,
    now: Timestamp,
    days: &Days,
    talks: &mut Talks,
) -> Result<()> {
    let home = engine.space(&memoir::caller(), space).await?;
    let local = home.zones.current().time_zone().to_datetime(now);
    let names_a_time = !find(&asked.question, local, Convention::default()).is_empty();
    if asked.evidence.is_empty() || !(names_a_time || asked.date_in_question.is_some()) {
        return Ok(());
    }
    talks.timed += 1;
    let evidence: BTreeSet<&str> = asked.evidence.iter().map(String::as_str).collect();
    let of_evidence: Vec<&Message> =
        days.values().flatten().filter(|message| evidence.contains(message.id.as_str())).collect();
    let request = ContextRequest {
        space: Some(space.clone()),
        message: asked.question.clone(),
        now: Some(now),
        budget: Some(BUDGET),
        ..ContextRequest::default()
    };
    let reply = engine.context(&memoir::caller(), request).await?;
    let interval = reply.history.as_ref().and_then(|history| history.days);
    let inside = of_evidence
        .iter()
        .any(|message| interval.is_some_and(|(first, last)| (first..=last).contains(&message.local_date())));
    let shown = reply.context.blocks.iter().filter(|block| block.kind == BlockKind::Messages);
    let shown = shown.flat_map(|block| &block.lines);
    let mut best: Vec<_> = shown.collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score));
    let in_messages =
        best.iter().take(20).any(|line| line.sources.iter().any(|id| evidence.contains(id.as_str())));
    let key = home.key();
    let mut in_summary = false;
    for message in &of_evidence {
        let day = message.local_date();
        let told = interval.is_some_and(|(first, last)| (first..=last).contains(&day));
        let summary = engine.store().summary(&key, &Period::Day(day)).await?.filter(|_| told);
        in_summary |= summary
            .is_some_and(|summary| summary.lines.iter().any(|line| line.sources.contains(&message.seq)));
    }
    talks.in_interval += usize::from(inside);
    talks.held += usize::from(in_messages || in_summary);
    if !inside || !(in_messages || in_summary) {
        talks.missed.push(format!("{} {} {interval:?} {:?}", asked.qid, asked.question, asked.evidence));
    }
    Ok(())
}
