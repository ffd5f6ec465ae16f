//! A layer of floats: the product of rows and a matrix that was packed once.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
use crate::panel::{Finish, PANEL, panels};
#[cfg(target_arch = "x86_64")]
use crate::panel::{TILE_ROWS, Target, block_rows, float_tile, tiles};
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// Weights and bias of a dense layer, packed.
#[derive(Debug, Clone)]
pub struct Dense {
    inputs: usize,
    outputs: usize,
    packed: Vec<f32>,
    /// As many as the panels have columns.
    bias: Vec<f32>,
}

impl Dense {
    /// Packs weights that have one row for each output, as models store them.
    ///
    /// # Panics
    /// If the weights are not `inputs` for each bias.
    pub fn new(weights: &[f32], bias: &[f32], inputs: usize) -> Self {
        let outputs = bias.len();
        assert_eq!(weights.len(), inputs * outputs, "the weights have another shape");
        let mut packed = vec![0.0; panels(outputs) * PANEL * inputs];
        for (output, row) in weights.chunks_exact(inputs.max(1)).enumerate() {
            let panel = &mut packed[output / PANEL * PANEL * inputs..][..PANEL * inputs];
            for (step, &weight) in row.iter().enumerate() {
                panel[step * PANEL + output % PANEL] = weight;
            }
        }
        let mut padded = bias.to_vec();
        padded.resize(panels(outputs) * PANEL, 0.0);
        Self { inputs, outputs, packed, bias: padded }
    }

    /// How many numbers a row of the input has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many numbers a row of the output has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `output = input · weightsᵀ + bias`, finished. A row of the output depends on its row of the input alone, to the bit.
    ///
    /// # Panics
    /// If input, output and residual have not the same number of rows.
    pub fn apply(&self, level: Level, input: &[f32], finish: Finish<'_>, output: &mut [f32]) {
        let rows = output.len() / self.outputs.max(1);
        assert_eq!(output.len(), rows * self.outputs, "the output is no whole number of rows");
        assert_eq!(input.len(), rows * self.inputs, "the input has another number of rows than the output");
        finish.check(output.len());
        let layer = self;
        dispatch!(level, apply, apply_twin, (layer: &Dense, input: &[f32], finish: Finish<'_>, output: &mut [f32]));
    }
}

fn apply_twin(layer: &Dense, input: &[f32], finish: Finish<'_>, output: &mut [f32]) {
    let (inputs, outputs) = (layer.inputs, layer.outputs);
    for (at, out) in output.iter_mut().enumerate() {
        let (row, column) = (at / outputs, at % outputs);
        let panel = &layer.packed[column / PANEL * PANEL * inputs..][..PANEL * inputs];
        let weights = panel.iter().skip(column % PANEL).step_by(PANEL);
        let sum: f32 = input[row * inputs..][..inputs].iter().zip(weights).map(|(a, b)| a * b).sum();
        *out = finish.scalar(at, sum + layer.bias[column]);
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn apply<L: Lanes>(
    _: PhantomData<L>,
    layer: &Dense,
    input: &[f32],
    finish: Finish<'_>,
    output: &mut [f32],
) {
    let (inputs, columns) = (layer.inputs, layer.outputs);
    let rows = output.len() / columns.max(1);
    let output = output.as_mut_ptr();
    let mut sums = [0.0; TILE_ROWS * PANEL];
    let block = block_rows(inputs * size_of::<f32>());
    for first in (0..rows).step_by(block) {
        for panel in 0..panels(columns) {
            for (row, count) in tiles(block.min(rows - first), L::ROWS) {
                let target = Target { output, columns, row: first + row, column: panel * PANEL, finish };
                // SAFETY: the caller has the instructions; the tile's rows are among the input's, the panel is one of the
                // packed ones, and the bias is as long as all panels.
                unsafe {
                    let from = input.as_ptr().add(target.row * inputs);
                    let packed = layer.packed.as_ptr().add(target.column * inputs);
                    float_tile::<L>(count, (from, inputs), inputs, packed, (sums.as_mut_ptr(), PANEL));
                    for column in (0..PANEL).step_by(L::COUNT) {
                        let bias = L::load(layer.bias.as_ptr().add(target.column + column));
                        for row in 0..count {
                            target.put(
                                row,
                                column,
                                L::load(sums.as_ptr().add(row * PANEL + column)).add(bias),
                            );
                        }
                    }
                }
            }
        }
    }
}
