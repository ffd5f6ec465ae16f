/// Brings a vector to length 1. False when it has none, or holds something that is no number.
pub(crate) fn normalise(vector: &mut [f32]) -> bool {
    let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    if !length.is_finite() || length == 0.0 {
        return false;
    }
    for number in vector {
        *number = (f64::from(*number) / length) as f32;
    }
    true
}
