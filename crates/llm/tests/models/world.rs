//! Two providers on one fake server, `first` with the model `m1` and `second` with `m2`.

use jiff::Timestamp;
use memoir_egress::{Client, Policy};
use memoir_llm::{Answer, CompletionRequest, Message, Registry, RegistryConfig, Reply, Surroundings, Task};
use memoir_model::TenantId;
use memoir_testkit::FakeModels;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The key of both providers.
pub(crate) const KEY: &str = "sk-live-0123456789abcdefKEY";

/// A fake server, a registry that knows it, and a clock that moves only when told to.
pub(crate) struct World {
    pub(crate) models: FakeModels,
    pub(crate) registry: Registry,
    seconds: Arc<AtomicI64>,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with("", "").await
    }

    /// With these further lines for the first provider and for everything.
    pub(crate) async fn with(first: &str, general: &str) -> Self {
        let models = FakeModels::start().await;
        let url = models.url();
        let config = format!(
            r#"
            {general}
            [roles]
            chat = ["first:m1", "second:m2"]
            summary = ["first:m1", "second:m2"]
            extract = ["first:m1", "second:m2"]
            [[providers]]
            name = "first"
            kind = "openai"
            base_url = "{url}"
            {first}
            [[providers]]
            name = "second"
            kind = "openai"
            base_url = "{url}"
            "#
        );
        Self::build(models, &config)
    }

    /// With this configuration.
    pub(crate) fn build(models: FakeModels, config: &str) -> Self {
        let config: RegistryConfig = toml::from_str(config).unwrap();
        let seconds = Arc::new(AtomicI64::new(1_800_000_000));
        let shown = seconds.clone();
        let surroundings = Surroundings {
            client: Client::new(Policy::Any),
            now: Arc::new(move || Timestamp::from_second(shown.load(Ordering::SeqCst)).unwrap()),
            variable: &|name| (name != "UNSET").then(|| KEY.to_owned()),
        };
        let registry = Registry::new(&config, &surroundings).unwrap();
        World { models, registry, seconds }
    }

    pub(crate) fn advance(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }
}

pub(crate) fn tenant(name: &str) -> TenantId {
    TenantId::new(name).unwrap()
}

/// A question without more to it.
pub(crate) fn question(text: &str) -> Task {
    Task::new(tenant("acme"), CompletionRequest::new(vec![Message::user(text)]))
}

/// The reply in an answer.
pub(crate) fn given(answer: Answer) -> Reply {
    match answer {
        Answer::Given(reply) => reply,
        Answer::Nothing => panic!("nothing was worth remembering"),
    }
}
