//! The order in which the rows of a space were said.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use crate::row::RowMeta;

/// So many empty places at the front are never given up.
const EMPTY_SLACK: usize = 1024;
/// Stands for no place and for no session.
const NONE: u32 = u32::MAX;

/// The rows of a space as turns of talk: which session each belongs to, and what was said before and after it there.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    /// The number of the row at place 0.
    first: u64,
    /// By place: the row's number less [`Talk::first`]. A row that is not there has no turn.
    turns: Vec<Option<Turn>>,
    /// By place: what a survey needs of a turn, close together because it looks at most of them.
    links: Vec<Link>,
    /// How many places at the front are known to be empty.
    empty: usize,
    sessions: Vec<Session>,
    /// From the number of a session to its place.
    places: HashMap<u64, u32>,
    /// How many turns each author has.
    authors: HashMap<u64, u32>,
    /// How many turns there are of each role and length.
    lengths: BTreeMap<(u8, u32), u32>,
    rows: usize,
    /// How many sessions have a turn.
    said_sessions: usize,
    /// The words of all turns, each with the turn before it.
    pair_words: u64,
    /// The words of all turns, each with the turns before and after it.
    window_words: u64,
}

/// One row in its session.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// What it can be filtered by.
    pub meta: RowMeta,
    /// Its length in words.
    pub words: u32,
    /// The place of its session.
    pub session: u32,
}

/// What stands beside a turn, and how long it is alone and together with that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// [`NONE`] where there is no turn.
    session: u32,
    before: u32,
    after: u32,
    pub(crate) words: u32,
    /// With the turn before it.
    pub(crate) pair: u32,
    /// With the turns before and after it.
    pub(crate) window: u32,
}

impl Link {
    const EMPTY: Link = Link { session: NONE, before: NONE, after: NONE, words: 0, pair: 0, window: 0 };

    pub(crate) fn session(&self) -> usize {
        self.session as usize
    }

    pub(crate) fn before(&self) -> Option<usize> {
        (self.before != NONE).then_some(self.before as usize)
    }

    pub(crate) fn after(&self) -> Option<usize> {
        (self.after != NONE).then_some(self.after as usize)
    }

    /// Follows the places when they get other numbers.
    fn shift(&mut self, by: impl Fn(u32) -> u32) {
        for place in [&mut self.before, &mut self.after] {
            if *place != NONE {
                *place = by(*place);
            }
        }
    }
}

/// The turns of one session, by their places, in the order they were said.
#[derive(Debug, Clone, Default)]
struct Session {
    turns: Vec<u32>,
    words: u64,
}

impl Talk {
    /// How many places there are, empty ones included.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// How many turns there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many sessions there are, empty ones included.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// How many sessions have a turn.
    pub fn said_sessions(&self) -> usize {
        self.said_sessions
    }

    /// How many turns there are of each role and length in words.
    pub fn lengths(&self) -> impl Iterator<Item = (u8, u32, u32)> {
        self.lengths.iter().map(|(&(role, words), &turns)| (role, words, turns))
    }

    /// The number of the row at a place.
    pub fn seq(&self, place: usize) -> u64 {
        self.first + place as u64
    }

    /// The place of a row.
    pub fn place(&self, seq: u64) -> Option<usize> {
        let place = usize::try_from(seq.checked_sub(self.first)?).ok()?;
        self.link(place).map(|_| place)
    }

    /// The turn at a place.
    pub fn turn(&self, place: usize) -> Option<&Turn> {
        self.turns.get(place)?.as_ref()
    }

    /// Whether the author of that hash has said anything.
    pub fn has_author(&self, author: u64) -> bool {
        self.authors.contains_key(&author)
    }

    /// How many authors there are.
    pub fn authors(&self) -> usize {
        self.authors.len()
    }

    /// All turns with their places, in the order of arrival.
    pub fn turns(&self) -> impl Iterator<Item = (usize, &Turn)> {
        self.turns.iter().enumerate().filter_map(|(place, turn)| Some((place, turn.as_ref()?)))
    }

