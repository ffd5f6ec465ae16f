//! How long it takes to find the times of a sentence, beside a plain regular expression over the same text.
//!
//! `cargo bench -p memoir-when` takes a few sentences of its own; `TIMEX=FILE` names a file of JSON lines with a `text`.

use divan::counter::ItemsCount;
use jiff::civil::{DateTime, datetime};
use memoir_when::{Prefer, find, intent};
use regex::Regex;

const NOW: DateTime = datetime(2026, 1, 7, 12, 0, 0, 0);
const OWN: &[&str] = &[
    "昨天我们聊了什么？",
    "上周五下午三点到五点我在医院，医生说下个月15号复查",
    "我的猫叫Miso，它对鸡肉过敏",
    "去年年底到今年三月，每天晚上跑五公里",
    "What did I tell you about my knee last week?",
    "I ran on Monday and Wednesday from 7 to 8pm, and I will rest until the end of the month.",
    "My cat is called Miso and she is allergic to chicken.",
    "between March 3rd and April 15, 2025 we met four times",
];

fn main() {
    divan::main();
}

fn sentences() -> Vec<String> {
    let Some(file) = std::env::var_os("TIMEX") else {
        return OWN.iter().map(|text| (*text).to_owned()).collect();
    };
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let field = Regex::new(r#""text":\s*"([^"]*)""#);
    let lines = text
        .lines()
        .filter_map(|line| Some(field.as_ref().ok()?.captures(line)?.get(1)?.as_str().to_owned()));
    lines.collect()
}

#[divan::bench]
fn find_times(bencher: divan::Bencher<'_, '_>) {
    let sentences = sentences();
    bencher
        .counter(ItemsCount::new(sentences.len()))
        .bench_local(|| sentences.iter().map(|text| find(text, NOW, Prefer::Past).len()).sum::<usize>());
}

#[divan::bench]
fn tell_intent(bencher: divan::Bencher<'_, '_>) {
    let sentences = sentences();
    bencher
        .counter(ItemsCount::new(sentences.len()))
        .bench_local(|| sentences.iter().filter(|text| intent(text).history).count());
}

/// What a product without a parser does: one expression of the commonest words.
#[divan::bench]
fn plain_regex(bencher: divan::Bencher<'_, '_>) {
    let sentences = sentences();
    let words = Regex::new(
        r"(?i)昨天|今天|明天|前天|上周|下周|上个月|去年|今年|周[一二三四五六日]|\d+[年月日号点]|yesterday|today|tomorrow|last \w+|next \w+|\d+ (days?|weeks?|months?) ago|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{1,2}:\d{2}",
    );
    bencher.counter(ItemsCount::new(sentences.len())).bench_local(|| {
        sentences
            .iter()
            .map(|text| words.as_ref().map_or(0, |words| words.find_iter(text).count()))
            .sum::<usize>()
    });
}
