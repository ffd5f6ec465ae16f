//! `memoir-bench vectors`: exact search among the vectors of a space, beside a plain read of the same bytes.

use anyhow::Result;
use memoir_index::{ROUGH_FROM, Vectors};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

use crate::Common;
use crate::report::{Binding, Report, Table, count};
use crate::stats::median;
use crate::usage::machine;

/// `memoir-bench vectors`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How many numbers a vector has.
    #[arg(long, default_value_t = 384)]
    dimension: usize,
    /// How many vectors there are, one space each.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000, 1_000_000])]
    counts: Vec<usize>,
    /// How many slices are measured; a slice is every searcher once.
    #[arg(long, default_value_t = 21)]
    slices: usize,
}

/// How many of the nearest are looked for.
const NEAREST: usize = 10;
/// How many questions the recall is counted over.
const QUESTIONS: usize = 50;

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let quick = args.common.quick;
    let (slices, counts) =
        if quick { (3, &args.counts[..1]) } else { (args.slices.max(1), &args.counts[..]) };
    let mut table =
        Table::new(&["vectors", "way", "p50 ms", "GB/s", "plain read ms", "of its rate", "recall@10"]);
    let (mut figures, mut bindings) = (Vec::new(), Vec::new());
    for &rows in counts {
        let space = Space::new(rows, args.dimension, args.common.seed)?;
        for line in space.measure(slices) {
            let Line { way, seconds, floor, bytes, recall } = line;
            let ratio = floor / seconds;
            table.row(vec![
                count(rows as f64),
                way.to_owned(),
                format!("{:.3}", seconds * 1e3),
                format!("{:.1}", bytes as f64 / seconds / 1e9),
                format!("{:.3}", floor * 1e3),
                format!("{ratio:.2}"),
                format!("{recall:.3}"),
            ]);
            figures.push(json!({
                "vectors": rows, "way": way, "p50_ms": seconds * 1e3, "floor_ms": floor * 1e3, "ratio": ratio,
                "recall_at_10": recall,
            }));
            if rows == 100_000 {
                bindings.push(Binding::at_least(
                    format!("{way} at 100,000, of a plain read's rate"),
                    ratio,
                    0.5,
                ));
            }
            if way == "int8" {
                bindings.push(Binding::at_least(
                    format!("recall@10 of int8 at {}", count(rows as f64)),
                    recall,
                    0.99,
                ));
            }
        }
        eprintln!("{} vectors done", count(rows as f64));
    }
    Ok(Report {
        command: "vectors",
        quick,
        notes: vec![
            machine(),
            format!("instructions: {}", memoir_kernels::Level::best().name()),
            format!(
                "the {NEAREST} nearest of vectors of {} numbers around 200 centres; one thread; int8: bytes are scanned, the \
                 best of them weighed by their exact numbers (from {} vectors on); plain read: the same bytes summed up; \
                 medians of {slices} interleaved slices",
                args.dimension,
                count(ROUGH_FROM as f64),
            ),
        ],
        tables: vec![table],
        figures: json!(figures),
        bindings,
    })
}

/// A space's vectors, questions about it, and as many bytes to read plainly.
struct Space {
    vectors: Vectors,
    questions: Vec<Vec<f32>>,
    plain: Vec<u64>,
}

/// What one way of searching took.
struct Line {
    way: &'static str,
    seconds: f64,
    floor: f64,
    bytes: usize,
    recall: f64,
}

impl Space {
    fn new(rows: usize, dimension: usize, seed: u64) -> Result<Self> {
        let mut random = StdRng::seed_from_u64(seed);
        let centres: Vec<Vec<f32>> = (0..200).map(|_| direction(&mut random, dimension)).collect();
        let near = |random: &mut StdRng| {
            let centre = &centres[random.random_range(0..centres.len())];
            let aside = direction(random, dimension);
            normal(centre.iter().zip(aside).map(|(centre, aside)| centre + 0.9 * aside).collect())
        };
        let mut vectors = Vectors::new(dimension);
        vectors.reserve(rows);
        for seq in 0..rows {
            vectors.upsert(seq as u64, &near(&mut random))?;
        }
        let questions = (0..QUESTIONS).map(|_| near(&mut random)).collect();
        Ok(Space { vectors, questions, plain: vec![1; rows * dimension / 2] })
    }

    fn measure(&self, slices: usize) -> Vec<Line> {
        let rough = self.vectors.len() >= ROUGH_FROM;
        let (exact_bytes, rough_bytes) = (self.plain.len() * 8, self.plain.len() * 2);
        let (mut exact, mut fast) = (Vec::new(), Vec::new());
        let (mut exact_floor, mut rough_floor) = (Vec::new(), Vec::new());
        for slice in 0..slices {
            let question = &self.questions[slice % self.questions.len()];
            exact.push(timed(|| self.vectors.nearest_exactly(question, NEAREST, |_| true)));
            exact_floor.push(timed(|| read(&self.plain)));
            if rough {
                fast.push(timed(|| self.vectors.nearest(question, NEAREST, |_| true)));
                rough_floor.push(timed(|| read(&self.plain[..self.plain.len() / 4])));
            }
        }
        let mut lines = vec![Line {
            way: "f32",
            seconds: median(&exact),
            floor: median(&exact_floor),
            bytes: exact_bytes,
            recall: 1.0,
        }];
        if rough {
            let recall = self.recall();
            lines.push(Line {
                way: "int8",
                seconds: median(&fast),
                floor: median(&rough_floor),
                bytes: rough_bytes,
                recall,
            });
        }
        lines
    }

    /// The share of the exactly nearest that the fast way finds.
    fn recall(&self) -> f64 {
        let (mut found, mut wanted) = (0, 0);
        for question in &self.questions {
            let exact = self.vectors.nearest_exactly(question, NEAREST, |_| true);
            let fast = self.vectors.nearest(question, NEAREST, |_| true);
            found += exact.iter().filter(|near| fast.iter().any(|other| other.seq == near.seq)).count();
            wanted += exact.len();
        }
        found as f64 / wanted.max(1) as f64
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let started = Instant::now();
    black_box(work());
    started.elapsed().as_secs_f64()
}

/// Reads everything once, as fast as the memory gives it.
fn read(words: &[u64]) -> u64 {
    let (chunks, rest) = words.as_chunks::<32>();
    let mut sums = [0u64; 32];
    for chunk in chunks {
        for (sum, word) in sums.iter_mut().zip(chunk) {
            *sum = sum.wrapping_add(*word);
        }
    }
    sums.iter().chain(rest).fold(0, |sum, word| sum.wrapping_add(*word))
}

fn direction(random: &mut StdRng, dimension: usize) -> Vec<f32> {
    // The sum of a few even chances is near enough to a bell curve.
    let bell = |random: &mut StdRng| (0..4).map(|_| random.random::<f32>() - 0.5).sum::<f32>();
    normal((0..dimension).map(|_| bell(random)).collect())
}

fn normal(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|number| *number /= length);
    vector
}
