//! The left side of a product of bytes: rows of floats as bytes, each with a scale of its own.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// Rows as bytes: a number is `scale * (byte - zero)`. Its memory is used again for the next rows.
#[derive(Debug, Clone, Default)]
pub struct QuantizedRows {
    pub(crate) width: usize,
    /// From row to row; a multiple of four, and what is beyond the width is zero.
    pub(crate) stride: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) places: Vec<Place>,
}

/// Where the bytes of a row lie among the floats.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) scale: f32,
    pub(crate) zero: i32,
}

impl Place {
    /// The bytes reach from the least to the greatest number, and nought is one of them.
    fn between(least: f32, greatest: f32) -> (Self, f32) {
        let (least, greatest) = (least.min(0.0), greatest.max(0.0));
        let inverse = 255.0 / (greatest - least);
        if !inverse.is_finite() {
            return (Self::default(), 0.0);
        }
        let zero = (-least * inverse).round_ties_even() as i32;
        (Self { scale: (greatest - least) / 255.0, zero }, inverse)
    }
}

impl QuantizedRows {
    /// Replaces the rows with these, of `width` finite numbers each. The same bytes at every level.
    ///
    /// # Panics
    /// If the input is no whole number of rows.
    pub fn fill(&mut self, level: Level, input: &[f32], width: usize) {
        let rows = input.len() / width.max(1);
        assert_eq!(input.len(), rows * width, "the input is no whole number of rows");
        self.width = width;
        self.stride = width.next_multiple_of(4);
        self.places.resize(rows, Place::default());
        let len = rows * self.stride;
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        for (row, numbers) in input.chunks_exact(width.max(1)).enumerate() {
            let bytes = &mut self.bytes[row * self.stride..][..self.stride];
            bytes[width..].fill(0);
            let bytes = &mut bytes[..width];
            self.places[row] =
                dispatch!(level, fill, fill_twin, (numbers: &[f32], bytes: &mut [u8]) -> Place);
        }
    }
}

fn fill_twin(numbers: &[f32], bytes: &mut [u8]) -> Place {
    let least = numbers.iter().copied().fold(0.0, f32::min);
    let greatest = numbers.iter().copied().fold(0.0, f32::max);
    let (place, inverse) = Place::between(least, greatest);
    for (byte, number) in bytes.iter_mut().zip(numbers) {
        *byte = ((number * inverse).round_ties_even() as i32 + place.zero).clamp(0, 255) as u8;
    }
    place
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn fill<L: Lanes>(_: PhantomData<L>, numbers: &[f32], bytes: &mut [u8]) -> Place {
    let len = numbers.len();
    let whole = len / L::COUNT * L::COUNT;
    // SAFETY: the caller has the instructions; the bytes are as many as the numbers, and what is not a whole register goes
    // through a buffer.
    unsafe {
        let nought = L::splat(0.0);
        let rest = L::load_first(numbers.as_ptr().add(whole), len - whole, nought);
        let (mut least, mut greatest) = (rest.min(nought), rest.max(nought));
        for at in (0..whole).step_by(L::COUNT) {
            let value = L::load(numbers.as_ptr().add(at));
            (least, greatest) = (least.min(value), greatest.max(value));
        }
        let (place, inverse) = Place::between(least.least(), greatest.greatest());
        let factor = L::splat(inverse);
        for at in (0..whole).step_by(L::COUNT) {
            L::load(numbers.as_ptr().add(at)).mul(factor).store_u8(place.zero, bytes.as_mut_ptr().add(at));
        }
        let mut buffer = [0; 16];
        rest.mul(factor).store_u8(place.zero, buffer.as_mut_ptr());
        bytes[whole..].copy_from_slice(&buffer[..len - whole]);
        place
    }
}
