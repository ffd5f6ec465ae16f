//! What the words of a question say of every row, and of the talk around it.

use crate::bits::Bits;
use crate::bm25::Bm25;
use crate::found::Hit;
use crate::part::Part;
use crate::places::Places;
use crate::query::{Query, QueryTerm};
use crate::ranking::Ranking;
use crate::space::SpaceIndex;
use crate::talk::Talk;
use crate::term::TermHash;
use crate::work::Work;

/// Stands for no row.
const NONE: u32 = u32::MAX;

/// The lexical evidence for a message, row by row. A row stands alone, with the turn before it, with the turns around it,
/// and as a part of its session: an answer often stands right after the words that match. Other ways of asking are weighed
/// in the same go, row by row alone.
///
/// Nothing is kept of a row that holds no word and stands beside none that does: it has no score.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// The rows that have a score, by [`Talk`] place. The lists below are in their order.
    pub places: Places,
    /// BM25 of the row itself.
    pub turn: Vec<f32>,
    /// BM25 of the row together with the one before it.
    pub pair: Vec<f32>,
    /// BM25 of the row together with the ones before and after it.
    pub window: Vec<f32>,
    /// The share of the question that the row holds, rare words counting more; 0 to 1.
    pub coverage: Vec<f32>,
    /// BM25 of whole sessions, by their place.
    pub session: Vec<f32>,
    /// What a row could gain at most if it held every word once: scores divided by it compare across questions.
    pub ideal: f32,
    /// The share of the question's words, by weight, that occur anywhere in the space; 0 to 1.
    pub known: f32,
    /// What it cost.
    pub work: Work,
    others: Vec<Matched>,
}

impl Survey {
    /// A score of [`Survey::turn`] and its like by place.
    #[inline]
    pub fn at(&self, scores: &[f32], place: usize) -> f32 {
        self.places.slot(place).map_or(0.0, |slot| scores[slot])
    }

    /// The rows that another way of asking finds, as [`SpaceIndex::search`] would: the best first, by place, with their
    /// scores.
    pub fn best_of(
        &self,
        other: usize,
        limit: usize,
        mut admits: impl FnMut(usize) -> bool,
    ) -> Vec<(u32, f32)> {
        let mut ranking = Ranking::new(limit);
        let Some(matched) = self.others.get(other) else { return Vec::new() };
        for ((&place, &score), &strong) in
            self.places.as_slice().iter().zip(&matched.scores).zip(&matched.strong)
        {
            if score > 0.0 && admits(place as usize) {
                ranking.push(Hit { seq: u64::from(place), score, strong, matched: 1 });
            }
        }
        ranking.finish(Work::default()).hits.iter().map(|hit| (hit.seq as u32, hit.score)).collect()
    }
}

/// What another way of asking says of the rows.
#[derive(Debug, Clone, Default)]
struct Matched {
    scores: Vec<f32>,
    /// Whether a row holds more of it than stop words and single characters.
    strong: Vec<bool>,
}

/// The rows that hold the terms of all queries, each read once however many ask for it.
#[derive(Default)]
struct Held {
    terms: Vec<Term>,
    /// By place, then by slot, and how often: of one term after another.
    rows: Vec<(u32, u32)>,
}

/// One term of the queries.
struct Term {
    /// Which query asks for it, and how much it weighs there.
    asked: Vec<(usize, QueryTerm)>,
    /// Where its rows end.
    end: usize,
}

impl Held {
    fn read(index: &SpaceIndex, queries: &[&Query], work: &mut Work) -> Self {
        let mut terms: Vec<(usize, QueryTerm)> = Vec::new();
        for (nth, query) in queries.iter().enumerate() {
            terms.extend(query.terms().iter().map(|term| (nth, *term)));
        }
        // The order of the terms is that of every query: floats must add up alike.
        terms.sort_by_key(|(_, term)| term.hash);
        let mut held = Held::default();
        for asked in terms.chunk_by(|a, b| a.1.hash == b.1.hash) {
            index.each_part(&mut Collect {
                talk: index.talk(),
                term: asked[0].1.hash,
                rows: &mut held.rows,
                work,
            });
            held.terms.push(Term { asked: asked.to_vec(), end: held.rows.len() });
        }
        held
    }

