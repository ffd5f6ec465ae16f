//! The models that the settings name, the language models above all.

use memoir_engine::Models;
use memoir_llm::{Registry, RegistryConfig, Surroundings};
use serde_json::json;

use crate::settings::Settings;
use crate::{embedding, reranking};

/// All of them, for an engine.
pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Models> {
    Ok(Models {
        embedders: embedding::open(settings).await?.into_embedders()?,
        registry: Some(registry(settings)?),
        reranker: reranking::open(settings).await?.current,
    })
}

/// The registry of models; the error names the setting that is wrong.
pub(crate) fn registry(settings: &Settings) -> anyhow::Result<Registry> {
    let models = &settings.models;
    let config = json!({
        "roles": {
            "chat": models.chat, "summary": models.summary, "extract": models.extract, "judge": models.judge,
            "route": models.route,
        },
        "providers": models.providers,
        "mask": { "kinds": models.mask, "extra": models.mask_patterns },
        "daily_tokens": (models.daily_tokens > 0).then_some(models.daily_tokens),
        "cache_bytes": models.cache_bytes,
    });
    let config: RegistryConfig = serde_path_to_error::deserialize(config).map_err(|error| {
        anyhow::anyhow!("{}: {}", setting(&format!("models.{}", error.path())), error.inner())
    })?;
    Registry::new(&config, &Surroundings::real())
        .map_err(|error| anyhow::anyhow!("{}: {}", setting(&error.setting), error.remedy))
}

/// The name of a setting as our table has it, from the place in the registry's configuration.
fn setting(place: &str) -> String {
    place
        .replace("models.roles.", "models.")
        .replace("models.mask.kinds", "models.mask")
        .replace("models.mask.extra", "models.mask_patterns")
}
