use memoir_index::{Filter, SpaceIndex, Survey, Talk, Turn, Vectors, Work};
use memoir_model::Speaker;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::fuse::fuse;
use super::occasion::Occasion;
use super::queries::{Purpose, Wanted};
use super::signals::{Signal, Signals};
use super::spread::{Spread, worth_of_rank};
use super::understand::Understanding;

/// How many of the best of each list are looked at closely.
const PER_LIST: usize = 100;
/// Of how many the turns beside them are looked at as well.
const WITH_NEIGHBOURS: usize = 40;
/// How many that were said at a time which is asked for are looked at, whatever their words.
const IN_TIME: usize = 200;
/// A stretch of at most so many days is a moment that was meant.
const SHORT_DAYS: f32 = 2.5;
/// How many turns of a session stand for it.
const SESSION_TOP: usize = 3;
/// So that a model for which everything is alike does not blow up what little differs.
const LEAST_WHOLE: f32 = 0.05;
/// A turn of fewer words says little.
const BRIEF_WORDS: f32 = 8.0;
const DAY: f32 = 86_400_000_000.0;

/// What is asked of a space.
pub(crate) struct Inquiry<'a> {
    pub(crate) understanding: &'a Understanding,
    pub(crate) queries: &'a [Wanted],
    /// The vector of each query; `None` for one that has none.
    pub(crate) meanings: &'a [Option<Arc<[f32]>>],
    /// The authors it is about, if it names any.
    pub(crate) about: &'a [u64],
    pub(crate) filter: &'a Filter,
    /// In microseconds since 1970.
    pub(crate) now: i64,
}

/// A message that may be what is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) seq: u64,
    pub(crate) signals: Signals,
    /// How well its words fit by themselves.
    pub(crate) words: f32,
    /// For each query its rank by words and by meaning.
    pub(crate) ranks: Vec<(Option<u16>, Option<u16>)>,
}

/// What was found in a space.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) found: Vec<Candidate>,
    /// Whether meaning was compared.
    pub(crate) by_meaning: bool,
    /// On what occasion; none in an empty space.
    pub(crate) occasion: Option<Occasion>,
    /// Among how many messages.
    pub(crate) rows: usize,
    pub(crate) work: Work,
}

impl Candidates {
    /// The messages that a plain search finds.
    pub(crate) fn by_words(index: &SpaceIndex, queries: &[Wanted], filter: &Filter, most: usize) -> Self {
        let Some(query) = queries.first() else { return Candidates::default() };
        let found = index.search(&query.words, filter, most);
        let hits = found.hits.iter().enumerate().map(|(rank, hit)| Candidate {
            seq: hit.seq,
            signals: Signals::default(),
            words: hit.score,
            ranks: vec![(u16::try_from(rank + 1).ok(), None)],
        });
        Candidates { found: hits.collect(), work: found.work, ..Candidates::default() }
    }
}

/// Looks for what a message needs among the rows of a space.
pub(crate) fn candidates(index: &SpaceIndex, vectors: Option<&Vectors>, inquiry: &Inquiry<'_>) -> Candidates {
    let talk = index.talk();
    let open = *inquiry.filter == Filter::default();
    let admits = |place: usize, turn: &Turn| open || inquiry.filter.admits(talk.seq(place), &turn.meta);
    let admitted: Vec<u32> =
        talk.turns().filter(|(place, turn)| admits(*place, turn)).map(|(place, _)| place as u32).collect();
    let (Some(message), false) = (inquiry.queries.first(), admitted.is_empty()) else {
        return Candidates::default();
    };
    let survey = index.survey(&message.words);
    let lists = Lists::new(talk, &survey, &admitted, vectors, inquiry);
    let others: Vec<Other> = inquiry
        .queries
        .iter()
        .zip(inquiry.meanings)
        .skip(1)
        .map(|(query, meaning)| {
            Other::new(index, vectors, query, meaning.as_deref(), &admitted, &survey.coverage, inquiry.filter)
        })
        .collect();
    let mut places = BTreeSet::new();
    for list in lists.tops().chain(others.iter().flat_map(Other::tops)) {
        for (nth, &place) in list.iter().take(PER_LIST).enumerate() {
            places.insert(place);
            if nth < WITH_NEIGHBOURS {
                let beside = [talk.before(place as usize), talk.after(place as usize)];
                places.extend(beside.into_iter().flatten().map(|place| place as u32));
            }
        }
    }
    places.extend(in_time(talk, &admitted, &survey, inquiry.understanding));
    let found = places
        .into_iter()
        .map(|place| place as usize)
        .filter(|&place| talk.turn(place).is_some_and(|turn| admits(place, turn)))
        .map(|place| Candidate {
            seq: talk.seq(place),
            signals: lists.signals(place, &others),
            words: survey.turn[place],
            ranks: std::iter::once(lists.ranks(place))
                .chain(others.iter().map(|other| other.ranks(place)))
                .collect(),
        })
        .collect();
    Candidates {
        found,
        by_meaning: lists.near.is_some(),
        occasion: Some(Occasion::of(talk, inquiry.understanding)),
        rows: admitted.len(),
        work: survey.work,
    }
}

