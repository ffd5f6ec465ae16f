use memoir_index::Talk;
use memoir_model::Speaker;

use super::understand::Understanding;

/// From this share of turns on it is a talk with an assistant.
const ASSISTANT_SHARE: f32 = 0.2;
/// An assistant whose talk has longer turns than this works on something.
const LONG_WORDS: f32 = 60.0;
/// Sessions that are shorter than this are notes.
const SHORT_SESSION: f32 = 5.0;

/// On what occasion something is recalled: what kind of talk a space holds, and whether the message looks back or goes on.
/// What tells a good answer differs: between people it is who speaks, with an assistant which of the two, in work that goes
/// on what was said lately, among notes hardly anything but the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occasion {
    /// People talk to each other.
    People,
    /// Somebody and an assistant exchange a few sentences.
    Companion,
    /// Somebody looks back on work with an assistant who writes at length.
    Review,
    /// Somebody goes on with such work.
    Work,
    /// Short remarks stand alone.
    Notes,
}

impl Occasion {
    /// Every occasion.
    pub const ALL: [Occasion; 5] =
        [Occasion::People, Occasion::Companion, Occasion::Review, Occasion::Work, Occasion::Notes];

    /// Its name in the ranking table.
    pub const fn name(self) -> &'static str {
        match self {
            Occasion::People => "people",
            Occasion::Companion => "companion",
            Occasion::Review => "review",
            Occasion::Work => "work",
            Occasion::Notes => "notes",
        }
    }

    /// The occasion of a message, by the shape of the talk and whether the message mostly asks.
    pub(crate) fn of(talk: &Talk, understanding: &Understanding) -> Self {
        let (mut turns, mut assistant, mut words) = (0.0f32, 0.0f32, 0.0f32);
        for (role, length, count) in talk.lengths() {
            let count = count as f32;
            turns += count;
            words += length as f32 * count;
            assistant += if role == Speaker::Assistant.code() { count } else { 0.0 };
        }
        let sessions = talk.said_sessions();
        if assistant > ASSISTANT_SHARE * turns {
            match (words > LONG_WORDS * turns, understanding.mostly_asks) {
                (false, _) => Occasion::Companion,
                (true, true) => Occasion::Review,
                (true, false) => Occasion::Work,
            }
        } else if turns < SHORT_SESSION * sessions as f32 {
            Occasion::Notes
        } else {
            Occasion::People
        }
    }
}
