//! The part of a text that shows best why it was found.

use std::ops::Range;

/// Characters that a cut may move inwards so as not to leave half a word.
const WORD_SLACK: usize = 12;

/// A part of a text, and what is highlighted in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet<'t> {
    /// The part.
    pub text: &'t str,
    /// Byte ranges of `text`.
    pub ranges: Vec<Range<usize>>,
    /// Whether the text goes on before the part.
    pub cut_before: bool,
    /// Whether the text goes on after the part.
    pub cut_after: bool,
}

/// Cuts out at most `max_chars` characters around the place with most highlights.
///
/// `ranges` are those that [`highlight`](crate::highlight) gives for the text: ascending, apart, and on
/// character boundaries. Without ranges it is the beginning of the text.
///
/// ```
/// use memoir_index::{Query, highlight, snippet};
///
/// let text = "It was a long day, and in the evening the cat came home";
/// let found = snippet(text, &highlight(text, &Query::parse("cat")), 30);
/// assert_eq!(found.text, "the evening the cat came home");
/// assert_eq!(&found.text[found.ranges[0].clone()], "cat");
/// ```
pub fn snippet<'t>(text: &'t str, ranges: &[Range<usize>], max_chars: usize) -> Snippet<'t> {
    let window = window(text, ranges, max_chars);
    let ranges = ranges.iter().filter_map(|range| {
        let (start, end) = (range.start.max(window.start), range.end.min(window.end));
        (start < end).then(|| start - window.start..end - window.start)
    });
    Snippet {
        ranges: ranges.collect(),
        cut_before: window.start > 0,
        cut_after: window.end < text.len(),
        text: text.get(window).unwrap_or_default(),
    }
}

/// The bytes to show.
fn window(text: &str, ranges: &[Range<usize>], max_chars: usize) -> Range<usize> {
    if text.len() <= max_chars || text.char_indices().nth(max_chars).is_none() {
        return 0..text.len();
    }
    let densest = densest(text, ranges, max_chars);
    // What room is left goes half before and half after, and to the other side where the text ends.
    let room = max_chars.saturating_sub(text.get(densest.clone()).map_or(0, |part| part.chars().count()));
    let start = back(text, densest.start, room / 2);
    let end = forth(text, start, max_chars);
    let start = back(text, end, max_chars);
    without_margins(text, whole_words(text, start..end, &densest))
}

/// The stretch of at most `max_chars` that holds most highlighted characters; the first of equals.
fn densest(text: &str, ranges: &[Range<usize>], max_chars: usize) -> Range<usize> {
    let ranges = in_chars(text, ranges);
    let mut best: Option<(usize, Range<usize>)> = None;
    let (mut until, mut marked) = (0, 0);
    for (from, first) in ranges.iter().enumerate() {
        while let Some(next) = ranges.get(until)
            && (until <= from || next.chars.end <= first.chars.start + max_chars)
        {
            marked += next.chars.len();
            until += 1;
        }
        if best.as_ref().is_none_or(|(most, _)| marked > *most) {
            let end = ranges.get(until - 1).map_or(first.bytes.end, |last| last.bytes.end);
            best = Some((marked, first.bytes.start..end));
        }
        marked -= first.chars.len();
    }
    best.map_or(0..0, |(_, bytes)| bytes)
}

struct Counted {
    bytes: Range<usize>,
    chars: Range<usize>,
}

/// Counts the characters before and in each range, in one walk over the text.
fn in_chars(text: &str, ranges: &[Range<usize>]) -> Vec<Counted> {
    let (mut bytes, mut chars) = (0, 0);
    let mut count_to = |place: usize| {
        if let Some(part) = text.get(bytes..place) {
            chars += part.chars().count();
            bytes = place;
        }
        chars
    };
    ranges
        .iter()
        .filter(|range| text.get((*range).clone()).is_some())
        .map(|range| Counted { bytes: range.clone(), chars: count_to(range.start)..count_to(range.end) })
        .collect()
}

/// The place `count` characters before another.
fn back(text: &str, place: usize, count: usize) -> usize {
    let before = text.get(..place).unwrap_or_default();
    match count.checked_sub(1) {
        Some(last) => before.char_indices().rev().nth(last).map_or(0, |(at, _)| at),
        None => place,
    }
}

/// The place `count` characters after another.
fn forth(text: &str, place: usize, count: usize) -> usize {
    let after = text.get(place..).unwrap_or_default();
    after.char_indices().nth(count).map_or(text.len(), |(at, _)| place + at)
}

