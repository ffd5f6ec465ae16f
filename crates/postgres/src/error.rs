use deadpool_postgres::PoolError;
use memoir_model::{Error, ErrorCode};
use std::error::Error as _;
use tokio_postgres::error::{DbError, SqlState};

/// Why an attempt came to nothing.
#[derive(Debug)]
pub(crate) struct Fault {
    /// What the caller is told if it stays so.
    pub(crate) error: Error,
    /// Whether another attempt may go better: the database is away for a moment, or others were quicker.
    pub(crate) may_pass: bool,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault { error, may_pass: false }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(refusal) => refused(refusal),
            // No answer at all: the connection is gone, or was never made.
            None => {
                let why = error.source().map(|source| format!(": {source}")).unwrap_or_default();
                Fault { error: unavailable(&format!("{error}{why}")), may_pass: true }
            }
        }
    }
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => Error::busy("every connection to the database is in use", 1).into(),
            other => Fault { error: unavailable(&other.to_string()), may_pass: true },
        }
    }
}

/// Says what the database's refusal means to the caller. Never carries its detail, which has values of rows in it.
fn refused(refusal: &DbError) -> Fault {
    let state = refusal.code();
    let fault = |code, message: &str| Error::new(code, message).into();
    match state {
        &SqlState::UNIQUE_VIOLATION => {
            let what = match refusal.table() {
                Some("messages") => "message",
                Some("sessions") => "session",
                Some("spaces" | "space_heads") => "space",
                _ => "row",
            };
            fault(ErrorCode::IdConflict, &format!("the id of this {what} is taken"))
        }
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            Fault { error: Error::busy("the space is being written by too many others", 1), may_pass: true }
        }
        &SqlState::LOCK_NOT_AVAILABLE => Error::busy("the space is being written by others", 1).into(),
        &SqlState::QUERY_CANCELED => fault(
            ErrorCode::StorageUnavailable,
            "PostgreSQL: a statement took longer than store.statement_timeout",
        ),
        &SqlState::TOO_MANY_CONNECTIONS => {
            Fault { error: Error::busy("the database accepts no more connections", 1), may_pass: true }
        }
        &SqlState::DISK_FULL | &SqlState::OUT_OF_MEMORY | &SqlState::CONFIGURATION_LIMIT_EXCEEDED => {
            fault(ErrorCode::StorageFull, &said(refusal))
        }
        &SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED => fault(ErrorCode::Corrupt, &said(refusal)),
        // A policy stopped it: no request of a well-meaning engine comes to that.
        &SqlState::INSUFFICIENT_PRIVILEGE => {
            fault(ErrorCode::Internal, "the row is not of this tenant and space")
        }
        &SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW => {
            Fault { error: unavailable(&said(refusal)), may_pass: true }
        }
        // It was a primary and is one no longer: the next connection finds the new one.
        &SqlState::READ_ONLY_SQL_TRANSACTION => Fault { error: unavailable(&said(refusal)), may_pass: true },
        state if state.code().starts_with("08") => {
            Fault { error: unavailable(&said(refusal)), may_pass: true }
        }
        _ => unavailable(&said(refusal)).into(),
    }
}

fn said(refusal: &DbError) -> String {
    format!("{} ({})", refusal.message(), refusal.code().code())
}

fn unavailable(why: &str) -> Error {
    Error::new(ErrorCode::StorageUnavailable, format!("PostgreSQL: {why}"))
}
