//! What holds for any text of what is read out of it: sentences, key words, names, numbers, likeness, summaries.

mod awkward;

use std::ops::Range;

use awkward::awkward;
use memoir_text::{
    Limit, Role, Turn, estimate_tokens, is_stop, keywords, language, negations, normalise, numbers, people,
    sentences, similarity, summarise, titles, topics,
};
use proptest::prelude::*;

/// Every range lies on character boundaries of `text`, and none begins before the last one ended.
fn assert_in_order(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) {
    let mut end = 0;
    for range in ranges {
        assert!(range.start >= end && range.start < range.end, "{range:?} after {end} in {text:?}");
        assert!(text.get(range.clone()).is_some(), "{range:?} in {text:?}");
        end = range.end;
    }
}

fn turns<'t>(texts: &'t [String], speakers: &[&'t str]) -> Vec<Turn<'t>> {
    let speaker = |i: usize| speakers.get(i % speakers.len().max(1)).copied().unwrap_or_default();
    let role = |i: usize| if i.is_multiple_of(2) { Role::User } else { Role::Assistant };
    texts.iter().enumerate().map(|(i, text)| Turn { speaker: speaker(i), role: role(i), text }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sentences_cover_everything_but_white_space(text in awkward()) {
        let ranges = sentences(&text);
        assert_in_order(&text, ranges.clone());
        let kept: String = ranges.iter().map(|range| &text[range.clone()]).collect();
        let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(solid(&kept), solid(&text));
        for range in ranges {
            prop_assert_eq!(text[range.clone()].trim(), &text[range]);
        }
    }

    #[test]
    fn estimates_of_parts_add_up_within_one(a in awkward(), b in awkward()) {
        let (parts, whole) = (estimate_tokens(&a) + estimate_tokens(&b), estimate_tokens(&format!("{a}{b}")));
        prop_assert!(parts.abs_diff(whole) <= 1, "{} {}", parts, whole);
    }

    #[test]
    fn likeness_is_symmetric_and_one_for_the_same_text(a in awkward(), b in awkward()) {
        let alike = similarity(&a, &b);
        prop_assert!((0.0..=1.0).contains(&alike));
        prop_assert_eq!(alike, similarity(&b, &a));
        prop_assert_eq!(similarity(&a, &a), 1.0);
        prop_assert_eq!(similarity(&a, &normalise(&a)), 1.0);
    }

    #[test]
    fn key_words_stand_in_the_text(text in awkward(), most in 0_usize..8) {
        let words = keywords(&text, most);
        prop_assert!(words.len() <= most);
        for word in &words {
            prop_assert_eq!(&text[word.span.clone()], word.text);
            prop_assert!((0.0..=1.0).contains(&word.score), "{}", word.score);
        }
        prop_assert!(words.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }

    #[test]
    fn what_is_spotted_lies_inside_the_text_in_order(text in awkward()) {
        assert_in_order(&text, titles(&text).into_iter().map(|title| title.outer));
        assert_in_order(&text, titles(&text).into_iter().map(|title| title.span));
        assert_in_order(&text, people(&text).into_iter().map(|person| person.span));
        assert_in_order(&text, numbers(&text).into_iter().map(|number| number.span));
        assert_in_order(&text, negations(&text).into_iter().map(|negation| negation.cue));
        for negation in negations(&text) {
            prop_assert!(text.get(negation.scope).is_some());
        }
        prop_assert!(numbers(&text).iter().all(|number| number.value.is_finite()));
        language(&text);
        is_stop(&text);
    }

    #[test]
    fn a_summary_keeps_its_limit_and_points_at_its_sources(
        texts in prop::collection::vec(awkward(), 0..6),
        most in 0_usize..200,
        by_words in any::<bool>(),
        named in any::<bool>(),
    ) {
        let turns = turns(&texts, if named { &["王芳", "AI"] } else { &[""] });
        let limit = if by_words { Limit::Words(most) } else { Limit::Characters(most) };
        let summary = summarise(&turns, limit);
        prop_assert!(limit.measure(&summary.text) <= most, "{:?}", summary.text);
        prop_assert!(limit.measure(&summary.by_importance()) <= most, "{:?}", summary.by_importance());
        let mut last = (0, 0);
        for sentence in &summary.sentences {
            prop_assert!(texts[sentence.turn].get(sentence.span.clone()).is_some());
            prop_assert!(last <= (sentence.turn, sentence.span.start));
            last = (sentence.turn, sentence.span.end);
        }
        prop_assert_eq!(&summary, &summarise(&turns, limit));
        prop_assert!(topics(&turns, 3..=5).len() <= 5);
    }
}

#[test]
fn long_texts_of_anything_are_read() {
    let pieces = [
        "a",
        "我",
        ".",
        "。",
        "，",
        "\"",
        "《",
        "1",
        "一",
        "十",
        "@",
        "\u{301}",
        "\u{200d}",
        "😀",
        " ",
        "\n",
        "e.g. ",
        "U.S. ",
        "-",
        "!a",
        "I ",
        "我叫王",
        "不",
        "no ",
        "，我",
        ", and I",
        "张三、",
        "“我”",
        "1,",
        "3.5万",
        "Dr. ",
        "Alice ",
        "I like tea. ",
        "我喜欢茶，",
        "कि",
    ];
    for piece in pieces {
        let text = piece.repeat(65_536 / piece.len());
        assert_in_order(&text, sentences(&text));
        keywords(&text, 5);
        people(&text);
        titles(&text);
        numbers(&text);
        negations(&text);
        estimate_tokens(&text);
        similarity(&text, &text[..text.len() / piece.len() / 2 * piece.len()]);
        let turn = Turn { speaker: "Ann", role: Role::User, text: &text };
        assert!(summarise(&[turn], Limit::Characters(100)).text.chars().count() <= 100);
        topics(&[turn], 3..=5);
    }
}
