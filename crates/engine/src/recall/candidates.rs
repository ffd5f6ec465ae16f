use memoir_index::{Filter, Places, SpaceIndex, Survey, Talk, Vectors, Work};
use std::sync::Arc;

use super::admitted::Admitted;
use super::evidence::{Evidence, Other};
use super::nearness::{Closeness, Nearness};
use super::occasion::Occasion;
use super::queries::Wanted;
use super::ranking::Ranking;
use super::signals::Signals;
use super::understand::Understanding;

/// How many of the best of each list are looked at closely.
pub(crate) const PER_LIST: usize = 100;
/// Of how many the turns beside them are looked at as well.
const WITH_NEIGHBOURS: usize = 40;
/// How many that were said at a time which is asked for are looked at, whatever their words.
const IN_TIME: usize = 200;
/// A stretch of at most so many days is a moment that was meant.
pub(crate) const SHORT_DAYS: f32 = 2.5;
/// From so many numbers on a scan of vectors takes much longer than to set up a thread, and the words are read meanwhile.
const LONG_SCAN: usize = 4_000_000;
/// In a space of so many messages everything is looked at in less time than another thread takes to begin.
const FEW_ROWS: usize = 8_192;

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
    /// How to weigh what is found.
    pub(crate) ranking: &'a Ranking,
    /// How many of the best to keep.
    pub(crate) most: usize,
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

/// Whether so little has to be looked at that it is not worth leaving the thread that asks.
pub(crate) fn is_quick(index: &SpaceIndex, vectors: Option<&Vectors>) -> bool {
    let numbers = vectors.map_or(0, |vectors| vectors.len() * vectors.dimension());
    index.len() <= FEW_ROWS && numbers < LONG_SCAN
}

/// Looks for what a message needs among the rows of a space, and keeps the best in no particular order.
pub(crate) fn candidates(index: &SpaceIndex, vectors: Option<&Vectors>, inquiry: &Inquiry<'_>) -> Candidates {
    let talk = index.talk();
    let admitted = Admitted::new(talk, inquiry.filter);
    let (Some((message, further)), false) = (inquiry.queries.split_first(), admitted.is_empty()) else {
        return Candidates::default();
    };
    let (survey, close) = look(index, vectors, message, further, inquiry.meanings);
    let near: Vec<Option<Nearness>> =
        close.into_iter().map(|close| Nearness::new(close?, &admitted, &survey)).collect();
    let mut near = near.into_iter();
    let own_near = near.next().flatten();
    let others: Vec<Other> = further
        .iter()
        .zip(near)
        .enumerate()
        .map(|(nth, (query, near))| Other::new(query.purpose, &survey, nth, near, &admitted))
        .collect();
    let mut evidence = Evidence::new(talk, &survey, &admitted, own_near, others, inquiry);
    let mut places = Vec::new();
    for list in evidence.tops() {
        for (nth, &place) in list.iter().take(PER_LIST).enumerate() {
            places.push(place);
            if nth < WITH_NEIGHBOURS {
                let beside = [talk.before(place as usize), talk.after(place as usize)];
                let beside = beside.into_iter().flatten().filter(|place| admitted.contains(*place));
                places.extend(beside.map(|place| place as u32));
            }
        }
    }
    places.extend(in_time(talk, &admitted, &survey, inquiry.understanding));
    let places = Places::of(talk.len(), places);
    evidence.rank(&places);
    let by_meaning = evidence.by_meaning();
    let occasion = Some(Occasion::of(talk, inquiry.understanding));
    let table = inquiry.ranking.table(occasion, by_meaning);
    let signals: Vec<Signals> =
        (0..).zip(places.as_slice()).map(|(slot, place)| evidence.signals(slot, *place as usize)).collect();
    let mut found: Vec<(f32, usize)> = signals.iter().map(|signals| table.score(signals)).zip(0..).collect();
    if found.len() > inquiry.most {
        found.select_nth_unstable_by(inquiry.most, |a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        found.truncate(inquiry.most);
    }
    let candidate = |(_, slot): (f32, usize)| {
        let place = places.as_slice()[slot] as usize;
        let words = survey.at(&survey.turn, place);
        Candidate { seq: talk.seq(place), signals: signals[slot], words, ranks: evidence.ranks(slot) }
    };
    Candidates {
        found: found.into_iter().map(candidate).collect(),
        by_meaning,
        occasion,
        rows: admitted.len(),
        work: survey.work,
    }
}

/// Reads the words of all rows and how close they are in meaning to each query that has one; at the same time, where that
/// takes long.
fn look(
    index: &SpaceIndex,
    vectors: Option<&Vectors>,
    message: &Wanted,
    further: &[Wanted],
    meanings: &[Option<Arc<[f32]>>],
) -> (Survey, Vec<Option<Vec<f32>>>) {
    let others: Vec<_> = further.iter().map(|query| &query.words).collect();
    let words = || index.survey(&message.words, &others);
    let known: Vec<&[f32]> = meanings.iter().filter_map(Option::as_deref).collect();
    let Some(vectors) = vectors.filter(|_| !known.is_empty()) else {
        return (words(), vec![None; meanings.len()]);
    };
    let compare = || Closeness::of(index.talk(), vectors, &known);
    let (survey, close) = if vectors.len() * vectors.dimension() < LONG_SCAN {
        (words(), compare())
    } else {
        std::thread::scope(|scope| {
            let compared = scope.spawn(compare);
            let survey = words();
            (survey, compared.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    };
    let mut close = close.into_each();
    (survey, meanings.iter().map(|meaning| meaning.as_ref().and_then(|_| close.next())).collect())
}

/// The rows that were said when the message asks about, those that share most words first.
fn in_time(talk: &Talk, admitted: &Admitted<'_>, survey: &Survey, understanding: &Understanding) -> Vec<u32> {
    let short = understanding.times.iter().filter(|time| time.days() <= SHORT_DAYS);
    let short: Vec<_> = short.collect();
    if short.is_empty() {
        return Vec::new();
    }
    let inside = |place: &u32| {
        let moment = talk.turn(*place as usize).map(|turn| turn.meta.said_at);
        moment.is_some_and(|moment| short.iter().any(|time| time.distance_days(moment) <= 0.0))
    };
    let rows = admitted.places().filter(inside);
    let mut rows: Vec<(f32, u32)> =
        rows.map(|place| (survey.at(&survey.window, place as usize), place)).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.truncate(IN_TIME);
    rows.into_iter().map(|(_, place)| place).collect()
}