    /// The places that hold a term, and those beside them.
    fn places(&self, talk: &Talk) -> Places {
        let mut holding = Bits::with_rows(talk.len());
        self.rows.iter().for_each(|(place, _)| holding.insert(*place as usize));
        let mut reached = holding.clone();
        for &place in Places::from(holding).as_slice() {
            if let Some(link) = talk.link(place as usize) {
                link.before().into_iter().chain(link.after()).for_each(|place| reached.insert(place));
            }
        }
        Places::from(reached)
    }

    /// Each term with its rows.
    fn each(&self) -> impl Iterator<Item = (&Term, &[(u32, u32)])> {
        let mut start = 0;
        self.terms.iter().map(move |term| {
            let rows = &self.rows[start..term.end];
            start = term.end;
            (term, rows)
        })
    }
}

/// Gathers the live rows that hold a term.
pub(crate) struct Collect<'a> {
    talk: &'a Talk,
    term: TermHash,
    rows: &'a mut Vec<(u32, u32)>,
    work: &'a mut Work,
}

impl Collect<'_> {
    pub(crate) fn visit(&mut self, part: &impl Part) {
        let all_live = part.all_live();
        let Some(postings) = part.postings(self.term) else { return };
        // A list may say that it is longer than it is.
        self.rows.reserve((postings.rows() as usize).min(part.rows()));
        for posting in postings {
            self.work.postings += 1;
            let row = posting.row as usize;
            if row < part.rows()
                && (all_live || part.live().contains(row))
                && let Some(place) = self.talk.place(part.seq(row))
            {
                self.rows.push((place as u32, posting.frequency));
            }
        }
    }
}

/// A row of a survey: what stands beside it, by slot, and how long it is.
#[derive(Clone, Copy)]
struct Row {
    before: u32,
    after: u32,
    session: u32,
    words: u32,
    pair: u32,
    window: u32,
}

impl Row {
    const EMPTY: Row = Row { before: NONE, after: NONE, session: 0, words: 0, pair: 0, window: 0 };

    fn all(talk: &Talk, places: &Places) -> Vec<Row> {
        let slot =
            |place: Option<usize>| place.and_then(|place| places.slot(place)).map_or(NONE, |at| at as u32);
        let row = |&place: &u32| {
            let Some(link) = talk.link(place as usize) else { return Row::EMPTY };
            Row {
                before: slot(link.before()),
                after: slot(link.after()),
                session: link.session() as u32,
                words: link.words,
                pair: link.pair,
                window: link.window,
            }
        };
        places.as_slice().iter().map(row).collect()
    }
}

/// How often a term stands in the turns around each row, counted for one term after another.
struct Around {
    /// By slot: together with the turn before, and with the turns before and after.
    frequency: Vec<(u32, u32)>,
    touched: Vec<u32>,
    pairs: u64,
}

impl Around {
    #[inline]
    fn count(&mut self, slot: u32, in_pair: bool, frequency: u32) {
        let Some((pair, window)) = self.frequency.get_mut(slot as usize) else { return };
        if *window == 0 {
            self.touched.push(slot);
        }
        *window = window.saturating_add(frequency);
        if in_pair {
            self.pairs += u64::from(*pair == 0);
            *pair = pair.saturating_add(frequency);
        }
    }
}

/// How often a term stands in each session.
struct InSessions {
    frequency: Vec<u32>,
    touched: Vec<u32>,
}

impl InSessions {
    #[inline]
    fn count(&mut self, session: u32, frequency: u32) {
        let cell = &mut self.frequency[session as usize];
        if *cell == 0 {
            self.touched.push(session);
        }
        *cell = cell.saturating_add(frequency);
    }
}