    /// The place of what was said just before in the same session.
    pub fn before(&self, place: usize) -> Option<usize> {
        self.links.get(place)?.before()
    }

    /// The place of what was said just after in the same session.
    pub fn after(&self, place: usize) -> Option<usize> {
        self.links.get(place)?.after()
    }

    /// The place of the session that a turn belongs to.
    pub fn session_of(&self, place: usize) -> Option<usize> {
        self.link(place).map(Link::session)
    }

    /// The places of a session's turns, in the order they were said.
    pub fn session(&self, session: u32) -> &[u32] {
        self.sessions.get(session as usize).map_or(&[], |session| &session.turns)
    }

    /// How many words were said in a session.
    pub(crate) fn session_words(&self, session: u32) -> u64 {
        self.sessions.get(session as usize).map_or(0, |session| session.words)
    }

    /// What stands beside the turn at a place.
    #[inline]
    pub(crate) fn link(&self, place: usize) -> Option<&Link> {
        self.links.get(place).filter(|link| link.session != NONE)
    }

    /// The words of all turns, each with the turn before it.
    pub(crate) fn pair_words(&self) -> u64 {
        self.pair_words
    }

    /// The words of all turns, each with the turns before and after it.
    pub(crate) fn window_words(&self) -> u64 {
        self.window_words
    }

