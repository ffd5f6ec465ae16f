//! Words of time that mean something else where they stand.

use super::date::{day_number, month_name};
use super::year::year_number;
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
    matches!(end.peek(), Some('%' | '°')) || end.blanks().any(MEASURED).is_some() || is_address(end)
}

/// Whether something is baked or roasted: at 350.
pub(super) fn is_oven(cursor: Cursor<'_>) -> bool {
    follows(
        cursor,
        &[
            "bake ", "baked ", "roast ", "roasted ", "oven ", "preheat ", "cook ", "bake it ", "cook it ",
            "oven on ",
        ],
    )
}

/// Whether the word there is none of time: 24/7, march on, April said, spring onions, now and then.
pub(super) fn is_said_otherwise(cursor: Cursor<'_>) -> bool {
    // The first letter settles nearly all.
    match cursor.peek() {
        Some('0'..='9') => {
            cursor.words("24/7").is_some()
                || is_numbered(cursor)
                || is_score(cursor)
                || follows(cursor, &["flat ", "apt ", "apartment ", "unit "])
        }
        Some('m') => is_titled(cursor) || is_marching(cursor) || is_somebody(cursor, &["may"]),
        Some('w') => is_titled(cursor) || is_wedding(cursor),
        Some('s') => is_titled(cursor) || is_springing(cursor) || is_somebody(cursor, &["summer"]),
        Some('j') => is_titled(cursor) || is_somebody(cursor, &["june", "jan"]),
        Some('f' | 'd') => is_titled(cursor),
        Some('a') => {
            is_titled(cursor)
                || is_idiom(cursor)
                || is_august(cursor)
                || is_somebody(cursor, &["april", "august", "autumn"])
        }
        Some('n') => cursor
            .words("now")
            .is_some_and(|end| end.blanks().any(&["and then", "and again", "that", "or never"]).is_some()),
        Some('e' | 'o') => is_idiom(cursor),
        Some('t') => {
            is_idiom(cursor) || (cursor.words("the last minute").is_some() && follows(cursor, &["at "]))
        }
        Some('r') => cursor.words("rn").is_some() && follows(cursor, &["an ", "the "]),
        Some('l') => cursor.words("last minute").is_some() && follows(cursor, &["at the ", "a "]),
        _ => false,
    }
}

/// Mr. Winter, Dr. March.
fn is_titled(cursor: Cursor<'_>) -> bool {
    let before = cursor.at.checked_sub(2).and_then(|at| cursor.chars.get(at));
    before.is_some_and(|c| matches!(c, '.' | 'r' | 's'))
        && follows(cursor, &["mr. ", "mr ", "mrs. ", "mrs ", "ms. ", "ms ", "dr. ", "dr "])
}

/// At the end of the day, it is your choice.
fn is_idiom(cursor: Cursor<'_>) -> bool {
    let rest = ["at the end of the day", "the end of the day", "end of the day", "of the day", "the day"];
    cursor.any(&rest).is_some_and(|end| {
        let at = cursor.words("at").is_some()
            || follows(cursor, &["at ", "at the ", "at the end ", "at the end of "]);
        at && end.peek() == Some(',')
    })
}

fn is_marching(cursor: Cursor<'_>) -> bool {
    // In March over the phone, last March again.
    let led = [
        "in ", "of ", "since ", "last ", "this ", "next ", "by ", "until ", "till ", "from ", "early ",
        "late ", "mid ",
    ];
    cursor.words("march").is_some_and(|end| {
        let next = end.blanks();
        let to_a_date = next.any(&["through", "up to"]).is_some_and(|end| {
            month_name(end.blanks()).is_some()
                || day_number(end.blanks()).is_some()
                || year_number(end.blanks()).is_some()
        });
        if to_a_date || follows(cursor, &led) {
            return false;
        }
        next.any(&[
            "forward", "ahead", "again", "every", "in step", "in place", "past", "through", "up", "over",
        ])
        .is_some()
            || next.words("on").is_some_and(|end| day_number(end.blanks()).is_none())
            || follows(cursor, &["they ", "we ", "soldiers ", "must ", "may ", "will ", "can ", "let's "])
    })
}

