//! A database that keeps somebody waiting.

use memoir_model::ErrorCode;
use memoir_store::Store;
use memoir_store::conformance::room::Room;
use memoir_testkit::TestDatabase;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn a_write_does_not_wait_for_ever_and_the_next_one_goes_through() {
    let database = TestDatabase::new().await;
    let store: Arc<dyn Store> =
        Arc::new(database.store_with(|options| options.statement_timeout = Duration::from_millis(200)).await);
    let mut room = Room::simple(&store).await;
    let holder = database.connect().await;
    holder.batch_execute("BEGIN; SELECT 1 FROM memoir.space_heads FOR UPDATE").await.unwrap();
    let draft = room.draft("m1", "tea");
    let refused = room.append(vec![draft]).await.unwrap_err();
    assert!(matches!(refused.code(), ErrorCode::Busy | ErrorCode::StorageUnavailable), "{refused}");
    holder.batch_execute("ROLLBACK").await.unwrap();
    room.say("m1", "tea").await;
    assert_eq!(room.space().await.last_seq, 1, "nothing of the refused one is left");
}
