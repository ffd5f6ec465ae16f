//! The behaviours that every backend must show, shown by this one.

use std::sync::Arc;

use memoir_store::Store;
use memoir_testkit::TestDatabase;

async fn empty_store() -> (Arc<dyn Store>, TestDatabase) {
    let database = TestDatabase::new().await;
    (Arc::new(database.store().await), database)
}

memoir_store::conformance_tests!(empty_store);
