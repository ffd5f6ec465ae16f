/// What the ranks of a message in several lists are worth together: the sum of 1/rank, so that one that is found in many
/// ways of asking comes before one that is found in a single way (B5). It does not depend on the order of the lists.
pub(crate) fn fuse(ranks: impl Iterator<Item = u16>) -> f32 {
    // Whole numbers, because they add up alike in any order.
    const WHOLE: u64 = 1 << 40;
    let sum: u64 = ranks.filter(|rank| *rank > 0).map(|rank| WHOLE / u64::from(rank)).sum();
    sum as f32 / WHOLE as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn found_in_two_ways_is_worth_more_than_in_one() {
        assert_eq!(fuse([2, 2].into_iter()), 1.0);
        assert!(fuse([1].into_iter()) > fuse([2, 3].into_iter()));
        assert_eq!(fuse([0].into_iter()), 0.0);
    }

    proptest! {
        #[test]
        fn the_order_of_the_queries_does_not_matter(ranks in prop::collection::vec(0..500u16, 0..12), turn in 0..12usize) {
            let mut turned = ranks.clone();
            turned.rotate_left(turn.min(ranks.len()));
            turned.reverse();
            prop_assert_eq!(fuse(ranks.into_iter()), fuse(turned.into_iter()));
        }
    }
}
