//! What can be set, as it stands under `[models]` in the settings file.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::{JsonMode, MaskConfig, ProviderKind, Role, TokenField};

/// Everything about models that can be set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RegistryConfig {
    /// Which models each role asks, the first one first.
    pub roles: RolesConfig,
    /// The providers that need more said about them than their name.
    pub providers: Vec<ProviderConfig>,
    /// What is masked before a prompt leaves.
    pub mask: MaskConfig,
    /// How many tokens a tenant may use in a day (UTC) on this node; no limit if unset.
    pub daily_tokens: Option<u64>,
    /// How many bytes of repeatable answers are remembered; 0 for none.
    pub cache_bytes: u64,
}

impl Default for RegistryConfig {
    fn default() -> Self {
        RegistryConfig {
            roles: RolesConfig::default(),
            providers: Vec::new(),
            mask: MaskConfig::default(),
            daily_tokens: None,
            cache_bytes: 16 << 20,
        }
    }
}

/// The chain of each role, as `"provider:model"`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the role of its name")]
pub struct RolesConfig {
    pub chat: Vec<ModelName>,
    #[serde(alias = "memory-summary-model")]
    pub summary: Vec<ModelName>,
    pub extract: Vec<ModelName>,
    pub judge: Vec<ModelName>,
    pub route: Vec<ModelName>,
}

impl RolesConfig {
    /// The chain of a role.
    pub fn chain(&self, role: Role) -> &[ModelName] {
        match role {
            Role::Chat => &self.chat,
            Role::Summary => &self.summary,
            Role::Extract => &self.extract,
            Role::Judge => &self.judge,
            Role::Route => &self.route,
        }
    }
}

/// A model of a provider, written `provider:model`. The model's own name may contain colons.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelName {
    /// The provider's name.
    pub provider: String,
    /// The model, as the provider calls it.
    pub model: String,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}

impl<'de> Deserialize<'de> for ModelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.split_once(':') {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(ModelName { provider: provider.to_owned(), model: model.to_owned() })
            }
            _ => Err(serde::de::Error::custom("must be \"provider:model\", as in \"ollama:qwen3:8b\"")),
        }
    }
}

/// A provider. Its kind says what is not set here.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProviderConfig {
    /// What the chains call it.
    pub name: String,
    /// Which server it is; the kind of its name if unset.
    pub kind: Option<ProviderKind>,
    /// Where it is, up to and including `/v1`; for Azure the resource, as in `https://NAME.openai.azure.com`.
    pub base_url: Option<String>,
    /// The environment variable that holds its key.
    pub key_env: Option<String>,
    /// The file that holds its key.
    pub key_file: Option<PathBuf>,
    /// Azure's `api-version`.
    pub api_version: Option<String>,
    /// How long it may take to answer, all retries included; in a stream, to begin and to pause.
    #[serde(deserialize_with = "duration")]
    pub timeout: Duration,
    /// How long a stream may last.
    #[serde(deserialize_with = "duration")]
    pub stream_timeout: Duration,
    /// How many calls it gets at the same time.
    pub concurrency: usize,
    /// How many tokens it gets in a minute; no limit if unset.
    pub tokens_per_minute: Option<u64>,
    /// Whether personal data and secrets are masked before a prompt goes to it.
    pub mask: bool,
    /// Where it differs from its kind.
    pub quirks: QuirksConfig,
    /// Further fields of every request, as the server wants them.
    pub extra: Map<String, Value>,
}

impl Default for ProviderConfig {
    fn default() -> Self {
        ProviderConfig {
            name: String::new(),
            kind: None,
            base_url: None,
            key_env: None,
            key_file: None,
            api_version: None,
            timeout: Duration::from_secs(15),
            stream_timeout: Duration::from_secs(300),
            concurrency: 8,
            tokens_per_minute: None,
            mask: true,
            quirks: QuirksConfig::default(),
            extra: Map::new(),
        }
    }
}

/// Where a provider differs from its kind. What is unset is guessed, and corrected by what the server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuirksConfig {
    /// How it is asked for JSON.
    pub json: Option<JsonMode>,
    /// By which field an answer is limited.
    pub token_field: Option<TokenField>,
    /// Whether a stream may be asked what it cost.
    pub stream_usage: Option<bool>,
    /// Whether it knows `parallel_tool_calls`.
    pub parallel_tool_calls: Option<bool>,
}

/// A length of time, as `"500ms"`, `"15s"`, `"2m"`.
fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    let span: Option<jiff::SignedDuration> = text.parse().ok();
    span.and_then(|span| Duration::try_from(span).ok())
        .filter(|span| !span.is_zero())
        .ok_or_else(|| serde::de::Error::custom("must be a length of time such as \"500ms\" or \"15s\""))
}

/// What is wrong with what was set. Names the setting and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {remedy}")]
pub struct ConfigError {
    /// Which setting.
    pub setting: String,
    /// What to do.
    pub remedy: String,
}

impl ConfigError {
    pub(crate) fn new(setting: impl Into<String>, remedy: impl Into<String>) -> Self {
        ConfigError { setting: setting.into(), remedy: remedy.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        models: RegistryConfig,
    }

    fn read(text: &str) -> Result<RegistryConfig, String> {
        toml::from_str::<File>(text).map(|file| file.models).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_chain_may_be_all_there_is() {
        let config =
            read("[models.roles]\nsummary = [\"openrouter:google/gemma-3-12b-it\", \"ollama:qwen3:8b\"]");
        let names: Vec<String> =
            config.unwrap().roles.chain(Role::Summary).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["openrouter:google/gemma-3-12b-it", "ollama:qwen3:8b"]);
    }

    #[test]
    fn everything_can_be_set() {
        let config = read(
            r#"
            [models]
            daily_tokens = 2_000_000
            cache_bytes = 1_000_000

            [models.roles]
            memory-summary-model = ["work:gpt-4o"]

            [models.mask]
            kinds = ["phone", "email"]
            extra = [{ name = "badge", pattern = "EMP-[0-9]{6}" }]

            [[models.providers]]
            name = "work"
            kind = "azure"
            base_url = "https://work.openai.azure.com"
            key_file = "/run/secrets/azure"
            api_version = "2024-10-21"
            timeout = "20s"
            concurrency = 4
            tokens_per_minute = 100_000
            mask = false
            quirks = { json = "object", token_field = "max_tokens" }
            extra = { enable_thinking = false }
            "#,
        )
        .unwrap();
        assert_eq!(config.roles.summary[0].model, "gpt-4o");
        let provider = &config.providers[0];
        assert_eq!(provider.timeout, Duration::from_secs(20));
        assert_eq!(provider.kind, Some(ProviderKind::Azure));
        assert_eq!(provider.quirks.json, Some(JsonMode::Object));
        assert_eq!(provider.extra["enable_thinking"], false);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let table = [
            ("[models.roles]\nchat = [\"gpt-4o\"]", "must be \"provider:model\""),
            ("[[models.providers]]\nname = \"a\"\ntimeout = \"0s\"", "must be a length of time"),
            ("[[models.providers]]\nname = \"a\"\nkey = \"sk-1\"", "unknown field `key`"),
            ("[models.roles]\nsummary = []\nmemory-summary-model = []", "duplicate field `summary`"),
        ];
        for (text, part) in table {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
