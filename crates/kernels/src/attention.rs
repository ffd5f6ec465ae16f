//! Self-attention over one sequence.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use crate::panel::{PANEL, TILE_ROWS, float_tile, panels, tiles};
#[cfg(target_arch = "x86_64")]
use crate::softmax::softmax;
use crate::softmax::softmax_twin;
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// How a row is divided among heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// How many.
    pub count: usize,
    /// How many numbers each has.
    pub width: usize,
}

impl Heads {
    fn hidden(self) -> usize {
        self.count * self.width
    }

    fn scale(self) -> f32 {
        1.0 / (self.width as f32).sqrt()
    }
}

/// The memory of [`Level::attention`], used again and again: the keys and values of one head, packed, and the scores of one
/// tile of rows.
#[derive(Debug, Clone, Default)]
pub struct AttentionScratch {
    keys: Vec<f32>,
    values: Vec<f32>,
    scores: Vec<f32>,
}

impl Level {
    /// Each row of `rows` is a token's query, key and value, one after the other, each of all heads; a row of `output` is, for
    /// each head, the values of all tokens weighted by how well their keys fit the query.
    ///
    /// # Panics
    /// If rows and output do not have these shapes.
    pub fn attention(self, rows: &[f32], heads: Heads, scratch: &mut AttentionScratch, output: &mut [f32]) {
        assert_eq!(rows.len(), 3 * output.len(), "a row is not query, key and value of an output");
        assert!(output.len().is_multiple_of(heads.hidden().max(1)), "the output is no whole number of rows");
        dispatch!(
            self,
            attend,
            attend_twin,
            (rows: &[f32], heads: Heads, scratch: &mut AttentionScratch, output: &mut [f32])
        );
    }
}

fn attend_twin(rows: &[f32], heads: Heads, scratch: &mut AttentionScratch, output: &mut [f32]) {
    let (hidden, width) = (heads.hidden(), heads.width);
    let scores = &mut scratch.scores;
    for (token, output) in output.chunks_exact_mut(hidden.max(1)).enumerate() {
        for head in 0..heads.count {
            let part =
                |token: usize, which: usize| &rows[(3 * token + which) * hidden + head * width..][..width];
            let tokens = 0..rows.len() / (3 * hidden);
            let dot = |key: &[f32]| part(token, 0).iter().zip(key).map(|(a, b)| a * b).sum::<f32>();
            scores.clear();
            scores.extend(tokens.clone().map(|other| dot(part(other, 1))));
            softmax_twin(scores, heads.scale());
            let output = &mut output[head * width..][..width];
            output.fill(0.0);
            for other in tokens {
                for (out, value) in output.iter_mut().zip(part(other, 2)) {
                    *out += scores[other] * value;
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl AttentionScratch {
    /// Packs the keys of a head as columns and its values as rows of panels.
    #[inline(always)]
    fn pack(&mut self, rows: &[f32], hidden: usize, head: usize, width: usize) {
        let tokens = rows.len() / (3 * hidden);
        self.keys.resize(panels(tokens) * PANEL * width, 0.0);
        self.values.resize(panels(width) * PANEL * tokens, 0.0);
        for (token, row) in rows.chunks_exact(3 * hidden).enumerate() {
            let key = &row[hidden + head * width..][..width];
            let panel = &mut self.keys[token / PANEL * PANEL * width..][..PANEL * width];
            for (column, &number) in panel.iter_mut().skip(token % PANEL).step_by(PANEL).zip(key) {
                *column = number;
            }
            let value = &row[2 * hidden + head * width..][..width];
            for (panel, part) in value.chunks(PANEL).enumerate() {
                let at = (panel * tokens + token) * PANEL;
                self.values[at..at + part.len()].copy_from_slice(part);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn attend<L: Lanes>(
    lanes: PhantomData<L>,
    rows: &[f32],
    heads: Heads,
    scratch: &mut AttentionScratch,
    output: &mut [f32],
) {
    let (hidden, width) = (heads.hidden(), heads.width);
    let tokens = output.len() / hidden.max(1);
    let across = panels(tokens) * PANEL;
    scratch.scores.resize(TILE_ROWS * across, 0.0);
    let mut sums = [0.0; TILE_ROWS * PANEL];
    for head in 0..heads.count {
        scratch.pack(rows, hidden, head, width);
        for (first, count) in tiles(tokens, L::ROWS) {
            // SAFETY: the caller has the instructions; the queries are of `count` tokens from `first` on, keys and values were
            // packed into whole panels, and the scores have a tile of rows.
            unsafe {
                let queries = rows.as_ptr().add(3 * hidden * first + head * width);
                for panel in 0..panels(tokens) {
                    let keys = scratch.keys.as_ptr().add(panel * PANEL * width);
                    let scores = scratch.scores.as_mut_ptr().add(panel * PANEL);
                    float_tile::<L>(count, (queries, 3 * hidden), width, keys, (scores, across));
                }
                for row in 0..count {
                    softmax(lanes, &mut scratch.scores[row * across..][..tokens], heads.scale());
                }
                for panel in 0..panels(width) {
                    let values = scratch.values.as_ptr().add(panel * PANEL * tokens);
                    let scores = scratch.scores.as_ptr();
                    float_tile::<L>(count, (scores, across), tokens, values, (sums.as_mut_ptr(), PANEL));
                    let columns = PANEL.min(width - panel * PANEL);
                    for row in 0..count {
                        let at = (first + row) * hidden + head * width + panel * PANEL;
                        output[at..at + columns].copy_from_slice(&sums[row * PANEL..][..columns]);
                    }
                }
            }
        }
    }
}
