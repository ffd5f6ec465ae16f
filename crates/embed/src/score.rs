/// From any number to one between 0 and 1.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::sigmoid;

    #[test]
    fn the_order_stays_and_nothing_leaves_the_range() {
        let scores = [-1e30, -90.0, -1.0, 0.0, 1.0, 90.0, 1e30].map(sigmoid);
        assert!(scores.is_sorted() && scores.iter().all(|score| (0.0..=1.0).contains(score)));
        assert_eq!(scores[3], 0.5);
    }
}
