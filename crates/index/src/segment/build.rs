//! Inverts rows into a segment.

use memoir_text::ANALYSER_VERSION;
use xxhash_rust::xxh3::xxh3_64;

use super::Segment;
use super::layout::{CHECKSUM_LEN, FORMAT_VERSION, Layout, MAGIC};
use crate::postings::Head;
use crate::row::{PIECE_ROWS, Row, piece_of};
use crate::term::TermHash;
use crate::terms::Entry;
use crate::varint;

/// Bits of a sort key that hold the row, below those of the hash.
const ROW_BITS: u32 = PIECE_ROWS.ilog2();
/// Bits of a hash by which keys are dealt out before they are sorted.
const BUCKET_BITS: u32 = 12;
/// Bits of a sort key.
const KEY_BITS: u32 = 8 * TermHash::LEN as u32 + ROW_BITS;

/// Why rows cannot be sealed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A row belongs to another piece.
    #[error("row {seq} is not of piece {piece}")]
    OtherPiece {
        /// The row.
        seq: u64,
        /// The piece to be built.
        piece: u64,
    },
    /// A row was given twice.
    #[error("row {0} was given twice")]
    Twice(u64),
    /// The rows hold more than a segment can address.
    #[error("the rows of piece {0} are too large for one segment")]
    TooLarge(u64),
}

impl Segment {
    /// Inverts the rows of one piece, in whatever order they come.
    ///
    /// ```
    /// use memoir_index::{Row, RowMeta, Segment, Terms};
    ///
    /// let terms = Terms::of(&["my cat is called Miso"]);
    /// let meta = RowMeta { said_at: 0, author: 7, role: 0, session: 1 };
    /// let segment = Segment::build(2, [Row { seq: 2 * 4096 + 5, meta, terms: &terms }])?;
    /// assert_eq!(Segment::from_bytes(segment.to_bytes()), Ok(segment));
    /// # Ok::<(), memoir_index::BuildError>(())
    /// ```
    pub fn build<'a>(piece: u64, rows: impl IntoIterator<Item = Row<'a>>) -> Result<Self, BuildError> {
        let mut rows: Vec<Row<'a>> = rows.into_iter().collect();
        rows.sort_by_key(|row| row.seq);
        if let Some(row) = rows.iter().find(|row| piece_of(row.seq) != piece) {
            return Err(BuildError::OtherPiece { seq: row.seq, piece });
        }
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].seq == pair[1].seq) {
            return Err(BuildError::Twice(pair[0].seq));
        }
        let inverted = Inverted::of(&rows).ok_or(BuildError::TooLarge(piece))?;
        let places = rows.last().map_or(0, |row| place(row) as u16 + 1);
        let analyser = rows.iter().map(|row| row.terms.analyser_version()).min().unwrap_or(ANALYSER_VERSION);
        let layout = u32::try_from(inverted.postings.len())
            .ok()
            .and_then(|postings| Layout::new(analyser, piece, places, inverted.terms, postings))
            .ok_or(BuildError::TooLarge(piece))?;
        Ok(Self { buffer: inverted.into_buffer(&layout, &rows), layout })
    }
}

/// The place of a row in its piece.
fn place(row: &Row<'_>) -> u64 {
    row.seq % PIECE_ROWS
}

/// Where an entry goes: by its term, then by its row.
#[derive(Clone, Copy, Default)]
struct Key {
    term_and_row: u64,
    /// The entry that it stands for, which is too large to be moved about.
    at: u32,
}

impl Key {
    fn term(self) -> u64 {
        self.term_and_row >> ROW_BITS
    }

    fn row(self) -> u32 {
        (self.term_and_row % PIECE_ROWS) as u32
    }

    fn bucket(self) -> usize {
        (self.term_and_row >> (KEY_BITS - BUCKET_BITS)) as usize
    }
}

/// Hashes spread evenly: dealt out by their first bits, the keys lie in small heaps that are quick to sort.
fn sorted(keys: &[Key]) -> Vec<Key> {
    let mut ends = vec![0usize; (1 << BUCKET_BITS) + 1];
    for key in keys {
        ends[key.bucket() + 1] += 1;
    }
    for bucket in 1..ends.len() {
        ends[bucket] += ends[bucket - 1];
    }
    let mut dealt = vec![Key::default(); keys.len()];
    for key in keys {
        let end = &mut ends[key.bucket()];
        dealt[*end] = *key;
        *end += 1;
    }
    for bucket in dealt.chunk_by_mut(|left, right| left.bucket() == right.bucket()) {
        bucket.sort_unstable_by_key(|key| key.term_and_row);
    }
    dealt
}

