//! Learns weights: first from all talk together, then for each occasion of talk what differs there.

use memoir_engine::{Best, Occasion, Signal, Table};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, HashMap};

use super::trace::Trace;

/// How often everything is gone through for all talk together, and then for each occasion.
const ROUNDS: [usize; 2] = [12, 20];
/// How far a step goes at first, for all talk and for each occasion.
const STEP: [f32; 2] = [0.03, 0.005];
/// By how much steps shorten with each round.
const SHORTEN: f32 = 0.85;
/// What a weight costs: for all talk against zero, for each occasion against that of all talk.
const COST: [f32; 2] = [2e-3, 1e-2];
/// How many of the best candidates of a question say how likely it is that a message matters.
const JUDGED: usize = 20;
/// How many of its best candidates an engine reads.
const LOOKED_AT: usize = 60;
/// The share of answerable questions that may be told that there is nothing.
const WRONGLY_NOTHING: f64 = 0.015;

/// How far below the least likely of those seen the line is drawn: always, and the further the fewer were seen. Other talk
/// than was learned from is less alike, the more so where only words are compared.
const MARGIN: (f32, f32) = (0.5, 14.0);
const MARGIN_OF_WORDS: (f32, f32) = (0.8, 22.0);

/// What tells whether a message matters at all: what does not depend on how the others of the same question fare.
const ABSOLUTE: &[Signal] = &[
    Signal::Known,
    Signal::Turn,
    Signal::TurnStands,
    Signal::Pair,
    Signal::Window,
    Signal::WindowStands,
    Signal::Session,
    Signal::Coverage,
    Signal::CoverageNear,
    Signal::Near,
    Signal::NearStands,
    Signal::NearBefore,
    Signal::NearAfter,
    Signal::SessionNear,
    Signal::SpeakerTurn,
    Signal::SpeakerNear,
    Signal::TalkNear,
    Signal::NearTime,
    Signal::Sentence,
    Signal::Adjacent,
    Signal::Named,
];

/// What was learned for one occasion of talk.
#[derive(Clone)]
pub(super) struct Learned {
    weights: Vec<f32>,
    trust: Vec<f32>,
    trust_base: f32,
    anything: Vec<[f32; 3]>,
    anything_base: f32,
    anything_least: f32,
}

impl Learned {
    /// Which of a question's candidates are right, the best first.
    pub(super) fn ranked(&self, trace: &Trace) -> Vec<bool> {
        self.order(trace).into_iter().map(|place| trace.candidates[place].is_right).collect()
    }

    /// Whether nothing that was found for a question would be shown.
    pub(super) fn is_nothing(&self, trace: &Trace) -> bool {
        trace.candidates.is_empty() || self.likelihood_of_anything(trace) < self.anything_least
    }

    /// As the engine has it.
    pub(super) fn table(&self) -> Table {
        Table {
            weights: self.weights.clone(),
            trust: self.trust.clone(),
            trust_base: self.trust_base,
            anything: self.anything.clone(),
            anything_base: self.anything_base,
            anything_least: self.anything_least,
        }
    }

    fn likelihood_of_anything(&self, trace: &Trace) -> f32 {
        let best = bests(trace);
        let weights = ABSOLUTE.iter().flat_map(|signal| self.anything[*signal as usize]);
        logistic(
            self.anything_base + best.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f32>(),
        )
    }

    fn order(&self, trace: &Trace) -> Vec<usize> {
        let scores: Vec<f32> =
            trace.candidates.iter().map(|candidate| dot(&self.weights, &candidate.signals)).collect();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        order
    }
}

