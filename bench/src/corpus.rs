//! Generated chat, half Chinese and half English: the same text for the same seed and number, 20 to 200 characters, the
//! short ones more often. Common words come up far more often than rare ones, and names, prices and times keep the
//! vocabulary growing, as they do in life.

mod vocabulary;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use vocabulary::{chinese as zh, english as en};

/// The fewest characters of a message.
const SHORTEST: usize = 20;
/// The most characters of a message.
const LONGEST: usize = 200;

/// An endless numbered list of messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corpus {
    seed: u64,
}

impl Corpus {
    /// The list of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Corpus { seed }
    }

    /// The message of that number: an even one is Chinese, an odd one English.
    pub(crate) fn message(self, number: u64) -> String {
        let mut dice = StdRng::seed_from_u64(self.seed.rotate_left(40) ^ number);
        let target = SHORTEST.max(dice.random_range(0..=LONGEST).min(dice.random_range(0..=LONGEST)));
        let clause = if number.is_multiple_of(2) { chinese_clause } else { english_clause };
        let (mut text, mut length) = (String::new(), 0);
        while length < target {
            let next = clause(&mut dice);
            let longer = length + next.chars().count();
            if longer > LONGEST {
                break;
            }
            text.push_str(&next);
            length = longer;
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The messages of these numbers.
    pub(crate) fn messages(self, numbers: std::ops::Range<u64>) -> Vec<String> {
        numbers.map(|number| self.message(number)).collect()
    }
}

/// One of the words; those at the front of the list far more often.
fn pick<'w>(dice: &mut StdRng, words: &[&'w str]) -> &'w str {
    let depth: f64 = dice.random();
    words.get((depth * depth * words.len() as f64) as usize).copied().unwrap_or_default()
}

fn chinese_clause(dice: &mut StdRng) -> String {
    let name = |dice: &mut StdRng| {
        let given: String = (0..dice.random_range(1..=2)).map(|_| pick(dice, zh::GIVEN)).collect();
        format!("{}{given}", pick(dice, zh::SURNAMES))
    };
    let who = if dice.random_bool(0.25) { name(dice) } else { pick(dice, zh::WHO).to_owned() };
    let (when, place) = (pick(dice, zh::WHEN), pick(dice, zh::WHERE));
    let (did, how, thing) = (pick(dice, zh::DID), pick(dice, zh::HOW), pick(dice, zh::THINGS));
    let (tail, mark) = (pick(dice, zh::TAILS), pick(dice, zh::MARKS));
    match dice.random_range(0..6) {
        0 => format!("{when}{who}{did}{how}{thing}{mark}"),
        1 => format!("{who}在{place}{did}{thing}，{tail}{mark}"),
        2 => format!("{thing}{tail}，{who}{when}再说{mark}"),
        3 => format!("{when}去{place}，{how}{thing}要{}元{mark}", dice.random_range(5..9_999)),
        4 => format!("{who}说{tail}，{did}{}{mark}", name(dice)),
        _ => {
            format!("{}点{}分到{place}{did}{thing}{mark}", dice.random_range(1..24), dice.random_range(1..60))
        }
    }
}

fn english_clause(dice: &mut StdRng) -> String {
    let name = |dice: &mut StdRng| {
        let middle: String = (0..dice.random_range(0..=2)).map(|_| pick(dice, en::MIDDLES)).collect();
        format!("{}{middle}{}", pick(dice, en::BEGINNINGS), pick(dice, en::ENDS))
    };
    let who = if dice.random_bool(0.25) { name(dice) } else { pick(dice, en::WHO).to_owned() };
    let (when, place) = (pick(dice, en::WHEN), pick(dice, en::WHERE));
    let (did, how, thing) = (pick(dice, en::DID), pick(dice, en::HOW), pick(dice, en::THINGS));
    let (tail, mark) = (pick(dice, en::TAILS), pick(dice, en::MARKS));
    match dice.random_range(0..6) {
        0 => format!("{who} {did} the {how} {thing} {when}{mark} "),
        1 => format!("{when} {who} {did} a {thing} {place}, {tail}{mark} "),
        2 => format!("the {thing} {place} {tail}{mark} "),
        3 => format!("a {how} {thing} costs {} dollars {place}{mark} ", dice.random_range(5..9_999)),
        4 => format!("{} said {tail}, so {who} {did} it{mark} ", name(dice)),
        _ => format!(
            "meet {} {place} at {}:{:02}{mark} ",
            name(dice),
            dice.random_range(1..24),
            dice.random_range(0..60)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn messages_keep_to_their_length_and_come_out_alike_every_time() {
        let corpus = Corpus::new(7);
        for number in 0..2_000 {
            let text = corpus.message(number);
            assert!((SHORTEST - 1..=LONGEST).contains(&text.chars().count()), "{text}");
            assert_eq!(text, Corpus::new(7).message(number));
        }
        assert_ne!(corpus.message(0), Corpus::new(8).message(0));
    }

    #[test]
    fn hardly_any_message_is_said_twice() {
        let texts: HashSet<String> = Corpus::new(1).messages(0..100_000).into_iter().collect();
        assert!(texts.len() > 99_500, "{} different ones", texts.len());
    }

    #[test]
    fn half_of_them_are_chinese() {
        let chinese = |text: &String| text.chars().any(|char| ('\u{4e00}'..='\u{9fff}').contains(&char));
        assert_eq!(Corpus::new(1).messages(0..1_000).iter().filter(|text| chinese(text)).count(), 500);
    }
}
