//! Measures what the index promises: `cargo run --release -p memoir-index --example speed`.
//!
//! Every time stands beside a floor measured in the same run, so that the ratio can be compared between
//! machines.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use memoir_index::{
    Filter, PIECE_ROWS, Query, Row, RowMeta, Segment, SpaceIndex, Terms, highlight, piece_of,
};
use xxhash_rust::xxh3::xxh3_64;

const ROWS: u64 = 5000;

const HAN: &str = "我今天去公园散步看到一只很可爱的猫它叫做小白喜欢吃鱼天气不错明天要开会讨论新项目的进度\
    周末想和朋友一起吃火锅然后看电影最近工作太忙了没有时间休息医生说要多喝水早点睡觉妈妈打电话来问什么时候回家\
    下个月打算去日本旅行已经买好机票酒店还没有订孩子的学校发通知说家长会改到星期五晚上七点音乐节的门票抢不到";
const LATIN: [&str; 40] = [
    "the",
    "meeting",
    "is",
    "at",
    "noon",
    "and",
    "we",
    "should",
    "bring",
    "a",
    "laptop",
    "coffee",
    "with",
    "milk",
    "my",
    "sister",
    "visited",
    "Berlin",
    "last",
    "summer",
    "she",
    "likes",
    "running",
    "in",
    "park",
    "project",
    "deadline",
    "moved",
    "to",
    "Friday",
    "please",
    "remind",
    "me",
    "about",
    "dentist",
    "appointment",
    "Miso",
    "iPhone15",
    "doctor",
    "recipes",
];

/// A small generator, so that every run sees the same messages.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Small numbers far more often than large ones, as words are.
    fn skewed(&mut self, bound: usize) -> usize {
        let bound = self.below(bound) + 1;
        self.below(bound)
    }
}

fn message(dice: &mut Dice, han: &[char]) -> String {
    let mut text = String::new();
    if dice.below(3) > 0 {
        for _ in 0..4 + dice.below(8) {
            // Stretches of running text keep the words of the language together.
            let start = dice.skewed(han.len() - 8);
            text.extend(&han[start..start + 2 + dice.below(6)]);
            // And rarer characters keep the vocabulary as wide as it is in life.
            let rare = 0x4e00 + dice.skewed(3000) as u32;
            text.extend((rare..rare + 2).filter_map(char::from_u32));
        }
    } else {
        for _ in 0..4 + dice.below(14) {
            let word = LATIN[dice.skewed(LATIN.len())];
            text.push_str(word);
            text.push(' ');
        }
        text.push_str(&format!("note{}", dice.below(3000)));
    }
    text
}

/// The fastest of several runs: what the code costs, without what else the machine does.
fn fastest<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed());
    }
    best
}

fn report(what: &str, time: Duration, floor_name: &str, floor: Duration) {
    let ratio = time.as_secs_f64() / floor.as_secs_f64().max(1e-9);
    println!("{what:<52} {time:>10.1?}   {ratio:>6.1} x {floor_name}");
}

