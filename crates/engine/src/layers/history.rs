//! The fast path: a question about past talk is answered from the summaries that are ready (A7, A8).

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use memoir_model::{Period, Result, Session, SessionId, Space, Summary};
use memoir_store::LatestTalk;
use memoir_text::{Form, tokens};
use std::collections::HashSet;

use super::clock;
use super::cover::cover;
use super::question::{About, Days, HistoryQuestion};
use super::read::{Read, before, begins};
use super::view::View;
use super::wording;
use crate::engine::Engine;
use crate::recall::Tongue;

/// How many days without a summary are summed up while somebody waits.
const MADE_AT_ONCE: usize = 7;

/// What a question about past talk came to.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The days that it asks about, the first and the last; `None` when it names none.
    pub days: Option<(Date, Date)>,
    /// The words that name them.
    pub words: Option<String>,
    /// How the answer was found.
    pub found: HistoryFound,
    /// The summaries do not tell what is asked: the messages themselves stand beside them.
    pub needs_detail: Option<DetailReason>,
}

/// How a question about past talk was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryFound {
    /// By summaries that were ready.
    Ready,
    /// Some were missing and were made at once.
    Made,
    /// By messages alone.
    Messages,
    /// Nothing was said then.
    Nothing,
}

impl HistoryFound {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            HistoryFound::Ready => "ready",
            HistoryFound::Made => "made",
            HistoryFound::Messages => "messages",
            HistoryFound::Nothing => "nothing",
        }
    }
}

/// Why summaries are not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DetailReason {
    /// The question asks for particulars: a name, a number, the very words.
    Particulars,
    /// What it asks about is not in the summary.
    NotInSummary,
    /// It asks about a part of a day.
    PartOfDay,
    /// Too little was said then to be summed up.
    TooLittle,
}

impl DetailReason {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            DetailReason::Particulars => "asks_for_particulars",
            DetailReason::NotInSummary => "not_in_summary",
            DetailReason::PartOfDay => "part_of_a_day",
            DetailReason::TooLittle => "too_little_to_sum_up",
        }
    }
}

/// A line that stands for a summary.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) at: Timestamp,
    pub(crate) line: String,
}

/// What the past has to say to a message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Past {
    /// Set when the message asks for it.
    pub(crate) history: Option<History>,
    /// The newest first.
    pub(crate) accounts: Vec<Account>,
    /// The stretch of time that it asks about, if something was said then.
    pub(crate) stretch: Option<(Timestamp, Timestamp)>,
    /// Whether nothing else is worth looking for: somebody asks for whatever there was, or for what was said then.
    pub(crate) is_all: bool,
    /// Some days are still to be summed up.
    pub(crate) partial: bool,
}

/// For whom the past is read.
pub(crate) struct Asked<'a> {
    pub(crate) message: &'a str,
    pub(crate) now: Timestamp,
    pub(crate) tongue: Tongue,
    pub(crate) view: View,
    pub(crate) latest: &'a LatestTalk,
    /// The session that goes on.
    pub(crate) current: Option<&'a SessionId>,
}

impl Past {
    /// The stretch whose messages are wanted: the summaries do not tell enough, or are not wanted themselves.
    pub(crate) fn particulars(&self, with_summaries: bool) -> Option<(Timestamp, Timestamp)> {
        let needed = self.history.as_ref().is_some_and(|history| history.needs_detail.is_some());
        self.stretch.filter(|_| needed || !with_summaries)
    }
}

impl Engine {
    /// What the summaries of a space have to say to a message.
    pub(crate) async fn past(&self, space: &Space, asked: &Asked<'_>) -> Result<Past> {
        let Some(question) = HistoryQuestion::of(asked.message, asked.now, space) else {
            return self.opening(space, asked).await;
        };
        let past = match &question.about {
            About::Days(days) => self.past_days(space, asked, &question, days).await?,
            About::LastSession => self.past_session(space, asked, &question).await?,
            About::Before => self.past_background(space, asked).await?,
        };
        if let Some(history) = &past.history {
            let outcome = match history.needs_detail {
                Some(_) => "fallback",
                None => history.found.as_str(),
            };
            metrics::counter!("memoir_history_questions_total", "outcome" => outcome).increment(1);
        }
        Ok(past)
    }

