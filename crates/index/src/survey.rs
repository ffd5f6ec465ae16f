//! What the words of a question say of every row, and of the talk around it.

use crate::bm25::Bm25;
use crate::part::Part;
use crate::query::Query;
use crate::space::SpaceIndex;
use crate::talk::Talk;
use crate::work::Work;

/// The lexical evidence for a query, row by row (by [`Talk`] place). A row stands alone, with the turn before it, with
/// the turns around it, and as a part of its session: an answer often stands right after the words that match.
#[derive(Debug, Clone, Default)]
pub struct Survey {
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
}

/// A text made of several rows, being counted for one term after another.
struct Grouped {
    bm25: Bm25,
    groups: u64,
    frequency: Vec<u32>,
    touched: Vec<u32>,
}

impl Grouped {
    fn new(groups: usize, present: u64, words: u64) -> Self {
        Grouped {
            bm25: Bm25::new(present, words),
            groups: present,
            frequency: vec![0; groups],
            touched: Vec::new(),
        }
    }

    #[inline]
    fn count(&mut self, group: usize, frequency: u32) {
        let cell = &mut self.frequency[group];
        if *cell == 0 {
            self.touched.push(group as u32);
        }
        *cell = cell.saturating_add(frequency);
    }

    /// Turns the counts of a term into gains and starts anew for the next.
    fn settle(&mut self, weight: f32, scores: &mut [f32], words: impl Fn(usize) -> u32) {
        let weight = weight * self.bm25.idf((self.touched.len() as u64).min(self.groups));
        for group in self.touched.drain(..) {
            let group = group as usize;
            let frequency = std::mem::take(&mut self.frequency[group]);
            scores[group] += weight * self.bm25.gain(frequency, words(group));
        }
    }
}

/// How many words stand in a row and the turns beside it.
struct Lengths {
    pair: Vec<u32>,
    window: Vec<u32>,
}

impl Lengths {
    fn of(talk: &Talk) -> Self {
        let words =
            |place: Option<usize>| place.and_then(|place| talk.turn(place)).map_or(0, |turn| turn.words);
        let mut lengths = Lengths { pair: vec![0; talk.len()], window: vec![0; talk.len()] };
        for (place, turn) in talk.turns() {
            lengths.pair[place] = turn.words + words(talk.before(place));
            lengths.window[place] = lengths.pair[place] + words(talk.after(place));
        }
        lengths
    }
}

impl SpaceIndex {
    /// Weighs every row by the words of a query. Its phrases are words like others here.
    pub fn survey(&self, query: &Query) -> Survey {
        let talk = self.talk();
        let (places, rows) = (talk.len(), self.len() as u64);
        let mut survey = Survey {
            turn: vec![0.0; places],
            pair: vec![0.0; places],
            window: vec![0.0; places],
            coverage: vec![0.0; places],
            session: vec![0.0; talk.sessions()],
            ..Survey::default()
        };
        if query.is_empty() || rows == 0 {
            return survey;
        }
        let lengths = Lengths::of(talk);
        let total = |words: &[u32]| words.iter().map(|&words| u64::from(words)).sum::<u64>();
        let mut pairs = Grouped::new(places, rows, total(&lengths.pair));
        let mut windows = Grouped::new(places, rows, total(&lengths.window));
        let said = (0..talk.sessions() as u32).filter(|&session| !talk.session(session).is_empty()).count();
        let mut sessions = Grouped::new(talk.sessions(), said as u64, self.words());
        let turns = Bm25::new(rows, self.words());
        let mut postings = Vec::new();
        for term in query.terms() {
            postings.clear();
            self.each_part(&mut |part| collect(part, talk, term.hash, &mut postings, &mut survey.work));
            let weight = term.weight * turns.idf(postings.len() as u64);
            if term.strong {
                survey.ideal += weight;
                survey.known += if postings.is_empty() { 0.0 } else { weight };
            }
            for &(place, frequency, words) in &postings {
                let place = place as usize;
                survey.turn[place] += weight * turns.gain(frequency, words);
                if term.strong {
                    survey.coverage[place] += weight;
                }
                pairs.count(place, frequency);
                windows.count(place, frequency);
                if let Some(after) = talk.after(place) {
                    pairs.count(after, frequency);
                    windows.count(after, frequency);
                }
                if let Some(before) = talk.before(place) {
                    windows.count(before, frequency);
                }
                if let Some(turn) = talk.turn(place) {
                    sessions.count(turn.session as usize, frequency);
                }
            }
            pairs.settle(term.weight, &mut survey.pair, |place| lengths.pair[place]);
            windows.settle(term.weight, &mut survey.window, |place| lengths.window[place]);
            let session_words = |place| u32::try_from(talk.session_words(place as u32)).unwrap_or(u32::MAX);
            sessions.settle(term.weight, &mut survey.session, session_words);
        }
        let ideal = survey.ideal.max(f32::MIN_POSITIVE);
        survey.coverage.iter_mut().for_each(|share| *share /= ideal);
        survey.known /= ideal;
        survey
    }
}

/// Adds the live rows of a part that hold a term: their place, how often they hold it and how long they are.
fn collect(
    part: &dyn Part,
    talk: &Talk,
    term: crate::TermHash,
    postings: &mut Vec<(u32, u32, u32)>,
    work: &mut Work,
) {
    for posting in part.postings(term).into_iter().flatten() {
        work.postings += 1;
        let row = posting.row as usize;
        if row < part.rows()
            && part.live().contains(row)
            && let Some(place) = talk.place(part.seq(row))
        {
            postings.push((place as u32, posting.frequency, part.words(row)));
        }
    }
}
