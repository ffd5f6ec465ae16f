//! Posting lists: which rows hold a term, how often and where. Segments and the tail share this encoding.
//!
//! One posting is a head, `(row - last row) * 2 + (1 if the frequency is above 1)` as a varint; if it is above
//! 1, the frequency and the length of the positions in bytes, so that ranking steps over them at once; then the
//! positions as delta varints, copied from the row's blob.

use crate::varint;

/// The front of a posting, before its positions.
pub(crate) struct Head {
    bytes: [u8; 3 * varint::MAX_LEN],
    len: usize,
}

impl Head {
    /// For a row `gap` after the last one of the list (or after zero). Gaps are below 2^31.
    pub(crate) fn new(gap: u32, frequency: u32, positions: &[u8]) -> Self {
        let mut head = Self { bytes: [0; 3 * varint::MAX_LEN], len: 0 };
        head.push(gap << 1 | u32::from(frequency > 1));
        if frequency > 1 {
            head.push(frequency);
            head.push(positions.len() as u32);
        }
        head
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn push(&mut self, number: u32) {
        let mut bytes = [0; varint::MAX_LEN];
        let len = varint::write(&mut bytes, number);
        self.bytes[self.len..self.len + len].copy_from_slice(&bytes[..len]);
        self.len += len;
    }
}

/// The postings of one term in one part of the index.
///
/// Reading is total: bytes that are no postings end the iteration early.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    rows: u32,
    rest: &'a [u8],
    row: u32,
}

/// One row that holds the term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting<'a> {
    /// The row's place in its part.
    pub(crate) row: u32,
    pub(crate) frequency: u32,
    pub(crate) positions: &'a [u8],
}

impl<'a> Postings<'a> {
    pub(crate) fn new(rows: u32, bytes: &'a [u8]) -> Self {
        Self { rows, rest: bytes, row: 0 }
    }

    /// How many rows hold the term, dead ones among them.
    pub(crate) fn rows(&self) -> u32 {
        self.rows
    }
}

impl<'a> Iterator for Postings<'a> {
    type Item = Posting<'a>;

    #[inline]
    fn next(&mut self) -> Option<Posting<'a>> {
        let head = varint::read(&mut self.rest)?;
        self.row = self.row.checked_add(head >> 1)?;
        if head & 1 == 0 {
            let positions = varint::take(&mut self.rest, 1)?;
            return Some(Posting { row: self.row, frequency: 1, positions });
        }
        let frequency = varint::read(&mut self.rest)?;
        let len = varint::read(&mut self.rest)? as usize;
        let (positions, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(Posting { row: self.row, frequency, positions })
    }
}

/// The positions of a term in a row, ascending.
#[derive(Debug, Clone)]
pub(crate) struct Positions<'a> {
    rest: &'a [u8],
    last: u32,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(deltas: &'a [u8]) -> Self {
        Self { rest: deltas, last: 0 }
    }
}

impl Iterator for Positions<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.last = self.last.checked_add(varint::read(&mut self.rest)?)?;
        Some(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_come_back_as_they_were_written() {
        let mut bytes = Vec::new();
        for (gap, positions) in [(0, &[3][..]), (70_000, &[0, 1, 1]), (1, &[200, 1])] {
            let mut deltas = Vec::new();
            positions.iter().for_each(|&delta| varint::push(&mut deltas, delta));
            bytes.extend_from_slice(Head::new(gap, positions.len() as u32, &deltas).as_bytes());
            bytes.extend_from_slice(&deltas);
        }
        let read: Vec<(u32, u32, Vec<u32>)> = Postings::new(3, &bytes)
            .map(|posting| (posting.row, posting.frequency, Positions::new(posting.positions).collect()))
            .collect();
        assert_eq!(read, [(0, 1, vec![3]), (70_000, 3, vec![0, 1, 2]), (70_001, 2, vec![200, 201])]);
    }
}
