//! Words with which a time can begin. Most words of a text are none of them, and nothing else need be tried there.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::tables::{CONNECTORS, DECADES, DIRECTIONS, EDGES, FIXED, MONTHS, PARTS, UNITS, WEEKDAYS};
use crate::cursor::Cursor;
use crate::{holiday, numeral};

/// Words that open an amount, a share or a time on the clock and stand in no table.
const OTHERS: &[&str] = &[
    "a",
    "an",
    "about",
    "approximately",
    "around",
    "at",
    "back",
    "by",
    "closest",
    "couple",
    "during",
    "earlier",
    "few",
    "final",
    "former",
    "front",
    "latter",
    "for",
    "h",
    "half",
    "in",
    "last",
    "later",
    "less",
    "midday",
    "no",
    "not",
    "midnight",
    "nearest",
    "noon",
    "noonish",
    "on",
    "over",
    "q",
    "quarter",
    "rest",
    "same",
    "several",
    "so",
    "the",
    "this",
    "up",
    "w",
    "way",
    "weekend",
    "weekends",
    "within",
    "wkend",
    "wknd",
    "year",
];

static OPENINGS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let mut all: HashSet<&'static str> = OTHERS.iter().copied().collect();
    let tables = [
        FIXED.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        PARTS.iter().map(|(name, _)| *name).collect(),
        CONNECTORS.iter().map(|(name, _)| *name).collect(),
        EDGES.iter().map(|(name, _)| *name).collect(),
        DECADES.iter().map(|(name, _)| *name).collect(),
        WEEKDAYS.iter().chain(&MONTHS).flat_map(|names| names.iter().copied()).collect(),
        UNITS.iter().flat_map(|(_, names)| names.iter().copied()).collect(),
        DIRECTIONS.iter().flat_map(|(_, names)| names.iter().copied()).collect(),
        holiday::names().filter(|name| name.is_ascii()).collect(),
        numeral::english_words().collect(),
    ];
    all.extend(
        tables
            .into_iter()
            .flatten()
            .map(|name| name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or(name)),
    );
    all
});

/// Whether a time can begin with the word there.
pub(super) fn may_begin(cursor: Cursor<'_>) -> bool {
    let mut word = [0u8; LONGEST];
    let mut len = 0;
    for c in cursor.rest().iter().take_while(|c| c.is_ascii_alphabetic()) {
        if len == LONGEST {
            return false;
        }
        word[len] = *c as u8;
        len += 1;
    }
    std::str::from_utf8(&word[..len]).is_ok_and(|word| OPENINGS.contains(word))
}

/// No word that opens a time is longer.
const LONGEST: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opening_is_too_long() {
        assert!(OPENINGS.iter().all(|word| word.len() <= LONGEST));
    }
}
