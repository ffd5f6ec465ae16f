use std::path::PathBuf;

use crate::Durability;

/// How to open a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// The file.
    pub path: PathBuf,
    /// What an acknowledged commit survives (`store.durability`).
    pub durability: Durability,
    /// How many commits may wait for the writer (`store.queue_commits`).
    pub queue_commits: usize,
    /// How many bytes of commits may wait for the writer (`store.queue_bytes`).
    pub queue_bytes: usize,
    /// How many readers there are at most (`store.readers`).
    pub readers: usize,
    /// How large the file may grow; 0 for as large as the disk (`store.max_bytes`).
    pub max_bytes: u64,
}

impl Options {
    /// The defaults, for this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Options {
            path: path.into(),
            durability: Durability::Full,
            queue_commits: 1024,
            queue_bytes: 64 << 20,
            readers: 4,
            max_bytes: 0,
        }
    }
}
