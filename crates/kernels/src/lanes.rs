//! A register of floats, whatever its width: the kernels on floats are written once for all of them.

mod avx2;
mod avx512;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;

/// Several floats that are computed with at once.
///
/// A value exists only where the machine has its instructions, because whatever makes one is unsafe.
pub(crate) trait Lanes: Copy {
    /// How many floats.
    const COUNT: usize;
    /// How many rows a tile of a matrix product has, so that its sums stay in registers.
    const ROWS: usize;
    /// The same for products of bytes.
    const BYTE_ROWS: usize;

    /// # Safety
    /// The machine has the instructions.
    unsafe fn splat(value: f32) -> Self;

    /// # Safety
    /// The machine has the instructions, and `COUNT` floats can be read.
    unsafe fn load(from: *const f32) -> Self;

    /// The first `count`, the others from `rest`.
    ///
    /// # Safety
    /// `count` floats can be read.
    unsafe fn load_first(from: *const f32, count: usize, rest: Self) -> Self;

    /// `sums - zero * totals` as floats.
    ///
    /// # Safety
    /// The machine has the instructions, and `COUNT` integers can be read from both.
    unsafe fn load_centered(sums: *const i32, zero: i32, totals: *const i32) -> Self;

    /// # Safety
    /// `COUNT` floats can be written.
    unsafe fn store(self, to: *mut f32);

    /// # Safety
    /// `count` floats can be written.
    unsafe fn store_first(self, to: *mut f32, count: usize);

    /// Rounds to the nearest, to the even one of two, and cuts what does not fit.
    ///
    /// # Safety
    /// `COUNT` bytes can be written.
    unsafe fn store_i8(self, to: *mut i8);

    /// Rounds like [`store_i8`](Lanes::store_i8), adds `zero`, and cuts what does not fit.
    ///
    /// # Safety
    /// `COUNT` bytes can be written.
    unsafe fn store_u8(self, zero: i32, to: *mut u8);

    /// The products of `ROWS` rows of bytes and a panel of 32 columns, as 32 sums for each row.
    ///
    /// # Safety
    /// The machine has the instructions; each row has `4 * groups` bytes, the rows are `stride` bytes apart; the panel has
    /// `128 * groups` bytes; `32 * ROWS` integers can be written.
    unsafe fn byte_tile<const ROWS: usize>(
        input: *const u8,
        stride: usize,
        groups: usize,
        panel: *const i8,
        sums: *mut i32,
    );

    /// The products of four rows of bytes, `query.len()` apart, and the query.
    ///
    /// # Safety
    /// The machine has the instructions; `ROWS * query.len()` bytes can be read.
    unsafe fn byte_dots<const ROWS: usize>(query: &[i8], total: i32, rows: *const i8) -> [i32; ROWS];

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// `self * factor + term`, rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// To the nearest integer, to the even one of two.
    fn round(self) -> Self;
    /// Two to the power of an integer between -126 and 127.
    fn power_of_two(self) -> Self;
    fn total(self) -> f32;
    fn least(self) -> f32;
    fn greatest(self) -> f32;
}

/// Asks for what is read soon, which the processor's own guess is too late for.
#[inline(always)]
pub(crate) fn fetch_ahead<T>(from: *const T, bytes: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every machine of this architecture has the instruction, and it may name any address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast::<i8>().wrapping_add(bytes)) }
}

/// Runs a call that names the constant, for a number of rows from 1 to 12.
macro_rules! for_rows {
    ($rows:expr, $constant:ident => $call:expr) => {
        for_rows!(@ $rows, $constant => $call; 1 2 3 4 5 6 7 8 9 10 11 12)
    };
    (@ $rows:expr, $constant:ident => $call:expr; $($count:literal)*) => {
        match $rows {
            $($count => {
                const $constant: usize = $count;
                $call
            })*
            _ => unreachable!("a tile has 1 to 12 rows"),
        }
    };
}
pub(crate) use for_rows;
