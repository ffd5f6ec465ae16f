//! The products of one vector with many, at the speed of the memory.

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Lanes, fetch_ahead};
use crate::level::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// How many rows are read side by side.
#[cfg(target_arch = "x86_64")]
const TOGETHER: usize = 4;

/// [`Level::dot_f32`] at the best level.
pub fn dot_f32(a: &[f32], b: &[f32]) -> f32 {
    Level::best().dot_f32(a, b)
}

/// [`Level::dot_i8`] at the best level.
pub fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    Level::best().dot_i8(a, b)
}

/// [`Level::scan_f32`] at the best level.
pub fn scan_f32(query: &[f32], rows: &[f32], out: &mut [f32]) {
    Level::best().scan_f32(query, rows, out);
}

/// [`Level::scan_i8`] at the best level.
pub fn scan_i8(query: &[i8], rows: &[i8], out: &mut [i32]) {
    Level::best().scan_i8(query, rows, out);
}

impl Level {
    /// The product of two vectors.
    ///
    /// # Panics
    /// If their lengths differ.
    pub fn dot_f32(self, a: &[f32], b: &[f32]) -> f32 {
        let mut out = [0.0];
        self.scan_f32(a, b, &mut out);
        out[0]
    }

    /// The product of two vectors of bytes.
    ///
    /// # Panics
    /// If their lengths differ.
    pub fn dot_i8(self, a: &[i8], b: &[i8]) -> i32 {
        let mut out = [0];
        self.scan_i8(a, b, &mut out);
        out[0]
    }

    /// The product of the query and each row. The rows lie one after another, each as long as the query.
    ///
    /// # Panics
    /// If `rows` is not as long as all rows together.
    pub fn scan_f32(self, query: &[f32], rows: &[f32], out: &mut [f32]) {
        assert_eq!(rows.len(), query.len() * out.len(), "the rows have another length than the query");
        dispatch!(self, scan_floats, scan_floats_twin, (query: &[f32], rows: &[f32], out: &mut [f32]));
    }

    /// The product of the query and each row of bytes. The rows lie one after another, each as long as the query, which has
    /// at most 65,536 bytes, so that no sum overflows.
    ///
    /// # Panics
    /// If `rows` is not as long as all rows together, or the query is too long.
    pub fn scan_i8(self, query: &[i8], rows: &[i8], out: &mut [i32]) {
        assert_eq!(rows.len(), query.len() * out.len(), "the rows have another length than the query");
        assert!(query.len() <= 65_536, "the sums would overflow");
        dispatch!(self, scan_bytes, scan_bytes_twin, (query: &[i8], rows: &[i8], out: &mut [i32]));
    }
}

fn scan_floats_twin(query: &[f32], rows: &[f32], out: &mut [f32]) {
    for (at, out) in out.iter_mut().enumerate() {
        let row = &rows[at * query.len()..][..query.len()];
        *out = query.iter().zip(row).map(|(a, b)| a * b).sum();
    }
}

fn scan_bytes_twin(query: &[i8], rows: &[i8], out: &mut [i32]) {
    for (at, out) in out.iter_mut().enumerate() {
        let row = &rows[at * query.len()..][..query.len()];
        *out = query.iter().zip(row).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn scan_floats<L: Lanes>(_: PhantomData<L>, query: &[f32], rows: &[f32], out: &mut [f32]) {
    let mut groups = out.chunks_exact_mut(TOGETHER);
    let mut at = rows.as_ptr();
    // SAFETY: the caller has the instructions; `rows` holds as many rows as `out` has places.
    unsafe {
        for group in &mut groups {
            group.copy_from_slice(&float_dots::<L, TOGETHER>(query, at));
            at = at.add(TOGETHER * query.len());
        }
        for out in groups.into_remainder() {
            [*out] = float_dots::<L, 1>(query, at);
            at = at.add(query.len());
        }
    }
}

/// # Safety
/// The machine has the instructions; `ROWS * query.len()` floats can be read.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn float_dots<L: Lanes, const ROWS: usize>(query: &[f32], rows: *const f32) -> [f32; ROWS] {
    let len = query.len();
    // SAFETY: the caller has the instructions and the rows.
    unsafe {
        let zero = L::splat(0.0);
        let mut sums = [zero; ROWS];
        let whole = len / L::COUNT * L::COUNT;
        let mut at = 0;
        while at < whole {
            let wanted = L::load(query.as_ptr().add(at));
            for (row, sum) in sums.iter_mut().enumerate() {
                fetch_ahead(rows.wrapping_add((row + ROWS) * len + at), 0);
                *sum = L::load(rows.add(row * len + at)).mul_add(wanted, *sum);
            }
            at += L::COUNT;
        }
        if at < len {
            let wanted = L::load_first(query.as_ptr().add(at), len - at, zero);
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = L::load_first(rows.add(row * len + at), len - at, zero).mul_add(wanted, *sum);
            }
        }
        let mut dots = [0.0; ROWS];
        for row in 0..ROWS {
            dots[row] = sums[row].total();
        }
        dots
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn scan_bytes<L: Lanes>(_: PhantomData<L>, query: &[i8], rows: &[i8], out: &mut [i32]) {
    let total = query.iter().map(|&byte| i32::from(byte)).sum();
    let mut groups = out.chunks_exact_mut(TOGETHER);
    let mut at = rows.as_ptr();
    // SAFETY: the caller has the instructions; `rows` holds as many rows as `out` has places.
    unsafe {
        for group in &mut groups {
            group.copy_from_slice(&L::byte_dots::<TOGETHER>(query, total, at));
            at = at.add(TOGETHER * query.len());
        }
        for out in groups.into_remainder() {
            [*out] = L::byte_dots::<1>(query, total, at);
            at = at.add(query.len());
        }
    }
}
