//! How long one message takes: `cargo run --release -p memoir-text --example speed`.
#![expect(clippy::print_stdout, reason = "printing the figures is what it is for")]

use std::{hint::black_box, time::Instant};

const PASSES: usize = 5;
const ROUNDS: usize = 4_000;

/// Several messages of each kind, so that the branch predictor and the caches do not learn a single one by heart.
const KINDS: &[(&str, &[&str])] = &[
    (
        "Chinese",
        &[
            "昨天晚上我和小李去了三里屯的那家日本料理店，吃了寿司和拉面，味道特别好，下次还想带爸妈一起去尝尝，顺便逛逛附近的书店和咖啡馆",
            "我最近在学习弹钢琴，每天下班以后练习一个小时，老师说我的节奏感不错，但是左手还需要多加练习，希望年底能弹完整的一首曲子吧",
            "下个月十五号我要去上海出差，大概待五天左右，住在静安寺附近的酒店，到时候如果你有空的话我们可以一起吃个饭，聊聊新项目的事情",
            "我家的猫今年三岁了，特别喜欢晒太阳，最近换了新的猫粮它好像不太习惯，医生建议我慢慢过渡，不要一下子全部换掉，先观察一个星期",
        ],
    ),
    (
        "English",
        &[
            "Yesterday I went to the farmers market with Alice and we bought fresh strawberries for her birthday cake",
            "I don't really like working from home, but the commute takes ninety minutes and I'd rather be sleeping",
            "Can you remind me to call the dentist on Tuesday at 10:30, my appointment was moved from last week",
            "We're planning a trip to Kyoto in April 2026, staying 7 nights near the station with my parents",
        ],
    ),
    (
        "mixed",
        &[
            "我的iPhone15 Pro昨天掉水里了😭，Apple Store说维修要3,500元，感觉还不如直接换新的，你觉得呢？",
            "今天meeting上老板说Q3的OKR要改，deadline是2026-01-07，我得重新写一份proposal发给bob@example.com",
        ],
    ),
];

fn main() {
    let start = Instant::now();
    memoir_text::warm_up();
    println!("warm-up {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    for (kind, messages) in KINDS {
        let mut count = 0;
        let tokens = microseconds(messages, |message| {
            memoir_text::tokens(message, |token| count += usize::from(!black_box(token).text.is_empty()));
        });
        // The floor: one pass that decodes, folds case and writes the text once.
        let floor = microseconds(messages, |message| drop(black_box(message.to_lowercase())));
        let length: usize = messages.iter().map(|message| message.chars().count()).sum();
        println!(
            "{kind}: {tokens:.2} µs a message, {:.1} times lower-casing it; {} characters, {} tokens",
            tokens / floor,
            length / messages.len(),
            count / (PASSES * ROUNDS),
        );
    }
}

/// The time of one message in the best of several passes: others use the machine too.
fn microseconds(messages: &[&str], mut work: impl FnMut(&str)) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..PASSES {
        let start = Instant::now();
        for message in messages.iter().cycle().take(ROUNDS) {
            work(black_box(message));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e6 / ROUNDS as f64
}
