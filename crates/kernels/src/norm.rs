//! Rows brought to a common scale.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

impl Level {
    /// Brings each row to the mean 0 and the variance 1, then multiplies with `gain` and adds `bias`.
    ///
    /// # Panics
    /// If `gain` and `bias` differ in length, or `rows` is no whole number of rows of that length.
    pub fn layer_norm(self, rows: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
        assert_eq!(gain.len(), bias.len(), "gain and bias differ in length");
        assert!(rows.len().is_multiple_of(gain.len().max(1)), "this is no whole number of rows");
        dispatch!(self, layers, layers_twin, (rows: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32));
    }

    /// Brings a vector to the length 1. One of nothing but noughts stays as it is.
    pub fn normalize(self, vector: &mut [f32]) {
        let length = self.dot_f32(vector, vector).sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|number| *number /= length);
        }
    }
}

fn layers_twin(rows: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let width = gain.len();
    for row in rows.chunks_exact_mut(width.max(1)) {
        let mean = row.iter().sum::<f32>() / width as f32;
        let variance = row.iter().map(|number| (number - mean) * (number - mean)).sum::<f32>() / width as f32;
        let factor = 1.0 / (variance + epsilon).sqrt();
        for (number, (gain, bias)) in row.iter_mut().zip(gain.iter().zip(bias)) {
            *number = (*number - mean) * factor * gain + bias;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn layers<L: Lanes>(_: PhantomData<L>, rows: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let width = gain.len();
    let whole = width / L::COUNT * L::COUNT;
    let left = width - whole;
    for row in rows.chunks_exact_mut(width.max(1)) {
        let row = row.as_mut_ptr();
        // SAFETY: the caller has the instructions; row, gain and bias have `width` numbers.
        unsafe {
            let mut sum = L::load_first(row.add(whole), left, L::splat(0.0));
            for at in (0..whole).step_by(L::COUNT) {
                sum = sum.add(L::load(row.add(at)));
            }
            let mean = L::splat(sum.total() / width as f32);
            let rest = L::load_first(row.add(whole), left, mean).sub(mean);
            let mut squares = rest.mul(rest);
            for at in (0..whole).step_by(L::COUNT) {
                let value = L::load(row.add(at)).sub(mean);
                squares = value.mul_add(value, squares);
            }
            let factor = L::splat(1.0 / (squares.total() / width as f32 + epsilon).sqrt());
            for at in (0..whole).step_by(L::COUNT) {
                let gain = L::load(gain.as_ptr().add(at)).mul(factor);
                let bias = L::load(bias.as_ptr().add(at));
                L::load(row.add(at)).sub(mean).mul_add(gain, bias).store(row.add(at));
            }
            let gain = L::load_first(gain.as_ptr().add(whole), left, factor).mul(factor);
            let bias = L::load_first(bias.as_ptr().add(whole), left, factor);
            rest.mul_add(gain, bias).store_first(row.add(whole), left);
        }
    }
}