/// The rows that were said when the message asks about, those that share most words first.
fn in_time(talk: &Talk, admitted: &[u32], survey: &Survey, understanding: &Understanding) -> Vec<u32> {
    let short = understanding.times.iter().filter(|time| time.days() <= SHORT_DAYS);
    let short: Vec<_> = short.collect();
    if short.is_empty() {
        return Vec::new();
    }
    let inside = |place: &&u32| {
        let moment = talk.turn(**place as usize).map(|turn| turn.meta.said_at);
        moment.is_some_and(|moment| short.iter().any(|time| time.distance_days(moment) <= 0.0))
    };
    let mut rows: Vec<u32> = admitted.iter().filter(inside).copied().collect();
    rows.sort_by(|a, b| survey.window[*b as usize].total_cmp(&survey.window[*a as usize]));
    rows.truncate(IN_TIME);
    rows
}

/// What the message itself says of every row.
struct Lists<'a> {
    talk: &'a Talk,
    inquiry: &'a Inquiry<'a>,
    survey: &'a Survey,
    session_words: Vec<f32>,
    turn: Spread,
    pair: Spread,
    window: Spread,
    session: Spread,
    near: Option<Nearness>,
    lengths: Lengths,
}

/// How long turns usually are, by the part they are spoken in: people and models differ.
struct Lengths {
    /// The mean of the logarithm of the words, and how far it usually strays.
    by_role: [(f32, f32); Speaker::ALL.len()],
}

impl Lengths {
    fn of(talk: &Talk, admitted: &[u32]) -> Self {
        let mut sums = [(0.0f32, 0.0f32, 0.0f32); Speaker::ALL.len()];
        for turn in admitted.iter().filter_map(|&place| talk.turn(place as usize)) {
            if let Some((count, sum, squares)) = sums.get_mut(usize::from(turn.meta.role)) {
                let length = (1.0 + turn.words as f32).ln();
                *count += 1.0;
                *sum += length;
                *squares += length * length;
            }
        }
        let by_role = sums.map(|(count, sum, squares)| {
            let mean = sum / count.max(1.0);
            (mean, (squares / count.max(1.0) - mean * mean).max(0.0).sqrt())
        });
        Lengths { by_role }
    }

    fn against_usual(&self, turn: &Turn) -> f32 {
        let (mean, strays) = self.by_role.get(usize::from(turn.meta.role)).copied().unwrap_or_default();
        let length = (1.0 + turn.words as f32).ln();
        if strays > 1e-3 { ((length - mean) / strays).clamp(-3.0, 3.0) } else { 0.0 }
    }
}

/// How near every row is in meaning.
struct Nearness {
    rows: Vec<f32>,
    sessions: Vec<f32>,
    row: Spread,
    session: Spread,
}

