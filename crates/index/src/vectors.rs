//! The vectors of one space.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;
use thiserror::Error;

use crate::top::Top;

/// From how many vectors on the rough ones are scanned and the exact ones only weigh what they bring up.
pub const ROUGH_FROM: usize = 10_000;
/// How many rows are scanned at a time: their scores stay in the nearest cache.
const STRETCH: usize = 512;
/// How many bytes of rows are compared with several vectors at a time.
const NEAREST_CACHE: usize = 24 << 10;
/// How many candidates a rough scan brings up for each that is wanted, and how many more at least.
const CANDIDATES: (usize, usize) = (4, 64);

/// A vector that does not fit the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a vector has {found} numbers where {expected} are expected")]
pub struct WrongDimension {
    /// How many the others have.
    pub expected: usize,
    /// How many it has.
    pub found: usize,
}

/// A row that lies near to what was looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The row's number in the space.
    pub seq: u64,
    /// The product of the two vectors: their cosine, if both are of length 1.
    pub score: f32,
}

impl Eq for Near {}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.seq.cmp(&other.seq))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The cosine of the angle between two vectors of length 1; 0 when they are not of one dimension.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() == b.len() { memoir_kernels::dot_f32(a, b) } else { 0.0 }
}

/// Vectors of one dimension by the numbers of their rows, searched exactly: every one is looked at.
///
/// Each is there twice from [`ROUGH_FROM`] rows on: as it is, and rounded to bytes, a quarter of the size. A search then reads the bytes and
/// weighs the best of them by the exact numbers.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    dimension: usize,
    /// The row at each place.
    seqs: Vec<u64>,
    /// The place of each row.
    places: HashMap<u64, u32>,
    exact: Vec<f32>,
    rough: Vec<i8>,
    /// What a byte of each rough vector is worth.
    scales: Vec<f32>,
}

impl Vectors {
    /// No vectors yet, each of them to be of this dimension.
    pub fn new(dimension: usize) -> Self {
        Vectors { dimension, ..Self::default() }
    }

