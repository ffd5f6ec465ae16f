//! The settings file: finding it, reading it, and matching its keys with the table.

use std::path::{Path, PathBuf};
use std::{fs, io};

use toml::{Table, Value};

use super::error::SettingsError;
use super::nearest::nearest;
use super::source::Source;
use super::table::Setting;
use super::value::Kind;

/// The file that is read when none is named.
const NAME: &str = "memoir.toml";

/// The file to read: the one asked for, else `memoir.toml` in `folder` if there is one.
///
/// One that cannot be looked at is returned too, so that reading it says what is wrong with it.
pub(crate) fn find_file(asked_for: Option<PathBuf>, folder: &Path) -> Option<PathBuf> {
    asked_for.or_else(|| {
        let file = folder.join(NAME);
        let absent = fs::symlink_metadata(&file).is_err_and(|e| e.kind() == io::ErrorKind::NotFound);
        (!absent).then_some(file)
    })
}

/// Every setting in the file with its value as text.
pub(crate) fn read(
    file: &Path,
    table: &'static [Setting],
) -> Result<Vec<(&'static Setting, String)>, SettingsError> {
    let text = fs::read_to_string(file)
        .map_err(|cause| SettingsError::Unreadable { file: file.to_owned(), cause })?;
    let root: Table = toml::from_str(&text).map_err(|e| syntax(file, &text, &e))?;
    let mut found = Vec::new();
    Keys { file, table, found: &mut found }.walk("", root)?;
    Ok(found)
}

fn syntax(file: &Path, text: &str, error: &toml::de::Error) -> SettingsError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    SettingsError::Syntax { file: file.to_owned(), line, message: error.message().to_owned() }
}

struct Keys<'a> {
    file: &'a Path,
    table: &'static [Setting],
    found: &'a mut Vec<(&'static Setting, String)>,
}

impl Keys<'_> {
    fn walk(&mut self, section: &str, keys: Table) -> Result<(), SettingsError> {
        for (key, value) in keys {
            let name = if section.is_empty() { quoted(&key) } else { format!("{section}.{}", quoted(&key)) };
            if let Some(setting) = self.table.iter().find(|setting| setting.name == name) {
                let text = self.text(setting, value)?;
                self.found.push((setting, text));
                continue;
            }
            match value {
                // An unknown section is reported by its first key, which says more.
                Value::Table(inner) if !inner.is_empty() || self.is_section(&name) => {
                    self.walk(&name, inner)?;
                }
                _ => return Err(self.unknown(name)),
            }
        }
        Ok(())
    }

    fn text(&self, setting: &Setting, value: Value) -> Result<String, SettingsError> {
        match value {
            Value::String(text) => Ok(text),
            Value::Table(_) => Err(self.bad_value(setting, "a section")),
            Value::Array(list) => {
                let text = list_text(setting.kind, &list);
                text.ok_or_else(|| self.bad_value(setting, "a list"))
            }
            other if setting.kind.is_text() => Err(self.bad_value(setting, &other.to_string())),
            other => Ok(other.to_string()),
        }
    }

    fn is_section(&self, name: &str) -> bool {
        self.table.iter().any(|setting| setting.section_and_key().0 == name)
    }

    fn bad_value(&self, setting: &Setting, value: &str) -> SettingsError {
        SettingsError::bad_value(setting, value, Source::File(self.file.to_owned()))
    }

    fn unknown(&self, key: String) -> SettingsError {
        let nearest = nearest(&key, self.table).map_or("", |setting| setting.name);
        SettingsError::UnknownKey { file: self.file.to_owned(), key, nearest }
    }
}

/// A list as the text that stands for it elsewhere.
fn list_text(kind: Kind, list: &[Value]) -> Option<String> {
    match kind {
        Kind::Words => {
            list.iter().map(Value::as_str).collect::<Option<Vec<_>>>().map(|words| words.join(", "))
        }
        Kind::Tables => serde_json::to_string(list).ok(),
        _ => None,
    }
}

