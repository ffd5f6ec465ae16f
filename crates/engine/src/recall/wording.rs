use memoir_text::{Form, tokens};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::candidates::Candidate;
use super::signals::{Signal, Signals};
use super::understand::{Asks, Understanding};
use crate::search::{HotMessage, Words, word_hash};

/// How many different words of a message are compared.
const MOST_WORDS: usize = 64;

/// What the words of the message that asks are, fit for comparing with the words of others.
pub(crate) struct Wording {
    asks: Asks,
    /// The hashes of its different content words, ascending, and the place of each.
    words: Vec<(u64, usize)>,
    /// The last six bits of every hash among them: what is not here is none of them, and most words are not.
    last_bits: u64,
    /// Which of them follow each other.
    pairs: Vec<(usize, usize)>,
    names: Vec<String>,
}

/// Which of the message's words a text holds, a bit for each.
struct Read {
    /// In each sentence.
    sentences: Vec<u64>,
    /// How many of the message's pairs stand side by side here too.
    pairs: usize,
}

impl Wording {
    pub(crate) fn new(understanding: &Understanding, spoken: &[Range<usize>]) -> Self {
        let mut words: HashMap<u64, usize> = HashMap::new();
        let mut order = Vec::new();
        tokens(&understanding.text, |token| {
            let is_spoken =
                spoken.iter().any(|span| span.start < token.span.end && token.span.start < span.end);
            let hash = word_hash(token.text);
            let is_known = words.contains_key(&hash) || words.len() < MOST_WORDS;
            if token.form == Form::Word && !token.stop && !is_spoken && is_known {
                let next = words.len();
                order.push(*words.entry(hash).or_insert(next));
            }
        });
        let mut pairs: Vec<(usize, usize)> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut words: Vec<(u64, usize)> = words.into_iter().collect();
        words.sort_unstable();
        let people = understanding.people.iter().filter(|span| !spoken.contains(span));
        let people = people.map(|span| understanding.text[span.clone()].to_lowercase());
        let titles = understanding.titles.iter().map(|title| title.to_lowercase());
        let last_bits = words.iter().fold(0, |bits, (hash, _)| bits | last_bit(*hash));
        let names = people.chain(titles).collect();
        Wording { asks: understanding.asks, words, last_bits, pairs, names }
    }

    /// The place of a word among those of the message.
    fn place(&self, hash: u64) -> Option<usize> {
        if self.last_bits & last_bit(hash) == 0 {
            return None;
        }
        let nth = self.words.binary_search_by_key(&hash, |(hash, _)| *hash).ok()?;
        Some(self.words[nth].1)
    }

    /// Reads the candidates and says of each what its words tell.
    pub(crate) fn weigh(&self, candidates: &mut [(Candidate, Arc<HotMessage>)]) {
        let read: Vec<Read> = candidates.iter().map(|(_, known)| self.read(&known.words)).collect();
        let mut holders = vec![0.0f32; self.words.len()];
        for held in read.iter().map(|read| read.sentences.iter().fold(0, |all, sentence| all | sentence)) {
            ones(held).for_each(|place| holders[place] += 1.0);
        }
        let count = candidates.len() as f32;
        // A word that most of them hold tells little.
        let worth: Vec<f32> = holders.iter().map(|holders| (1.0 + count / (holders + 1.0)).ln()).collect();
        let whole = worth.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let share = |sentence: &u64| {
            let held = ones(*sentence).map(|place| worth[place]);
            held.sum::<f32>() / whole
        };
        for ((candidate, known), read) in candidates.iter_mut().zip(&read) {
            let signals = &mut candidate.signals;
            signals.set(Signal::Sentence, read.sentences.iter().map(share).fold(0.0, f32::max));
            signals.set(Signal::Adjacent, read.pairs as f32 / self.pairs.len().max(1) as f32);
            self.weigh_shape(&known.message.content, signals);
        }
    }

    /// Looks for the message's words among those of a text.
    fn read(&self, words: &Words) -> Read {
        let mut read = Read { sentences: vec![0; words.sentences()], pairs: 0 };
        let mut pairs = vec![false; self.pairs.len()];
        let mut before = None;
        for (hash, sentence) in words.each() {
            let place = self.place(hash);
            if let Some(place) = place {
                read.sentences[sentence] |= 1 << place;
            }
            if let Some(pair) = before.zip(place)
                && let Ok(nth) = self.pairs.binary_search(&pair)
            {
                pairs[nth] = true;
            }
            before = place;
        }
        read.pairs = pairs.iter().filter(|held| **held).count();
        read
    }

    /// Whether a text asks, and whether it names what is asked for.
    fn weigh_shape(&self, text: &str, signals: &mut Signals) {
        let one = |holds: bool| f32::from(u8::from(holds));
        let end = text.trim_end();
        signals.set(Signal::Question, one(end.ends_with(['?', '？', '吗', '呢'])));
        signals.set(Signal::Dated, one(self.asks == Asks::When && names_time(text)));
        signals.set(Signal::Counted, one(self.asks == Asks::HowMany && names_number(text)));
        if !self.names.is_empty() {
            let lower = text.to_lowercase();
            let named = self.names.iter().filter(|name| lower.contains(name.as_str())).count();
            signals.set(Signal::Named, named as f32 / self.names.len() as f32);
        }
    }
}

/// A number with the one bit set that the last six of a hash say.
fn last_bit(hash: u64) -> u64 {
    1 << (hash % u64::from(u64::BITS))
}

/// Which bits are set.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros();
        bits &= bits.checked_sub(1)?;
        Some(lowest as usize)
    })
}

fn names_time(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "yesterday",
        "today",
        "tomorrow",
        "tonight",
        "ago",
        "week",
        "weeks",
        "weekend",
        "month",
        "months",
        "year",
        "years",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "last",
        "next",
        "since",
        "recently",
    ];
    const HAN: &[&str] = &[
        "昨", "今天", "明天", "后天", "前天", "上周", "下周", "周", "星期", "月", "号", "年", "点", "早上",
        "晚上", "下午", "上午", "小时", "分钟", "天",
    ];
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word) || is_year(word))
        || HAN.iter().any(|word| text.contains(word))
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|b| b.is_ascii_digit())
}

fn names_number(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen", "hundred",
        "once", "twice", "couple", "several",
    ];
    text.bytes().any(|byte| byte.is_ascii_digit())
        || text.contains(['一', '二', '两', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千'])
        || text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
