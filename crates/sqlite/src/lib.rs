//! The embedded store: one SQLite file in WAL mode, one writer thread that groups waiting commits into one
//! transaction, and a pool of readers that never block it.

mod apply;
mod check;
mod codec;
mod connection;
mod error;
mod jobs;
mod migrate;
mod options;
mod read;
mod readers;
mod scrub;
mod snapshot;
mod store;
mod vectors;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memoir_model::{Error, ErrorCode, Result};

pub use memoir_store::Durability;
pub use migrate::{SCHEMA_VERSION, schema_version};
pub use options::Options;
pub use snapshot::{Snapshot, verify};

/// A store in one SQLite file. Cheap to clone; the writer thread ends with the last clone.
#[derive(Clone)]
pub struct SqliteStore {
    shared: Arc<Shared>,
}

struct Shared {
    path: PathBuf,
    // The readers go first: the last connection to close empties the log into the file, and a reader cannot.
    readers: readers::Readers,
    writer: writer::Writer,
}

impl SqliteStore {
    /// Opens the file, creating or migrating it as needed.
    pub fn open(options: &Options) -> Result<Self> {
        if let Some(folder) = options.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| {
                let message = format!("cannot create the data folder {}: {e}", folder.display());
                Error::new(ErrorCode::StorageUnavailable, message)
            })?;
        }
        make_private(&options.path)?;
        let mut connection = connection::open_writer(options)?;
        migrate::run(&mut connection)?;
        Ok(SqliteStore {
            shared: Arc::new(Shared {
                path: options.path.clone(),
                writer: writer::Writer::start(connection, options)?,
                readers: readers::Readers::new(options),
            }),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// How many commits wait for the writer.
    pub fn queued(&self) -> usize {
        self.shared.writer.queued()
    }
}

/// A store that does not exist yet is created readable by its owner alone; SQLite gives its log the same rights.
fn make_private(path: &Path) -> Result<()> {
    let mut new = std::fs::OpenOptions::new();
    new.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    match new.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            let message = format!("cannot create the store {}: {error}", path.display());
            Err(Error::new(ErrorCode::StorageUnavailable, message))
        }
        _ => Ok(()),
    }
}
