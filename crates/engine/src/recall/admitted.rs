use memoir_index::{Filter, Talk};
use std::borrow::Cow;

/// The rows of a space that may be found.
pub(crate) struct Admitted<'a> {
    talk: &'a Talk,
    /// What they must pass, if anything.
    filter: Option<&'a Filter>,
    /// Their places, unless that is every place there is.
    listed: Option<Vec<u32>>,
}

impl<'a> Admitted<'a> {
    pub(crate) fn new(talk: &'a Talk, filter: &'a Filter) -> Self {
        let filter = Some(filter).filter(|filter| **filter != Filter::default());
        let mut admitted = Admitted { talk, filter, listed: None };
        if filter.is_some() || talk.rows() < talk.len() {
            let places = (0..talk.len()).filter(|&place| admitted.contains(place));
            admitted.listed = Some(places.map(|place| place as u32).collect());
        }
        admitted
    }

    pub(crate) fn len(&self) -> usize {
        self.listed.as_ref().map_or(self.talk.len(), Vec::len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn contains(&self, place: usize) -> bool {
        let turn = self.talk.turn(place);
        turn.is_some_and(|turn| {
            self.filter.is_none_or(|filter| filter.admits(self.talk.seq(place), &turn.meta))
        })
    }

    /// Whether every row passes.
    pub(crate) fn is_everything(&self) -> bool {
        self.filter.is_none()
    }

    /// The places, ascending.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).map(|nth| self.place(nth))
    }

    /// The nth place.
    pub(crate) fn place(&self, nth: usize) -> u32 {
        self.listed.as_ref().map_or(nth as u32, |places| places[nth])
    }

    /// Those of the scores of all places that are theirs, in the order of their places.
    pub(crate) fn scores<'s>(&self, scores: &'s [f32]) -> Cow<'s, [f32]> {
        match &self.listed {
            None => Cow::Borrowed(scores),
            Some(places) => places.iter().map(|place| scores[*place as usize]).collect(),
        }
    }

    /// How many of a session's turns are among them, by its place.
    pub(crate) fn by_session(&self) -> Vec<usize> {
        let sessions = 0..self.talk.sessions() as u32;
        if self.filter.is_none() {
            return sessions.map(|session| self.talk.session(session).len()).collect();
        }
        let mut counts = vec![0; self.talk.sessions()];
        for session in self.places().filter_map(|place| self.talk.session_of(place as usize)) {
            counts[session] += 1;
        }
        counts
    }
}
