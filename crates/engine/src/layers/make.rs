//! Making the summary of a period, and keeping it.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use memoir_index::Terms;
use memoir_model::{
    Error, GeneratedId, Lease, Period, Result, Session, SessionId, SessionLine, Space, Summary, SummaryLevel,
    SummaryLine, SummaryPart,
};
use memoir_store::{JobChange, Row, WriteSet};
use std::sync::Arc;

use super::background;
use super::clock;
use super::condense::{By, Condensed, Input};
use super::digest::Digest;
use super::jobs;
use super::length::Length;
use super::talk::{self, Said, Talk};
use crate::engine::{Engine, Inner};
use crate::prompts::BriefOf;
use crate::remember::{Ledger, SpaceState};

/// How often a summary is made anew because what it was made from changed under its hands.
const TRIES: usize = 5;
/// How often a model is asked for a summary that it failed to give, and how long is waited in between.
const FAILURES: u8 = 3;
const AFTER_FAILURE: SignedDuration = SignedDuration::from_hours(1);

/// What came of making a summary.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// It is new, or other than before.
    New(Box<Summary>),
    /// It was there and fits.
    Same(Box<Summary>),
    /// There is too little to sum up.
    TooLittle,
}

impl Made {
    /// The summary, if there is one.
    pub fn into_summary(self) -> Option<Summary> {
        match self {
            Made::New(summary) | Made::Same(summary) => Some(*summary),
            Made::TooLittle => None,
        }
    }
}

/// What a period is summed up from.
pub(crate) enum Material {
    /// Talk that was held in it.
    Talk(Talk),
    /// The summaries of its days.
    Days(Vec<Summary>),
    /// What was known before, and the days since.
    Background(Box<background::Material>),
}

impl Material {
    pub(crate) fn digest(&self) -> u64 {
        match self {
            Material::Talk(talk) => talk.digest(),
            Material::Days(days) => days_digest(days),
            Material::Background(material) => material.digest(),
        }
    }

    fn is_enough(&self, inner: &Inner) -> bool {
        let settings = &inner.settings;
        match self {
            Material::Talk(talk) => talk.is_enough(settings.layer_messages, settings.layer_characters),
            Material::Days(days) => !days.is_empty(),
            Material::Background(material) => !material.is_empty(),
        }
    }
}

pub(crate) fn days_digest(days: &[Summary]) -> u64 {
    let mut digest = Digest::new();
    for day in days {
        digest.summary(day);
    }
    digest.value()
}

impl Engine {
    /// Brings the summary of a period up to date. As the effect of a job it also finishes the job.
    pub(crate) async fn make_summary(
        &self,
        space: &Space,
        period: &Period,
        by: By,
        lease: Option<Lease>,
    ) -> Result<Made> {
        let _alone = self.inner.single_file.enter(space.no, period).await;
        for _ in 0..TRIES {
            let key = space.key();
            let space = self.inner.store.space_at(&key).await?;
            let space = space.ok_or_else(|| Error::not_found("space", key.no))?;
            let known = self.inner.store.summary(&key, period).await?;
            let material = self.inner.material(&space, period, known.as_ref()).await?;
            let digest = material.digest();
            let plan = if !material.is_enough(&self.inner) {
                Plan::Drop
            } else if let Some(known) = known.filter(|known| self.still_fits(known, digest, by)) {
                Plan::Keep(Box::new(known))
            } else {
                Plan::Put(Box::new(self.draft(&space, period, material, digest, by).await?))
            };
            if let Some(made) = self.keep(&space, period, digest, plan, lease).await? {
                return Ok(made);
            }
        }
        Err(Error::busy("what is to be summed up keeps changing", 5))
    }

    /// Whether a summary need not be made anew.
    fn still_fits(&self, known: &Summary, digest: u64, by: By) -> bool {
        known.digest == digest && !(by == By::Best && self.wants_model(known))
    }

    /// Whether a model may make a better one of it.
    pub(crate) fn wants_model(&self, known: &Summary) -> bool {
        known.is_by_rules() && known.failures < FAILURES && self.may_ask_for_summaries()
    }

    /// Whether there is enough in a period to be summed up.
    pub(crate) async fn is_enough(&self, space: &Space, period: &Period) -> Result<bool> {
        let material = self.inner.material(space, period, None).await?;
        Ok(material.is_enough(&self.inner))
    }

