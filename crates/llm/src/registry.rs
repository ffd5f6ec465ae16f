use memoir_egress::{Client, Policy};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::cache::AnswerCache;
use crate::clock::{Now, system_clock};
use crate::daily::DailyTokens;
use crate::endpoint::Endpoint;
use crate::provider::Provider;
use crate::{ConfigError, Masker, ModelName, ProviderConfig, ProviderKind, RegistryConfig, Role};

/// The models that can be asked, by role. Clones are the same registry.
#[derive(Debug, Clone)]
pub struct Registry {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) providers: BTreeMap<String, Arc<Provider>>,
    pub(crate) chains: BTreeMap<Role, Vec<Arc<Endpoint>>>,
    pub(crate) masker: Masker,
    pub(crate) daily: DailyTokens,
    pub(crate) cache: Option<AnswerCache>,
    pub(crate) now: ReadClock,
}

/// A clock that can be part of what is printed.
pub(crate) struct ReadClock(pub(crate) Now);

impl std::fmt::Debug for ReadClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a clock")
    }
}

/// What a registry needs of the world around it.
pub struct Surroundings<'a> {
    /// The way out.
    pub client: Client,
    /// The time.
    pub now: Now,
    /// The environment, where keys are looked for.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Surroundings<'static> {
    /// The real ones.
    pub fn real() -> Self {
        let variable = &|name: &str| std::env::var(name).ok();
        Surroundings { client: Client::new(Policy::Any), now: system_clock(), variable }
    }
}

impl Registry {
    /// Builds the registry; the error names the setting that is wrong. A provider whose key is missing is not an error:
    /// it is skipped.
    pub fn new(config: &RegistryConfig, surroundings: &Surroundings<'_>) -> Result<Self, ConfigError> {
        let Surroundings { client, now, variable } = surroundings;
        let mut providers = BTreeMap::new();
        for (at, config) in config.providers.iter().enumerate() {
            let setting = format!("models.providers[{at}].name");
            if config.name.is_empty() || config.name.contains(':') {
                return Err(ConfigError::new(setting, "must be a name without colons"));
            }
            let provider = Provider::new(config, client.clone(), now.clone(), variable)?;
            if providers.insert(config.name.clone(), Arc::new(provider)).is_some() {
                return Err(ConfigError::new(setting, format!("{} is there twice", config.name)));
            }
        }
        let mut endpoints: HashMap<ModelName, Arc<Endpoint>> = HashMap::new();
        let mut chains = BTreeMap::new();
        for role in Role::ALL {
            let mut chain = Vec::new();
            for name in config.roles.chain(role) {
                let endpoint = match endpoints.get(name) {
                    Some(endpoint) => endpoint.clone(),
                    None => {
                        let provider = match providers.get(&name.provider) {
                            Some(provider) => Arc::clone(provider),
                            None => {
                                let usual = usual_provider(role, name)?;
                                let provider = Provider::new(&usual, client.clone(), now.clone(), variable)?;
                                let provider = Arc::new(provider);
                                providers.insert(usual.name, provider.clone());
                                provider
                            }
                        };
                        let endpoint = Arc::new(Endpoint::new(provider, name.model.clone()));
                        endpoints.insert(name.clone(), endpoint.clone());
                        endpoint
                    }
                };
                chain.push(endpoint);
            }
            chains.insert(role, chain);
        }
        let inner = Inner {
            providers,
            chains,
            masker: Masker::new(&config.mask)?,
            daily: DailyTokens::new(config.daily_tokens),
            cache: (config.cache_bytes > 0).then(|| AnswerCache::new(config.cache_bytes)),
            now: ReadClock(now.clone()),
        };
        Ok(Registry { inner: Arc::new(inner) })
    }

    /// Whether a role has a model that can be asked. If not, its asker need not try.
    pub fn has(&self, role: Role) -> bool {
        self.chain(role).iter().any(|endpoint| endpoint.provider.is_available())
    }

    /// The models that people may choose from: those of the chat role that have a key.
    pub fn public_models(&self) -> Vec<ModelName> {
        let available = self.chain(Role::Chat).iter().filter(|endpoint| endpoint.provider.is_available());
        available
            .map(|endpoint| ModelName {
                provider: endpoint.provider.name.clone(),
                model: endpoint.model.clone(),
            })
            .collect()
    }

    pub(crate) fn chain(&self, role: Role) -> &[Arc<Endpoint>] {
        self.inner.chains.get(&role).map_or(&[], Vec::as_slice)
    }
}

/// The provider that a chain names without anything having been said about it.
fn usual_provider(role: Role, name: &ModelName) -> Result<ProviderConfig, ConfigError> {
    if ProviderKind::named(&name.provider).is_none() {
        let remedy = format!("there is no provider {}; add it under [[models.providers]]", name.provider);
        return Err(ConfigError::new(format!("models.roles.{role}"), remedy));
    }
    Ok(ProviderConfig { name: name.provider.clone(), ..ProviderConfig::default() })
}
