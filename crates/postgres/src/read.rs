//! Reads, one file per kind of row. Each says for whom it reads; the database shows it nothing else.

pub(crate) mod admin;
pub(crate) mod derived;
pub(crate) mod index;
pub(crate) mod messages;
pub(crate) mod sessions;
pub(crate) mod spaces;
pub(crate) mod vectors;