impl<'a> Lists<'a> {
    fn new(
        talk: &'a Talk,
        survey: &'a Survey,
        admitted: &[u32],
        vectors: Option<&Vectors>,
        inquiry: &'a Inquiry<'a>,
    ) -> Self {
        let by_session = |scores: &[f32]| -> Vec<f32> {
            let session = |place: usize| talk.turn(place).map_or(0.0, |turn| scores[turn.session as usize]);
            (0..talk.len()).map(session).collect()
        };
        let session_words = by_session(&survey.session);
        let meaning = inquiry.meanings.first().and_then(Option::as_deref);
        let near = vectors.zip(meaning).and_then(|(vectors, meaning)| {
            let rows = nearness(talk, vectors, meaning, admitted, &survey.coverage)?;
            let sessions = by_session(&session_nearness(talk, &rows));
            let (row, session) = (Spread::of(&rows, admitted), Spread::of(&sessions, admitted));
            Some(Nearness { rows, sessions, row, session })
        });
        Lists {
            turn: Spread::of(&survey.turn, admitted),
            pair: Spread::of(&survey.pair, admitted),
            window: Spread::of(&survey.window, admitted),
            session: Spread::of(&session_words, admitted),
            session_words,
            near,
            lengths: Lengths::of(talk, admitted),
            talk,
            inquiry,
            survey,
        }
    }

    fn tops(&self) -> impl Iterator<Item = &[u32]> {
        let near = self.near.as_ref().map(|near| near.row.top());
        [self.turn.top(), self.pair.top(), self.window.top()].into_iter().chain(near)
    }

    fn ranks(&self, place: usize) -> (Option<u16>, Option<u16>) {
        (self.turn.rank(place), self.near.as_ref().and_then(|near| near.row.rank(place)))
    }

    fn signals(&self, place: usize, others: &[Other]) -> Signals {
        let mut signals = Signals::default();
        let Some(turn) = self.talk.turn(place) else { return signals };
        self.words(place, &mut signals);
        self.meaning(place, &mut signals);
        self.speaker(turn, &mut signals);
        self.time(turn, &mut signals);
        let ranks: Vec<(Option<u16>, Option<u16>)> = others.iter().map(|other| other.ranks(place)).collect();
        signals.set(Signal::FusedWords, fuse(ranks.iter().filter_map(|(words, _)| *words)));
        signals.set(Signal::FusedNear, fuse(ranks.iter().filter_map(|(_, near)| *near)));
        if let Some(talk) = others.iter().find(|other| other.purpose == Purpose::Talk) {
            signals.set(Signal::TalkTurn, talk.words_worth(place));
            signals.set(Signal::TalkRank, talk.ranks(place).0.map_or(0.0, worth_of_rank));
            if let Some((near, spread)) = &talk.near {
                signals.set(Signal::TalkNear, near[place]);
                signals.set(Signal::TalkNearRank, spread.rank_worth(place));
                signals.set(Signal::TalkNearStands, spread.stands_out(near[place]));
            }
        }
        let asked = match others.iter().find(|other| other.purpose == Purpose::Question) {
            Some(question) => [
                question.words_worth(place),
                question.ranks(place).0.map_or(0.0, worth_of_rank),
                question.near.as_ref().map_or(0.0, |(near, _)| near[place]),
            ],
            None => [Signal::TurnBest, Signal::TurnRank, Signal::Near].map(|signal| signals.get(signal)),
        };
        for (signal, value) in
            [Signal::AskedTurn, Signal::AskedRank, Signal::AskedNear].into_iter().zip(asked)
        {
            signals.set(signal, value);
        }
        signals
    }

