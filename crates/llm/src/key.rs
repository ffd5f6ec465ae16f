use secrecy::SecretString;
use serde::Serialize;
use std::path::PathBuf;

use crate::kind::Quirks;
use crate::{ConfigError, ProviderConfig};

/// Where a provider's key comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "from", content = "name")]
pub enum KeyOrigin {
    /// The environment variable of this name.
    Environment(String),
    /// This file.
    File(PathBuf),
    /// None is needed.
    NotNeeded,
    /// None was found in the environment variable or file of this name, so the provider is skipped.
    Missing(String),
}

/// A provider's key, and where it comes from.
pub(crate) struct Key {
    pub(crate) secret: Option<SecretString>,
    pub(crate) origin: KeyOrigin,
}

impl Key {
    /// Looks for the key: in the file or the variable that is set, else in the variable that the kind usually has.
    pub(crate) fn find(
        config: &ProviderConfig,
        quirks: &Quirks,
        setting: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let (name, origin, text) = match (&config.key_file, &config.key_env) {
            (Some(_), Some(_)) => {
                return Err(ConfigError::new(setting, "set key_env or key_file, not both"));
            }
            (Some(file), None) => {
                let text = std::fs::read_to_string(file).ok();
                (file.display().to_string(), KeyOrigin::File(file.clone()), text)
            }
            (None, set) => {
                let name = set.as_deref().unwrap_or(quirks.key_env);
                if name.is_empty() {
                    return Ok(Key { secret: None, origin: KeyOrigin::NotNeeded });
                }
                (name.to_owned(), KeyOrigin::Environment(name.to_owned()), variable(name))
            }
        };
        let Some(text) = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) else {
            let needs_none = quirks.key_env.is_empty() && quirks.kind != crate::ProviderKind::Other;
            let origin = if needs_none { KeyOrigin::NotNeeded } else { KeyOrigin::Missing(name) };
            return Ok(Key { secret: None, origin });
        };
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            let remedy =
                format!("the key in {name} has characters that no key has; is it more than one line?");
            return Err(ConfigError::new(setting, remedy));
        }
        Ok(Key { secret: Some(text.into()), origin })
    }

    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.origin, KeyOrigin::Missing(_))
    }
}