    /// How many numbers each vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.seqs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.seqs.is_empty()
    }

    /// The memory they take, about.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.exact.capacity() * 4
            + self.rough.capacity()
            + self.scales.capacity() * 4
            + self.seqs.capacity() * 8
            + self.places.capacity() * 16
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        self.seqs.reserve(more);
        self.places.reserve(more);
        self.exact.reserve(more * self.dimension);
    }

    /// Adds the vector of a row, or replaces the one it has.
    pub fn upsert(&mut self, seq: u64, vector: &[f32]) -> Result<(), WrongDimension> {
        if vector.len() != self.dimension {
            return Err(WrongDimension { expected: self.dimension, found: vector.len() });
        }
        match self.places.get(&seq) {
            Some(&place) => {
                let place = place as usize;
                self.exact[place * self.dimension..][..self.dimension].copy_from_slice(vector);
                if self.is_rough() {
                    self.scales[place] = memoir_kernels::quantize(
                        vector,
                        &mut self.rough[place * self.dimension..][..self.dimension],
                    );
                }
            }
            None => {
                self.places.insert(seq, self.seqs.len() as u32);
                self.seqs.push(seq);
                self.exact.extend_from_slice(vector);
                if self.is_rough() {
                    self.round(self.seqs.len() - 1);
                } else if self.seqs.len() >= ROUGH_FROM {
                    (0..self.seqs.len()).for_each(|place| self.round(place));
                }
            }
        }
        Ok(())
    }

    /// Removes the vector of a row. Returns whether it had one.
    pub fn remove(&mut self, seq: u64) -> bool {
        let Some(place) = self.places.remove(&seq) else { return false };
        let (place, last) = (place as usize, self.seqs.len() - 1);
        self.seqs.swap_remove(place);
        if let Some(moved) = self.seqs.get(place) {
            self.places.insert(*moved, place as u32);
        }
        let rough = self.is_rough();
        let wide = self.dimension;
        self.exact.copy_within(last * wide.., place * wide);
        self.exact.truncate(last * wide);
        if rough {
            self.rough.copy_within(last * wide.., place * wide);
            self.rough.truncate(last * wide);
            self.scales.swap_remove(place);
        }
        true
    }

    /// The vector of a row.
    pub fn get(&self, seq: u64) -> Option<&[f32]> {
        let place = *self.places.get(&seq)? as usize;
        self.exact.get(place * self.dimension..(place + 1) * self.dimension)
    }

    /// The rows nearest to a vector, whatever the bytes of [`Vectors::nearest`] would say: every exact number is read.
    pub fn nearest_exactly(&self, query: &[f32], limit: usize, admits: impl FnMut(u64) -> bool) -> Vec<Near> {
        if query.len() != self.dimension || self.dimension == 0 || limit == 0 {
            return Vec::new();
        }
        self.scan(limit, admits, |first, scores| self.score_exactly(query, first, scores))
    }

    /// The rows nearest to a vector among those that `admits` lets pass, the nearest first; of equals the newer one. A
    /// query of another dimension finds nothing.
    pub fn nearest(&self, query: &[f32], limit: usize, mut admits: impl FnMut(u64) -> bool) -> Vec<Near> {
        if !self.is_rough() || query.len() != self.dimension || limit == 0 {
            return self.nearest_exactly(query, limit, admits);
        }
        let mut bytes = vec![0; self.dimension];
        let worth = memoir_kernels::quantize(query, &mut bytes);
        let wanted = limit.saturating_mul(CANDIDATES.0).saturating_add(CANDIDATES.1);
        let candidates =
            self.scan(wanted, &mut admits, |first, scores| self.score_roughly(&bytes, worth, first, scores));
        let mut top = Top::new(limit);
        for near in candidates {
            let exact = self.get(near.seq).unwrap_or_default();
            top.push(Near { score: memoir_kernels::dot_f32(query, exact), ..near });
        }
        top.greatest_first().collect()
    }

    /// Hands the closeness of some rows to several vectors to `sink`, a stretch of rows at a time and in no particular order:
    /// which of the vectors, the numbers of the rows and how close each is, of a large space as its bytes say. A vector of
    /// another dimension is close to none. `rows` are places from 0 to [`Vectors::len`], so that several threads can each take
    /// a part.
    ///
    /// The rows are read once, however many vectors there are: a stretch is short enough to stay in the nearest cache.
    pub fn closeness(
        &self,
        queries: &[&[f32]],
        rows: Range<usize>,
        mut sink: impl FnMut(usize, &[u64], &[f32]),
    ) {
        let fits = |query: &&[f32]| query.len() == self.dimension && self.dimension > 0;
        let rounded = |(nth, exact): (usize, &[f32])| {
            let mut bytes = vec![0; if self.is_rough() { self.dimension } else { 0 }];
            let worth = if self.is_rough() { memoir_kernels::quantize(exact, &mut bytes) } else { 1.0 };
            (nth, bytes, worth)
        };
        let fitting = (0..).zip(queries.iter().copied()).filter(|(_, query)| fits(query));
        let sought: Vec<(usize, Vec<i8>, f32)> = fitting.map(rounded).collect();
        let row_bytes = if self.is_rough() { self.dimension } else { self.dimension * 4 };
        let stretch = match sought.as_slice() {
            [] => return,
            [_] => STRETCH,
            _ => (NEAREST_CACHE / row_bytes / 4 * 4).clamp(4, STRETCH),
        };
        let mut scores = [0.0; STRETCH];
        let end = rows.end.min(self.seqs.len());
        for first in (rows.start..end).step_by(stretch) {
            let seqs = &self.seqs[first..end.min(first + stretch)];
            let scores = &mut scores[..seqs.len()];
            for (nth, bytes, worth) in &sought {
                if self.is_rough() {
                    self.score_roughly(bytes, *worth, first, scores);
                } else {
                    self.score_exactly(queries[*nth], first, scores);
                }
                sink(*nth, seqs, scores);
            }
        }
    }

    fn score_exactly(&self, query: &[f32], first: usize, scores: &mut [f32]) {
        let rows = &self.exact[first * self.dimension..][..scores.len() * self.dimension];
        memoir_kernels::scan_f32(query, rows, scores);
    }

    fn score_roughly(&self, query: &[i8], worth: f32, first: usize, scores: &mut [f32]) {
        let mut products = [0; STRETCH];
        let products = &mut products[..scores.len()];
        let rows = &self.rough[first * self.dimension..][..scores.len() * self.dimension];
        memoir_kernels::scan_i8(query, rows, products);
        let scales = &self.scales[first..][..scores.len()];
        for ((score, product), scale) in scores.iter_mut().zip(products).zip(scales) {
            *score = *product as f32 * scale * worth;
        }
    }

    /// The best of all rows, scored a stretch at a time.
    fn scan(
        &self,
        limit: usize,
        mut admits: impl FnMut(u64) -> bool,
        mut score: impl FnMut(usize, &mut [f32]),
    ) -> Vec<Near> {
        let mut top = Top::new(limit);
        let mut scores = [0.0; STRETCH];
        for first in (0..self.seqs.len()).step_by(STRETCH) {
            let scores = &mut scores[..STRETCH.min(self.seqs.len() - first)];
            score(first, scores);
            for (place, &score) in (first..).zip(scores.iter()) {
                let near = Near { seq: self.seqs[place], score };
                if top.least().is_none_or(|least| *least < near) && admits(near.seq) {
                    top.push(near);
                }
            }
        }
        top.greatest_first().collect()
    }

    fn is_rough(&self) -> bool {
        !self.scales.is_empty()
    }

    /// Appends the rough twin of the vector at a place.
    fn round(&mut self, place: usize) {
        let start = self.rough.len();
        self.rough.resize(start + self.dimension, 0);
        let exact = &self.exact[place * self.dimension..][..self.dimension];
        self.scales.push(memoir_kernels::quantize(exact, &mut self.rough[start..]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// What a search must give, without any cleverness.
    fn by_hand(rows: &BTreeMap<u64, Vec<f32>>, query: &[f32], limit: usize) -> Vec<u64> {
        let mut near: Vec<Near> = rows
            .iter()
            .map(|(seq, vector)| Near { seq: *seq, score: memoir_kernels::dot_f32(query, vector) })
            .collect();
        near.sort_unstable_by(|a, b| b.cmp(a));
        near.into_iter().take(limit).map(|near| near.seq).collect()
    }

    fn seqs(near: &[Near]) -> Vec<u64> {
        near.iter().map(|near| near.seq).collect()
    }

    /// A vector of length 1 that looks like chance and is not.
    fn noise(seed: u64, dimension: usize) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut vector: Vec<f32> = (0..dimension)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as f32 / (1 << 24) as f32 - 0.5
            })
            .collect();
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|number| *number /= length);
        vector
    }

    proptest! {
        #[test]
        fn a_search_finds_what_is_nearest_whatever_was_added_and_removed_before(
            steps in prop::collection::vec((0..40u64, prop::option::weighted(0.8, 0..1000u64)), 0..120),
            query in 0..1000u64,
            limit in 0..12usize,
        ) {
            let (mut vectors, mut rows) = (Vectors::new(9), BTreeMap::new());
            for (seq, seed) in steps {
                match seed {
                    Some(seed) => {
                        vectors.upsert(seq, &noise(seed, 9)).unwrap();
                        rows.insert(seq, noise(seed, 9));
                    }
                    None => prop_assert_eq!(vectors.remove(seq), rows.remove(&seq).is_some()),
                }
            }
            let query = noise(query, 9);
            prop_assert_eq!(vectors.len(), rows.len());
            prop_assert_eq!(seqs(&vectors.nearest(&query, limit, |_| true)), by_hand(&rows, &query, limit));
            let odd: BTreeMap<_, _> = rows.into_iter().filter(|(seq, _)| seq % 2 == 1).collect();
            let filtered = vectors.nearest(&query, limit, |seq| seq % 2 == 1);
            prop_assert_eq!(seqs(&filtered), by_hand(&odd, &query, limit));
        }
    }

    #[test]
    fn many_vectors_are_scanned_roughly_and_found_exactly() {
        const DIMENSION: usize = 32;
        let (mut vectors, mut rows) = (Vectors::new(DIMENSION), BTreeMap::new());
        for seq in 1..=ROUGH_FROM as u64 + 500 {
            vectors.upsert(seq, &noise(seq, DIMENSION)).unwrap();
            rows.insert(seq, noise(seq, DIMENSION));
        }
        assert!(vectors.is_rough());
        // Removed, replaced and added after the rough ones were made.
        for seq in (1..=2_000).step_by(3) {
            assert!(vectors.remove(seq) && rows.remove(&seq).is_some());
        }
        for seq in (2..=2_000).step_by(3).chain(20_000..20_100) {
            vectors.upsert(seq, &noise(seq + 7_777_777, DIMENSION)).unwrap();
            rows.insert(seq, noise(seq + 7_777_777, DIMENSION));
        }
        let (mut hits, mut wanted) = (0, 0);
        for query in 0..100 {
            let query = noise(1_000_000_007 + query, DIMENSION);
            let (found, exact) = (vectors.nearest(&query, 10, |_| true), by_hand(&rows, &query, 10));
            hits += exact.iter().filter(|seq| found.iter().any(|near| near.seq == **seq)).count();
            wanted += exact.len();
            for near in found {
                assert_eq!(
                    near.score,
                    memoir_kernels::dot_f32(&query, &rows[&near.seq]),
                    "the score is exact"
                );
            }
        }
        assert!(hits * 1000 >= wanted * 990, "{hits} of {wanted}");
        let queries = [noise(5, DIMENSION), noise(6, DIMENSION)];
        let together = closeness(&vectors, &[&queries[0], &queries[1]]);
        assert_eq!(together[1], closeness(&vectors, &[&queries[1]])[0]);
        assert_eq!(together[0].len(), vectors.len());
    }

    /// How close each row is, by its number.
    fn closeness(vectors: &Vectors, queries: &[&[f32]]) -> Vec<BTreeMap<u64, f32>> {
        let mut close = vec![BTreeMap::new(); queries.len()];
        // In two parts, as two threads would take them.
        let middle = vectors.len() / 3;
        for rows in [0..middle, middle..vectors.len()] {
            vectors.closeness(queries, rows, |nth, seqs, scores| {
                close[nth].extend(seqs.iter().copied().zip(scores.iter().copied()));
            });
        }
        close
    }

    proptest! {
        #[test]
        fn several_vectors_are_compared_as_each_by_itself(
            rows in prop::collection::btree_set(0..2_000u64, 0..300),
            seeds in prop::collection::vec(0..1000u64, 0..5),
            dimension in prop::sample::select(vec![3usize, 40, 384]),
            wrong in any::<bool>(),
        ) {
            let mut vectors = Vectors::new(dimension);
            for seq in rows {
                vectors.upsert(seq, &noise(seq, dimension)).unwrap();
            }
            let mut queries: Vec<Vec<f32>> = seeds.iter().map(|seed| noise(*seed, dimension)).collect();
            if wrong {
                queries.insert(queries.len() / 2, vec![1.0; dimension + 1]);
            }
            let queries: Vec<&[f32]> = queries.iter().map(Vec::as_slice).collect();
            let together = closeness(&vectors, &queries);
            for (query, found) in queries.iter().zip(together) {
                prop_assert_eq!(&found, &closeness(&vectors, &[query])[0]);
                let fits = query.len() == dimension;
                prop_assert_eq!(found.len(), if fits { vectors.len() } else { 0 });
                for (seq, score) in found {
                    prop_assert_eq!(score, memoir_kernels::dot_f32(query, vectors.get(seq).unwrap()));
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_finds_nothing() {
        let mut vectors = Vectors::new(3);
        assert_eq!(vectors.upsert(1, &[1.0, 0.0]), Err(WrongDimension { expected: 3, found: 2 }));
        assert!(vectors.is_empty());
        vectors.upsert(1, &[1.0, 0.0, 0.0]).unwrap();
        assert_eq!(vectors.nearest(&[1.0, 0.0], 5, |_| true), []);
        assert_eq!(vectors.nearest(&[0.0; 3], 5, |_| true), [Near { seq: 1, score: 0.0 }]);
        assert_eq!(vectors.get(1), Some(&[1.0, 0.0, 0.0][..]));
        assert_eq!((vectors.get(2), vectors.dimension()), (None, 3));
    }
}
