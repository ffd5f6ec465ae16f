//! Which parts of a text a query found.

use std::ops::Range;

use crate::query::Query;
use crate::term::TermHash;

/// Ranges that a text is highlighted with at most; the first are kept.
pub const MAX_HIGHLIGHTS: usize = 64;

/// The byte ranges of a text that match the query, ascending, apart from each other.
///
/// Single characters and stop words are highlighted only in a text that has nothing better.
///
/// ```
/// use memoir_index::{Query, highlight};
///
/// let text = "我的猫叫Miso";
/// assert_eq!(highlight(text, &Query::parse("猫")), vec![6..9]);
/// assert_eq!(highlight(text, &Query::parse("miso")), vec![12..16]);
/// ```
pub fn highlight(text: &str, query: &Query) -> Vec<Range<usize>> {
    let mut strong = Vec::new();
    let mut weak = Vec::new();
    if query.is_empty() {
        return strong;
    }
    memoir_text::tokens(text, |token| {
        let Some(term) = query.term(TermHash::of(token.form, token.text)) else { return };
        if term.strong {
            strong.push(token.span);
        } else if strong.is_empty() {
            weak.push(token.span);
        }
    });
    merged(if strong.is_empty() { weak } else { strong })
}

/// Joins what overlaps or touches.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged.truncate(MAX_HIGHLIGHTS);
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked<'t>(text: &'t str, query: &str) -> Vec<&'t str> {
        highlight(text, &Query::parse(query)).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn a_word_is_marked_in_any_of_its_forms() {
        assert_eq!(marked("Cats, and a cat", "cat"), ["Cats", "cat"]);
        assert_eq!(marked("My CAT", "cats"), ["CAT"]);
    }

    #[test]
    fn stop_words_are_marked_only_where_nothing_better_is() {
        assert_eq!(marked("the cat", "the cat"), ["cat"]);
        assert_eq!(marked("the dog", "the cat"), ["the"]);
        assert_eq!(marked("the cat", "\"the\" cat"), ["the", "cat"]);
    }

    #[test]
    fn characters_are_marked_only_where_no_word_is() {
        assert_eq!(marked("喜剧，我喜欢", "喜欢"), ["喜欢"]);
        assert_eq!(marked("喜剧", "喜欢"), ["喜"]);
        assert_eq!(marked("我的猫叫Miso", "猫"), ["猫"]);
    }

    #[test]
    fn neighbours_are_one_range() {
        assert_eq!(marked("今天天气", "天气 今天"), ["今天天气"]);
        assert_eq!(merged(vec![4..6, 0..2, 2..3, 5..9]), [0..3, 4..9]);
    }

    #[test]
    fn the_ranges_are_bounded() {
        let text = "cat dog ".repeat(100);
        assert_eq!(highlight(&text, &Query::parse("cat")).len(), MAX_HIGHLIGHTS);
    }

    #[test]
    fn a_text_without_a_match_and_an_empty_query_mark_nothing() {
        assert!(marked("dog", "cat").is_empty());
        assert!(marked("dog", "").is_empty());
    }

    proptest! {
        #[test]
        fn any_text_can_be_highlighted_by_any_query(text in ".{0,60}", query in ".{0,30}") {
            for range in highlight(&text, &Query::parse(&query)) {
                prop_assert!(text.get(range).is_some());
            }
            let itself = Query::parse(&text.replace(['"', '“', '「', '『'], " "));
            prop_assert_eq!(itself.is_empty(), highlight(&text, &itself).is_empty());
        }

        #[test]
        fn ranges_are_apart_and_on_character_boundaries(text in "[a-c猫喜欢的é 🙂]{0,60}", query in "[a-c猫喜欢 ]{0,12}") {
            let mut last = None;
            for range in highlight(&text, &Query::parse(&query)) {
                prop_assert!(last.is_none_or(|last| last < range.start));
                prop_assert!(text.get(range.clone()).is_some_and(|part| !part.is_empty()));
                last = Some(range.end);
            }
        }
    }
}
