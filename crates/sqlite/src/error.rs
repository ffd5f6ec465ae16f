use memoir_model::{Error, ErrorCode};
use rusqlite::ErrorCode as Sqlite;

/// Says what a database error means to the caller. Never carries a value of a row, only SQLite's own words.
pub(crate) fn storage(error: rusqlite::Error) -> Error {
    let code = match error.sqlite_error_code() {
        Some(Sqlite::DiskFull) => ErrorCode::StorageFull,
        Some(Sqlite::DatabaseCorrupt | Sqlite::NotADatabase) => ErrorCode::Corrupt,
        _ => ErrorCode::StorageUnavailable,
    };
    let message = match &error {
        rusqlite::Error::SqliteFailure(failure, Some(text)) => format!("SQLite: {text} ({failure})"),
        rusqlite::Error::SqliteFailure(failure, None) => format!("SQLite: {failure}"),
        other => format!("SQLite: {other}"),
    };
    Error::new(code, message)
}

/// Whether the statement failed because a key is taken.
pub(crate) fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(Sqlite::ConstraintViolation)
}

/// Whether the statement failed because somebody else holds the file.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(Sqlite::DatabaseBusy)
}