/// Learns from these questions, apart for spaces with and without meaning.
pub(super) fn learn(traces: &[&Trace]) -> BTreeMap<(Occasion, bool), Learned> {
    let mut learned = BTreeMap::new();
    for by_meaning in [true, false] {
        let of_way: Vec<&Trace> =
            traces.iter().copied().filter(|trace| trace.by_meaning == by_meaning).collect();
        if of_way.is_empty() {
            continue;
        }
        let scale = Scale::of(&of_way);
        let none = vec![0.0; Signal::ALL.len()];
        let common = order_weights(&of_way, &scale, &none, 0);
        for occasion in Occasion::ALL {
            let of_occasion: Vec<&Trace> =
                of_way.iter().copied().filter(|trace| trace.occasion == Some(occasion)).collect();
            let weights = scale.unscaled(&order_weights(&of_occasion, &scale, &common, 1));
            let mut one = Learned {
                weights,
                trust: none.clone(),
                trust_base: 0.0,
                anything: vec![[0.0; 3]; none.len()],
                anything_base: 0.0,
                anything_least: 0.0,
            };
            // Of an occasion that nobody has seen, all talk together says most.
            let of_occasion = if of_occasion.is_empty() { &of_way } else { &of_occasion };
            trust(&mut one, of_occasion, &scale);
            anything(&mut one, of_occasion, &of_way);
            learned.insert((occasion, by_meaning), one);
        }
    }
    learned
}

/// The mean and the spread of every signal, so that one step fits all.
struct Scale {
    mean: Vec<f32>,
    spread: Vec<f32>,
}

impl Scale {
    fn of(traces: &[&Trace]) -> Self {
        let many = Signal::ALL.len();
        let (mut sum, mut squares, mut count) = (vec![0.0f64; many], vec![0.0f64; many], 0.0f64);
        for candidate in traces.iter().flat_map(|trace| &trace.candidates) {
            count += 1.0;
            for (nth, &value) in candidate.signals.iter().enumerate() {
                sum[nth] += f64::from(value);
                squares[nth] += f64::from(value).powi(2);
            }
        }
        let count = count.max(1.0);
        let mean: Vec<f32> = sum.iter().map(|sum| (sum / count) as f32).collect();
        let spread = squares.iter().zip(&sum).map(|(squares, sum)| {
            let variance = squares / count - (sum / count).powi(2);
            (variance.max(0.0).sqrt() as f32).max(1e-6)
        });
        Scale { mean, spread: spread.collect() }
    }

    fn scaled(&self, signals: &[f32]) -> Vec<f32> {
        // A signal that never moves says nothing, whatever its weight.
        let value = |((value, mean), spread): ((&f32, &f32), &f32)| {
            if *spread <= 1e-6 { 0.0 } else { (value - mean) / spread }
        };
        signals.iter().zip(&self.mean).zip(&self.spread).map(value).collect()
    }

    fn unscaled(&self, weights: &[f32]) -> Vec<f32> {
        let weight = |(weight, spread): (&f32, &f32)| if *spread <= 1e-6 { 0.0 } else { weight / spread };
        weights.iter().zip(&self.spread).map(weight).collect()
    }
}