/// A key as a file writes it, so that `"server.listen"` in quotes is not taken for `listen` in `[server]`.
fn quoted(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { key.to_owned() } else { Value::from(key).to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::table::SETTINGS;
    use super::*;

    fn read_text(text: &str) -> Result<Vec<(&'static str, String)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        fs::write(&file, text).unwrap();
        match read(&file, SETTINGS) {
            Ok(found) => Ok(found.into_iter().map(|(setting, value)| (setting.name, value)).collect()),
            Err(e) => Err(e.to_string().replace(&file.display().to_string(), NAME)),
        }
    }

    #[test]
    fn keys_may_stand_in_sections_or_be_dotted() {
        let expected = Ok(vec![("log.level", "debug".to_owned()), ("store.readers", "2".to_owned())]);
        assert_eq!(read_text("[store]\nreaders = 2\n[log]\nlevel = \"debug\""), expected);
        assert_eq!(read_text("store.readers = 2\nlog.level = \"debug\""), expected);
        assert_eq!(read_text("[server]\n"), Ok(vec![]));
    }

    #[test]
    fn numbers_switches_and_times_need_no_quotes() {
        let text = "[upkeep]\nenabled = false\nnight = 04:30:00\n[store]\nmax_bytes = 1_000_000";
        let expected =
            [("store.max_bytes", "1000000"), ("upkeep.enabled", "false"), ("upkeep.night", "04:30:00")];
        assert_eq!(read_text(text), Ok(expected.map(|(name, value)| (name, value.to_owned())).into()));
    }

    #[test]
    fn an_unknown_key_names_the_file_the_key_and_the_nearest() {
        let table = [
            ("[server]\nlisen = 1", "server.lisen", "server.listen"),
            ("[sever]\nlisten = 1", "sever.listen", "server.listen"),
            ("listen = 1", "listen", "server.listen"),
            ("\"server.listen\" = 1", "\"server.listen\"", "server.listen"),
            ("server = 1", "server", "server.listen"),
            ("[logs]", "logs", "log.level"),
        ];
        for (text, key, nearest) in table {
            let error = read_text(text).unwrap_err();
            let start = format!("file memoir.toml: no setting {key}; did you mean {nearest}? ");
            assert!(error.starts_with(&start), "{error}");
        }
    }

    #[test]
    fn a_value_of_the_wrong_type_names_the_file_and_what_is_allowed() {
        let table = [
            ("data.dir = 5", "data.dir is 5 (file memoir.toml) but must be a path, in quotes in a file"),
            (
                "store.readers = [1]",
                "store.readers is a list (file memoir.toml) but must be a whole number from 1 to 64",
            ),
            (
                "[jobs.workers]\nx = 1",
                "jobs.workers is a section (file memoir.toml) but must be a whole number from 1 to 256",
            ),
        ];
        for (text, message) in table {
            assert_eq!(read_text(text), Err(message.to_owned()));
        }
    }

    #[test]
    fn a_file_that_is_not_toml_names_the_line_without_quoting_it() {
        let error = read_text("[log]\nlevel = \"info\"\nformat = hush-hush\n").unwrap_err();
        assert!(error.starts_with("file memoir.toml, line 3, is not TOML: "), "{error}");
        assert!(!error.contains("hush-hush"), "{error}");
    }

    #[test]
    fn the_file_asked_for_wins_over_the_one_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(find_file(None, folder.path()), None);
        let here = folder.path().join(NAME);
        fs::write(&here, "").unwrap();
        assert_eq!(find_file(None, folder.path()), Some(here));
        assert_eq!(find_file(Some("other.toml".into()), folder.path()), Some("other.toml".into()));
    }

    #[test]
    fn a_file_that_was_asked_for_must_exist() {
        let error = read(Path::new("/nowhere/memoir.toml"), SETTINGS).unwrap_err().to_string();
        assert!(error.starts_with("cannot read the settings file /nowhere/memoir.toml: "), "{error}");
    }
}
