//! What can be wrong with the settings, each as a sentence that says where to look and what to write instead.

use std::path::PathBuf;
use std::{fmt, io};

use super::source::Source;
use super::table::Setting;

/// Why the settings could not be loaded.
#[derive(Debug)]
pub(crate) enum SettingsError {
    /// The file could not be read.
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file is not TOML. The line itself is not quoted, for it may hold a secret.
    Syntax {
        /// Which file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// The file has a key that is no setting.
    UnknownKey {
        /// Which file.
        file: PathBuf,
        /// The key with its section.
        key: String,
        /// The setting most like it.
        nearest: &'static str,
    },
    /// An environment variable has our prefix and is no setting.
    UnknownVariable {
        /// The variable.
        variable: String,
        /// The variable most like it.
        nearest: String,
    },
    /// A `--set` names no setting.
    UnknownFlag {
        /// The name.
        name: String,
        /// The setting most like it.
        nearest: &'static str,
    },
    /// A `--set` is not `name=value`.
    NotAnAssignment {
        /// What was written.
        text: String,
    },
    /// A setting has a value that is not allowed.
    BadValue {
        /// The setting.
        name: &'static str,
        /// The value as it may be shown.
        value: String,
        /// Where it came from.
        source: Source,
        /// What is allowed.
        allowed: String,
    },
    /// The table and the struct `Settings` disagree: a mistake in this program.
    Table(serde_json::Error),
}

impl SettingsError {
    /// `value`, given to `setting` by `source`, is not allowed.
    pub(crate) fn bad_value(setting: &Setting, value: &str, source: Source) -> Self {
        let (value, allowed) = (setting.shown(value), setting.kind.allowed());
        SettingsError::BadValue { name: setting.name, value, source, allowed }
    }
}

/// How to see every name; it works even when the settings do not load.
const LIST: &str = "`memoir config --example` lists every setting";

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Unreadable { file, cause } => {
                write!(f, "cannot read the settings file {}: {cause}", file.display())
            }
            SettingsError::Syntax { file, line, message } => {
                write!(f, "file {}, line {line}, is not TOML: {message}", file.display())
            }
            SettingsError::UnknownKey { file, key, nearest } => {
                write!(f, "file {}: no setting {key}; did you mean {nearest}? ({LIST})", file.display())
            }
            SettingsError::UnknownVariable { variable, nearest } => {
                write!(f, "environment: no setting {variable}; did you mean {nearest}? ({LIST})")
            }
            SettingsError::UnknownFlag { name, nearest } => {
                write!(f, "flag --set: no setting {name}; did you mean {nearest}? ({LIST})")
            }
            SettingsError::NotAnAssignment { text } => {
                write!(f, "flag --set: must be name=value such as log.level=debug, not {text:?}")
            }
            SettingsError::BadValue { name, value, source, allowed } => {
                write!(f, "{name} is {value} ({source}) but must be {allowed}")
            }
            SettingsError::Table(cause) => write!(f, "the table of settings contradicts itself: {cause}"),
        }
    }
}

impl std::error::Error for SettingsError {}