/// The weights that put right candidates first (softmax over the candidates of each question), near to `around`.
fn order_weights(traces: &[&Trace], scale: &Scale, around: &[f32], pass: usize) -> Vec<f32> {
    let mut counts: HashMap<&str, f32> = HashMap::new();
    let answerable = || traces.iter().filter(|trace| trace.evidence > 0);
    for trace in answerable() {
        *counts.entry(&trace.set).or_default() += 1.0;
    }
    let usual = answerable().count() as f32 / counts.len().max(1) as f32;
    let questions: Vec<(Vec<Vec<f32>>, Vec<f32>, f32)> = traces
        .iter()
        .filter(|trace| trace.candidates.iter().any(|candidate| candidate.is_right))
        .map(|trace| {
            let right = trace.candidates.iter().filter(|candidate| candidate.is_right).count() as f32;
            let wanted =
                trace.candidates.iter().map(|candidate| f32::from(u8::from(candidate.is_right)) / right);
            let rows = trace.candidates.iter().map(|candidate| scale.scaled(&candidate.signals));
            // A small set counts more than its size, and less than as much as a large one.
            (rows.collect(), wanted.collect(), (usual / counts[trace.set.as_str()]).sqrt())
        })
        .collect();
    let mut descent = Descent::new(around.to_vec(), STEP[pass]);
    let mut order: Vec<usize> = (0..questions.len()).collect();
    let mut chance = StdRng::seed_from_u64(1);
    for _ in 0..ROUNDS[pass] {
        order.shuffle(&mut chance);
        for &nth in &order {
            let (rows, wanted, weight) = &questions[nth];
            let scores: Vec<f32> = rows.iter().map(|row| dot(&descent.weights, row)).collect();
            let best = scores.iter().copied().fold(f32::MIN, f32::max);
            let shares: Vec<f32> = scores.iter().map(|score| (score - best).exp()).collect();
            let whole: f32 = shares.iter().sum();
            let mut slope: Vec<f32> = descent
                .weights
                .iter()
                .zip(around)
                .map(|(weight, around)| COST[pass] * (weight - around))
                .collect();
            for ((row, share), wanted) in rows.iter().zip(&shares).zip(wanted) {
                let off = weight * (share / whole - wanted);
                if off.abs() > 1e-7 {
                    slope.iter_mut().zip(row).for_each(|(slope, value)| *slope += off * value);
                }
            }
            descent.step(&slope);
        }
        descent.length *= SHORTEN;
    }
    descent.weights
}

/// Learns how likely it is that a message matters.
fn trust(learned: &mut Learned, traces: &[&Trace], scale: &Scale) {
    let mut rows: Vec<(Vec<f32>, f32)> = Vec::new();
    for trace in traces.iter().filter(|trace| trace.evidence > 0 || trace.asks_absent) {
        for place in learned.order(trace).into_iter().take(JUDGED) {
            let candidate = &trace.candidates[place];
            let scaled = scale.scaled(&candidate.signals);
            let mut row: Vec<f32> = ABSOLUTE.iter().map(|signal| scaled[*signal as usize]).collect();
            row.push(1.0);
            rows.push((row, f32::from(u8::from(candidate.is_right))));
        }
    }
    let mut descent = Descent::new(vec![0.0; ABSOLUTE.len() + 1], 0.01);
    let mut chance = StdRng::seed_from_u64(2);
    for _ in 0..6 {
        rows.shuffle(&mut chance);
        for (row, right) in &rows {
            let off = logistic(dot(&descent.weights, row)) - right;
            let slope: Vec<f32> =
                row.iter().zip(&descent.weights).map(|(value, weight)| off * value + 1e-4 * weight).collect();
            descent.step(&slope);
        }
        descent.length *= 0.6;
    }
    learned.trust_base = descent.weights[ABSOLUTE.len()];
    for (signal, weight) in ABSOLUTE.iter().zip(&descent.weights) {
        let nth = *signal as usize;
        if scale.spread[nth] > 1e-6 {
            learned.trust[nth] = weight / scale.spread[nth];
            learned.trust_base -= weight * scale.mean[nth] / scale.spread[nth];
        }
    }
}

