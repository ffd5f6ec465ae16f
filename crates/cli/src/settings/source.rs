//! Where a value came from.

use std::fmt;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use super::table::Setting;

/// Where a value came from; each overrides those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// The table: nobody set it.
    Default,
    /// This file.
    File(PathBuf),
    /// This environment variable.
    Environment(String),
    /// This `--set` on the command line.
    Flag {
        /// The setting's name.
        name: &'static str,
        /// The value as it may be shown.
        value: String,
    },
}

impl Source {
    /// A `--set` of `setting`, whose value is hidden if it is a secret.
    pub(crate) fn flag(setting: &Setting, value: &str) -> Self {
        Source::Flag { name: setting.name, value: setting.shown(value) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::File(path) => write!(f, "file {}", path.display()),
            Source::Environment(variable) => write!(f, "environment {variable}"),
            Source::Flag { name, value } => write!(f, "flag --set {name}={value}"),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
