//! The order in which the rows of a space were said.

use std::collections::HashMap;

use crate::row::RowMeta;

/// So many empty places at the front are never given up.
const EMPTY_SLACK: usize = 1024;

/// The rows of a space as turns of talk: which session each belongs to, and what was said before and after it there.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    /// The number of the row at place 0.
    first: u64,
    /// By place: the row's number less [`Talk::first`]. A row that is not there has no turn.
    turns: Vec<Option<Turn>>,
    /// How many places at the front are known to be empty.
    empty: usize,
    sessions: Vec<Session>,
    /// From the number of a session to its place.
    places: HashMap<u64, u32>,
    /// How many turns each author has.
    authors: HashMap<u64, u32>,
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
    /// Which of the session's turns it is.
    nth: u32,
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

    /// How many sessions there are, empty ones included.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// The number of the row at a place.
    pub fn seq(&self, place: usize) -> u64 {
        self.first + place as u64
    }

    /// The place of a row.
    pub fn place(&self, seq: u64) -> Option<usize> {
        let place = usize::try_from(seq.checked_sub(self.first)?).ok()?;
        self.turn(place).map(|_| place)
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
        let turn = self.turn(place)?;
        self.neighbour(turn, turn.nth.checked_sub(1)?)
    }

    /// The place of what was said just after in the same session.
    pub fn after(&self, place: usize) -> Option<usize> {
        let turn = self.turn(place)?;
        self.neighbour(turn, turn.nth + 1)
    }

    /// The places of a session's turns, in the order they were said.
    pub fn session(&self, session: u32) -> &[u32] {
        self.sessions.get(session as usize).map_or(&[], |session| &session.turns)
    }

    /// How many words were said in a session.
    pub(crate) fn session_words(&self, session: u32) -> u64 {
        self.sessions.get(session as usize).map_or(0, |session| session.words)
    }

    /// The memory it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let turns: usize = self.sessions.iter().map(|session| session.turns.capacity() * 4).sum();
        self.turns.capacity() * size_of::<Option<Turn>>()
            + self.sessions.capacity() * size_of::<Session>()
            + (self.places.capacity() + self.authors.capacity()) * 18
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
        let turns = &self.sessions[session as usize].turns;
        // Nearly always it is the newest one, and then nothing has to move.
        let before = |&other: &u32| {
            let other_turn = self.turns[other as usize].as_ref();
            other_turn.is_some_and(|turn| (turn.meta.said_at, other as usize) < (meta.said_at, place))
        };
        let nth = match turns.last() {
            Some(last) if !before(last) => turns.partition_point(before),
            _ => turns.len(),
        };
        self.turns[place] = Some(Turn { meta, words, session, nth: nth as u32 });
        *self.authors.entry(meta.author).or_default() += 1;
        let session = &mut self.sessions[session as usize];
        session.words += u64::from(words);
        session.turns.insert(nth, place as u32);
        self.renumber(meta.session, nth + 1);
    }

    pub(crate) fn remove(&mut self, seq: u64) {
        let Some(place) = self.place(seq) else { return };
        let Some(turn) = self.turns[place].take() else { return };
        if let Some(count) = self.authors.get_mut(&turn.meta.author) {
            *count -= 1;
            if *count == 0 {
                self.authors.remove(&turn.meta.author);
            }
        }
        let session = &mut self.sessions[turn.session as usize];
        session.words -= u64::from(turn.words);
        session.turns.remove(turn.nth as usize);
        self.renumber(turn.meta.session, turn.nth as usize);
        self.forget_front();
    }

    /// Gives up empty places at the front once they are most of all: a space that outgrew its index leaves them behind.
    fn forget_front(&mut self) {
        self.empty += self.turns[self.empty..].iter().take_while(|turn| turn.is_none()).count();
        if self.empty <= EMPTY_SLACK || self.empty * 2 <= self.turns.len() {
            return;
        }
        self.turns.drain(..self.empty);
        for place in self.sessions.iter_mut().flat_map(|session| &mut session.turns) {
            *place -= self.empty as u32;
        }
        self.first += self.empty as u64;
        self.empty = 0;
    }

    fn neighbour(&self, turn: &Turn, nth: u32) -> Option<usize> {
        self.session(turn.session).get(nth as usize).map(|&place| place as usize)
    }

    /// Tells the turns of a session from the nth on where they stand now.
    fn renumber(&mut self, session: u64, from: usize) {
        let Some(&session) = self.places.get(&session) else { return };
        for (nth, &place) in self.sessions[session as usize].turns.iter().enumerate().skip(from) {
            if let Some(turn) = &mut self.turns[place as usize] {
                turn.nth = nth as u32;
            }
        }
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
            for place in self.sessions.iter_mut().flat_map(|session| &mut session.turns) {
                *place += more as u32;
            }
            self.first = seq;
            self.empty = 0;
        }
        let place = (seq - self.first) as usize;
        if place >= self.turns.len() {
            self.turns.resize(place + 1, None);
        }
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
                        talk.insert(seq, meta(session, at), 2);
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
                prop_assert_eq!(talk.session_words(place), 2 * turns.len() as u64);
                for pair in turns.windows(2) {
                    let (a, b) = (talk.place(pair[0].2).unwrap(), talk.place(pair[1].2).unwrap());
                    prop_assert_eq!((talk.after(a), talk.before(b)), (Some(b), Some(a)));
                }
            }
            prop_assert_eq!(talk.turns().count(), rows.len());
        }
    }
}