impl SpaceIndex {
    /// Weighs the rows by the words of a message, and by those of other ways of asking. Phrases are words like others here.
    pub fn survey(&self, message: &Query, others: &[&Query]) -> Survey {
        let (talk, rows) = (self.talk(), self.len() as u64);
        let mut survey = Survey { session: vec![0.0; talk.sessions()], ..Survey::default() };
        let queries: Vec<&Query> = std::iter::once(message).chain(others.iter().copied()).collect();
        let mut held = Held::read(self, &queries, &mut survey.work);
        let places = held.places(talk);
        let count = places.len();
        survey.work.rows = count;
        let beside = Row::all(talk, &places);
        for (place, _) in &mut held.rows {
            *place = places.slot(*place as usize).map_or(NONE, |slot| slot as u32);
        }
        survey.places = places;
        for scores in [&mut survey.turn, &mut survey.pair, &mut survey.window, &mut survey.coverage] {
            *scores = vec![0.0; count];
        }
        survey.others = vec![Matched { scores: vec![0.0; count], strong: vec![false; count] }; others.len()];
        let turns = Bm25::new(rows, self.words());
        let mut around = Around { frequency: vec![(0, 0); count], touched: Vec::new(), pairs: 0 };
        let mut sessions = InSessions { frequency: vec![0; talk.sessions()], touched: Vec::new() };
        let mut gains = Vec::new();
        for (term, held) in held.each() {
            let rarity = turns.idf(held.len() as u64);
            gains.clear();
            gains.extend(
                held.iter().map(|&(slot, frequency)| turns.gain(frequency, beside[slot as usize].words)),
            );
            for (query, asked) in &term.asked {
                let weight = asked.weight * rarity;
                match query.checked_sub(1) {
                    None => {
                        survey.weigh(held, &gains, weight, asked.strong);
                        for &(slot, frequency) in held {
                            let row = &beside[slot as usize];
                            around.count(slot, true, frequency);
                            around.count(row.after, true, frequency);
                            around.count(row.before, false, frequency);
                            sessions.count(row.session, frequency);
                        }
                        survey.settle(self, asked.weight, &beside, &mut around, &mut sessions);
                    }
                    Some(other) => survey.others[other].weigh(held, &gains, weight, asked.strong),
                }
            }
        }
        let ideal = survey.ideal.max(f32::MIN_POSITIVE);
        survey.coverage.iter_mut().for_each(|share| *share /= ideal);
        survey.known /= ideal;
        survey
    }
}

impl Survey {
    /// Adds what a term says of the rows that hold it.
    fn weigh(&mut self, held: &[(u32, u32)], gains: &[f32], weight: f32, strong: bool) {
        if strong {
            self.ideal += weight;
            self.known += if held.is_empty() { 0.0 } else { weight };
        }
        for ((slot, _), gain) in held.iter().zip(gains) {
            self.turn[*slot as usize] += weight * gain;
            if strong {
                self.coverage[*slot as usize] += weight;
            }
        }
    }

    /// Adds what a term says of the rows around those that hold it and of their sessions, and starts anew for the next.
    fn settle(
        &mut self,
        index: &SpaceIndex,
        weight: f32,
        beside: &[Row],
        around: &mut Around,
        sessions: &mut InSessions,
    ) {
        let (talk, rows) = (index.talk(), index.len() as u64);
        let pairs = Bm25::new(rows, talk.pair_words());
        let windows = Bm25::new(rows, talk.window_words());
        let pair_weight = weight * pairs.idf(around.pairs.min(rows));
        let window_weight = weight * windows.idf((around.touched.len() as u64).min(rows));
        for slot in around.touched.drain(..).map(|slot| slot as usize) {
            let (pair, window) = std::mem::take(&mut around.frequency[slot]);
            if pair > 0 {
                self.pair[slot] += pair_weight * pairs.gain(pair, beside[slot].pair);
            }
            self.window[slot] += window_weight * windows.gain(window, beside[slot].window);
        }
        around.pairs = 0;
        let said = talk.said_sessions() as u64;
        let bm25 = Bm25::new(said, index.words());
        let weight = weight * bm25.idf((sessions.touched.len() as u64).min(said));
        for session in sessions.touched.drain(..) {
            let words = u32::try_from(talk.session_words(session)).unwrap_or(u32::MAX);
            let frequency = std::mem::take(&mut sessions.frequency[session as usize]);
            self.session[session as usize] += weight * bm25.gain(frequency, words);
        }
    }
}

