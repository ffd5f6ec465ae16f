//! Medians and percentiles of small samples.

/// The value below which the share `p` (0 to 1) of the sample lies, between neighbours by proportion; 0 of nothing.
pub(crate) fn percentile(sample: &[f64], p: f64) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = p.clamp(0.0, 1.0) * sorted.len().saturating_sub(1) as f64;
    let (low, share) = (place.floor() as usize, place.fract());
    let at = |i: usize| sorted.get(i).or(sorted.last()).copied().unwrap_or_default();
    at(low) + (at(low + 1) - at(low)) * share
}

/// The middle of the sample.
pub(crate) fn median(sample: &[f64]) -> f64 {
    percentile(sample, 0.5)
}

/// The sum divided by the count; 0 of nothing.
pub(crate) fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_sample_lies_between_its_middle_values() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn percentiles_reach_from_the_least_to_the_greatest() {
        let sample = [10.0, 20.0, 30.0, 40.0, 50.0];
        assert_eq!((percentile(&sample, 0.0), percentile(&sample, 1.0)), (10.0, 50.0));
        assert_eq!(percentile(&sample, 0.875), 45.0);
    }

    #[test]
    fn nothing_has_the_median_nought() {
        assert_eq!((median(&[]), mean(&[])), (0.0, 0.0));
    }
}