/// An august figure; an August morning is of the month.
fn is_august(cursor: Cursor<'_>) -> bool {
    let parts = ["day", "morning", "afternoon", "evening", "night", "weekend", "week"];
    follows(cursor, &["an "]) && cursor.words("august").is_some_and(|end| end.blanks().any(&parts).is_none())
}

fn is_wedding(cursor: Cursor<'_>) -> bool {
    cursor.words("wed").is_some() && follows(cursor, &["i ", "we ", "they ", "got "])
}

fn is_springing(cursor: Cursor<'_>) -> bool {
    let more = ["it", "into", "from", "onion", "onions", "clean", "cleaning", "roll", "rolls", "water"];
    cursor.words("spring").is_some_and(|end| end.blanks().any(&more).is_some())
}

/// April said, June told me.
fn is_somebody(cursor: Cursor<'_>, names: &[&str]) -> bool {
    let says = ["said", "says", "told", "asked", "thinks", "called", "texted", "wants", "wrote", "replied"];
    let kin = [
        "friend ",
        "aunt ",
        "auntie ",
        "uncle ",
        "sister ",
        "cousin ",
        "daughter ",
        "nurse ",
        "wife ",
        "girlfriend ",
    ];
    cursor.any(names).is_some_and(|end| end.blanks().any(&says).is_some() || follows(cursor, &kin))
}

/// Whether weekdays are meant, and none of them: on Mondays and Thursdays.
pub(super) fn is_several(chars: &[char]) -> bool {
    let said: String = chars.iter().collect();
    let words: Vec<&str> =
        said.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
    let plural = |word: &&str| word.ends_with("days") && word.len() > "days".len() && *word != "holidays";
    words.iter().any(plural)
        && words
            .iter()
            .all(|word| plural(word) || matches!(*word, "on" | "and" | "to" | "through" | "the" | "or"))
}

/// Whether one of these words stands before a place.
pub(super) fn follows(cursor: Cursor<'_>, words: &[&str]) -> bool {
    const LONGEST: usize = 16;
    let before: String = cursor.chars[cursor.at.saturating_sub(LONGEST)..cursor.at].iter().collect();
    words.iter().any(|word| {
        before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

/// Whether a number names something else or counts it: page 2019, 2000 calories.
fn is_numbered(cursor: Cursor<'_>) -> bool {
    let Some(number) = numeral::arabic(cursor.rest()).filter(|number| number.len == 4) else { return false };
    let end = cursor.skip(number.len);
    let by = end.blanks().words("by").or_else(|| end.blanks().words("x"));
    // In 2020 people stayed at home.
    if follows(cursor, &["in ", "since ", "until ", "from ", "during ", "by "]) {
        return false;
    }
    follows(cursor, &["page ", "pages ", "room ", "number ", "no. ", "flight ", "model ", "gate ", "level "])
        || is_measured(end)
        || is_by_somebody(cursor, end)
        || by.is_some_and(|next| next.blanks().peek().is_some_and(|c| c.is_ascii_digit()))
}

/// Whether a book is meant: I read 1984 by Orwell.
fn is_by_somebody(cursor: Cursor<'_>, end: Cursor<'_>) -> bool {
    let by = end
        .blanks()
        .words("by")
        .is_some_and(|next| next.blanks().peek().is_some_and(|c| c.is_ascii_alphabetic()));
    by && follows(cursor, &["read ", "reading ", "finished ", "loved ", "started "])
}

/// Whether a street follows: 1800 Pine Street.
fn is_address(end: Cursor<'_>) -> bool {
    let streets = ["street", "st", "avenue", "ave", "road", "rd", "lane", "drive", "boulevard", "blvd"];
    let named = end.blanks().letters().map(|(_, end)| end.blanks());
    named.is_some_and(|next| next.any(&streets).is_some())
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
