//! English abbreviations, lower case, without their last point.

/// A sentence never ends after these: something always follows.
#[rustfmt::skip]
const NEVER_LAST: &[&str] = &[
    "adm", "apt", "approx", "brig", "c.f", "capt", "cf", "cmdr", "col", "cpl", "dr", "e.g", "eg", "esp",
    "fig", "figs", "fr", "gen", "gov", "hon", "i.e", "ie", "lt", "maj", "messrs", "mme", "mr", "mrs", "ms",
    "mt", "mx", "no", "nos", "p", "pp", "prof", "rep", "rev", "sen", "sgt", "st", "vol", "vs", "v",
];

/// A sentence may end after these; it does when the next word begins with a capital.
#[rustfmt::skip]
const MAYBE_LAST: &[&str] = &[
    "a.m", "aug", "ave", "b.c", "a.d", "blvd", "co", "corp", "dec", "dept", "ed", "est", "etc", "feb", "ft",
    "hr", "hrs", "inc", "jan", "jr", "ltd", "min", "mins", "nov", "oct", "oz", "p.m", "ph.d", "m.d", "b.a",
    "m.a", "rd", "sec", "sep", "sept", "sq", "sr", "tel", "yr", "yrs",
];

/// `no` and `p` are abbreviations before a number only: `no. 5`, `p. 12`, but `No. I won't.`
const BEFORE_NUMBERS: &[&str] = &["fig", "figs", "no", "nos", "p", "pp", "v", "vol"];

/// What a point after `word` says about the end of the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// It belongs to the abbreviation and ends nothing.
    Inside,
    /// It ends the sentence when the next word has a capital.
    Maybe,
    /// It ends the sentence.
    End,
}

/// Judges the point after `word` (as it stands, without the point); `before_number` when a number follows.
pub(crate) fn judge(word: &str, before_number: bool) -> Point {
    let lower = word.to_ascii_lowercase();
    let word_like = |list: &[&str]| list.contains(&lower.as_str());
    if word_like(BEFORE_NUMBERS) {
        return if before_number { Point::Inside } else { Point::End };
    }
    if word_like(NEVER_LAST) {
        return Point::Inside;
    }
    // Initials (`J. Smith`), but `I` is a word and single small letters are not initials.
    let mut letters = word.chars();
    if let (Some(initial), None) = (letters.next(), letters.next()) {
        return if initial.is_uppercase() && initial != 'I' { Point::Inside } else { Point::End };
    }
    if word_like(MAYBE_LAST) || is_dotted(word) { Point::Maybe } else { Point::End }
}

/// `U.S`, `Ph.D`: short parts between points.
fn is_dotted(word: &str) -> bool {
    word.contains('.')
        && word
            .split('.')
            .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_abbreviations_are_told_from_those_of_sentences() {
        let cases = [
            ("Dr", false, Point::Inside),
            ("e.g", false, Point::Inside),
            ("U.S", false, Point::Maybe),
            ("p.m", false, Point::Maybe),
            ("etc", false, Point::Maybe),
            ("J", false, Point::Inside),
            ("I", false, Point::End),
            ("No", true, Point::Inside),
            ("No", false, Point::End),
            ("house", false, Point::End),
        ];
        for (word, before_number, expected) in cases {
            assert_eq!(judge(word, before_number), expected, "{word}");
        }
    }
}