    fn words(&self, place: usize, signals: &mut Signals) {
        let ideal = self.survey.ideal.max(f32::MIN_POSITIVE);
        let groups = [
            (
                &self.survey.turn,
                &self.turn,
                Signal::Turn,
                Signal::TurnBest,
                Signal::TurnRank,
                Signal::TurnStands,
            ),
            (
                &self.survey.pair,
                &self.pair,
                Signal::Pair,
                Signal::PairBest,
                Signal::PairRank,
                Signal::PairStands,
            ),
            (
                &self.survey.window,
                &self.window,
                Signal::Window,
                Signal::WindowBest,
                Signal::WindowRank,
                Signal::WindowStands,
            ),
            (
                &self.session_words,
                &self.session,
                Signal::Session,
                Signal::SessionBest,
                Signal::SessionRank,
                Signal::SessionStands,
            ),
        ];
        for (scores, spread, plain, best, rank, stands) in groups {
            let score = scores[place];
            signals.set(plain, score / ideal);
            signals.set(best, spread.against_best(score));
            signals.set(rank, spread.rank_worth(place));
            signals.set(stands, spread.stands_out(score));
        }
        let beside = [self.talk.before(place), self.talk.after(place)];
        let coverage = &self.survey.coverage;
        for (beside, signal) in beside.into_iter().zip([Signal::Before, Signal::After]) {
            signals.set(signal, beside.map_or(0.0, |place| self.survey.turn[place] / ideal));
        }
        let near = beside.into_iter().flatten().map(|place| coverage[place]).fold(coverage[place], f32::max);
        signals.set(Signal::Known, self.survey.known);
        signals.set(Signal::Coverage, coverage[place]);
        signals.set(Signal::CoverageNear, near);
    }

    fn meaning(&self, place: usize, signals: &mut Signals) {
        let Some(near) = &self.near else { return };
        let (row, session) = (near.rows[place], near.sessions[place]);
        signals.set(Signal::Near, row);
        signals.set(Signal::NearBest, near.row.against_best(row));
        signals.set(Signal::NearRank, near.row.rank_worth(place));
        signals.set(Signal::NearStands, near.row.stands_out(row));
        signals.set(Signal::SessionNear, session);
        signals.set(Signal::SessionNearBest, near.session.against_best(session));
        signals.set(Signal::SessionNearRank, near.session.rank_worth(place));
        signals.set(Signal::SessionNearStands, near.session.stands_out(session));
        let beside = [self.talk.before(place), self.talk.after(place)];
        for (beside, signal) in beside.into_iter().zip([Signal::NearBefore, Signal::NearAfter]) {
            signals.set(signal, beside.map_or(0.0, |place| near.rows[place]));
        }
    }

    fn speaker(&self, turn: &Turn, signals: &mut Signals) {
        let Inquiry { about, understanding, .. } = self.inquiry;
        let agrees = match about {
            [] => 0.5,
            about => f32::from(u8::from(about.contains(&turn.meta.author))),
        };
        signals.set(Signal::Speaker, agrees);
        signals.set(Signal::SpeakerTurn, agrees * signals.get(Signal::Turn));
        signals.set(Signal::SpeakerNear, agrees * signals.get(Signal::Near));
        let is = |role: Speaker| turn.meta.role == role.code();
        let one = |holds: bool| f32::from(u8::from(holds));
        signals.set(Signal::Assistant, one(is(Speaker::Assistant)));
        signals.set(Signal::OwnWords, one(is(Speaker::User) && understanding.of_speaker));
        signals.set(Signal::TheirWords, one(is(Speaker::Assistant) && understanding.of_listener));
        signals.set(Signal::Length, self.lengths.against_usual(turn));
        signals.set(Signal::Brief, (1.0 - turn.words as f32 / BRIEF_WORDS).max(0.0));
    }

    fn time(&self, turn: &Turn, signals: &mut Signals) {
        let moment = turn.meta.said_at;
        for time in &self.inquiry.understanding.times {
            let (distance, days) = (time.distance_days(moment), time.days());
            if distance <= 0.0 {
                signals.set(if days <= SHORT_DAYS { Signal::InTime } else { Signal::InLongTime }, 1.0);
            }
            let near = (-distance / (3.0 + 0.25 * days)).exp();
            signals.set(Signal::NearTime, signals.get(Signal::NearTime).max(near));
        }
        let age = self.inquiry.now.abs_diff(moment) as f32 / DAY;
        signals.set(Signal::Recent, 1.0 / (1.0 + age / 7.0));
    }
}

