use memoir_model::Result;
use memoir_store::Durability;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::time::{Duration, Instant};

use crate::error::{is_busy, storage};
use crate::{Options, SqliteStore};

/// Prepared statements kept per connection; more than there are statements.
const STATEMENTS: usize = 128;
/// The writer's pages in memory, in KiB below zero. Not more than that: a commit that balanced a tree walks over all of them,
/// which costs more than reading a page again that the system has at hand.
const WRITER_CACHE: i64 = -8_192;
/// How long a connection waits for another process's write lock.
pub(crate) const LOCK_WAIT: Duration = Duration::from_secs(10);
/// How long it sleeps between two attempts where SQLite does not wait by itself.
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// The one connection that writes.
pub(crate) fn open_writer(options: &Options) -> Result<Connection> {
    let connection = Connection::open(&options.path).map_err(storage)?;
    prepare(&connection)?;
    let set = |name: &str, value: &dyn rusqlite::ToSql| {
        connection.pragma_update(None, name, value).map_err(storage)
    };
    patiently(|| connection.pragma_update(None, "journal_mode", "wal")).map_err(storage)?;
    set("synchronous", &if options.durability == Durability::Full { "full" } else { "normal" })?;
    // What is deleted is overwritten, so that an erased word is not left behind in a free page.
    set("secure_delete", &"on")?;
    set("wal_autocheckpoint", &4000)?;
    set("journal_size_limit", &(64i64 << 20))?;
    set("cache_size", &WRITER_CACHE)?;
    if options.max_bytes > 0 {
        let page: i64 =
            connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(storage)?;
        let pages = (options.max_bytes / page.max(1) as u64).clamp(1, i64::MAX as u64) as i64;
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).map_err(storage)?;
    }
    Ok(connection)
}

/// Waits for a lock that SQLite itself does not wait for: turning a new file to its log takes a shared lock first, and
/// two that do it at once would wait for each other, so one of them is told at once that the file is busy.
fn patiently(mut step: impl FnMut() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let until = Instant::now() + LOCK_WAIT;
    loop {
        match step() {
            Err(busy) if is_busy(&busy) && Instant::now() < until => std::thread::sleep(LOCK_PAUSE),
            done => return done,
        }
    }
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
