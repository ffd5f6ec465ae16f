use serde::Serialize;

use crate::{BreakerState, JsonMode, KeyOrigin, ProviderKind, Registry, Role};

/// A role and its models, for people to look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleDescription {
    /// The role.
    pub role: Role,
    /// Its models, in the order in which they are asked.
    pub chain: Vec<LinkDescription>,
}

/// A model in a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkDescription {
    /// The provider's name.
    pub provider: String,
    /// Which server it is.
    pub kind: ProviderKind,
    /// The model.
    pub model: String,
    /// Where it is.
    pub base_url: String,
    /// Where its key comes from. Never the key.
    pub key: KeyOrigin,
    /// Whether it is left alone for a while.
    pub breaker: BreakerState,
    /// How it is asked for JSON, as far as is known by now.
    pub json: JsonMode,
}

impl Registry {
    /// Every role with its chain, which providers have a key and from where, and how they do.
    pub fn describe(&self) -> Vec<RoleDescription> {
        let now = (self.inner.now.0)();
        let link = |endpoint: &std::sync::Arc<crate::endpoint::Endpoint>| LinkDescription {
            provider: endpoint.provider.name.clone(),
            kind: endpoint.provider.kind,
            model: endpoint.model.clone(),
            base_url: endpoint.provider.base.to_string(),
            key: endpoint.provider.key_origin().clone(),
            breaker: endpoint.provider.breaker.state(now),
            json: endpoint.json_mode(),
        };
        Role::ALL
            .into_iter()
            .map(|role| RoleDescription { role, chain: self.chain(role).iter().map(link).collect() })
            .collect()
    }
}
