use memoir_text::Form;
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::row::Row;
use crate::terms::Terms;
use crate::{Filter, Query, SpaceIndex};

fn meta(seq: u64) -> RowMeta {
    RowMeta { said_at: seq as i64 * 1000, author: seq % 3, role: (seq % 2) as u8, session: seq / 10 }
}

fn build(piece: u64, rows: &[(u64, &str)]) -> Result<Segment, BuildError> {
    let terms: Vec<(u64, Terms)> = rows.iter().map(|(seq, text)| (*seq, Terms::of(&[text]))).collect();
    Segment::build(piece, terms.iter().map(|(seq, terms)| Row { seq: *seq, meta: meta(*seq), terms }))
}

fn holders(segment: &Segment, word: &str) -> Vec<u64> {
    let postings = segment.postings(TermHash::of(Form::Word, word));
    postings.into_iter().flatten().map(|posting| segment.seq(posting.row as usize)).collect()
}

/// Makes the checksum right again, as someone who forges a segment would.
fn sealed_again(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - layout::CHECKSUM_LEN;
    let checksum = xxh3_64(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn search_everything(bytes: Vec<u8>) {
    let Ok(segment) = Segment::from_bytes(bytes) else { return };
    let mut space = SpaceIndex::new();
    let first = segment.seq(0);
    space.add_segment(segment);
    space.remove(first);
    for query in ["cat dog 猫", "\"cat hat\"", "「我的猫」"] {
        let found = space.search(&Query::parse(query), &Filter { from: Some(0), ..Filter::default() }, 5);
        assert!(found.hits.len() <= 5);
    }
}

#[test]
fn a_segment_gives_back_its_rows() -> Result<(), BuildError> {
    let segment = build(1, &[(4100, "cat dog"), (4097, "cat cat hat"), (8191, "猫")])?;
    assert_eq!(segment.piece(), 1);
    assert_eq!(segment.seqs().collect::<Vec<_>>(), [4097, 4100, 8191]);
    assert_eq!(holders(&segment, "cat"), [4097, 4100]);
    assert_eq!(holders(&segment, "猫"), [8191]);
    assert_eq!(holders(&segment, "rat"), [] as [u64; 0]);
    let row = segment.place(4097).unwrap();
    assert_eq!((segment.words(row), segment.meta(row)), (3, meta(4097)));
    assert_eq!((segment.place(4096), segment.place(0), segment.place(8192)), (None, None, None));
    Ok(())
}

#[test]
fn the_order_in_which_rows_come_does_not_change_the_bytes() {
    assert_eq!(build(0, &[(1, "cat"), (2, "dog")]), build(0, &[(2, "dog"), (1, "cat")]));
}

#[test]
fn a_segment_without_rows_is_a_segment() -> Result<(), BuildError> {
    let empty = build(7, &[])?;
    assert_eq!(Segment::from_bytes(empty.to_bytes()), Ok(empty));
    Ok(())
}

#[test]
fn rows_of_another_piece_and_rows_given_twice_are_refused() {
    assert_eq!(build(0, &[(4096, "cat")]), Err(BuildError::OtherPiece { seq: 4096, piece: 0 }));
    assert_eq!(build(0, &[(5, "cat"), (5, "dog")]), Err(BuildError::Twice(5)));
}

#[test]
fn damaged_bytes_say_what_is_wrong() -> Result<(), BuildError> {
    let good = build(0, &[(1, "cat"), (2, "dog")])?.to_bytes();
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    assert_eq!(Segment::from_bytes(vec![]), Err(SegmentError::NotASegment));
    assert_eq!(Segment::from_bytes(changed(0, b'x')), Err(SegmentError::NotASegment));
    assert_eq!(Segment::from_bytes(changed(4, 9)), Err(SegmentError::Version(9)));
    assert_eq!(Segment::from_bytes(changed(40, 0xee)), Err(SegmentError::Checksum));
    assert_eq!(Segment::from_bytes(good[..good.len() - 1].to_vec()), Err(SegmentError::Checksum));
    let malformed = |at, byte| {
        matches!(Segment::from_bytes(sealed_again(changed(at, byte))), Err(SegmentError::Malformed(_)))
    };
    assert!(malformed(7, 0xff), "more rows than a piece has");
    assert!(malformed(15, 0xff), "a piece beyond all row numbers");
    assert!(malformed(16, 9), "more terms than bytes");
    let hashes = build(0, &[(1, "cat"), (2, "dog")])?.layout.hashes;
    assert!(malformed(hashes + 5, 0xff), "terms out of order");
    Ok(())
}

proptest! {
    #[test]
    fn no_bytes_make_reading_a_segment_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut headed = b"mseg\x01\x01".to_vec();
        headed.extend_from_slice(&bytes);
        headed.extend_from_slice(&[0; 8]);
        search_everything(sealed_again(headed));
        search_everything(bytes);
    }

    #[test]
    fn no_forged_byte_makes_a_search_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = build(0, &[(1, "cat cat hat"), (2, "my dog"), (70, "我的猫叫Miso"), (90, "cat hat 猫")]).unwrap().to_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        search_everything(sealed_again(bytes));
    }
}
