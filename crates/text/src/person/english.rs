use std::ops::Range;

use super::Word;
use crate::forename;

/// What an English name follows: `Mr. Lee`, `my friend Priya`.
#[rustfmt::skip]
const HONORIFICS: &[&str] = &[
    "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "doctor", "aunt", "auntie", "uncle",
    "coach", "sir", "captain",
];
#[rustfmt::skip]
const RELATIONS: &[&str] = &[
    "boss", "boyfriend", "brother", "buddy", "classmate", "colleague", "coworker", "cousin", "daughter",
    "friend", "girlfriend", "husband", "manager", "mentor", "neighbor", "neighbour", "nephew", "niece",
    "partner", "roommate", "sister", "son", "teacher", "therapist", "wife", "named",
];
/// Capitalised words that follow a name without belonging to it, or a relation without being a name.
#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "I", "A", "The", "And", "But", "So", "He", "She", "It", "We", "They", "You", "My", "In", "On", "At",
    "Is", "Was", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "January",
    "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December", "Chinese", "English", "American", "Christmas", "AI", "TV", "OK", "Day", "Street", "Park",
    "University", "School", "If", "What", "When",
];

/// An English name that begins with the word `at`, and the word after it.
pub(super) fn find(text: &str, words: &[Word], at: usize) -> Option<(Range<usize>, usize)> {
    let word = words.get(at)?;
    let name = capitalised(text, word)?;
    let lower = name.to_lowercase();
    let before = at.checked_sub(1).and_then(|i| words.get(i)).and_then(|before| {
        let gap = text.get(before.span.end..word.span.start)?;
        Some((gap, text.get(before.span.clone())?.to_lowercase()))
    });
    let (gap, before) = before.as_ref().map_or(("", ""), |(gap, before)| (*gap, before.as_str()));
    let titled = matches!(gap, " " | ". ") && HONORIFICS.contains(&before);
    let related = gap == " " && RELATIONS.contains(&before);
    if NO_NAMES.contains(&name) || !(forename::is_forename(&lower) || titled || related) {
        return None;
    }
    let start = if titled { words.get(at - 1)?.span.start } else { word.span.start };
    let (mut end, mut next) = (word.span.end, at + 1);
    while next <= at + 2
        && let Some(more) = words.get(next)
        && text.get(end..more.span.start) == Some(" ")
        && capitalised(text, more).is_some_and(|name| !NO_NAMES.contains(&name))
    {
        end = more.span.end;
        next += 1;
    }
    Some((start..end, next))
}

/// The word as it stands, when it has a capital and then small letters.
fn capitalised<'t>(text: &'t str, word: &Word) -> Option<&'t str> {
    let name = text.get(word.span.clone())?;
    let mut chars = name.chars();
    let first = chars.next()?.is_uppercase();
    let rest = chars.clone().count() > 0 && chars.all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '-'));
    (first
        && (rest
            || name.len() > 2
                && name.chars().filter(|c| c.is_uppercase()).count() == 2
                && name.starts_with("Mc")))
    .then_some(name)
}
