use std::{collections::HashMap, sync::LazyLock};

use rust_stemmers::{Algorithm, Stemmer};

use crate::{chinese, dictionary, english, glyph::Class, stop};

/// The words of the corpus behind the dictionary's frequencies.
const CORPUS: f32 = 6e7;
/// The information of the commonest and the rarest Chinese words, in nats: between them a weight grows from 0 to 1.
const COMMONEST: f32 = 5.0;
const RAREST: f32 = 17.0;

/// A Chinese character by itself is seldom the word that was meant.
const SINGLE_HAN: f32 = 0.6;
const EVERYDAY: f32 = 0.15;
const COMMON: f32 = 0.45;
const UNLISTED: f32 = 0.9;
const NUMBER: f32 = 0.6;
const SYMBOL: f32 = 0.05;
const OTHER_SCRIPT: f32 = 0.7;
/// The least weight of a word that is no function word.
const LEAST: f32 = 0.05;

/// Stems, because a stem is what an English token has.
static ENGLISH: LazyLock<HashMap<String, f32>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let weighed = |list: &'static [&'static str], weight| list.iter().map(move |word| (*word, weight));
    let lists = weighed(english::COMMON, COMMON).chain(weighed(english::EVERYDAY, EVERYDAY));
    lists.map(|(word, weight)| (stemmer.stem(word).into_owned(), weight)).collect()
});

/// How much the word tells against everyday language, from 0 (a function word) to 1 (rare): the inverse document
/// frequency, for the text of a [`Form::Word`](crate::Form::Word) token.
pub(crate) fn weight(word: &str) -> f32 {
    let Some(first) = word.chars().next() else { return 0.0 };
    match Class::of(first) {
        Class::Han => han(word),
        Class::Digit => NUMBER,
        Class::Letter if first.is_ascii() => {
            if stop::is_english(word) {
                0.0
            } else if word.len() == 1 {
                LEAST
            } else {
                ENGLISH.get(word).copied().unwrap_or(UNLISTED)
            }
        }
        Class::Emoji | Class::Flag | Class::Other | Class::Space => SYMBOL,
        _ => OTHER_SCRIPT,
    }
}

fn han(word: &str) -> f32 {
    if stop::is_chinese(word) {
        return 0.0;
    }
    if chinese::EVERYDAY.binary_search(&word).is_ok() {
        return EVERYDAY;
    }
    let frequency = dictionary::load().suggest_freq(word).max(1) as f32;
    let weight = (((CORPUS / frequency).ln() - COMMONEST) / (RAREST - COMMONEST)).clamp(LEAST, 1.0);
    let single = word.chars().nth(1).is_none();
    if single { (weight * SINGLE_HAN).max(LEAST) } else { weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_words_weigh_more_in_both_languages() {
        for ascending in [["的", "今天", "钢琴", "莫扎特"], ["the", "think", "movi", "renaiss"]] {
            assert!(ascending.windows(2).all(|pair| weight(pair[0]) < weight(pair[1])), "{ascending:?}");
        }
    }
}