/// Learns how likely it is that anything matters, and below which likelihood nothing does.
fn anything(learned: &mut Learned, traces: &[&Trace], all: &[&Trace]) {
    let there = |trace: &&&Trace| trace.evidence > 0 && !trace.candidates.is_empty();
    let absent = |trace: &&&Trace| trace.asks_absent && !trace.candidates.is_empty();
    let right: Vec<&Trace> = traces.iter().filter(there).copied().collect();
    let mut wrong: Vec<&Trace> = traces.iter().filter(absent).copied().collect();
    if wrong.is_empty() {
        wrong = all.iter().filter(absent).copied().collect();
    }
    if right.is_empty() || wrong.is_empty() {
        return;
    }
    let rows: Vec<(Vec<f32>, f32)> = right
        .iter()
        .map(|trace| (bests(trace), 1.0))
        .chain(wrong.iter().map(|trace| (bests(trace), 0.0)))
        .collect();
    let (mean, spread) = moments(&rows);
    let scaled: Vec<(Vec<f32>, f32)> = rows
        .iter()
        .map(|(row, label)| {
            let mut row: Vec<f32> = row
                .iter()
                .zip(&mean)
                .zip(&spread)
                .map(|((value, mean), spread)| (value - mean) / spread)
                .collect();
            row.push(1.0);
            (row, *label)
        })
        .collect();
    let mut descent = Descent::new(vec![0.0; mean.len() + 1], 0.05);
    for _ in 0..400 {
        let mut slope: Vec<f32> = descent.weights.iter().map(|weight| 2e-2 * weight).collect();
        slope[mean.len()] = 0.0;
        for (row, label) in &scaled {
            // Both sides count alike, however many there are of each.
            let share = 0.5 / if *label > 0.5 { right.len() } else { wrong.len() } as f32;
            let off = share * (logistic(dot(&descent.weights, row)) - label);
            slope.iter_mut().zip(row).for_each(|(slope, value)| *slope += off * value);
        }
        descent.step(&slope);
    }
    learned.anything_base = descent.weights[mean.len()];
    for (nth, weight) in descent.weights[..mean.len()].iter().enumerate() {
        let signal = ABSOLUTE[nth / 3] as usize;
        learned.anything[signal][nth % 3] = weight / spread[nth];
        learned.anything_base -= weight * mean[nth] / spread[nth];
    }
    let mut likely: Vec<f32> = right.iter().map(|trace| learned.likelihood_of_anything(trace)).collect();
    likely.sort_by(f32::total_cmp);
    let place = (likely.len() as f64 * WRONGLY_NOTHING) as usize;
    let least = likely.get(place).copied().unwrap_or(0.0).clamp(1e-4, 0.45);
    // The fewer were seen, the further below them the line is drawn.
    let (always, few) = if right.iter().any(|trace| trace.by_meaning) { MARGIN } else { MARGIN_OF_WORDS };
    let margin = always + few / (likely.len() as f32).sqrt();
    learned.anything_least = logistic((least / (1.0 - least)).ln() - margin);
}

/// What the best candidates of a question say: for each absolute signal the best, the best three and the best ten.
fn bests(trace: &Trace) -> Vec<f32> {
    let of = |signal: &Signal| {
        let values =
            trace.candidates.iter().take(LOOKED_AT).map(|candidate| candidate.signals[*signal as usize]);
        Best::of(values).0
    };
    ABSOLUTE.iter().flat_map(of).collect()
}

/// The mean and the spread of each column.
fn moments(rows: &[(Vec<f32>, f32)]) -> (Vec<f32>, Vec<f32>) {
    let count = rows.len().max(1) as f32;
    let wide = rows.first().map_or(0, |(row, _)| row.len());
    let mean: Vec<f32> =
        (0..wide).map(|nth| rows.iter().map(|(row, _)| row[nth]).sum::<f32>() / count).collect();
    let spread = (0..wide).map(|nth| {
        let variance = rows.iter().map(|(row, _)| (row[nth] - mean[nth]).powi(2)).sum::<f32>() / count;
        variance.sqrt().max(1e-4)
    });
    let spread = spread.collect();
    (mean, spread)
}

/// Adam.
struct Descent {
    weights: Vec<f32>,
    length: f32,
    mean: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Descent {
    fn new(weights: Vec<f32>, length: f32) -> Self {
        let none = vec![0.0; weights.len()];
        Descent { weights, length, mean: none.clone(), squares: none, steps: 0 }
    }

    fn step(&mut self, slope: &[f32]) {
        self.steps += 1;
        let (near, far) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        for (nth, &slope) in slope.iter().enumerate() {
            self.mean[nth] = 0.9 * self.mean[nth] + 0.1 * slope;
            self.squares[nth] = 0.999 * self.squares[nth] + 0.001 * slope * slope;
            let (mean, squares) = (self.mean[nth] / near, self.squares[nth] / far);
            self.weights[nth] -= self.length * mean / (squares.sqrt() + 1e-8);
        }
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn logistic(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}