fn meta(seq: u64) -> RowMeta {
    RowMeta { said_at: seq as i64 * 60_000, author: seq % 2, role: (seq % 2) as u8, session: seq / 40 }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut dice = Dice(7);
    let han: Vec<char> = HAN.chars().filter(|char| !char.is_whitespace()).collect();
    let texts: Vec<String> = (0..ROWS).map(|_| message(&mut dice, &han)).collect();
    let chars: usize = texts.iter().map(|text| text.chars().count()).sum();
    println!("{ROWS} messages, {} characters each", chars / texts.len());

    let bare = fastest(3, || {
        let mut count = 0;
        texts.iter().for_each(|text| memoir_text::tokens(text, |_| count += 1));
        count
    });
    let analysed = fastest(3, || texts.iter().map(|text| Terms::of(&[text]).distinct()).sum::<u32>());
    report("Terms::of, each", analysed / ROWS as u32, "tokens alone", bare / ROWS as u32);

    let terms: Vec<Terms> = texts.iter().map(|text| Terms::of(&[text])).collect();
    let blobs: Vec<Vec<u8>> = terms.iter().map(Terms::to_blob).collect();
    let distinct: u64 = terms.iter().map(|terms| u64::from(terms.distinct())).sum();
    println!("a row: {} terms, {} bytes of blob", distinct / ROWS, blobs.concat().len() as u64 / ROWS);
    let copied = fastest(9, || blobs.iter().map(|blob| black_box(blob.clone()).len()).sum::<usize>());
    let read = fastest(9, || blobs.iter().filter(|blob| Terms::from_blob(blob).is_ok()).count());
    report("Terms::from_blob, each", read / ROWS as u32, "copying the blob", copied / ROWS as u32);

    let rows = || (0..).zip(&terms).map(|(seq, terms)| Row { seq, meta: meta(seq), terms });
    let piece = |number: u64| rows().filter(move |row| piece_of(row.seq) == number);
    let segment = Segment::build(0, piece(0))?;
    let built = fastest(3, || Segment::build(0, piece(0)).is_ok());
    let bytes = segment.to_bytes();
    let summed = fastest(9, || xxh3_64(&bytes));
    report("Segment::build, 4,096 rows", built, "its checksum", summed);
    let loaded = fastest(9, || Segment::from_bytes(bytes.clone()).is_ok());
    report("Segment::from_bytes (aim: 3 ms)", loaded, "its checksum", summed);
    println!("a segment: {} KiB", bytes.len() / 1024);

    let mut tail_only = SpaceIndex::new();
    let start = Instant::now();
    rows().for_each(|row| tail_only.upsert(row.seq, row.meta, row.terms));
    report(
        "SpaceIndex::upsert, each",
        start.elapsed() / ROWS as u32,
        "copying the blob",
        copied / ROWS as u32,
    );
    let mut space = SpaceIndex::new();
    space.add_segment(segment);
    rows().filter(|row| row.seq >= PIECE_ROWS).for_each(|row| space.upsert(row.seq, row.meta, row.terms));
    let mut edited = space.clone();
    rows().filter(|row| row.seq % 10 == 0).for_each(|row| edited.upsert(row.seq, row.meta, row.terms));
    for (name, space) in
        [("a segment and a tail", &space), ("a tail only", &tail_only), ("a tenth edited", &edited)]
    {
        println!("a space of {ROWS} rows, {name}: {} KiB (aim: 4,096)", space.bytes() / 1024);
    }

    let open = Filter::default();
    for text in [
        "猫喜欢吃什么鱼",
        "when is the dentist appointment and where do we bring coffee",
        "「明天要开会」",
        "的",
    ] {
        let query = Query::parse(text);
        let parse = fastest(9, || Query::parse(text));
        let summed = fastest(9, || blobs.iter().fold(0, |sum, blob| sum ^ xxh3_64(blob)));
        println!("{text}: {} terms, parsed in {parse:.1?}", query.hashes().count());
        for (name, space) in [("segment and tail", &space), ("tail", &tail_only), ("edited", &edited)] {
            let found = space.search(&query, &open, 10);
            let time = fastest(50, || space.search(&query, &open, 10));
            report(&format!("  search, {name} (aim: 0.3 ms)"), time, "a checksum of the blobs", summed);
            println!("    {} hits, {:?}", found.total, found.work);
        }
    }

    let query = Query::parse("猫喜欢吃什么鱼");
    let marked = fastest(3, || texts.iter().map(|text| highlight(text, &query).len()).sum::<usize>());
    report("highlight, each", marked / ROWS as u32, "tokens alone", bare / ROWS as u32);

    let mut large = SpaceIndex::new();
    for number in 0..48 {
        let shifted = piece(0).map(|row| Row { seq: row.seq + number * PIECE_ROWS, ..row });
        large.add_segment(Segment::build(number, shifted)?);
    }
    let time = fastest(9, || large.search(&query, &open, 10));
    let small = fastest(9, || space.search(&query, &open, 10));
    report(
        &format!("search in {} rows, {} MiB", large.len(), large.bytes() >> 20),
        time,
        "in 5,000 rows",
        small,
    );
    Ok(())
}
