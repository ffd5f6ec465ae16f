//! Parts of the day.

use super::beside::is_dated;
use super::clock::{NOON, bare_clock};
use super::date::{day_number, weekday_name};
use super::direction;
use super::tables::PARTS;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::piece::{Part, Piece};

/// A part of the day that follows: in the afternoon.
pub(super) fn part_follows(cursor: Cursor<'_>) -> Option<Parsed> {
    part(cursor.blanks(), &Frame { clock: Some(NOON), ..Frame::default() })
}

pub(super) fn part(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let next = cursor.maybe(&["in the", "at", "during the", "the", "in"]);
    let longest = PARTS
        .iter()
        .filter_map(|(name, part)| Some((next.words(name)?, *part)))
        .max_by_key(|(end, _)| end.at);
    let (end, part) = longest?;
    let dated = begun.day.is_some()
        || begun.weekday.is_some()
        || begun.clock.is_some()
        || begun.within.is_some()
        || !begun.offsets.is_empty();
    // Morning alone is a greeting, and the night a title.
    if !dated && (next.at == cursor.at || cursor.words("the").is_some()) {
        let follows = end.blanks().maybe(&["of", "on"]);
        let relative = follows.any(&["tomorrow", "yesterday", "tmrw"]).is_some()
            && !matches!(part, Part::AnyMorning | Part::AnyNight);
        let names_a_day = weekday_name(follows).is_some()
            || relative
            || (follows.at != end.blanks().at
                && (is_dated(follows)
                    || direction(follows).is_some()
                    || follows.words("the").is_some_and(|end| day_number(end.blanks()).is_some())));
        let rings = (next.words("after").is_some() && end.ends_clause())
            || end
                .blanks()
                .any(&["at", "@"])
                .or_else(|| end.blanks().eat("@"))
                .map(Cursor::blanks)
                .and_then(bare_clock)
                .is_some();
        if !names_a_day && !rings {
            return None;
        }
    }
    one(Piece::Part(part), end)
}