    async fn past_days(
        &self,
        space: &Space,
        asked: &Asked<'_>,
        question: &HistoryQuestion,
        days: &Days,
    ) -> Result<Past> {
        let today = clock::today(space, asked.now);
        let periods = cover(days.first, days.last, today);
        let mut room = MADE_AT_ONCE;
        let told = self.read_periods(space, &periods, asked.view, &mut room).await?;
        let account = |read: &Read| account(space, &read.summary, None, asked.tongue);
        let accounts: Vec<Account> = told.reads.iter().rev().map(account).collect();
        let found = match (&told.reads[..], &told.too_little[..]) {
            ([], []) if told.left_out == 0 => HistoryFound::Nothing,
            ([], _) => HistoryFound::Messages,
            (reads, _) if reads.iter().all(|read| read.was_ready) => HistoryFound::Ready,
            _ => HistoryFound::Made,
        };
        if !question.is_sure {
            // It is told besides; what is asked is looked for everywhere.
            let opening = self.opening(space, asked).await?;
            let history = (found != HistoryFound::Nothing).then(|| History {
                days: Some((days.first, days.last)),
                words: Some(days.words.clone()),
                found,
                needs_detail: None,
            });
            return Ok(Past { history, accounts: [accounts, opening.accounts].concat(), ..opening });
        }
        let needs_detail = match found {
            HistoryFound::Nothing => None,
            HistoryFound::Messages => Some(DetailReason::TooLittle),
            _ if days.within.is_some() => Some(DetailReason::PartOfDay),
            _ => detail(question, &told.reads),
        };
        let mut past = Past {
            stretch: (found != HistoryFound::Nothing).then(|| stretch(space, days)),
            is_all: question.topic.is_empty() || needs_detail.is_some(),
            partial: told.left_out > 0,
            accounts,
            history: Some(History {
                days: Some((days.first, days.last)),
                words: Some(days.words.clone()),
                found,
                needs_detail,
            }),
        };
        if found == HistoryFound::Nothing {
            past.is_all = true;
            past.accounts.push(nothing_said(space, days, asked.tongue));
        }
        Ok(past)
    }

    async fn past_session(
        &self,
        space: &Space,
        asked: &Asked<'_>,
        question: &HistoryQuestion,
    ) -> Result<Past> {
        let blank = History { days: None, words: None, found: HistoryFound::Nothing, needs_detail: None };
        let Some(session) = before(&asked.latest.sessions, asked.current, asked.view) else {
            let never = Account {
                id: "history".to_owned(),
                at: asked.now,
                line: wording::never_talked(asked.tongue).to_owned(),
            };
            return Ok(Past { history: Some(blank), accounts: vec![never], is_all: true, ..Past::default() });
        };
        let day = |at: Timestamp| space.zones.local(at).date;
        let days = Some((day(session.first_said_at), day(session.last_said_at)));
        let read = self.read_session(space, session, asked.view).await?;
        let found = match &read {
            Some(read) if read.was_ready => HistoryFound::Ready,
            Some(_) => HistoryFound::Made,
            None => HistoryFound::Messages,
        };
        let reads: Vec<Read> = read.into_iter().collect();
        let needs_detail = match found {
            HistoryFound::Messages => Some(DetailReason::TooLittle),
            _ => detail(question, &reads),
        };
        let until = session.last_said_at.saturating_add(jiff::SignedDuration::from_micros(1));
        Ok(Past {
            accounts: reads
                .iter()
                .map(|read| account(space, &read.summary, Some(session), asked.tongue))
                .collect(),
            stretch: Some((session.first_said_at, until.unwrap_or(Timestamp::MAX))),
            is_all: question.topic.is_empty() || needs_detail.is_some(),
            history: Some(History { days, found, needs_detail, ..blank }),
            partial: false,
        })
    }