    /// The memory it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let turns: usize = self.sessions.iter().map(|session| session.turns.capacity() * 4).sum();
        self.turns.capacity() * size_of::<Option<Turn>>()
            + self.links.capacity() * size_of::<Link>()
            + self.sessions.capacity() * size_of::<Session>()
            + (self.places.capacity() + self.authors.capacity()) * 18
            + self.lengths.len() * 24
            + turns
    }

    pub(crate) fn insert(&mut self, seq: u64, meta: RowMeta, words: u32) {
        self.remove(seq);
        self.make_room(seq);
        let session = *self.places.entry(meta.session).or_insert_with(|| {
            self.sessions.push(Session::default());
            self.sessions.len() as u32 - 1
        });
        let place = (seq - self.first) as usize;
        self.empty = self.empty.min(place);
        let nth = self.nth(session, meta.said_at, place);
        let turns = &mut self.sessions[session as usize].turns;
        let beside = |nth: Option<usize>| nth.and_then(|nth| turns.get(nth)).map_or(NONE, |&place| place);
        let (before, after) = (beside(nth.checked_sub(1)), beside(Some(nth)));
        turns.insert(nth, place as u32);
        self.turns[place] = Some(Turn { meta, words, session });
        self.links[place] = Link { session, before, after, words, ..Link::EMPTY };
        self.join(before, place as u32);
        self.join(place as u32, after);
        self.measure([before, place as u32, after]);
        self.sessions[session as usize].words += u64::from(words);
        self.said_sessions += usize::from(before == NONE && after == NONE);
        self.rows += 1;
        *self.authors.entry(meta.author).or_default() += 1;
        *self.lengths.entry((meta.role, words)).or_default() += 1;
    }

    pub(crate) fn remove(&mut self, seq: u64) {
        let Some(place) = self.place(seq) else { return };
        let Some(turn) = self.turns[place].take() else { return };
        if let Entry::Occupied(mut count) = self.authors.entry(turn.meta.author) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        let length = (turn.meta.role, turn.words);
        if let Some(count) = self.lengths.get_mut(&length) {
            *count -= 1;
            if *count == 0 {
                self.lengths.remove(&length);
            }
        }
        let nth = self.nth(turn.session, turn.meta.said_at, place);
        let session = &mut self.sessions[turn.session as usize];
        session.words -= u64::from(turn.words);
        session.turns.remove(nth);
        let link = std::mem::replace(&mut self.links[place], Link::EMPTY);
        self.pair_words -= u64::from(link.pair);
        self.window_words -= u64::from(link.window);
        self.join(link.before, link.after);
        self.measure([link.before, link.after]);
        self.said_sessions -= usize::from(link.before == NONE && link.after == NONE);
        self.rows -= 1;
        self.forget_front();
    }

    /// Which turn of its session one is, or would be, that was said then and stands at that place.
    fn nth(&self, session: u32, said_at: i64, place: usize) -> usize {
        let turns = self.session(session);
        let before = |&other: &u32| {
            let turn = self.turn(other as usize);
            turn.is_some_and(|turn| (turn.meta.said_at, other as usize) < (said_at, place))
        };
        match turns.last() {
            Some(last) if !before(last) => turns.partition_point(before),
            // Nearly always it is the newest one.
            _ => turns.len(),
        }
    }

    /// Puts two turns side by side; either may be none.
    fn join(&mut self, before: u32, after: u32) {
        if let Some(link) = self.links.get_mut(before as usize) {
            link.after = after;
        }
        if let Some(link) = self.links.get_mut(after as usize) {
            link.before = before;
        }
    }

    /// Counts the words of turns and of what stands beside them anew; none of them may be there.
    fn measure<const COUNT: usize>(&mut self, places: [u32; COUNT]) {
        for place in places {
            let Some(link) = self.link(place as usize) else { continue };
            let words = |place: Option<usize>| place.map_or(0, |place| self.links[place].words);
            let pair = link.words + words(link.before());
            let window = pair + words(link.after());
            let link = &mut self.links[place as usize];
            self.pair_words = self.pair_words - u64::from(link.pair) + u64::from(pair);
            self.window_words = self.window_words - u64::from(link.window) + u64::from(window);
            (link.pair, link.window) = (pair, window);
        }
    }

    /// Gives up empty places at the front once they are most of all: a space that outgrew its index leaves them behind.
    fn forget_front(&mut self) {
        self.empty += self.turns[self.empty..].iter().take_while(|turn| turn.is_none()).count();
        if self.empty <= EMPTY_SLACK || self.empty * 2 <= self.turns.len() {
            return;
        }
        let gone = self.empty as u32;
        self.turns.drain(..self.empty);
        self.links.drain(..self.empty);
        self.shift(|place| place - gone);
        self.first += u64::from(gone);
        self.empty = 0;
    }

    /// Sees that there is a place for a row.
    fn make_room(&mut self, seq: u64) {
        if self.turns.is_empty() {
            self.first = seq;
        }
        if seq < self.first {
            // An old row of a space whose newest rows came first.
            let more = (self.first - seq) as usize;
            self.turns.splice(0..0, std::iter::repeat_n(None, more));
            self.links.splice(0..0, std::iter::repeat_n(Link::EMPTY, more));
            self.shift(|place| place + more as u32);
            self.first = seq;
            self.empty = 0;
        }
        let place = (seq - self.first) as usize;
        if place >= self.turns.len() {
            self.turns.resize(place + 1, None);
            self.links.resize(place + 1, Link::EMPTY);
        }
    }

    /// Gives every turn another place.
    fn shift(&mut self, by: impl Fn(u32) -> u32) {
        let turns = self.sessions.iter_mut().flat_map(|session| &mut session.turns);
        turns.for_each(|place| *place = by(*place));
        self.links.iter_mut().for_each(|link| link.shift(&by));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn meta(session: u64, said_at: i64) -> RowMeta {
        RowMeta { said_at, author: 0, role: 0, session }
    }

    #[test]
    fn neighbours_are_those_of_the_same_session() {
        let mut talk = Talk::default();
        for (seq, session, at) in [(10, 1, 5), (11, 2, 6), (12, 1, 7), (13, 1, 6), (9, 1, 1)] {
            talk.insert(seq, meta(session, at), 3);
        }
        let around = |seq: u64| {
            let place = talk.place(seq).unwrap();
            let seq = |place: Option<usize>| place.map(|place| talk.seq(place));
            (seq(talk.before(place)), seq(talk.after(place)))
        };
        assert_eq!(around(9), (None, Some(10)));
        assert_eq!(around(10), (Some(9), Some(13)));
        assert_eq!(around(13), (Some(10), Some(12)));
        assert_eq!(around(11), (None, None));
        assert_eq!(talk.session_words(talk.turn(talk.place(12).unwrap()).unwrap().session), 12);
    }

    #[test]
    fn what_a_space_has_outgrown_takes_no_place() {
        let mut talk = Talk::default();
        for seq in 1..=6_000 {
            talk.insert(seq, meta(seq / 10, seq as i64), 1);
            if seq > 1_000 {
                talk.remove(seq - 1_000);
            }
        }
        assert!(talk.len() < 3_000, "{}", talk.len());
        assert_eq!(talk.turns().count(), 1_000);
        let place = talk.place(5_995).unwrap();
        assert_eq!((talk.seq(place), talk.before(place).map(|place| talk.seq(place))), (5_995, Some(5_994)));
        assert_eq!(talk.place(3), None);
    }

    proptest! {
        #[test]
        fn whatever_came_and_went_the_order_is_that_of_what_is_there(
            steps in prop::collection::vec((1..40u64, prop::option::weighted(0.8, (0..3u64, 0..6i64))), 0..120),
        ) {
            let mut talk = Talk::default();
            let mut rows = BTreeMap::new();
            for (seq, step) in steps {
                match step {
                    Some((session, at)) => {
                        talk.insert(seq, meta(session, at), seq as u32);
                        rows.insert(seq, (session, at));
                    }
                    None => {
                        talk.remove(seq);
                        rows.remove(&seq);
                    }
                }
            }
            let mut order: Vec<_> = rows.iter().map(|(seq, (session, at))| (*session, *at, *seq)).collect();
            order.sort_unstable();
            for (session, turns) in order.chunk_by(|a, b| a.0 == b.0).map(|turns| (turns[0].0, turns)) {
                let place = talk.places[&session];
                let found: Vec<u64> = talk.session(place).iter().map(|&at| talk.seq(at as usize)).collect();
                prop_assert_eq!(found, turns.iter().map(|turn| turn.2).collect::<Vec<_>>());
                prop_assert_eq!(talk.session_words(place), turns.iter().map(|turn| turn.2).sum::<u64>());
                // A row is as long as its number says.
                let row = |nth: Option<usize>| nth.and_then(|nth| turns.get(nth)).map(|turn| turn.2);
                for (nth, turn) in turns.iter().enumerate() {
                    let (before, after) = (row(nth.checked_sub(1)), row(Some(nth + 1)));
                    let place = talk.place(turn.2).unwrap();
                    let seq = |place: Option<usize>| place.map(|place| talk.seq(place));
                    prop_assert_eq!((seq(talk.before(place)), seq(talk.after(place))), (before, after));
                    let link = talk.link(place).unwrap();
                    let pair = turn.2 + before.unwrap_or(0);
                    prop_assert_eq!((u64::from(link.words), u64::from(link.pair)), (turn.2, pair));
                    prop_assert_eq!(u64::from(link.window), pair + after.unwrap_or(0));
                }
            }
            let sum = |words: fn(&Link) -> u32| -> u64 {
                talk.turns().map(|(place, _)| u64::from(words(talk.link(place).unwrap()))).sum()
            };
            prop_assert_eq!((talk.pair_words(), talk.window_words()), (sum(|link| link.pair), sum(|link| link.window)));
            prop_assert_eq!((talk.turns().count(), talk.rows()), (rows.len(), rows.len()));
            let lengths: Vec<(u8, u32, u32)> = rows.keys().map(|seq| (0, *seq as u32, 1)).collect();
            prop_assert_eq!(talk.lengths().collect::<Vec<_>>(), lengths);
            let said = (0..talk.sessions() as u32).filter(|session| !talk.session(*session).is_empty()).count();
            prop_assert_eq!(talk.said_sessions(), said);
        }
    }
}
