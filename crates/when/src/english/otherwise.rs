//! Words of time that mean something else where they stand.

use super::date::day_number;
use crate::cursor::Cursor;
use crate::numeral;

/// What is counted or measured, so that a number before it is no year and no hour.
const MEASURED: &[&str] = &[
    "mg", "mcg", "ml", "g", "kg", "kcal", "cal", "calories", "steps", "words", "pages", "people", "dollars",
    "bucks", "euros", "pounds", "lbs", "km", "miles", "mph", "meters", "metres", "degrees", "percent", "bpm",
    "units", "points", "tablets", "pills", "reps", "times", "items", "users", "messages", "copies",
];

/// Whether a number that ends here counts something.
pub(super) fn is_measured(end: Cursor<'_>) -> bool {
    end.peek() == Some('%') || end.peek() == Some('°') || end.blanks().any(MEASURED).is_some()
}

/// Whether the word there is none of time: 24/7, march on, April said, spring onions, now and then.
pub(super) fn is_said_otherwise(cursor: Cursor<'_>) -> bool {
    let is = |words: &[&str]| cursor.any(words);
    if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        return is(&["24/7"]).is_some() || is_numbered(cursor) || is_score(cursor);
    }
    if let Some(end) = is(&["march"]) {
        let next = end.blanks();
        let goes = next.any(&["forward", "ahead", "every", "in step", "past"]).is_some()
            || next.words("on").is_some_and(|end| day_number(end.blanks()).is_none());
        return goes || follows(cursor, &["they ", "we ", "soldiers ", "must ", "let's "]);
    }
    if let Some(end) = is(&["wed"]) {
        return end.ends() && follows(cursor, &["i ", "we ", "they ", "got ", "be ", "to "]);
    }
    if let Some(end) = is(&["spring"]) {
        let next = end.blanks();
        return next.any(&["it", "onion", "onions", "clean", "cleaning", "roll", "rolls", "water"]).is_some();
    }
    if let Some(end) = is(&["april", "june", "jan", "may", "august", "summer", "autumn"]) {
        let says =
            ["said", "says", "told", "asked", "thinks", "called", "texted", "wants", "wrote", "replied"];
        return end.blanks().any(&says).is_some();
    }
    if let Some(end) = is(&["now"]) {
        return end.blanks().any(&["and then", "and again", "that", "or never"]).is_some();
    }
    (is(&["last minute"]).is_some() && follows(cursor, &["at the ", "a "]))
        || (is(&["the last minute"]).is_some() && follows(cursor, &["at "]))
}

/// Whether one of these words stands before a place.
fn follows(cursor: Cursor<'_>, words: &[&str]) -> bool {
    const LONGEST: usize = 16;
    let before: String = cursor.chars[cursor.at.saturating_sub(LONGEST)..cursor.at].iter().collect();
    words.iter().any(|word| {
        before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

/// Whether a number names something else or counts it: page 2019, 2000 calories.
fn is_numbered(cursor: Cursor<'_>) -> bool {
    let Some(number) = numeral::arabic(cursor.rest()).filter(|number| number.len == 4) else { return false };
    follows(cursor, &["page ", "pages ", "room ", "number ", "no. ", "flight ", "model "])
        || is_measured(cursor.skip(number.len))
}

/// Whether it is a mark out of five or ten: pain is 7/10, rated it 4/5.
fn is_score(cursor: Cursor<'_>) -> bool {
    const FAR: usize = 24;
    let score = numeral::arabic(cursor.rest()).and_then(|above| {
        let below = numeral::arabic(cursor.skip(above.len).eat("/")?.rest())?;
        (above.value <= below.value && matches!(below.value, 5 | 10)).then_some(())
    });
    let before: String = cursor.chars[cursor.at.saturating_sub(FAR)..cursor.at].iter().collect();
    let marks = ["pain", "rate", "rating", "score", "level", "mood", "energy", "stars", "scale"];
    score.is_some() && marks.iter().any(|word| before.contains(word))
}
