//! The table of words: the vector that each token starts with.

use memoir_kernels::quantize;

use super::options::Precision;

/// A vector for each token.
pub(super) enum Words {
    Full(Vec<f32>),
    /// Bytes and a scale for each token: the table is most of a model with many languages.
    Quantized {
        bytes: Vec<i8>,
        scales: Vec<f32>,
    },
}

impl Words {
    pub(super) fn new(precision: Precision, table: Vec<f32>, width: usize) -> Self {
        if precision == Precision::F32 {
            return Words::Full(table);
        }
        let mut bytes = vec![0; table.len()];
        let rows = table.chunks_exact(width).zip(bytes.chunks_exact_mut(width));
        let scales = rows.map(|(row, bytes)| quantize(row, bytes)).collect();
        Words::Quantized { bytes, scales }
    }

    /// Adds the vector of a token to `sum`; false if there is no such token.
    pub(super) fn add_to(&self, token: usize, sum: &mut [f32]) -> bool {
        let from = token * sum.len();
        match self {
            Words::Full(table) => {
                let Some(row) = table.get(from..from + sum.len()) else { return false };
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            Words::Quantized { bytes, scales } => {
                let Some((row, scale)) = bytes.get(from..from + sum.len()).zip(scales.get(token)) else {
                    return false;
                };
                sum.iter_mut().zip(row).for_each(|(sum, &byte)| *sum += f32::from(byte) * scale);
            }
        }
        true
    }
}
