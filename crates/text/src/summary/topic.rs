use std::{collections::HashMap, ops::RangeInclusive};

use super::turn::{Role, Turn};
use crate::{Form, background, dictionary, keywords, tokens};

/// How much the key words of an assistant's turn count.
const ASSISTANT: f32 = 0.4;
/// Subjects are things: a verb or an adjective counts less.
const NO_NOUN: f32 = 0.5;
/// Key words looked at in each turn.
const PER_TURN: usize = 12;
/// Words of any talk are no topic.
const LEAST_WEIGHT: f32 = 0.2;
/// Topics beyond the fewest must reach this share of the best one's score.
const LEAST_SHARE: f32 = 0.35;

/// The key topics of a talk, best first, as many as `count` allows: words, names and titles as they stand in it.
///
/// ```
/// use memoir_text::{Role, Turn, topics};
/// let turns = [Turn { speaker: "", role: Role::User, text: "我在学钢琴，周末想去厦门看鼓浪屿的钢琴博物馆" }];
/// assert!(topics(&turns, 3..=5).contains(&"钢琴".to_owned()));
/// ```
pub fn topics(turns: &[Turn<'_>], count: RangeInclusive<usize>) -> Vec<String> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut scored: Vec<(String, f32)> = Vec::new();
    for turn in turns {
        let factor = if turn.role == Role::User { 1.0 } else { ASSISTANT };
        for word in keywords(turn.text, PER_TURN) {
            let (key, weight) = key(word.text);
            if weight < LEAST_WEIGHT || is_speaker(turns, word.text) {
                continue;
            }
            let score = word.score * factor * if is_thing(word.text) { 1.0 } else { NO_NOUN };
            let place = *places.entry(key).or_insert(scored.len());
            match scored.get_mut(place) {
                Some((_, sum)) => *sum += score,
                None => scored.push((word.text.to_owned(), score)),
            }
        }
    }
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = scored.first().map_or(0.0, |(_, score)| *score);
    let (fewest, most) = (*count.start(), *count.end());
    let strong = scored.iter().take_while(|(_, score)| *score >= LEAST_SHARE * best).count();
    scored.truncate(strong.max(fewest).min(most));
    scored.into_iter().map(|(word, _)| word).collect()
}

/// The stems of a word or name, by which forms of one word are one topic, and how much the rarest of them tells.
fn key(word: &str) -> (String, f32) {
    let (mut key, mut most) = (String::new(), 0.0_f32);
    tokens(word, |token| {
        if token.form == Form::Word {
            key.push_str(token.text);
            key.push(' ');
            most = most.max(background::weight(token.text));
        }
    });
    (key, most)
}

/// Whether `word` is the name of one who speaks: they are no topic of their own talk.
fn is_speaker(turns: &[Turn<'_>], word: &str) -> bool {
    turns.iter().take(16).any(|turn| turn.speaker == word)
}

fn is_thing(word: &str) -> bool {
    match dictionary::load().tag(word, false).as_slice() {
        [only] => {
            matches!(only.tag.chars().next(), Some('n' | 'e' | 'x' | 'j' | 'l' | 'i')) || only.tag == "vn"
        }
        _ => true,
    }
}
