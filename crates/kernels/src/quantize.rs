//! Vectors as bytes.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// [`Level::quantize`] at the best level.
pub fn quantize(vector: &[f32], out: &mut [i8]) -> f32 {
    Level::best().quantize(vector, out)
}

impl Level {
    /// Writes each finite number as a byte from -127 to 127 and returns the scale: a number is about `scale * byte`. The same
    /// bytes at every level. Nothing but noughts has the scale 0.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn quantize(self, vector: &[f32], out: &mut [i8]) -> f32 {
        assert_eq!(vector.len(), out.len(), "the bytes are not as many as the numbers");
        dispatch!(self, fill, fill_twin, (vector: &[f32], out: &mut [i8]) -> f32)
    }
}

/// The scale and what a number is multiplied with.
fn scale(greatest: f32) -> (f32, f32) {
    let inverse = 127.0 / greatest;
    if inverse.is_finite() { (greatest / 127.0, inverse) } else { (0.0, 0.0) }
}

fn fill_twin(vector: &[f32], out: &mut [i8]) -> f32 {
    let (scale, inverse) = scale(vector.iter().fold(0.0, |greatest, number| number.abs().max(greatest)));
    for (byte, number) in out.iter_mut().zip(vector) {
        *byte = (number * inverse).round_ties_even() as i8;
    }
    scale
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn fill<L: Lanes>(_: PhantomData<L>, vector: &[f32], out: &mut [i8]) -> f32 {
    let len = vector.len();
    let whole = len / L::COUNT * L::COUNT;
    // SAFETY: the caller has the instructions; the bytes are as many as the numbers, and what is not a whole register goes
    // through a buffer.
    unsafe {
        let nought = L::splat(0.0);
        let rest = L::load_first(vector.as_ptr().add(whole), len - whole, nought);
        let mut greatest = rest.max(nought.sub(rest));
        for at in (0..whole).step_by(L::COUNT) {
            let value = L::load(vector.as_ptr().add(at));
            greatest = greatest.max(value.max(nought.sub(value)));
        }
        let (scale, inverse) = scale(greatest.greatest());
        let factor = L::splat(inverse);
        for at in (0..whole).step_by(L::COUNT) {
            L::load(vector.as_ptr().add(at)).mul(factor).store_i8(out.as_mut_ptr().add(at));
        }
        let mut buffer = [0; 16];
        rest.mul(factor).store_i8(buffer.as_mut_ptr());
        out[whole..].copy_from_slice(&buffer[..len - whole]);
        scale
    }
}
