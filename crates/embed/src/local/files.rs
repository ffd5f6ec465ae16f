//! The files of a model's folder.

use serde::de::DeserializeOwned;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::EmbedError;

/// A model's folder.
#[derive(Debug, Clone)]
pub(super) struct Files {
    folder: PathBuf,
}

impl Files {
    pub(super) fn new(folder: &Path) -> Result<Self, EmbedError> {
        if !folder.is_dir() {
            return Err(EmbedError::Model(format!("{} is no folder", folder.display())));
        }
        Ok(Self { folder: folder.to_owned() })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes of a file that must be there.
    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>, EmbedError> {
        std::fs::read(self.folder.join(name)).map_err(|error| self.unfit(name, error))
    }

    /// What a file says that must be there.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, EmbedError> {
        serde_json::from_slice(&self.bytes(name)?).map_err(|error| self.unfit(name, error))
    }

    /// What a file says, if it is there.
    pub(super) fn json_if_there<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, EmbedError> {
        match std::fs::read(self.folder.join(name)) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| self.unfit(name, error)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unfit(name, error)),
        }
    }

    /// Names the file and what is wrong with it.
    pub(super) fn unfit(&self, name: &str, reason: impl std::fmt::Display) -> EmbedError {
        EmbedError::Model(format!("{}: {reason}", self.folder.join(name).display()))
    }
}
