//! The functions that floats go through: GELU and the exponential.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
use std::f32::consts::FRAC_1_SQRT_2;
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// Beyond this the error function is 1 to the last digit of a float.
const ERF_LIMIT: f32 = 4.0;
/// Below this GELU is nought but for less than 1e-6, and a greater factor would only enlarge the error.
const GELU_LEAST: f32 = -5.6;
/// The error function as `x * above(x²) / below(x²)`, the highest power first.
const ERF_ABOVE: [f32; 7] = [
    -2.726_142_3e-10,
    2.770_681_5e-8,
    -2.101_024e-6,
    -5.692_506_3e-5,
    -7.349_906_3e-4,
    -2.954_6e-3,
    -1.609_603_3e-2,
];
const ERF_BELOW: [f32; 5] =
    [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827_e-3, -7.373_329_2e-3, -1.426_473_9e-2];

/// What the exponential's argument is kept within, so that its result is a normal number.
#[cfg(target_arch = "x86_64")]
const EXP_LIMITS: (f32, f32) = (-87.0, 88.0);
/// `e^x` around zero as a polynomial, the highest power first.
#[cfg(target_arch = "x86_64")]
const EXP: [f32; 6] = [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];

impl Level {
    /// `x * Φ(x)` in place, where Φ is the normal distribution; within 1e-6.
    pub fn gelu(self, values: &mut [f32]) {
        dispatch!(self, gelu_all, gelu_twin, (values: &mut [f32]));
    }
}

fn gelu_twin(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = gelu_scalar(*value));
}

pub(crate) fn gelu_scalar(value: f32) -> f32 {
    let x = (value * FRAC_1_SQRT_2).clamp(-ERF_LIMIT, ERF_LIMIT);
    let polynomial = |factors: &[f32]| factors.iter().fold(0.0, |sum, factor| sum * (x * x) + factor);
    0.5 * value.max(GELU_LEAST) * (1.0 + x * polynomial(&ERF_ABOVE) / polynomial(&ERF_BELOW))
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn gelu_all<L: Lanes>(_: PhantomData<L>, values: &mut [f32]) {
    let end = values.len();
    let mut at = 0;
    // SAFETY: the caller has the instructions, and `at` stays below the end.
    unsafe {
        while at + L::COUNT <= end {
            let to = values.as_mut_ptr().add(at);
            gelu(L::load(to)).store(to);
            at += L::COUNT;
        }
        if at < end {
            let to = values.as_mut_ptr().add(at);
            gelu(L::load_first(to, end - at, L::splat(0.0))).store_first(to, end - at);
        }
    }
}

/// [`gelu_scalar`] of each lane.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn gelu<L: Lanes>(value: L) -> L {
    // SAFETY: a value exists.
    let splat = |number| unsafe { L::splat(number) };
    let x = value.mul(splat(FRAC_1_SQRT_2)).max(splat(-ERF_LIMIT)).min(splat(ERF_LIMIT));
    let square = x.mul(x);
    let mut above = splat(ERF_ABOVE[0]);
    for &factor in &ERF_ABOVE[1..] {
        above = above.mul_add(square, splat(factor));
    }
    let mut below = splat(ERF_BELOW[0]);
    for &factor in &ERF_BELOW[1..] {
        below = below.mul_add(square, splat(factor));
    }
    let half = value.max(splat(GELU_LEAST)).mul(splat(0.5));
    x.mul(above).div(below).mul_add(half, half)
}

/// `e^x`, to the last two digits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn exp<L: Lanes>(value: L) -> L {
    // SAFETY: a value exists.
    let splat = |number| unsafe { L::splat(number) };
    let x = value.max(splat(EXP_LIMITS.0)).min(splat(EXP_LIMITS.1));
    let whole = x.mul(splat(std::f32::consts::LOG2_E)).round();
    // The logarithm of two in two parts, of which the first has few digits, so that nothing is lost.
    let rest = whole.mul_add(splat(-0.693_359_4), x);
    let rest = whole.mul_add(splat(2.121_944_4e-4), rest);
    let mut power = splat(EXP[0]);
    for &factor in &EXP[1..] {
        power = power.mul_add(rest, splat(factor));
    }
    power.mul_add(rest.mul(rest), rest).add(splat(1.0)).mul(whole.power_of_two())
}
