//! The reranker that the settings name.

use anyhow::Context;
use memoir_egress::{Client, Policy, Request};
use memoir_embed::{LocalReranker, RemoteReranker, Reranker, RerankerOptions};
use std::path::Path;
use std::sync::Arc;

use crate::embedding;
use crate::settings::{RerankerKind, Settings};

/// One that can be pulled.
const EXAMPLE: &str = "cross-encoder/ms-marco-MiniLM-L6-v2";
/// How many texts a server gets at once: all that a recall has looked at again.
const BATCH: usize = 64;

/// What looks again at the best of a recall, if anything does.
pub(crate) struct Chosen {
    pub(crate) current: Option<Arc<dyn Reranker>>,
    /// What it is, or why there is none, for people.
    pub(crate) told: String,
}

/// Loads or connects what the settings name.
pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Chosen> {
    let asked = &settings.reranker;
    if asked.kind == RerankerKind::None {
        return Ok(Chosen { current: None, told: "off (reranker.kind = none)".to_owned() });
    }
    let kind = if asked.kind == RerankerKind::Local { "local" } else { "remote" };
    anyhow::ensure!(!asked.model.is_empty(), "reranker.kind is {kind}; name its model with reranker.model");
    match asked.kind {
        RerankerKind::Local => local(settings, &asked.model).await,
        _ => remote(settings),
    }
}

async fn local(settings: &Settings, model: &str) -> anyhow::Result<Chosen> {
    let path = embedding::place(settings, model, EXAMPLE).context("reranker.model")?;
    let options = embedding::options(settings);
    let (threads, level) = (options.threads, options.level);
    let shown = path.display().to_string();
    let opened = tokio::task::spawn_blocking(move || LocalReranker::open(&path, &options)).await?;
    let reranker = opened.with_context(|| format!("reranker.model: the model at {shown}"))?;
    let told = format!("{} (runs here: {threads} threads, {})", reranker.name(), level.name());
    Ok(Chosen { current: Some(Arc::new(reranker)), told })
}

/// Loads a model to see that it can be loaded, and says what it is.
pub(crate) async fn check(settings: &Settings, model: &str) -> anyhow::Result<String> {
    Ok(local(settings, model).await?.told)
}

fn remote(settings: &Settings) -> anyhow::Result<Chosen> {
    let asked = &settings.reranker;
    let base_url = Request::url(&asked.base_url).context("reranker.base_url")?;
    let key = embedding::key(&asked.key_env, &asked.key_file).context("reranker.key_file")?;
    let host = base_url.host_str().unwrap_or_default().to_owned();
    let wants_key = ["jina.ai", "cohere.com", "cohere.ai"].iter().any(|known| host.ends_with(known));
    if key.is_none() && wants_key {
        let told = format!("off: {host} wants a key and {} is not set", asked.key_env);
        return Ok(Chosen { current: None, told });
    }
    let options =
        RerankerOptions { base_url, model: asked.model.clone(), key, timeout: asked.timeout, batch: BATCH };
    let reranker = RemoteReranker::new(Client::new(Policy::Any), options);
    Ok(Chosen { current: Some(Arc::new(reranker)), told: format!("{} at {host}", asked.model) })
}

/// Whether the model in a folder judges pairs of texts: then it makes no vectors.
pub(crate) fn is_reranker(folder: &Path) -> bool {
    let text = std::fs::read_to_string(folder.join("config.json")).unwrap_or_default();
    let config: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let names = config["architectures"].as_array().into_iter().flatten().filter_map(|name| name.as_str());
    names.into_iter().any(|name| name.ends_with("ForSequenceClassification"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_judges_pairs_is_told_from_one_that_makes_vectors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_reranker(folder.path()));
        for (config, judges) in [
            (r#"{"architectures": ["BertForSequenceClassification"]}"#, true),
            (r#"{"architectures": ["XLMRobertaForSequenceClassification"]}"#, true),
            (r#"{"architectures": ["BertModel"]}"#, false),
            ("{}", false),
            ("nonsense", false),
        ] {
            std::fs::write(folder.path().join("config.json"), config).unwrap();
            assert_eq!(is_reranker(folder.path()), judges, "{config}");
        }
    }
}
