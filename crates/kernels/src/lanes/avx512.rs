//! Every `unsafe` block here calls instructions of AVX-512 on values that exist only where the machine has them, or touches
//! memory that the caller vouches for.

use super::{Lanes, fetch_ahead};
use crate::panel::AHEAD;
use std::arch::x86_64::*;

/// Sixteen floats.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512);

/// The lowest `count` bits.
#[inline(always)]
fn mask(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Lanes for Avx512 {
    const COUNT: usize = 16;
    const ROWS: usize = 12;
    const BYTE_ROWS: usize = 12;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller has the instructions.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller has the instructions and the memory.
        Self(unsafe { _mm512_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize, rest: Self) -> Self {
        // SAFETY: lanes beyond the mask are not read.
        Self(unsafe { _mm512_mask_loadu_ps(rest.0, mask(count) as __mmask16, from) })
    }

    #[inline(always)]
    unsafe fn load_centered(sums: *const i32, zero: i32, totals: *const i32) -> Self {
        // SAFETY: the caller has the instructions and the memory.
        unsafe {
            let sums = _mm512_loadu_si512(sums.cast());
            let shift = _mm512_mullo_epi32(_mm512_set1_epi32(zero), _mm512_loadu_si512(totals.cast()));
            Self(_mm512_cvtepi32_ps(_mm512_sub_epi32(sums, shift)))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller has the memory.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, count: usize) {
        // SAFETY: lanes beyond the mask are not written.
        unsafe { _mm512_mask_storeu_ps(to, mask(count) as __mmask16, self.0) }
    }

    #[inline(always)]
    unsafe fn store_i8(self, to: *mut i8) {
        // SAFETY: the caller has the memory.
        unsafe { _mm_storeu_si128(to.cast(), _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(self.0))) }
    }

    #[inline(always)]
    unsafe fn store_u8(self, zero: i32, to: *mut u8) {
        // SAFETY: the caller has the memory.
        unsafe {
            let shifted = _mm512_add_epi32(_mm512_cvtps_epi32(self.0), _mm512_set1_epi32(zero));
            let bytes = _mm512_cvtusepi32_epi8(_mm512_max_epi32(shifted, _mm512_setzero_si512()));
            _mm_storeu_si128(to.cast(), bytes);
        }
    }

    #[inline(always)]
    unsafe fn byte_tile<const ROWS: usize>(
        input: *const u8,
        stride: usize,
        groups: usize,
        panel: *const i8,
        sums: *mut i32,
    ) {
        // SAFETY: the caller has the instructions and the memory: group by group, four bytes of each row and 128 of the panel.
        unsafe {
            let mut left = [_mm512_setzero_si512(); ROWS];
            let mut right = [_mm512_setzero_si512(); ROWS];
            for group in 0..groups {
                let columns = panel.add(128 * group);
                fetch_ahead(columns, AHEAD);
                fetch_ahead(columns, AHEAD + 64);
                let (low, high) =
                    (_mm512_loadu_si512(columns.cast()), _mm512_loadu_si512(columns.add(64).cast()));
                let bytes = input.add(4 * group);
                for row in 0..ROWS {
                    let four = _mm512_set1_epi32(bytes.add(row * stride).cast::<i32>().read_unaligned());
                    left[row] = _mm512_dpbusd_epi32(left[row], four, low);
                    right[row] = _mm512_dpbusd_epi32(right[row], four, high);
                }
            }
            for row in 0..ROWS {
                _mm512_storeu_si512(sums.add(32 * row).cast(), left[row]);
                _mm512_storeu_si512(sums.add(32 * row + 16).cast(), right[row]);
            }
        }
    }

    #[inline(always)]
    unsafe fn byte_dots<const ROWS: usize>(query: &[i8], total: i32, rows: *const i8) -> [i32; ROWS] {
        let len = query.len();
        // SAFETY: the caller has the instructions and the rows; bytes beyond the mask are not read.
        unsafe {
            // The instruction wants one side unsigned: 128 more in each byte of a row is 128 times the query's total more.
            let sign = _mm512_set1_epi8(i8::MIN);
            let mut sums = [_mm512_setzero_si512(); ROWS];
            let whole = len / 64 * 64;
            let mut at = 0;
            while at < whole {
                let wanted = _mm512_loadu_si512(query.as_ptr().add(at).cast());
                for (row, sum) in sums.iter_mut().enumerate() {
                    let bytes = _mm512_loadu_si512(rows.add(row * len + at).cast());
                    *sum = _mm512_dpbusd_epi32(*sum, _mm512_xor_si512(bytes, sign), wanted);
                }
                at += 64;
            }
            if at < len {
                let rest = mask(len - at);
                let wanted = _mm512_maskz_loadu_epi8(rest, query.as_ptr().add(at));
                for (row, sum) in sums.iter_mut().enumerate() {
                    let bytes = _mm512_maskz_loadu_epi8(rest, rows.add(row * len + at));
                    *sum = _mm512_dpbusd_epi32(*sum, _mm512_xor_si512(bytes, sign), wanted);
                }
            }
            let mut dots = [0; ROWS];
            for row in 0..ROWS {
                dots[row] = _mm512_reduce_add_epi32(sums[row]).wrapping_sub(total.wrapping_mul(128));
            }
            dots
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm512_scalef_ps(_mm512_set1_ps(1.0), self.0) })
    }

    #[inline(always)]
    fn total(self) -> f32 {
        // SAFETY: a value exists.
        unsafe { _mm512_reduce_add_ps(self.0) }
    }

    #[inline(always)]
    fn least(self) -> f32 {
        // SAFETY: a value exists.
        unsafe { _mm512_reduce_min_ps(self.0) }
    }

    #[inline(always)]
    fn greatest(self) -> f32 {
        // SAFETY: a value exists.
        unsafe { _mm512_reduce_max_ps(self.0) }
    }
}
