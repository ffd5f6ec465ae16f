//! Every `unsafe` block here calls instructions of AVX2 or FMA on values that exist only where the machine has them, or
//! touches memory that the caller vouches for.

use super::Lanes;
use std::arch::x86_64::*;

/// Eight floats.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256);

/// All bits of the first `count` lanes.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn mask(count: usize) -> __m256i {
    // SAFETY: the caller has the instructions.
    unsafe {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(count.min(8) as i32), lanes)
    }
}

/// The sum of all lanes.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn total_i32(sums: __m256i) -> i32 {
    // SAFETY: the caller has the instructions.
    unsafe {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
    }
}

impl Avx2 {
    #[inline(always)]
    fn folded(self, fold: impl Fn(__m128, __m128) -> __m128) -> f32 {
        // SAFETY: a value exists.
        unsafe {
            let four = fold(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = fold(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(fold(two, _mm_movehdup_ps(two)))
        }
    }
}

impl Lanes for Avx2 {
    const COUNT: usize = 8;
    const ROWS: usize = 6;
    const BYTE_ROWS: usize = 3;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller has the instructions.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller has the instructions and the memory.
        Self(unsafe { _mm256_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize, rest: Self) -> Self {
        // SAFETY: lanes beyond the mask are not read.
        unsafe {
            let mask = mask(count);
            Self(_mm256_blendv_ps(rest.0, _mm256_maskload_ps(from, mask), _mm256_castsi256_ps(mask)))
        }
    }

    #[inline(always)]
    unsafe fn load_centered(sums: *const i32, zero: i32, totals: *const i32) -> Self {
        // SAFETY: the caller has the instructions and the memory.
        unsafe {
            let sums = _mm256_loadu_si256(sums.cast());
            let shift = _mm256_mullo_epi32(_mm256_set1_epi32(zero), _mm256_loadu_si256(totals.cast()));
            Self(_mm256_cvtepi32_ps(_mm256_sub_epi32(sums, shift)))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller has the memory.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, count: usize) {
        // SAFETY: lanes beyond the mask are not written.
        unsafe { _mm256_maskstore_ps(to, mask(count), self.0) }
    }

    #[inline(always)]
    unsafe fn store_i8(self, to: *mut i8) {
        // SAFETY: the caller has the memory.
        unsafe {
            let wide = _mm256_cvtps_epi32(self.0);
            let words = _mm_packs_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256::<1>(wide));
            _mm_storel_epi64(to.cast(), _mm_packs_epi16(words, words));
        }
    }

    #[inline(always)]
    unsafe fn store_u8(self, zero: i32, to: *mut u8) {
        // SAFETY: the caller has the memory.
        unsafe {
            let wide = _mm256_add_epi32(_mm256_cvtps_epi32(self.0), _mm256_set1_epi32(zero));
            let words = _mm_packs_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256::<1>(wide));
            _mm_storel_epi64(to.cast(), _mm_packus_epi16(words, words));
        }
    }

    // Bytes are widened to 16 bits, so that no sum of two products is cut.
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
            for half in 0..2 {
                let mut pairs = [[_mm256_setzero_si256(); 4]; ROWS];
                for group in 0..groups {
                    let columns = panel.add(128 * group + 64 * half);
                    let mut fours = [_mm256_setzero_si256(); ROWS];
                    for (row, four) in fours.iter_mut().enumerate() {
                        let bytes = input.add(4 * group + row * stride).cast::<i32>().read_unaligned();
                        *four = _mm256_cvtepu8_epi16(_mm_set1_epi32(bytes));
                    }
                    for part in 0..4 {
                        let weights = _mm256_cvtepi8_epi16(_mm_loadu_si128(columns.add(16 * part).cast()));
                        for (pairs, four) in pairs.iter_mut().zip(fours) {
                            pairs[part] = _mm256_add_epi32(pairs[part], _mm256_madd_epi16(weights, four));
                        }
                    }
                }
                for (row, pairs) in pairs.iter().enumerate() {
                    let to = sums.add(32 * row + 16 * half);
                    for part in 0..2 {
                        // Adding neighbours mixes the halves of both registers; the permutation puts the columns in order.
                        let mixed = _mm256_hadd_epi32(pairs[2 * part], pairs[2 * part + 1]);
                        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(mixed);
                        _mm256_storeu_si256(to.add(8 * part).cast(), ordered);
                    }
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn byte_dots<const ROWS: usize>(query: &[i8], _total: i32, rows: *const i8) -> [i32; ROWS] {
        let len = query.len();
        // SAFETY: the caller has the instructions and the rows; the rest of each is read byte by byte.
        unsafe {
            let mut sums = [_mm256_setzero_si256(); ROWS];
            let whole = len / 16 * 16;
            let mut at = 0;
            while at < whole {
                let wanted = _mm256_cvtepi8_epi16(_mm_loadu_si128(query.as_ptr().add(at).cast()));
                for (row, sum) in sums.iter_mut().enumerate() {
                    let words = _mm256_cvtepi8_epi16(_mm_loadu_si128(rows.add(row * len + at).cast()));
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(words, wanted));
                }
                at += 16;
            }
            let mut dots = [0; ROWS];
            for row in 0..ROWS {
                dots[row] = total_i32(sums[row]);
                for (rest, &wanted) in query.iter().enumerate().skip(whole) {
                    dots[row] += i32::from(wanted) * i32::from(*rows.add(row * len + rest));
                }
            }
            dots
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: a value exists.
        Self(unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: a value exists.
        unsafe {
            let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(self.0), _mm256_set1_epi32(127));
            Self(_mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent)))
        }
    }

    #[inline(always)]
    fn total(self) -> f32 {
        // SAFETY: a value exists.
        self.folded(|a, b| unsafe { _mm_add_ps(a, b) })
    }

    #[inline(always)]
    fn least(self) -> f32 {
        // SAFETY: a value exists.
        self.folded(|a, b| unsafe { _mm_min_ps(a, b) })
    }

    #[inline(always)]
    fn greatest(self) -> f32 {
        // SAFETY: a value exists.
        self.folded(|a, b| unsafe { _mm_max_ps(a, b) })
    }
}
