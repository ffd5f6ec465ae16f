//! The behaviours that every backend must show, shown by this one.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use std::sync::Arc;

use memoir_sqlite::{Options, SqliteStore};
use memoir_store::Store;
use tempfile::TempDir;

async fn empty_store() -> (Arc<dyn Store>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&Options::at(folder.path().join("memoir.db"))).unwrap();
    (Arc::new(store), folder)
}

memoir_store::conformance_tests!(empty_store);
