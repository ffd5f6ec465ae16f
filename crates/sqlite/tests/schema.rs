//! Which files this program opens.

use memoir_model::ErrorCode;
use memoir_sqlite::{Options, SCHEMA_VERSION, SqliteStore, schema_version, verify};
use memoir_store::Store;
use rusqlite::Connection;

#[tokio::test]
async fn a_new_file_gets_the_present_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made").join("on the way").join("memoir.db");
    let store = SqliteStore::open(&Options::at(&path)).unwrap();
    store.ping().await.unwrap();
    assert_eq!(schema_version(&Connection::open(&path).unwrap()).unwrap(), SCHEMA_VERSION);
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_numbers_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    drop(SqliteStore::open(&Options::at(&path)).unwrap());
    let newer = SCHEMA_VERSION + 1;
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", newer).unwrap();
    drop(connection);

    let error = SqliteStore::open(&Options::at(&path)).err().unwrap();
    assert_eq!(error.code(), ErrorCode::StorageUnavailable);
    for part in [format!("schema {newer}"), format!("knows {SCHEMA_VERSION}"), "newer memoir".into()] {
        assert!(error.message().contains(&part), "{error}");
    }
    assert_eq!(verify(&path).unwrap_err().code(), ErrorCode::Corrupt);
    let connection = Connection::open(&path).unwrap();
    assert_eq!(schema_version(&connection).unwrap(), newer);
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE type = 'table'", [], |row| row.get(0))
        .unwrap();
    assert!(tables > 10, "nothing was taken away");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    let text = "dear diary, ".repeat(1_000);
    std::fs::write(&path, &text).unwrap();
    let error = SqliteStore::open(&Options::at(&path)).err().unwrap();
    assert_eq!(error.code(), ErrorCode::Corrupt);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let error = SqliteStore::open(&Options::at(file.join("memoir.db"))).err().unwrap();
    assert_eq!(error.code(), ErrorCode::StorageUnavailable);
    assert!(error.message().contains("a file"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_store_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.db");
    let _store = SqliteStore::open(&Options::at(&path)).unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} is {mode:o}", entry.path().display());
    }
}