    /// The summary of a period as it would be now. Nothing is kept.
    pub(crate) async fn draft(
        &self,
        space: &Space,
        period: &Period,
        material: Material,
        digest: u64,
        by: By,
    ) -> Result<Summary> {
        let known = self.inner.store.summary(&space.key(), period).await?;
        let failures =
            known.as_ref().filter(|known| known.digest == digest).map_or(0, |known| known.failures);
        let known = known.as_ref();
        let length = Length::of(period.level(), space.preset);
        let blank = self.blank(space, period, digest);
        let (blank, condensed) = match material {
            Material::Talk(talk) if matches!(period, Period::Session(_)) => {
                let said =
                    &talk.said[talk.said.len().saturating_sub(length.messages.unwrap_or(usize::MAX))..];
                let inputs = said.iter().map(Input::from).collect();
                let condensed = self.condense(&space.tenant, inputs, BriefOf::Talk, length, known, by).await;
                let counted = Summary {
                    sessions: 1,
                    messages: count(talk.said.len()),
                    sources: talk.sources(),
                    ..blank
                };
                (counted, condensed)
            }
            Material::Talk(talk) => self.draft_day(space, blank, &talk, known, by).await?,
            Material::Days(days) => {
                let inputs = days.iter().flat_map(dated_inputs).collect();
                let of = BriefOf::Period(period.level());
                let condensed = match &days[..] {
                    [day] => Condensed::from(day),
                    _ => self.condense(&space.tenant, inputs, of, length, known, by).await,
                };
                (gathered(blank, &days), condensed)
            }
            Material::Background(material) => {
                let of = BriefOf::Period(SummaryLevel::Background);
                let condensed = match material.only_day() {
                    Some(day) => Condensed::from(day),
                    None => self.condense(&space.tenant, material.inputs(), of, length, known, by).await,
                };
                (material.counted(blank), condensed)
            }
        };
        let failures = failures + u8::from(condensed.failed);
        Ok(filled(blank, condensed, failures))
    }

    fn blank(&self, space: &Space, period: &Period, digest: u64) -> Summary {
        let now = self.now();
        let zone = match period.days() {
            Some((_, last)) => space.zones.at(space.zones.around(last, last).1.min(now)),
            None => space.zones.current(),
        };
        Summary { digest, ..Summary::blank(period.clone(), zone.clone(), now) }
    }

    /// A day from its sessions: those that lie in it whole by their summaries, of the others what was said that day.
    async fn draft_day(
        &self,
        space: &Space,
        blank: Summary,
        talk: &Talk,
        known: Option<&Summary>,
        by: By,
    ) -> Result<(Summary, Condensed)> {
        let settings = &self.inner.settings;
        let sessions = talk.by_session();
        let of_session = Length::of(SummaryLevel::Session, space.preset);
        let mut inputs: Vec<Input> = Vec::new();
        let mut talks = Vec::with_capacity(sessions.len());
        let known_parts = known.map(|known| known.parts.as_slice()).unwrap_or_default();
        let mut parts = Vec::new();
        let mut only = None;
        for said in &sessions {
            let session = &said[0].session;
            let digest = talk::digest(said.iter().copied());
            let whole = self.whole_session(space, session, digest, by).await?;
            let enough =
                talk::is_enough(said.iter().copied(), settings.layer_messages, settings.layer_characters);
            let heard = || said.iter().map(|said| Input::from(*said)).collect::<Vec<_>>();
            let made = match (whole, known_parts.iter().find(|part| part.digest == digest)) {
                (Some(summary), _) => Condensed::from(&summary),
                (None, Some(part)) => Condensed::again(part, &heard()),
                (None, None) if enough => {
                    self.condense(&space.tenant, heard(), BriefOf::Talk, of_session, None, by).await
                }
                // A few words are quoted.
                (None, None) => quoted(said),
            };
            if made.made_by != Summary::RULES {
                parts.push(SummaryPart { digest, text: made.text.clone(), made_by: made.made_by.clone() });
            }
            talks.push(session_line(session, &made, said));
            inputs.extend(made.lines.iter().map(Input::from));
            only = (sessions.len() == 1 && enough).then_some(made);
        }
        let made = match only {
            Some(made) => made,
            None => {
                let (of, length) = (SummaryLevel::Day, Length::of(SummaryLevel::Day, space.preset));
                self.condense(&space.tenant, inputs, BriefOf::Period(of), length, known, by).await
            }
        };
        let condensed = Condensed { parts, ..made };
        let counted = Summary {
            sessions: count(sessions.len()),
            messages: count(talk.said.len()),
            sources: talk.sources(),
            talks,
            ..blank
        };
        Ok((counted, condensed))
    }

