//! Search inside one space: the analysis of a row, the inverted pieces, BM25, phrases and highlights.
//!
//! The crate is pure. It reads no clock, no file and no network: a store supplies rows and blobs, and this
//! crate ranks them, so that every backend ranks alike. **The ranking is a function of the live rows alone**:
//! it does not matter which rows sit in a sealed [`Segment`] and which in the tail, nor how many dead rows
//! are still there.
//!
//! ```
//! use memoir_index::{Filter, Query, RowMeta, SpaceIndex, Terms, highlight};
//!
//! let mut space = SpaceIndex::new();
//! let meta = RowMeta { said_at: 1_760_000_000_000, author: 7, role: 0, session: 1 };
//! space.upsert(1, meta, &Terms::of(&["my cat is called Miso"]));
//! space.upsert(2, meta, &Terms::of(&["it rained the whole day"]));
//!
//! let query = Query::parse("the name of the cat");
//! let found = space.search(&query, &Filter::default(), 10);
//! assert_eq!(found.hits[0].seq, 1);
//! assert_eq!(highlight("my cat is called Miso", &query), vec![3..6]);
//! ```

mod bits;
mod bm25;
mod filter;
mod found;
mod highlight;
mod part;
mod phrase;
mod places;
mod postings;
mod query;
mod ranking;
mod row;
mod search;
mod segment;
mod snippet;
mod space;
mod survey;
mod tail;
mod talk;
mod term;
mod terms;
mod top;
mod varint;
mod vectors;
mod work;

pub use bm25::{B, K1};
pub use filter::Filter;
pub use found::{Found, Hit};
pub use highlight::{MAX_HIGHLIGHTS, highlight};
pub use places::Places;
pub use query::{MAX_PHRASE_UNITS, MAX_TERMS, Query};
pub use row::{PIECE_ROWS, Row, RowMeta, piece_of};
pub use segment::{BuildError, Segment, SegmentError};
pub use snippet::{Snippet, snippet};
pub use space::SpaceIndex;
pub use survey::Survey;
pub use talk::{Talk, Turn};
pub use term::TermHash;
pub use terms::{BlobError, Terms};
pub use vectors::{Near, ROUGH_FROM, Vectors, WrongDimension, cosine};
pub use work::Work;
