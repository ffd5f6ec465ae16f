//! Full-text search over the verbatim messages of a space (A17).

mod hot;
mod messages;
mod words;

pub(crate) use hot::{HotMessage, HotSpace, HotSpaces, author_hash, index_row};
pub use messages::{SearchHit, SearchPage, SearchRequest};
pub(crate) use words::{Words, word_hash};
