//! A set of small numbers.

/// One bit for each row of a part. Rows beyond the end are not in the set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    blocks: Vec<u64>,
}

impl Bits {
    /// An empty set of rows below `rows`.
    pub(crate) fn with_rows(rows: usize) -> Self {
        Self { blocks: vec![0; rows.div_ceil(64)] }
    }

    /// Adds a row, growing if need be.
    pub(crate) fn insert(&mut self, row: usize) {
        if row / 64 >= self.blocks.len() {
            self.blocks.resize(row / 64 + 1, 0);
        }
        self.blocks[row / 64] |= 1 << (row % 64);
    }

    pub(crate) fn remove(&mut self, row: usize) {
        if let Some(block) = self.blocks.get_mut(row / 64) {
            *block &= !(1 << (row % 64));
        }
    }

    #[inline]
    pub(crate) fn contains(&self, row: usize) -> bool {
        self.blocks.get(row / 64).is_some_and(|block| block >> (row % 64) & 1 == 1)
    }

    /// How many rows are in the set.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.count_ones() as usize).sum()
    }

    /// The set, 64 rows at a time.
    pub(crate) fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// The nth 64 rows; none of them beyond the end.
    #[inline]
    pub(crate) fn block(&self, nth: usize) -> u64 {
        self.blocks.get(nth).copied().unwrap_or(0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.iter().all(|&block| block == 0)
    }

    pub(crate) fn keep_common(&mut self, other: &Self) {
        for (at, block) in self.blocks.iter_mut().enumerate() {
            *block &= other.blocks.get(at).copied().unwrap_or(0);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_beyond_the_end_is_not_in_the_set() {
        let mut bits = Bits::with_rows(10);
        assert!(!bits.contains(1000));
        bits.remove(1000);
        bits.insert(1000);
        assert!(bits.contains(1000) && !bits.contains(999));
        bits.keep_common(&Bits::with_rows(10));
        assert!(bits.is_empty());
    }
}