impl Matched {
    fn weigh(&mut self, held: &[(u32, u32)], gains: &[f32], weight: f32, strong: bool) {
        for ((slot, _), gain) in held.iter().zip(gains) {
            self.scores[*slot as usize] += weight * gain;
            self.strong[*slot as usize] |= strong;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, RowMeta, Terms};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const WORDS: [&str; 8] = ["cat", "lake", "museum", "the", "tea", "猫", "喜欢", "rain"];

    fn text(words: &[usize]) -> String {
        words.iter().map(|word| WORDS[word % WORDS.len()]).collect::<Vec<_>>().join(" ")
    }

    fn meta(session: u64) -> RowMeta {
        RowMeta { said_at: 0, author: 0, role: 0, session }
    }

    /// What a search over other texts of the same rows says of each.
    fn scores(texts: &BTreeMap<u64, Vec<&str>>, query: &Query) -> BTreeMap<u64, f32> {
        let mut index = SpaceIndex::new();
        for (seq, texts) in texts {
            index.upsert(*seq, meta(0), &Terms::of(texts));
        }
        let hits = index.search(query, &Filter::default(), texts.len()).hits;
        hits.into_iter().map(|hit| (hit.seq, hit.score)).collect()
    }

    proptest! {
        #[test]
        fn a_row_is_weighed_as_a_search_over_its_talk_would(
            rows in prop::collection::vec((0..3u64, prop::collection::vec(0..8usize, 0..6)), 1..30),
            gone in prop::collection::vec(1..30u64, 0..6),
            asked in prop::collection::vec(prop::collection::vec(0..9usize, 0..5), 1..4),
        ) {
            let mut index = SpaceIndex::new();
            let mut said: BTreeMap<u64, (u64, String)> = BTreeMap::new();
            for (seq, (session, words)) in (1..).zip(&rows) {
                index.upsert(seq, meta(*session), &Terms::of(&[&text(words)]));
                said.insert(seq, (*session, text(words)));
            }
            for seq in gone {
                index.remove(seq);
                said.remove(&seq);
            }
            let queries: Vec<Query> = asked.iter().map(|words| Query::of_message(&text(words))).collect();
            let others: Vec<&Query> = queries[1..].iter().collect();
            let survey = index.survey(&queries[0], &others);
            let talk = index.talk();
            let place = |seq: u64| talk.place(seq).unwrap();

            for (nth, query) in others.iter().enumerate() {
                let hits = index.search(query, &Filter::default(), 10).hits;
                let hits: Vec<(u32, f32)> = hits.iter().map(|hit| (place(hit.seq) as u32, hit.score)).collect();
                prop_assert_eq!(survey.best_of(nth, 10, |_| true), hits);
            }
            let beside = |seq: u64, reach: [bool; 3]| -> Vec<&str> {
                let places = [talk.before(place(seq)), Some(place(seq)), talk.after(place(seq))];
                let texts = places.into_iter().zip(reach).filter(|(_, reached)| *reached);
                texts.filter_map(|(place, _)| said.get(&talk.seq(place?)).map(|row| row.1.as_str())).collect()
            };
            for (found, reach) in [
                (&survey.turn, [false, true, false]),
                (&survey.pair, [true, true, false]),
                (&survey.window, [true, true, true]),
            ] {
                let texts = said.keys().map(|seq| (*seq, beside(*seq, reach))).collect();
                for (seq, score) in scores(&texts, &queries[0]) {
                    let found = survey.at(found, place(seq));
                    prop_assert!((found - score).abs() < 1e-4, "{seq} {reach:?}: {found} {score}");
                }
            }
        }
    }

    #[test]
    fn a_rare_word_costs_the_same_however_much_else_was_said() {
        let work = |rows: u64| {
            let mut index = SpaceIndex::new();
            for seq in 1..=rows {
                let words = if seq % 100 == 55 && seq < 500 { "a telescope" } else { "it rained" };
                index.upsert(seq, meta(seq / 10), &Terms::of(&[words]));
            }
            let query = Query::of_message("telescope");
            index.survey(&query, &[&query]).work
        };
        // Five rows that hold the word and its stem, each with two beside it; read once though two ask.
        assert_eq!((work(600).postings, work(600).rows), (10, 15));
        assert_eq!(work(600), work(6_000));
    }
}