/// Moves the cuts inwards to where a word written with letters starts or ends, but never into `kept`.
fn whole_words(text: &str, window: Range<usize>, kept: &Range<usize>) -> Range<usize> {
    let cuts_word = |place: usize| {
        let joins = |char: char| char.is_alphanumeric() && char < '\u{2e80}';
        let before = text.get(..place).and_then(|part| part.chars().next_back());
        before.is_some_and(joins) && text.get(place..).is_some_and(|part| part.starts_with(joins))
    };
    let start = (0..WORD_SLACK)
        .map(|count| forth(text, window.start, count))
        .take_while(|&place| place <= kept.start.max(window.start))
        .find(|&place| !cuts_word(place));
    let end = (0..WORD_SLACK)
        .map(|count| back(text, window.end, count))
        .take_while(|&place| place >= kept.end.min(window.end) && place > window.start)
        .find(|&place| !cuts_word(place));
    start.unwrap_or(window.start)..end.unwrap_or(window.end)
}

/// Leaves out the white space that a cut would show.
fn without_margins(text: &str, window: Range<usize>) -> Range<usize> {
    let part = text.get(window.clone()).unwrap_or_default();
    let start = if window.start > 0 { window.end - part.trim_start().len() } else { window.start };
    let end = if window.end < text.len() { window.start + part.trim_end().len() } else { window.end };
    start.min(end)..end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Query, highlight};

    fn cut<'t>(text: &'t str, query: &str, max_chars: usize) -> Snippet<'t> {
        snippet(text, &highlight(text, &Query::parse(query)), max_chars)
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        let whole = cut("the cat", "cat", 7);
        assert_eq!((whole.text, whole.cut_before, whole.cut_after), ("the cat", false, false));
        assert_eq!(whole.ranges, vec![4..7]);
    }

    #[test]
    fn without_a_highlight_it_is_the_beginning() {
        let start = cut("one two three four five", "cat", 10);
        assert_eq!((start.text, start.cut_before, start.cut_after), ("one two", false, true));
    }

    #[test]
    fn the_densest_place_is_shown() {
        let text = format!("cat {} cat dog cat {}", "filler ".repeat(20), "filler ".repeat(20));
        let dense = cut(&text, "cat dog", 30);
        assert_eq!(dense.ranges.len(), 3, "{dense:?}");
        assert!(dense.cut_before && dense.cut_after);
    }

    #[test]
    fn han_text_is_cut_between_characters() {
        let text = format!("{}猫{}", "天".repeat(50), "气".repeat(50));
        let found = cut(&text, "猫", 9);
        assert_eq!(found.text, "天天天天猫气气气气");
        assert_eq!(found.ranges, vec![12..15]);
    }

    #[test]
    fn a_highlight_longer_than_the_snippet_is_clipped() {
        let text = format!("a {} b", "x".repeat(50));
        let ranges = std::slice::from_ref(&(2..52));
        let clipped = snippet(&text, ranges, 10);
        assert_eq!((clipped.text, clipped.ranges.first()), ("xxxxxxxxxx", Some(&(0..10))));
        assert_eq!(snippet(&text, ranges, 0).text, "");
    }

    proptest! {
        #[test]
        fn a_snippet_is_never_longer_than_asked_and_shows_a_highlight(
            text in "[a-c猫喜欢的é 🙂]{0,120}", query in "[a-c猫喜欢 ]{1,12}", max_chars in 0usize..40,
        ) {
            let ranges = highlight(&text, &Query::parse(&query));
            let found = snippet(&text, &ranges, max_chars);
            prop_assert!(found.text.chars().count() <= max_chars);
            prop_assert!(max_chars == 0 || ranges.is_empty() || !found.ranges.is_empty());
            for range in &found.ranges {
                let shown = found.text.get(range.clone());
                prop_assert!(shown.is_some_and(|shown| ranges.iter().any(|full| text[full.clone()].contains(shown))));
            }
        }

        #[test]
        fn ranges_of_another_text_never_make_it_panic(
            text in "[a猫 ]{0,40}", bounds in prop::collection::vec((0usize..200, 0usize..200), 0..8), max_chars in 0usize..20,
        ) {
            let ranges: Vec<_> = bounds.into_iter().map(|(start, end)| start..end).collect();
            let found = snippet(&text, &ranges, max_chars);
            prop_assert!(found.text.chars().count() <= max_chars);
        }
    }
}
