use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// How far an import of a file has come, kept in the data folder so that an interrupted one goes on. Bound to the
/// file's name, size and time and to where it goes: another file, or a changed one, starts at the beginning.
pub(crate) struct Checkpoint {
    path: PathBuf,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Reached {
    /// Bytes (NDJSON) that are done.
    pub(crate) bytes: u64,
    /// Lines (NDJSON) or conversations (ChatGPT) that are done.
    pub(crate) entries: u64,
}

/// A place whose messages are durable, and what had to be left out before it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) reached: Reached,
    pub(crate) refused: u64,
    pub(crate) errors: Vec<String>,
}

impl Checkpoint {
    /// `about` says where the messages of the file go.
    pub(crate) fn of(data: &Path, file: &Path, about: &str) -> anyhow::Result<Self> {
        let whole = std::fs::canonicalize(file)?;
        let now = std::fs::metadata(&whole)?;
        let modified = now.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mut hash = Sha256::new();
        hash.update(whole.as_os_str().as_encoded_bytes());
        hash.update(format!("|{}|{}|{about}", now.len(), modified.as_nanos()));
        let name: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let folder = folder(data);
        std::fs::create_dir_all(&folder)?;
        Ok(Checkpoint { path: folder.join(format!("{name}.json")) })
    }

    /// Where to go on; the beginning when there is no trustworthy mark.
    pub(crate) fn read(&self) -> Mark {
        let text = std::fs::read(&self.path).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Marks a place. A lost mark costs time only: messages are stored once by their ids.
    pub(crate) fn write(&self, mark: &Mark) -> anyhow::Result<()> {
        let fresh = self.path.with_extension("new");
        std::fs::write(&fresh, serde_json::to_vec(mark)?)?;
        match std::fs::rename(&fresh, &self.path) {
            // Somebody brings in the same file at the same time, and marked a place a moment ago.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            renamed => Ok(renamed?),
        }
    }

    pub(crate) fn forget(&self) {
        drop(std::fs::remove_file(&self.path));
    }

    /// Forgets the marks of every file.
    pub(crate) fn forget_all(data: &Path) {
        for mark in std::fs::read_dir(folder(data)).into_iter().flatten().flatten() {
            drop(std::fs::remove_file(mark.path()));
        }
    }
}

fn folder(data: &Path) -> PathBuf {
    data.join("imports")
}