    /// The summary of a session, if it stands for just these messages. One that lies in this day whole and has none that
    /// fits gets it now, so that nobody sums it up twice.
    async fn whole_session(
        &self,
        space: &Space,
        id: &SessionId,
        digest: u64,
        by: By,
    ) -> Result<Option<Summary>> {
        let period = Period::Session(id.clone());
        let known = self.inner.store.summary(&space.key(), &period).await?;
        if let Some(known) = known.filter(|known| self.still_fits(known, digest, by)) {
            return Ok(Some(known));
        }
        let session = self.inner.store.session(&space.key(), id).await?;
        let day = |at: Timestamp| space.zones.local(at).date;
        let is_whole = |session: &Session| day(session.first_said_at) == day(session.last_said_at);
        if by == By::Rules || session.is_none_or(|session| !is_whole(&session)) {
            return Ok(None);
        }
        // Boxed, because making a day may make a session on the way.
        let made = Box::pin(self.make_summary(space, &period, by, None)).await?;
        Ok(made.into_summary().filter(|made| made.digest == digest))
    }

    /// Writes what was planned, if what it was planned on is still so; `None` when it is not.
    async fn keep(
        &self,
        space: &Space,
        period: &Period,
        digest: u64,
        plan: Plan,
        lease: Option<Lease>,
    ) -> Result<Option<Made>> {
        let (read_at, period) = (space.version, period.clone());
        let kept = self.in_lane(&space.tenant, &space.id, move |inner, state| {
            let (period, plan) = (period.clone(), plan.clone());
            async move {
                if state.is_new {
                    return Err(Error::not_found("space", &state.space.id));
                }
                if state.space.version != read_at {
                    let known = inner.store.summary(&state.space.key(), &period).await?;
                    let now = inner.material(&state.space, &period, known.as_ref()).await?;
                    if now.digest() != digest {
                        return Ok((state, None));
                    }
                }
                inner
                    .write_summary(state, &period, plan, lease)
                    .await
                    .map(|(state, made)| (state, Some(made)))
            }
        });
        kept.await
    }
}

#[derive(Clone)]
enum Plan {
    Drop,
    Keep(Box<Summary>),
    Put(Box<Summary>),
}

impl Inner {
    /// What there is to sum up.
    pub(crate) async fn material(
        &self,
        space: &Space,
        period: &Period,
        known: Option<&Summary>,
    ) -> Result<Material> {
        let store = self.store.as_ref();
        Ok(match period {
            Period::Session(id) => {
                let session = store.session(&space.key(), id).await?;
                let session = session.ok_or_else(|| Error::not_found("session", id))?;
                Material::Talk(Talk::of_session(store, space, &session).await?)
            }
            Period::Day(day) => Material::Talk(Talk::of_day(store, space, *day, |_| true).await?),
            Period::Week(first) | Period::Month(first) => {
                let last = period.days().map_or(*first, |(_, last)| last);
                let (from, until) = (first.to_string(), last.to_string());
                let days = store.summaries(&space.key(), SummaryLevel::Day, &from, &until, 31).await?;
                Material::Days(days)
            }
            Period::Background => {
                Material::Background(Box::new(background::Material::read(store, space, known).await?))
            }
        })
    }

    async fn write_summary(
        self: Arc<Self>,
        mut state: SpaceState,
        period: &Period,
        plan: Plan,
        lease: Option<Lease>,
    ) -> Result<(SpaceState, Made)> {
        let now = self.clock.now();
        let base_version = state.space.version;
        let mut writes = WriteSet::default();
        let made = match plan {
            Plan::Drop => {
                if self.store.summary(&state.space.key(), period).await?.is_some() {
                    writes.rows.push(Row::DropSummary(period.clone()));
                    writes.rows.extend(self.outdated_above(&state.space, period).await?);
                    writes.jobs.extend(self.follow_ups(&state.space, period, now));
                }
                Made::TooLittle
            }
            Plan::Keep(known) => {
                if known.stale {
                    writes.rows.push(row(Summary { stale: false, ..*known.clone() }));
                }
                Made::Same(known)
            }
            Plan::Put(summary) => {
                writes.rows.push(row((*summary).clone()));
                writes.rows.extend(self.outdated_above(&state.space, period).await?);
                writes.jobs.extend(self.follow_ups(&state.space, period, now));
                if (1..FAILURES).contains(&summary.failures) {
                    let later = now.saturating_add(AFTER_FAILURE).unwrap_or(Timestamp::MAX);
                    writes.jobs.push(JobChange::Enqueue(self.layer_job(&state.space, period, later)));
                }
                metrics::counter!(
                    "memoir_summaries_total",
                    "level" => period.level().as_str(),
                    "made_by" => if summary.is_by_rules() { "rules" } else { "model" }
                )
                .increment(1);
                Made::New(summary)
            }
        };
        if let Period::Session(id) = period
            && let rows = fresh_session(&self, &mut state, id, now).await?
        {
            writes.rows.extend(rows);
        }
        if lease.is_some() {
            writes.jobs.push(JobChange::Finish);
        }
        let state = self.commit_planned(state, base_version, writes, lease).await?;
        Ok((state, made))
    }

