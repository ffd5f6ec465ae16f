use memoir_index::{Filter, Places, SpaceIndex, Survey, Talk, Vectors, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::admitted::Admitted;
use super::evidence::Evidence;
use super::nearness::Comparison;
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
/// From so many numbers on a scan of vectors takes much longer than to wake another thread, and the words are read meanwhile.
const WORTH_ANOTHER_THREAD: usize = 1_000_000;
/// How often to look whether another thread is done before falling asleep over it: some 50 µs.
const WORTH_WAITING: usize = 1_000;
/// From so many numbers on a scan of vectors takes so long that nobody else should wait for it.
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
    let words = || Evidence::of_words(index, &admitted, inquiry, (message, further));
    let mut evidence = match Comparison::new(talk, vectors, inquiry.meanings) {
        Some(meaning) => {
            let mut shares = Vec::with_capacity(2);
            let here = || (words(), meaning.share());
            let (mut evidence, share) = if meaning.numbers() < WORTH_ANOTHER_THREAD {
                here()
            } else {
                let (here, there) = side_by_side(here, || meaning.share());
                shares.push(there);
                here
            };
            shares.push(share);
            evidence.add_meaning(meaning.join(shares, &admitted));
            evidence
        }
        None => words(),
    };
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
    places.extend(in_time(talk, &admitted, evidence.survey(), inquiry.understanding));
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
    let survey = evidence.survey();
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

/// Does two things at the same time, the first of them here.
fn side_by_side<A, B: Send>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut found, is_done) = (None, AtomicBool::new(false));
    let here = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            found = Some(there());
            is_done.store(true, Ordering::Release);
        });
        let here = here();
        // What is left over there is short, and to fall asleep and be woken takes longer.
        for _ in 0..WORTH_WAITING {
            if is_done.load(Ordering::Acquire) {
                break;
            }
            std::hint::spin_loop();
        }
        here
    });
    // A panic over there goes on here.
    (here, found.unwrap_or_else(|| unreachable!("a scope ends with all that was spawned in it")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_things_at_once_give_what_each_gives() {
        let lent = [1, 2, 3];
        assert_eq!(side_by_side(|| lent.len(), || lent.iter().sum::<i32>()), (3, 6));
    }

    #[test]
    #[should_panic(expected = "over there")]
    fn a_fault_on_the_other_thread_is_a_fault_here() {
        side_by_side(
            || 1,
            || {
                if std::hint::black_box(true) {
                    panic!("over there")
                }
            },
        );
    }
}
