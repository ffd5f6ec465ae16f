//! What the summary of a period would say.

use jiff::Timestamp;
use memoir_model::{
    Period, Result, Session, SessionId, SessionLine, Space, Summary, SummaryLevel, SummaryLine, SummaryPart,
};

use super::condense::{By, Condensed, Input};
use super::length::Length;
use super::material::Material;
use super::talk::{self, Said, Talk};
use crate::engine::Engine;
use crate::prompts::BriefOf;

impl Engine {
    /// The summary of a period as it would be now; `known` is the one there is. Nothing is kept.
    pub(crate) async fn draft(
        &self,
        space: &Space,
        period: &Period,
        material: Material,
        known: Option<&Summary>,
        by: By,
    ) -> Result<Summary> {
        let digest = material.digest();
        let failures = known.filter(|known| known.digest == digest).map_or(0, |known| known.failures);
        let length = Length::of(period.level(), space.preset);
        let blank = self.blank(space, period, digest);
        let (blank, condensed) = match material {
            Material::Session(_, talk) => {
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
            Material::Day(talk) => self.draft_day(space, blank, &talk, known, by).await?,
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
        let periods: Vec<Period> =
            sessions.iter().map(|said| Period::Session(said[0].session.clone())).collect();
        let known_sessions = self.inner.store.summaries_at(&space.key(), &periods).await?;
        for (said, period) in sessions.iter().zip(&periods) {
            let session = &said[0].session;
            let digest = talk::digest(said.iter().copied());
            let known = known_sessions.iter().find(|known| known.period == *period);
            let whole = match known.filter(|known| self.still_fits(known, digest, by)) {
                Some(known) => Some(known.clone()),
                None => self.made_whole(space, session, digest, by).await?,
            };
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

    /// A session that lies in this day whole and has no summary of just these messages gets it now, so that nobody sums it
    /// up twice.
    async fn made_whole(
        &self,
        space: &Space,
        id: &SessionId,
        digest: u64,
        by: By,
    ) -> Result<Option<Summary>> {
        let session = self.inner.store.session(&space.key(), id).await?;
        let day = |at: Timestamp| space.zones.local(at).date;
        let is_whole = |session: &Session| day(session.first_said_at) == day(session.last_said_at);
        if by == By::Rules || session.is_none_or(|session| !is_whole(&session)) {
            return Ok(None);
        }
        // Boxed, because making a day may make a session on the way.
        let (mut space, period) = (space.clone(), Period::Session(id.clone()));
        let made = Box::pin(self.make_summary(&mut space, &period, by, None)).await?;
        Ok(made.into_summary().filter(|made| made.digest == digest))
    }
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