/// The term columns of a segment.
#[derive(Default)]
struct Inverted {
    hashes: Vec<u8>,
    offsets: Vec<u8>,
    postings: Vec<u8>,
    terms: u32,
}

impl Inverted {
    fn of(rows: &[Row<'_>]) -> Option<Self> {
        let count = rows.iter().map(|row| row.terms.distinct() as usize).sum();
        let mut entries: Vec<Entry<'_>> = Vec::with_capacity(count);
        let mut keys: Vec<Key> = Vec::with_capacity(count);
        for row in rows {
            for entry in row.terms.entries() {
                let at = u32::try_from(entries.len()).ok()?;
                keys.push(Key { term_and_row: entry.hash.get() << ROW_BITS | place(row), at });
                entries.push(entry);
            }
        }
        let mut inverted = Self::default();
        inverted.postings.reserve(count * 3);
        for term in sorted(&keys).chunk_by(|left, right| left.term() == right.term()) {
            inverted.push(term, &entries)?;
        }
        inverted.close_list()?;
        Some(inverted)
    }

    fn push(&mut self, term: &[Key], entries: &[Entry<'_>]) -> Option<()> {
        self.close_list()?;
        let first = entries.get(term.first()?.at as usize)?;
        self.terms = self.terms.checked_add(1)?;
        self.hashes.extend_from_slice(&first.hash.to_bytes());
        varint::push(&mut self.postings, u32::try_from(term.len()).ok()?);
        let mut last = 0;
        for key in term {
            let (row, entry) = (key.row(), entries.get(key.at as usize)?);
            self.postings
                .extend_from_slice(Head::new(row - last, entry.frequency, entry.positions).as_bytes());
            self.postings.extend_from_slice(entry.positions);
            last = row;
        }
        Some(())
    }

    /// Notes where the next list starts.
    fn close_list(&mut self) -> Option<()> {
        self.offsets.extend_from_slice(&u32::try_from(self.postings.len()).ok()?.to_le_bytes());
        Some(())
    }

    fn into_buffer(self, layout: &Layout, rows: &[Row<'_>]) -> Vec<u8> {
        let places = layout.rows;
        let mut buffer = Vec::with_capacity(layout.end + CHECKSUM_LEN);
        buffer.extend_from_slice(&MAGIC);
        buffer.extend_from_slice(&[FORMAT_VERSION, layout.analyser_version]);
        buffer.extend_from_slice(&(places as u16).to_le_bytes());
        buffer.extend_from_slice(&layout.piece.to_le_bytes());
        buffer.extend_from_slice(&self.terms.to_le_bytes());
        buffer.extend_from_slice(&(self.postings.len() as u32).to_le_bytes());

        let mut present = vec![0u8; places.div_ceil(8)];
        for row in rows {
            present[place(row) as usize / 8] |= 1 << (place(row) % 8);
        }
        buffer.append(&mut present);
        push_column(&mut buffer, places, rows, |row| row.terms.words().to_le_bytes());
        push_column(&mut buffer, places, rows, |row| row.meta.said_at.to_le_bytes());
        push_column(&mut buffer, places, rows, |row| row.meta.author.to_le_bytes());
        push_column(&mut buffer, places, rows, |row| row.meta.session.to_le_bytes());
        push_column(&mut buffer, places, rows, |row| [row.meta.role]);
        buffer.extend_from_slice(&self.hashes);
        buffer.extend_from_slice(&self.offsets);
        buffer.extend_from_slice(&self.postings);
        let checksum = xxh3_64(&buffer);
        buffer.extend_from_slice(&checksum.to_le_bytes());
        buffer
    }
}

/// Appends one value for each place; zeros where no row is.
fn push_column<const N: usize>(
    buffer: &mut Vec<u8>,
    places: usize,
    rows: &[Row<'_>],
    value: impl Fn(&Row<'_>) -> [u8; N],
) {
    let start = buffer.len();
    buffer.resize(start + places * N, 0);
    for row in rows {
        let at = start + place(row) as usize * N;
        buffer[at..at + N].copy_from_slice(&value(row));
    }
}
