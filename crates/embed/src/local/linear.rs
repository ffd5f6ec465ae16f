//! A dense layer, in the precision that was asked for.

use memoir_kernels::{Dense, Finish, Level, QuantizedDense, QuantizedRows};

use super::options::Precision;

/// A dense layer.
pub(super) enum Linear {
    Full(Dense),
    Quantized(QuantizedDense),
}

impl Linear {
    pub(super) fn new(precision: Precision, weights: &[f32], bias: &[f32], inputs: usize) -> Self {
        match precision {
            Precision::F32 => Linear::Full(Dense::new(weights, bias, inputs)),
            Precision::Int8 => Linear::Quantized(QuantizedDense::new(weights, bias, inputs)),
        }
    }

    /// Fills `output`, which has a row for each of the input. `bytes` is memory for what is quantised on the way.
    pub(super) fn apply(
        &self,
        level: Level,
        input: &[f32],
        finish: Finish<'_>,
        bytes: &mut QuantizedRows,
        output: &mut [f32],
    ) {
        match self {
            Linear::Full(layer) => layer.apply(level, input, finish, output),
            Linear::Quantized(layer) => {
                bytes.fill(level, input, layer.inputs());
                layer.apply(level, bytes, finish, output);
            }
        }
    }
}