/// What another way of asking says of the rows it finds.
struct Other {
    purpose: Purpose,
    /// By place: the rank and the share of the best score.
    words: HashMap<u32, (u16, f32)>,
    order: Vec<u32>,
    near: Option<(Vec<f32>, Spread)>,
}

impl Other {
    fn new(
        index: &SpaceIndex,
        vectors: Option<&Vectors>,
        query: &Wanted,
        meaning: Option<&[f32]>,
        admitted: &[u32],
        coverage: &[f32],
        filter: &Filter,
    ) -> Self {
        let talk = index.talk();
        let hits = index.search(&query.words, filter, PER_LIST).hits;
        let best = hits.first().map_or(1.0, |hit| hit.score).max(f32::MIN_POSITIVE);
        let placed = hits.iter().filter_map(|hit| Some((talk.place(hit.seq)? as u32, hit.score / best)));
        let placed: Vec<(u32, f32)> = placed.collect();
        let near = vectors.zip(meaning).and_then(|(vectors, meaning)| {
            let rows = nearness(talk, vectors, meaning, admitted, coverage)?;
            let spread = Spread::of(&rows, admitted);
            Some((rows, spread))
        });
        Other {
            purpose: query.purpose,
            order: placed.iter().map(|(place, _)| *place).collect(),
            words: placed
                .iter()
                .enumerate()
                .map(|(rank, (place, share))| (*place, (rank as u16 + 1, *share)))
                .collect(),
            near,
        }
    }

    fn tops(&self) -> impl Iterator<Item = &[u32]> {
        std::iter::once(self.order.as_slice()).chain(self.near.as_ref().map(|(_, spread)| spread.top()))
    }

    fn ranks(&self, place: usize) -> (Option<u16>, Option<u16>) {
        let words = self.words.get(&(place as u32)).map(|(rank, _)| *rank);
        (words, self.near.as_ref().and_then(|(_, spread)| spread.rank(place)))
    }

    fn words_worth(&self, place: usize) -> f32 {
        self.words.get(&(place as u32)).map_or(0.0, |(_, share)| *share)
    }
}

/// How near each row is to a meaning, by place: 0 for what is as near as is usual in this talk, 1 for the same. Every model
/// has its own scale, and this is comparable. A row that has no vector yet is taken to be as near as the share of the message
/// that it holds lets expect: what was said just now must not fall behind.
fn nearness(
    talk: &Talk,
    vectors: &Vectors,
    meaning: &[f32],
    admitted: &[u32],
    coverage: &[f32],
) -> Option<Vec<f32>> {
    let mut rows = vec![f32::NAN; talk.len()];
    vectors.closeness(meaning, |seq, score| {
        if let Some(place) = talk.place(seq) {
            rows[place] = score;
        }
    });
    let known = admitted.iter().map(|place| rows[*place as usize]).filter(|score| !score.is_nan());
    let (sum, count, best) =
        known.fold((0.0, 0, f32::MIN), |(sum, count, best), score| (sum + score, count + 1, score.max(best)));
    if count == 0 {
        return None;
    }
    let usual = sum / count as f32;
    let whole = (1.0 - usual).max(LEAST_WHOLE);
    for (score, share) in rows.iter_mut().zip(coverage) {
        let near = if score.is_nan() { (best - usual) * share.min(1.0) } else { *score - usual };
        *score = near / whole;
    }
    Some(rows)
}

/// How near each session is: the mean of its nearest turns.
fn session_nearness(talk: &Talk, rows: &[f32]) -> Vec<f32> {
    let session = |session: u32| {
        let mut best = [f32::MIN; SESSION_TOP];
        let turns = talk.session(session);
        for &place in turns {
            let mut score = rows[place as usize];
            for kept in &mut best {
                if score > *kept {
                    std::mem::swap(kept, &mut score);
                }
            }
        }
        let count = turns.len().min(SESSION_TOP);
        if count == 0 { 0.0 } else { best[..count].iter().sum::<f32>() / count as f32 }
    };
    (0..talk.sessions() as u32).map(session).collect()
}
