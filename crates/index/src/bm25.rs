//! How much a term that a row holds says about the row.

/// How soon further occurrences of a term stop counting.
pub const K1: f32 = 1.2;
/// How much a row's length weighs against it.
pub const B: f32 = 0.75;

/// BM25 over the live rows of one space. Length is counted in words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bm25 {
    rows: u64,
    /// One over the average length; zero if no row has a word, so that length then says nothing.
    inverse_average: f32,
}

impl Bm25 {
    pub(crate) fn new(rows: u64, words: u64) -> Self {
        let inverse_average = if words == 0 { 0.0 } else { rows as f32 / words as f32 };
        Self { rows, inverse_average }
    }

    /// How rare a term is that `frequency` rows hold.
    pub(crate) fn idf(&self, frequency: u64) -> f32 {
        let without = self.rows.saturating_sub(frequency) as f32;
        ((without + 0.5) / (frequency as f32 + 0.5)).ln_1p()
    }

    /// What `frequency` occurrences in a row of `words` are worth; at most `K1 + 1`.
    #[inline]
    pub(crate) fn gain(&self, frequency: u32, words: u32) -> f32 {
        let frequency = frequency as f32;
        let length = words as f32 * self.inverse_average;
        frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_term_says_more_than_a_common_one() {
        let bm25 = Bm25::new(100, 1000);
        assert!(bm25.idf(1) > bm25.idf(10));
        assert!(bm25.idf(100) > 0.0);
    }

    #[test]
    fn a_term_says_more_in_a_short_row_and_when_repeated() {
        let bm25 = Bm25::new(100, 1000);
        assert!(bm25.gain(1, 5) > bm25.gain(1, 10));
        assert!(bm25.gain(2, 10) > bm25.gain(1, 10));
        assert!(bm25.gain(u32::MAX, 10) <= K1 + 1.0);
        assert!((bm25.gain(1, 10) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn rows_without_words_still_have_a_finite_score() {
        assert!(Bm25::new(3, 0).gain(1, 0).is_finite());
        assert!(Bm25::new(0, 0).idf(5).is_finite());
    }
}
