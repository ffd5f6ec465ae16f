use serde::Serialize;
use std::sync::Arc;
use tokio::time::Instant;

use crate::endpoint::Endpoint;
use crate::provider::Provider;
use crate::{CompletionRequest, Message, Reason, Registry, Role, wire};

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeTarget<'a> {
    /// Every model of a role.
    Role(Role),
    /// Every model of a provider that a role uses; its list of models if none does.
    Provider(&'a str),
}

/// One round trip.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probe {
    /// The provider's name.
    pub provider: String,
    /// The model; empty where only the list of models was asked for.
    pub model: String,
    /// How long it took.
    pub milliseconds: u64,
    /// Why there was no answer.
    pub failure: Option<Reason>,
}

impl Registry {
    /// Asks each model one short question, or the server for its models, and says how long that took. Neither limits nor
    /// breakers apply, and no other model takes over.
    pub async fn probe(&self, target: ProbeTarget<'_>) -> Vec<Probe> {
        let mut endpoints: Vec<Arc<Endpoint>> = Vec::new();
        for (role, chain) in &self.inner.chains {
            let wanted = |endpoint: &&Arc<Endpoint>| match target {
                ProbeTarget::Role(wanted) => wanted == *role,
                ProbeTarget::Provider(name) => endpoint.provider.name == name,
            };
            for endpoint in chain.iter().filter(wanted) {
                if !endpoints.iter().any(|known| Arc::ptr_eq(known, endpoint)) {
                    endpoints.push(endpoint.clone());
                }
            }
        }
        if let (ProbeTarget::Provider(name), []) = (target, endpoints.as_slice()) {
            return match self.inner.providers.get(name) {
                Some(provider) => vec![probe(provider, "", list(provider)).await],
                None => Vec::new(),
            };
        }
        let mut probes = Vec::new();
        for endpoint in endpoints {
            probes.push(probe(&endpoint.provider, &endpoint.model, greet(&endpoint)).await);
        }
        probes
    }
}

async fn probe(provider: &Provider, model: &str, trip: impl Future<Output = Result<(), Reason>>) -> Probe {
    let begun = Instant::now();
    let failure = if provider.is_available() { trip.await.err() } else { Some(Reason::NoKey) };
    Probe {
        provider: provider.name.clone(),
        model: model.to_owned(),
        milliseconds: begun.elapsed().as_millis() as u64,
        failure,
    }
}

async fn greet(endpoint: &Endpoint) -> Result<(), Reason> {
    let request = CompletionRequest {
        max_tokens: Some(16),
        ..CompletionRequest::new(vec![Message::user("Reply with the single word: ok")])
    };
    endpoint.complete(&request, Instant::now() + endpoint.provider.timeout).await.map(drop)
}

async fn list(provider: &Provider) -> Result<(), Reason> {
    let response = provider.client.send(provider.models().within(provider.timeout)).await?;
    if !response.status.is_success() {
        return Err(Reason::of_status(response.status.as_u16(), None));
    }
    wire::model_ids(&response.body).map(drop).ok_or(Reason::Broken)
}
