//! Full-text search over the verbatim messages of a space (A17).

mod hot;
mod messages;

pub(crate) use hot::{HotSpace, HotSpaces, author_hash, index_row};
pub use messages::{SearchHit, SearchPage, SearchRequest};
