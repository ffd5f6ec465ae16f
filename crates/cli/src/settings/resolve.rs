//! Laying default, file, environment and flags over one another.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::error::SettingsError;
use super::nearest::nearest;
use super::source::Source;
use super::table::{PREFIX, SETTINGS, Setting};
use super::value::Value;
use super::{Settings, file};

/// Every setting with the value in effect and where it came from.
pub(crate) struct Resolved {
    entries: Vec<Entry>,
    settings: Settings,
}

/// One line of `memoir config`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    /// The setting.
    pub(crate) name: &'static str,
    /// The value in effect, as it was written; hidden if it is a secret.
    pub(crate) value: String,
    /// Where the value came from.
    pub(crate) source: Source,
    /// The value if nobody sets it.
    pub(crate) default: &'static str,
    /// What the setting does, in one sentence.
    pub(crate) doc: &'static str,
}

impl Resolved {
    /// Reads `file`, if one is given, and lays it, the environment and the flags over the defaults, in that order.
    ///
    /// Of two flags for one setting the later wins. Variables of `environment` that do not begin with `MEMOIR_` are
    /// passed over. Every value is checked, also one that another overrides.
    pub(crate) fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
        flags: &[(String, String)],
    ) -> Result<Self, SettingsError> {
        let entries = resolve(SETTINGS, file, environment, flags)?;
        let settings = typed(&entries)?;
        Ok(Resolved { entries, settings })
    }

    /// All values, typed.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All values with where they came from, in the order of the table; safe to print.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.entries.iter().map(Entry::row).collect()
    }
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

/// Splits the `name=value` of a `--set`.
pub(crate) fn assignment(text: &str) -> Result<(String, String), SettingsError> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err(SettingsError::NotAnAssignment { text: text.to_owned() }),
    }
}

struct Entry {
    setting: &'static Setting,
    text: String,
    value: Value,
    source: Source,
}

impl Entry {
    fn new(setting: &'static Setting, text: &str, source: Source) -> Result<Self, SettingsError> {
        match setting.kind.parse(text) {
            Some(value) => Ok(Entry { setting, text: text.to_owned(), value, source }),
            None => Err(SettingsError::bad_value(setting, &format!("{text:?}"), source)),
        }
    }

    fn row(&self) -> Row {
        let Setting { name, default, doc, .. } = *self.setting;
        Row { name, value: self.setting.shown(&self.text), source: self.source.clone(), default, doc }
    }
}

fn resolve(
    table: &'static [Setting],
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
    flags: &[(String, String)],
) -> Result<Vec<Entry>, SettingsError> {
    let mut entries = BTreeMap::new();
    let mut lay = |setting: &'static Setting, text: &str, source| {
        Entry::new(setting, text, source).map(|entry| entries.insert(setting.name, entry))
    };
    for setting in table {
        lay(setting, setting.default, Source::Default)?;
    }
    if let Some(path) = file {
        for (setting, text) in file::read(path, table)? {
            lay(setting, &text, Source::File(path.to_owned()))?;
        }
    }
    for (variable, text) in environment.filter(|(variable, _)| variable.starts_with(PREFIX)) {
        match table.iter().find(|setting| setting.variable() == variable) {
            Some(setting) => lay(setting, &text, Source::Environment(variable))?,
            None => {
                let nearest = nearest(&variable, table).map(Setting::variable).unwrap_or_default();
                return Err(SettingsError::UnknownVariable { variable, nearest });
            }
        };
    }
    for (name, text) in flags {
        match table.iter().find(|setting| setting.name == name) {
            Some(setting) => lay(setting, text, Source::flag(setting, text))?,
            None => {
                let nearest = nearest(name, table).map_or("", |setting| setting.name);
                return Err(SettingsError::UnknownFlag { name: name.clone(), nearest });
            }
        };
    }
    Ok(table.iter().filter_map(|setting| entries.remove(setting.name)).collect())
}

/// The struct, filled by name. Fails only when it and the table disagree, which the tests below rule out.
fn typed(entries: &[Entry]) -> Result<Settings, SettingsError> {
    let mut sections: BTreeMap<&str, BTreeMap<&str, &Value>> = BTreeMap::new();
    for entry in entries {
        let (section, key) = entry.setting.section_and_key();
        sections.entry(section).or_default().insert(key, &entry.value);
    }
    serde_json::to_value(sections).and_then(serde_json::from_value).map_err(SettingsError::Table)
}

#[cfg(test)]
mod tests;
