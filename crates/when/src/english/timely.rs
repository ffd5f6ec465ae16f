//! What stands behind a number and makes it a time.

use super::date::{month_name, weekday_name};
use crate::cursor::Cursor;

pub(super) fn is_morning(end: Cursor<'_>) -> bool {
    end.blanks().any(&["tomorrow morning", "yesterday morning", "in the morning", "this morning"]).is_some()
}

/// Whether a day or a part of one follows that leaves no doubt about a number before it.
pub(super) fn names_a_day(end: Cursor<'_>) -> bool {
    const DAYS: [&str; 15] = [
        "tomorrow",
        "today",
        "yesterday",
        "in the morning",
        "in the evening",
        "in the afternoon",
        "in the am",
        "in the pm",
        "at night",
        "tonight",
        "this morning",
        "this evening",
        "this afternoon",
        "last night",
        "tmrw",
    ];
    end.blanks().any(&DAYS).is_some()
}

/// Whether a part of the day follows that makes an hour of a number in words: eight tomorrow night.
pub(super) fn names_a_part(end: Cursor<'_>) -> bool {
    const PARTS: [&str; 10] = [
        "in the morning",
        "in the evening",
        "in the afternoon",
        "at night",
        "tonight",
        "this morning",
        "last night",
        "tomorrow morning",
        "tomorrow evening",
        "tomorrow night",
    ];
    end.blanks().any(&PARTS).is_some()
}

pub(super) fn on_a_weekday(end: Cursor<'_>) -> bool {
    end.blanks().words("on").is_some_and(|next| weekday_name(next.blanks()).is_some())
}

/// Whether a part of a weekday follows: on Saturday morning.
pub(super) fn on_a_part(end: Cursor<'_>) -> bool {
    let weekday = end.blanks().words("on").and_then(|next| weekday_name(next.blanks()));
    weekday.is_some_and(|(_, end)| end.blanks().any(&["morning", "afternoon", "evening", "night"]).is_some())
}

/// Whether what follows a number that was only guessed at lets it be a time.
pub(super) fn is_timely(end: Cursor<'_>) -> bool {
    let next = end.blanks();
    let timely = [
        "on",
        "today",
        "tomorrow",
        "tonight",
        "yesterday",
        "in the",
        "at night",
        "this",
        "last",
        "next",
        "and",
        "to",
        "till",
        "until",
        "for",
        "when",
        "but",
        "so",
        "or",
    ];
    end.ends_clause()
        || next.peek() == Some(',') && !next.skip(1).peek().is_some_and(|c| c.is_ascii_digit())
        || next.peek().is_some_and(|c| c == ')')
        || next.any(&timely).is_some()
        || weekday_name(next).is_some()
        || month_name(next).is_some()
}
