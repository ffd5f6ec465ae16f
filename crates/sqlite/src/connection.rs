use memoir_model::Result;
use memoir_store::Durability;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::time::Duration;

use crate::error::storage;
use crate::{Options, SqliteStore};

/// Prepared statements kept per connection; more than there are statements.
const STATEMENTS: usize = 128;
/// How long a connection waits for another process's write lock.
pub(crate) const LOCK_WAIT: Duration = Duration::from_secs(10);

/// The one connection that writes.
pub(crate) fn open_writer(options: &Options) -> Result<Connection> {
    let connection = Connection::open(&options.path).map_err(storage)?;
    prepare(&connection)?;
    let set = |name: &str, value: &dyn rusqlite::ToSql| {
        connection.pragma_update(None, name, value).map_err(storage)
    };
    set("journal_mode", &"wal")?;
    set("synchronous", &if options.durability == Durability::Full { "full" } else { "normal" })?;
    // What is deleted is overwritten, so that an erased word is not left behind in a free page.
    set("secure_delete", &"on")?;
    set("wal_autocheckpoint", &4000)?;
    set("journal_size_limit", &(64i64 << 20))?;
    set("cache_size", &-65_536)?;
    if options.max_bytes > 0 {
        let page: i64 =
            connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(storage)?;
        let pages = (options.max_bytes / page.max(1) as u64).clamp(1, i64::MAX as u64) as i64;
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).map_err(storage)?;
    }
    Ok(connection)
}

/// A connection that only reads.
pub(crate) fn open_reader(path: &std::path::Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(storage)?;
    prepare(&connection)?;
    connection.pragma_update(None, "cache_size", -16_384).map_err(storage)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(LOCK_WAIT).map_err(storage)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A statement over a table with a partial index would otherwise be planned anew for every value it is given.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(storage)?;
    connection.pragma_update(None, "temp_store", "memory").map_err(storage)
}

impl SqliteStore {
    /// The version of the SQLite library.
    pub fn library_version() -> &'static str {
        rusqlite::version()
    }
}