    /// The week, the month and the background of a day that is another one now do not fit any more.
    async fn outdated_above(&self, space: &Space, period: &Period) -> Result<Vec<Row>> {
        let Period::Day(day) = period else { return Ok(Vec::new()) };
        let mut rows = Vec::new();
        for above in above(*day) {
            let known = self.store.summary(&space.key(), &above).await?;
            let holds = |known: &Summary| above != Period::Background || background::holds(known, *day);
            let known = known.filter(|known| !known.stale && holds(known));
            rows.extend(known.map(|known| row(Summary { stale: true, ..known })));
        }
        Ok(rows)
    }

    /// What is to be made again once the summary of a period is another one.
    fn follow_ups(&self, space: &Space, period: &Period, now: Timestamp) -> Vec<JobChange> {
        let Period::Day(day) = period else { return Vec::new() };
        let job = |period: Period| {
            let due = clock::due(space, &period, self.settings.layer_night).max(now);
            JobChange::Enqueue(self.layer_job(space, &period, due))
        };
        above(*day).map(job).collect()
    }

    /// The work of bringing the summary of a period up to date.
    pub(crate) fn layer_job(&self, space: &Space, period: &Period, due: Timestamp) -> memoir_model::NewJob {
        let id: GeneratedId = self.ids.make(self.clock.now(), space.no);
        jobs::job(id, period, due)
    }
}

/// What is made from a day.
fn above(day: Date) -> impl Iterator<Item = Period> {
    [Period::week_of(day).ok(), Some(Period::month_of(day)), Some(Period::Background)].into_iter().flatten()
}

/// The row of a session whose summary fits it again.
async fn fresh_session(
    inner: &Inner,
    state: &mut SpaceState,
    id: &SessionId,
    now: Timestamp,
) -> Result<Vec<Row>> {
    let mut ledger = Ledger::new(inner, state, now);
    let session = ledger.find(id).await?.filter(|session| session.stale);
    if let Some(session) = session {
        ledger.mark_fresh(session.no)?;
    }
    Ok(ledger.rows())
}

/// A summary as a store keeps it.
pub(crate) fn row(summary: Summary) -> Row {
    let terms = Terms::of(&[summary.text.as_str()]).into_blob();
    Row::Summary { summary: Box::new(summary), terms }
}

fn filled(blank: Summary, condensed: Condensed, failures: u8) -> Summary {
    let Condensed { text, lines, topics, headline, made_by, parts, read, .. } = condensed;
    Summary { text, lines, topics, headline, made_by, parts, read, failures, ..blank }
}

fn quoted(said: &[&Said]) -> Condensed {
    let line = |said: &&Said| SummaryLine {
        date: Some(said.date),
        text: said.text.clone(),
        sources: vec![said.seq],
    };
    let lines: Vec<SummaryLine> = said.iter().map(line).filter(|line| !line.text.is_empty()).collect();
    let headline = lines.first().map(|line| line.text.chars().take(60).collect()).unwrap_or_default();
    let text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
    Condensed { text, lines, headline, made_by: Summary::RULES.to_owned(), ..Condensed::default() }
}

fn session_line(session: &SessionId, made: &Condensed, said: &[&Said]) -> SessionLine {
    let seqs = || said.iter().map(|said| said.seq);
    SessionLine {
        session: session.clone(),
        text: made.headline.clone(),
        messages: count(said.len()),
        sources: (seqs().min().unwrap_or_default(), seqs().max().unwrap_or_default()),
    }
}

/// The sentences of a day's summary, each with its date.
pub(crate) fn dated_inputs(day: &Summary) -> impl Iterator<Item = Input> + '_ {
    let date = day.period.days().map(|(first, _)| first);
    day.lines.iter().map(move |line| Input { date: line.date.or(date), ..Input::from(line) })
}

/// A longer period counts what its days count.
pub(crate) fn gathered(blank: Summary, days: &[Summary]) -> Summary {
    let sources = days.iter().filter_map(|day| day.sources);
    Summary {
        sessions: days.iter().map(|day| day.sessions).sum(),
        messages: days.iter().map(|day| day.messages).sum(),
        sources: sources.reduce(|(first, last), (low, high)| (first.min(low), last.max(high))),
        through: days.iter().filter_map(|day| Some(day.period.days()?.1)).max(),
        ..blank
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
