//! Scores as shares of one.

#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::level::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use crate::math::exp;
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

impl Level {
    /// Replaces finite scores with `e^(scale * score)`, divided by the sum of all of them. The scale is not negative.
    pub fn softmax(self, scores: &mut [f32], scale: f32) {
        dispatch!(self, softmax, softmax_twin, (scores: &mut [f32], scale: f32));
    }
}

pub(crate) fn softmax_twin(scores: &mut [f32], scale: f32) {
    let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = ((*score - greatest) * scale).exp());
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) unsafe fn softmax<L: Lanes>(_: PhantomData<L>, scores: &mut [f32], scale: f32) {
    let len = scores.len();
    let whole = len / L::COUNT * L::COUNT;
    let left = len - whole;
    let scores = scores.as_mut_ptr();
    // SAFETY: the caller has the instructions; the last scores are loaded and stored no further than they go.
    unsafe {
        let lowest = L::splat(f32::MIN);
        let rest = L::load_first(scores.add(whole), left, lowest);
        let mut greatest = rest;
        for at in (0..whole).step_by(L::COUNT) {
            greatest = greatest.max(L::load(scores.add(at)));
        }
        let (greatest, scale) = (L::splat(greatest.greatest()), L::splat(scale));
        let mut sum = L::splat(0.0);
        for at in (0..whole).step_by(L::COUNT) {
            let share = exp(L::load(scores.add(at)).sub(greatest).mul(scale));
            share.store(scores.add(at));
            sum = sum.add(share);
        }
        exp(rest.sub(greatest).mul(scale)).store_first(scores.add(whole), left);
        sum = sum.add(L::load_first(scores.add(whole), left, L::splat(0.0)));
        let factor = L::splat(1.0 / sum.total());
        for at in (0..whole).step_by(L::COUNT) {
            L::load(scores.add(at)).mul(factor).store(scores.add(at));
        }
        L::load_first(scores.add(whole), left, factor).mul(factor).store_first(scores.add(whole), left);
    }
}
