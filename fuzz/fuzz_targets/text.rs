//! No text makes the analysis of text panic, and every span lies on character boundaries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memoir_text::{Limit, Role, Turn};

fuzz_target!(|text: &str| {
    memoir_text::tokens(text, |token| assert!(text.get(token.span.clone()).is_some()));
    for sentence in memoir_text::sentences(text) {
        assert!(text.get(sentence).is_some());
    }
    for keyword in memoir_text::keywords(text, 8) {
        assert!(text.get(keyword.span.clone()).is_some());
    }
    let (_, _, _) = (memoir_text::people(text), memoir_text::numbers(text), memoir_text::negations(text));
    let similarity = memoir_text::similarity(text, text);
    assert!((0.0..=1.0).contains(&similarity));
    let turns = [Turn { speaker: "a", role: Role::User, text }];
    let summary = memoir_text::summarise(&turns, Limit::Characters(80));
    assert!(summary.text.chars().count() <= 80);
});
