//! A layer of bytes: the product of rows and a matrix that was quantised and packed once.

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Lanes, for_rows};
use crate::level::{Level, dispatch};
use crate::panel::{Finish, PANEL, panels};
#[cfg(target_arch = "x86_64")]
use crate::panel::{TILE_ROWS, Target, block_rows, tiles};
use crate::rows::QuantizedRows;
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// Weights and bias of a dense layer, the weights as bytes with a scale for each output.
#[derive(Debug, Clone)]
pub struct QuantizedDense {
    inputs: usize,
    outputs: usize,
    /// In groups of four steps along the depth: four bytes of each column of a panel.
    packed: Vec<i8>,
    /// The sum of each column's bytes. This and the next two are as many as the panels have columns.
    totals: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl QuantizedDense {
    /// Quantises and packs weights that have one row for each output, as models store them.
    ///
    /// # Panics
    /// If the weights are not `inputs` for each bias, or the inputs are more than 65,536, whose sums would overflow.
    pub fn new(weights: &[f32], bias: &[f32], inputs: usize) -> Self {
        let outputs = bias.len();
        assert_eq!(weights.len(), inputs * outputs, "the weights have another shape");
        assert!(inputs <= 65_536, "the sums would overflow");
        let columns = panels(outputs) * PANEL;
        let depth = inputs.next_multiple_of(4);
        let mut layer = Self {
            inputs,
            outputs,
            packed: vec![0; columns * depth],
            totals: vec![0; columns],
            scales: vec![0.0; columns],
            bias: bias.to_vec(),
        };
        layer.bias.resize(columns, 0.0);
        let mut bytes = vec![0; inputs];
        for (output, row) in weights.chunks_exact(inputs.max(1)).enumerate() {
            layer.scales[output] = crate::quantize(row, &mut bytes);
            layer.totals[output] = bytes.iter().map(|&byte| i32::from(byte)).sum();
            for (step, &byte) in bytes.iter().enumerate() {
                layer.packed[place(depth, output, step)] = byte;
            }
        }
        layer
    }

    /// How many numbers a row of the input has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many numbers a row of the output has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `output = input · weightsᵀ + bias`, finished. A row of the output depends on its row of the input alone, and without
    /// GELU it is the same at every level, to the bit.
    ///
    /// # Panics
    /// If input, output and residual have not the same number of rows, or the input another width than the layer.
    pub fn apply(&self, level: Level, input: &QuantizedRows, finish: Finish<'_>, output: &mut [f32]) {
        assert_eq!(input.width, self.inputs, "the input has another width than the layer");
        assert_eq!(output.len(), input.places.len() * self.outputs, "the output has another number of rows");
        finish.check(output.len());
        let layer = self;
        dispatch!(
            level,
            apply,
            apply_twin,
            (layer: &QuantizedDense, input: &QuantizedRows, finish: Finish<'_>, output: &mut [f32])
        );
    }
}

/// Where a weight is packed.
fn place(depth: usize, column: usize, step: usize) -> usize {
    column / PANEL * PANEL * depth + step / 4 * 4 * PANEL + column % PANEL * 4 + step % 4
}

fn apply_twin(layer: &QuantizedDense, input: &QuantizedRows, finish: Finish<'_>, output: &mut [f32]) {
    for (at, out) in output.iter_mut().enumerate() {
        let (row, column) = (at / layer.outputs, at % layer.outputs);
        let bytes = &input.bytes[row * input.stride..][..input.stride];
        let products = bytes.iter().enumerate().map(|(step, &byte)| {
            i32::from(byte) * i32::from(layer.packed[place(input.stride, column, step)])
        });
        let sum = products.sum::<i32>() - input.places[row].zero * layer.totals[column];
        let scale = input.places[row].scale * layer.scales[column];
        *out = finish.scalar(at, sum as f32 * scale + layer.bias[column]);
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn apply<L: Lanes>(
    _: PhantomData<L>,
    layer: &QuantizedDense,
    input: &QuantizedRows,
    finish: Finish<'_>,
    output: &mut [f32],
) {
    let (depth, columns, rows) = (input.stride, layer.outputs, input.places.len());
    let output = output.as_mut_ptr();
    let mut sums = [0; TILE_ROWS * PANEL];
    let block = block_rows(depth);
    for first in (0..rows).step_by(block) {
        for panel in 0..panels(columns) {
            for (row, count) in tiles(block.min(rows - first), L::BYTE_ROWS) {
                let target = Target { output, columns, row: first + row, column: panel * PANEL, finish };
                // SAFETY: the caller has the instructions; the tile's rows are among the input's, which are padded to whole
                // groups; the panel is one of the packed ones; totals, scales and bias are as long as all panels.
                unsafe {
                    let from = input.bytes.as_ptr().add(target.row * depth);
                    let packed = layer.packed.as_ptr().add(target.column * depth);
                    for_rows!(count, ROWS => L::byte_tile::<ROWS>(from, depth, depth / 4, packed, sums.as_mut_ptr()));
                    for column in (0..PANEL).step_by(L::COUNT) {
                        let at = target.column + column;
                        let scales = L::load(layer.scales.as_ptr().add(at));
                        let bias = L::load(layer.bias.as_ptr().add(at));
                        for row in 0..count {
                            let place = input.places[target.row + row];
                            let totals = layer.totals.as_ptr().add(at);
                            let sums = sums.as_ptr().add(row * PANEL + column);
                            let value = L::load_centered(sums, place.zero, totals);
                            target.put(row, column, value.mul(L::splat(place.scale).mul(scales)).add(bias));
                        }
                    }
                }
            }
        }
    }
}
