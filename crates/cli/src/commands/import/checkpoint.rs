use memoir_model::{SpaceId, TenantId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// How far an import of a file has come, kept in the data folder so that an interrupted one goes on. Bound to the
/// file's name, size and time: another file, or a changed one, starts at the beginning.
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

impl Checkpoint {
    pub(crate) fn of(
        data: &Path,
        file: &Path,
        tenant: &TenantId,
        space: Option<&SpaceId>,
    ) -> anyhow::Result<Self> {
        let whole = std::fs::canonicalize(file)?;
        let about = std::fs::metadata(&whole)?;
        let modified = about.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mut hash = Sha256::new();
        hash.update(whole.as_os_str().as_encoded_bytes());
        hash.update(format!("|{}|{}|{tenant}|{space:?}", about.len(), modified.as_nanos()));
        let name: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let folder = data.join("imports");
        std::fs::create_dir_all(&folder)?;
        Ok(Checkpoint { path: folder.join(format!("{name}.json")) })
    }

    /// Where to go on; the beginning when there is no trustworthy mark.
    pub(crate) fn reached(&self) -> Reached {
        let text = std::fs::read(&self.path).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Marks a place whose messages are durable. A lost mark costs time only: messages are stored once by their ids.
    pub(crate) fn mark(&self, reached: Reached) -> anyhow::Result<()> {
        let fresh = self.path.with_extension("new");
        std::fs::write(&fresh, serde_json::to_vec(&reached)?)?;
        Ok(std::fs::rename(&fresh, &self.path)?)
    }

    pub(crate) fn forget(&self) {
        drop(std::fs::remove_file(&self.path));
    }
}