    /// Everything so far; what is asked is looked for besides.
    async fn past_background(&self, space: &Space, asked: &Asked<'_>) -> Result<Past> {
        let known = self.inner.store.summary(&space.key(), &Period::Background).await?;
        let known = known.filter(|known| asked.view.sees_summary(space, known));
        let found = if known.is_some() { HistoryFound::Ready } else { HistoryFound::Messages };
        let mut past = self.opening(space, asked).await?;
        past.accounts.extend(known.map(|known| account(space, &known, None, asked.tongue)));
        past.history = Some(History { days: None, words: None, found, needs_detail: None });
        Ok(past)
    }

    /// What a talk begins with: what the last one came to (D3), and, once it is longer than its window, what it came to
    /// itself so far.
    async fn opening(&self, space: &Space, asked: &Asked<'_>) -> Result<Past> {
        let latest = asked.latest;
        let window = self.window_messages(space) as u64;
        let is_long = |session: &&Session| Some(&session.id) == asked.current && session.messages > window;
        let current = latest.sessions.iter().find(is_long);
        let told: Vec<&Session> =
            current.into_iter().chain(before(&latest.sessions, asked.current, asked.view)).collect();
        let periods = told.iter().map(|session| Period::Session(session.id.clone()));
        let read = LatestTalk::told(&latest.sessions);
        let unread: Vec<Period> = periods.filter(|period| !read.contains(period)).collect();
        let further = match &unread[..] {
            [] => Vec::new(),
            unread => self.inner.store.summaries_at(&space.key(), unread).await?,
        };
        let mut accounts = Vec::new();
        for session in told {
            let is_seen = |known: &&Summary| {
                matches!(&known.period, Period::Session(id) if *id == session.id)
                    && !known.stale
                    && asked.view.known_at.is_none_or(|known_at| known.made_at <= known_at)
                    && asked.view.as_of.is_none_or(|as_of| session.last_said_at < as_of)
            };
            let known = latest.summaries.iter().chain(&further).find(is_seen);
            accounts.extend(known.map(|known| account(space, known, Some(session), asked.tongue)));
        }
        Ok(Past { accounts, ..Past::default() })
    }
}

/// The moments that a question's days lie between.
fn stretch(space: &Space, days: &Days) -> (Timestamp, Timestamp) {
    let (from, until) = space.zones.around(days.first, days.last);
    let Some((begins, ends)) = days.within else { return (from, until) };
    let zone = space.zones.at(until).time_zone();
    let moment = |at: DateTime| zone.to_ambiguous_zoned(at).compatible().map(|at| at.timestamp());
    (moment(begins).unwrap_or(from), moment(ends).unwrap_or(until))
}

/// Why these summaries are not enough, if they are not.
fn detail(question: &HistoryQuestion, reads: &[Read]) -> Option<DetailReason> {
    if question.detail {
        return Some(DetailReason::Particulars);
    }
    if question.topic.is_empty() {
        return None;
    }
    let mut told = HashSet::new();
    for read in reads {
        tokens(&read.summary.text, |token| {
            if token.form != Form::Character {
                told.insert(token.text.to_owned());
            }
        });
    }
    let is_told = question.topic.iter().any(|word| told.contains(word));
    (!is_told).then_some(DetailReason::NotInSummary)
}

fn account(space: &Space, summary: &Summary, session: Option<&Session>, tongue: Tongue) -> Account {
    let zone = space.zones.current().time_zone();
    let label = match (&summary.period, session) {
        (Period::Day(day), _) => wording::day(*day, tongue),
        (Period::Week(_), _) => wording::days(summary.period.days(), tongue),
        (Period::Month(first), _) => format!("{:04}-{:02}", first.year(), first.month()),
        (Period::Session(_), Some(session)) => {
            let begun = crate::recall::moment(session.first_said_at, zone, tongue);
            format!("{begun} {}", wording::session(tongue))
        }
        (Period::Session(_), None) => wording::session(tongue).to_owned(),
        (Period::Background, _) => wording::so_far(tongue).to_owned(),
    };
    Account {
        id: format!("{}:{}", summary.period.level().as_str(), summary.period.key()),
        at: begins(space, summary, session),
        line: format!("[{label}] {}", summary.text.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

fn nothing_said(space: &Space, days: &Days, tongue: Tongue) -> Account {
    Account {
        id: "history".to_owned(),
        at: space.zones.around(days.first, days.first).0,
        line: wording::did_not_talk(days.first, days.last, tongue),
    }
}
