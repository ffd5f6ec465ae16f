use std::collections::BTreeMap;

use crate::{Form, background, glyph::Class, negations, normalise, tokens};

/// The shares of the three views in the result. The characters of Chinese words and the stems of English ones tell
/// duplicates best; words by their rarity and runs of characters correct them.
const UNITS: f32 = 0.6;
const WORDS: f32 = 0.2;
const RUNS: f32 = 0.2;
/// A function word counts this much of a content word.
const STOP: f32 = 0.3;
/// What every word counts beside its rarity.
const LEAST: f32 = 0.15;
/// When one of the two is negated and the other is not.
const NEGATED: f32 = 0.8;

/// Words that people exchange without noticing.
#[rustfmt::skip]
const SAME: &[(&str, &[&str])] = &[
    ("如何", &["怎么", "怎样", "咋", "怎么样", "怎么办"]),
    ("为何", &["为什么", "为啥", "干嘛"]),
    ("多少", &["几", "多久", "多大"]),
    ("什么", &["啥", "哪些", "哪个", "哪种"]),
    ("哪里", &["哪儿", "哪", "在哪"]),
    ("不", &["没", "没有", "未"]),
    ("能", &["可以", "能够", "可"]),
    ("吗", &["么", "呢", "啊", "呀", "吧"]),
];

/// How alike two texts are in their words and characters, from 0 to 1. Symmetric; 1 for texts that are equal after
/// [`normalise`].
///
/// Meant for finding duplicates without an embedder: from about 0.4 on two texts are worth a second look, from about
/// 0.8 on most say the same.
///
/// ```
/// use memoir_text::similarity;
/// assert_eq!(similarity("Ｉ like TEA", "i  like tea"), 1.0);
/// assert!(similarity("这个图片啥寓意", "这个图片有什么寓意？") > similarity("这个图片啥寓意", "今天去哪里吃饭"));
/// ```
pub fn similarity(a: &str, b: &str) -> f32 {
    if normalise(a) == normalise(b) {
        return 1.0;
    }
    let (left, right) = (View::of(a), View::of(b));
    let alike = UNITS * overlap(&left.units, &right.units)
        + WORDS * overlap(&left.words, &right.words)
        + RUNS * overlap(&left.runs, &right.runs);
    let same_sign = negations(a).len() % 2 == negations(b).len() % 2;
    let alike = if same_sign { alike } else { alike * NEGATED };
    alike.clamp(0.0, 1.0)
}

/// What is compared: how much of everything there is. In order, so that sums come out the same on every run.
type Bag = BTreeMap<String, f32>;

#[derive(Default)]
struct View {
    /// Characters of unspaced scripts and stems of other words.
    units: Bag,
    /// Words, the rarer the heavier.
    words: Bag,
    /// Pairs of Han characters and triples of letters: what survives another segmentation or a typing error.
    runs: Bag,
}

impl View {
    fn of(text: &str) -> View {
        let mut view = View::default();
        tokens(text, |token| {
            let is_han = token.text.chars().next().is_some_and(|c| Class::of(c) == Class::Han);
            let weight = if token.stop { STOP } else { 1.0 };
            if token.form == Form::Word {
                add(&mut view.words, token.text, LEAST + background::weight(token.text));
                let word = canonical(token.text);
                if is_han {
                    word.chars().for_each(|c| add(&mut view.units, c.encode_utf8(&mut [0; 4]), weight));
                } else {
                    add(&mut view.units, word, weight);
                    triples(&mut view.runs, word);
                }
            }
            if is_han && token.units == 2 {
                add(&mut view.runs, token.text, weight);
            }
        });
        view
    }
}

fn canonical(word: &str) -> &str {
    SAME.iter().find(|(_, others)| others.contains(&word)).map_or(word, |(one, _)| one)
}

fn add(bag: &mut Bag, key: &str, weight: f32) {
    match bag.get_mut(key) {
        Some(sum) => *sum += weight,
        None => {
            bag.insert(key.to_owned(), weight);
        }
    }
}

fn triples(bag: &mut Bag, word: &str) {
    let chars: Vec<char> = [' '].into_iter().chain(word.chars()).chain([' ']).collect();
    for triple in chars.windows(3) {
        add(bag, &triple.iter().collect::<String>(), 1.0);
    }
}

/// The weighted Dice coefficient.
fn overlap(a: &Bag, b: &Bag) -> f32 {
    let both: f32 = a.iter().filter_map(|(key, left)| b.get(key).map(|right| left.min(*right))).sum();
    let all = a.values().sum::<f32>() + b.values().sum::<f32>();
    if all > 0.0 { 2.0 * both / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_score_above_others() {
        let alike = [
            ("我喜歡喝咖啡", "我爱喝咖啡"),
            ("怎么修改手机号", "如何更改手机号码"),
            ("The cat sleeps on the sofa", "A cat is sleeping on a sofa"),
        ];
        let others = [
            ("我喜欢喝咖啡", "明天去医院体检"),
            ("怎么修改手机号", "为什么不能借款"),
            ("The cat sleeps on the sofa", "He bought a new bicycle"),
        ];
        for ((a, b), (x, y)) in alike.into_iter().zip(others) {
            assert!(
                similarity(a, b) > 0.4 && similarity(x, y) < 0.25,
                "{} {}",
                similarity(a, b),
                similarity(x, y)
            );
        }
    }

    #[test]
    fn a_negation_tells_texts_apart() {
        assert!(similarity("我吃肉", "我不吃肉") < 0.8);
        assert!(similarity("I eat meat", "I do not eat meat") < 0.8);
        assert_eq!(similarity("", " "), 1.0);
        assert_eq!(similarity("", "猫"), 0.0);
    }
}
