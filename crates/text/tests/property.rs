//! What holds for any text at all.

mod awkward;

use std::collections::HashSet;

use awkward::awkward;
use memoir_text::{Form, normalise, tokens};
use proptest::prelude::*;

fn collect(text: &str) -> Vec<(String, Form, u32)> {
    let mut all = Vec::new();
    tokens(text, |token| all.push((token.text.to_owned(), token.form, token.position)));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_lie_on_character_boundaries_inside_the_text(text in awkward()) {
        tokens(&text, |token| {
            assert!(token.span.start < token.span.end);
            assert!(text.get(token.span.clone()).is_some(), "{:?} in {text:?}", token.span);
        });
    }

    #[test]
    fn positions_never_go_back_nor_leave_a_gap(text in awkward()) {
        let mut last = None;
        tokens(&text, |token| {
            match last {
                None => assert_eq!(token.position, 0),
                Some(last) => assert!(token.position == last || token.position == last + 1),
            }
            assert!(token.units >= 1);
            last = Some(token.position);
        });
    }

    #[test]
    fn no_text_is_given_twice_at_one_position(text in awkward()) {
        let mut seen = HashSet::new();
        tokens(&text, |token| {
            assert!(!token.text.is_empty());
            assert!(seen.insert((token.text.to_owned(), token.position)), "{token:?}");
        });
    }

    #[test]
    fn the_number_of_tokens_is_linear_in_the_text(text in awkward()) {
        let mut count = 0;
        tokens(&text, |_| count += 1);
        // One original character may stand for several (㍿): the folded text is the measure.
        prop_assert!(count <= 4 * normalise(&text).chars().count() + 4);
    }

    #[test]
    fn every_character_of_an_unspaced_script_is_a_token(text in "[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}ぁ-ゖ가-힣]{1,40}") {
        let mut single = 0;
        tokens(&text, |token| single += usize::from(token.text.chars().count() == 1));
        prop_assert_eq!(single, text.chars().count());
    }

    #[test]
    fn normalising_twice_is_normalising_once(text in awkward()) {
        let once = normalise(&text);
        prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn the_normalised_text_gives_the_same_tokens(text in awkward()) {
        // But for camelCase: folding takes the capitals, so only the text without them keeps every part.
        let small: String = text.to_lowercase().chars().filter(|c| !c.is_uppercase()).collect();
        prop_assert_eq!(collect(&small), collect(&normalise(&small)));

        let whole = |text: &str| {
            let mut all = collect(text);
            all.retain(|(_, form, _)| *form != Form::SubWord);
            all
        };
        prop_assert_eq!(whole(&text), whole(&normalise(&text)));
    }
}
