//! The embedder that the settings name.

use anyhow::Context;
use memoir_egress::{Client, Policy, Request};
use memoir_embed::{
    Embedder, LocalEmbedder, LocalOptions, Precision, RemoteEmbedder, RemoteOptions, SUGGESTED, Thresholds,
};
use memoir_engine::Embedders;
use secrecy::SecretString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::reranking;
use crate::settings::{self, EmbedderKind, Settings};

/// What finds by meaning, if anything does.
pub(crate) struct Chosen {
    pub(crate) current: Option<Arc<dyn Embedder>>,
    earlier: Vec<Arc<dyn Embedder>>,
    /// What it is, or why there is none, for people.
    pub(crate) told: String,
}

impl Chosen {
    fn none(why: impl Into<String>) -> Self {
        Chosen { current: None, earlier: Vec::new(), told: why.into() }
    }

    /// For the engine.
    pub(crate) fn into_embedders(self) -> anyhow::Result<Embedders> {
        Ok(match self.current {
            Some(current) => Embedders::new(current, self.earlier)?,
            None => Embedders::none(),
        })
    }
}

/// Where pulled models are.
pub(crate) fn folder(settings: &Settings) -> PathBuf {
    settings.data.dir.join("models")
}

/// The models that were pulled, in the order of their names.
pub(crate) fn pulled(settings: &Settings) -> Vec<String> {
    let entries = std::fs::read_dir(folder(settings)).into_iter().flatten().flatten();
    let whole = |path: &Path| path.join("model.safetensors").is_file() && path.join("config.json").is_file();
    let mut names: Vec<String> = entries
        .filter(|entry| whole(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.ends_with(".partial"))
        .collect();
    names.sort();
    names
}

/// Those of them that are embedders.
fn embedders(settings: &Settings) -> Vec<String> {
    let mut names = pulled(settings);
    names.retain(|name| !reranking::is_reranker(&folder(settings).join(name)));
    names
}

/// Loads or connects what the settings name.
pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Chosen> {
    let asked = &settings.embedder;
    let mut chosen = match asked.kind {
        EmbedderKind::None => Chosen::none("off (embedder.kind = none): search is lexical"),
        EmbedderKind::Auto if asked.model.is_empty() => match automatic(&embedders(settings)) {
            Some(name) => local(settings, &name).await?,
            None => {
                Chosen::none("off: search is lexical; `memoir models pull` fetches a model that runs here")
            }
        },
        EmbedderKind::Auto | EmbedderKind::Local => {
            anyhow::ensure!(!asked.model.is_empty(), "embedder.kind is local; name one with embedder.model");
            local(settings, &asked.model).await?
        }
        EmbedderKind::OpenAi => remote(settings).await?,
    };
    if chosen.current.is_some() && !asked.previous.is_empty() {
        let previous = load(settings, &asked.previous).await.context("embedder.previous")?;
        chosen.earlier.push(Arc::new(previous));
    }
    Ok(chosen)
}

/// The suggested one if it is there, else the first.
fn automatic(pulled: &[String]) -> Option<String> {
    pulled.iter().find(|name| *name == SUGGESTED).or(pulled.first()).cloned()
}

async fn local(settings: &Settings, model: &str) -> anyhow::Result<Chosen> {
    let embedder = load(settings, model).await?;
    let recipe = embedder.recipe();
    let precision = match settings.embedder.precision {
        settings::Precision::Int8 => "int8",
        settings::Precision::F32 => "f32",
    };
    let told = format!(
        "{} (runs here: {} numbers, {precision}, {} threads, {})",
        recipe.model,
        recipe.dimension,
        options(settings).threads,
        options(settings).level.name(),
    );
    Ok(Chosen { current: Some(Arc::new(embedder)), earlier: Vec::new(), told })
}

/// Loads a model to see that it can be loaded, and says what it is.
pub(crate) async fn check(settings: &Settings, model: &str) -> anyhow::Result<String> {
    Ok(local(settings, model).await?.told)
}

pub(crate) fn options(settings: &Settings) -> LocalOptions {
    let usual = LocalOptions::default();
    LocalOptions {
        precision: match settings.embedder.precision {
            settings::Precision::Int8 => Precision::Int8,
            settings::Precision::F32 => Precision::F32,
        },
        threads: NonZeroUsize::new(settings.embedder.threads).unwrap_or(usual.threads),
        ..usual
    }
}

/// Where a model is: a name is one of a pulled model; anything with a slash is a folder. `another` is one that can be
/// pulled if the folder is not there.
pub(crate) fn place(settings: &Settings, model: &str, another: &str) -> anyhow::Result<PathBuf> {
    let is_path = model.contains(['/', '\\']) || model.starts_with('.');
    let path = if is_path { PathBuf::from(model) } else { folder(settings).join(model) };
    anyhow::ensure!(
        path.is_dir(),
        "there is no model at {}; `memoir models pull {}` fetches one",
        path.display(),
        if is_path { another } else { model },
    );
    Ok(path)
}

async fn load(settings: &Settings, model: &str) -> anyhow::Result<LocalEmbedder> {
    let path = place(settings, model, SUGGESTED)?;
    let options = options(settings);
    let shown = path.display().to_string();
    let opened = tokio::task::spawn_blocking(move || LocalEmbedder::open(&path, &options)).await?;
    opened.with_context(|| format!("the model at {shown}"))
}

async fn remote(settings: &Settings) -> anyhow::Result<Chosen> {
    let asked = &settings.embedder;
    anyhow::ensure!(!asked.model.is_empty(), "embedder.kind is openai; name its model with embedder.model");
    let base_url = Request::url(&asked.base_url).context("embedder.base_url")?;
    let key = key(&asked.key_env, &asked.key_file).context("embedder.key_file")?;
    let host = base_url.host_str().unwrap_or_default().to_owned();
    let is_openai = host.ends_with("openai.com");
    if key.is_none() && is_openai {
        return Ok(Chosen::none(format!("off: {host} wants a key and {} is not set", asked.key_env)));
    }
    let options = RemoteOptions {
        base_url,
        model: asked.model.clone(),
        key,
        dimension: (asked.dimensions > 0).then_some(asked.dimensions),
        timeout: asked.timeout,
        batch: asked.batch,
        query_prefix: asked.query_prefix.clone(),
        document_prefix: asked.document_prefix.clone(),
    };
    let embedder = RemoteEmbedder::connect(Client::new(Policy::Any), options).await.with_context(|| {
        format!(
            "{host} could not be asked how long the vectors of {} are; set embedder.dimensions",
            asked.model
        )
    })?;
    let told = format!("{} at {host} ({} numbers)", asked.model, embedder.recipe().dimension);
    Ok(Chosen { current: Some(Arc::new(embedder)), earlier: Vec::new(), told })
}

/// A key from a file, else from a variable of the environment; empty ones are none.
pub(crate) fn key(variable: &str, file: &str) -> anyhow::Result<Option<SecretString>> {
    let text = if file.is_empty() {
        std::env::var(variable).unwrap_or_default()
    } else {
        std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?
    };
    let text = text.trim();
    Ok((!text.is_empty()).then(|| SecretString::from(text.to_owned())))
}

/// What the cosines of an embedder mean.
pub(crate) fn thresholds(embedder: &dyn Embedder) -> Thresholds {
    Thresholds::of_model(&embedder.recipe().model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suggested_model_is_preferred_to_the_first() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(automatic(&[]), None);
        assert_eq!(automatic(&names(&["a", "b"])).as_deref(), Some("a"));
        assert_eq!(automatic(&names(&["a", SUGGESTED])).as_deref(), Some(SUGGESTED));
    }
}
