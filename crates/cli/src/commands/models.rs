use anyhow::Context;
use clap::{Args, Subcommand};
use memoir_egress::{Client, Policy, Request};
use memoir_embed::{Hub, Purpose, SUGGESTED, Thresholds};
use memoir_llm::{KeyOrigin, Probe, ProbeTarget, Role};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Instant;

use crate::output::Output;
use crate::settings::Settings;
use crate::{embedding, models, reranking, wiring};

/// Where models come from unless HF_ENDPOINT says otherwise.
const HUB: &str = "https://huggingface.co";

#[derive(Args)]
pub(crate) struct Models {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show the chain of each role, which providers have a key, the embedder, the reranker, and the models that were pulled.
    List,
    /// Make a live round trip to the models of a role or provider, to the embedder and to the reranker; to all of them when
    /// none is named.
    Test {
        /// A role (chat, summary, extract, judge, route), a provider, embedder, or reranker.
        target: Option<String>,
    },
    /// Fetch a model that runs here into the data folder. HF_ENDPOINT names a mirror, HF_TOKEN opens what is not public.
    Pull {
        /// Its name, or OWNER/NAME on the hub.
        #[arg(default_value = SUGGESTED)]
        name: String,
        /// The branch, tag or commit.
        #[arg(long, default_value = "main")]
        revision: String,
    },
    /// Measure on one's own messages what the cosines of the embedder mean.
    Calibrate {
        /// The tenant whose messages are looked at.
        #[arg(long)]
        tenant: Option<String>,
    },
}

impl Models {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::List => list(settings, output).await,
            Action::Test { target } => test(settings, output, target.as_deref()).await,
            Action::Pull { name, revision } => pull(settings, output, &name, &revision).await,
            Action::Calibrate { tenant } => calibrate(settings, output, tenant.as_deref()).await,
        }
    }
}

async fn list(settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
    let roles = models::registry(settings)?.describe();
    let (told, thresholds) = match embedding::open(settings).await {
        Ok(chosen) => {
            let thresholds = chosen.current.as_ref().map(|embedder| embedding::thresholds(embedder.as_ref()));
            (chosen.told, thresholds)
        }
        Err(error) => (format!("cannot be used: {error:#}"), None),
    };
    let second = match reranking::open(settings).await {
        Ok(chosen) => chosen.told,
        Err(error) => format!("cannot be used: {error:#}"),
    };
    let pulled = embedding::pulled(settings);
    let value = json!({
        "roles": roles, "pulled": pulled,
        "embedder": { "about": told, "thresholds": thresholds.map(shown) },
        "reranker": { "about": second },
    });
    output.result(&value, || {
        let mut text = String::new();
        for role in &roles {
            text.push_str(&format!("{}\n", role.role));
            if role.chain.is_empty() {
                text.push_str("  none: done by rules\n");
            }
            for (place, link) in role.chain.iter().enumerate() {
                let (number, model) = (place + 1, &link.model);
                text.push_str(&format!(
                    "  {number}. {model} at {} ({}, {})\n",
                    link.provider,
                    link.base_url,
                    key(&link.key)
                ));
            }
        }
        text.push_str(&format!("embedder\n  {told}\n"));
        if let Some(Thresholds { related, same }) = thresholds {
            text.push_str(&format!("  related from a cosine of {related:.2}, the same from {same:.2}\n"));
        }
        text.push_str(&format!("reranker\n  {second}\n"));
        let names = if pulled.is_empty() {
            "none; `memoir models pull` fetches one".into()
        } else {
            pulled.join(", ")
        };
        text.push_str(&format!("pulled\n  {names}"));
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Where a key comes from, for people.
fn key(origin: &KeyOrigin) -> String {
    match origin {
        KeyOrigin::Environment(name) => format!("key from {name}"),
        KeyOrigin::File(path) => format!("key from {}", path.display()),
        KeyOrigin::NotNeeded => "no key needed".to_owned(),
        KeyOrigin::Missing(name) => format!("SKIPPED: no key in {name}"),
    }
}

fn shown(thresholds: Thresholds) -> Value {
    json!({ "related": thresholds.related, "same": thresholds.same })
}

async fn test(settings: &Settings, output: Output, target: Option<&str>) -> anyhow::Result<ExitCode> {
    let mut probes: Vec<Value> = Vec::new();
    let mut lines = Vec::new();
    let mut fails = false;
    let registry = models::registry(settings)?;
    let mut found: Vec<Probe> = Vec::new();
    match target {
        Some("embedder" | "reranker") => {}
        Some(name) => {
            let target = name.parse::<Role>().map_or(ProbeTarget::Provider(name), ProbeTarget::Role);
            found = registry.probe(target).await;
            anyhow::ensure!(
                !found.is_empty(),
                "{name} is no role or provider that the settings name; see `memoir models list`"
            );
        }
        None => {
            for role in Role::ALL {
                found.extend(registry.probe(ProbeTarget::Role(role)).await);
            }
            found.dedup_by(|a, b| (&a.provider, &a.model) == (&b.provider, &b.model));
        }
    }
    for probe in &found {
        let Probe { provider, model, milliseconds, failure } = probe;
        fails |= failure.is_some();
        let how = failure
            .map_or_else(|| format!("answered in {milliseconds} ms"), |reason| format!("failed: {reason}"));
        lines.push(format!("{provider}:{model}  {how}"));
        probes.push(serde_json::to_value(probe)?);
    }
    if matches!(target, None | Some("embedder")) {
        let (value, line, failed) = test_embedder(settings).await?;
        fails |= failed;
        probes.push(value);
        lines.push(line);
    }
    if matches!(target, None | Some("reranker")) {
        let (value, line, failed) = test_reranker(settings).await?;
        fails |= failed;
        probes.push(value);
        lines.push(line);
    }
    output.result(&probes, || lines.join("\n"))?;
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn test_embedder(settings: &Settings) -> anyhow::Result<(Value, String, bool)> {
    let chosen = embedding::open(settings).await?;
    let Some(embedder) = &chosen.current else {
        return Ok((
            json!({ "embedder": null, "about": chosen.told }),
            format!("embedder  {}", chosen.told),
            false,
        ));
    };
    let texts = ["我的猫叫Miso", "my cat is called Miso", "the trains were late again"].map(str::to_owned);
    // The first time it warms up.
    let first = embedder.embed(&texts[..1], Purpose::Query).await;
    let begun = Instant::now();
    let vectors = match first {
        Ok(_) => embedder.embed(&texts, Purpose::Document).await,
        failed => failed,
    };
    let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
    Ok(match vectors {
        Ok(vectors) => {
            let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            let (alike, apart) = (cosine(&vectors[0], &vectors[1]), cosine(&vectors[1], &vectors[2]));
            let line = format!(
                "embedder  {}: three texts in {milliseconds:.1} ms; the same in two languages {alike:.2}, unrelated {apart:.2}",
                chosen.told
            );
            let value = json!({
                "embedder": chosen.told, "milliseconds": milliseconds, "translation": alike, "unrelated": apart,
            });
            (value, line, false)
        }
        Err(error) => {
            let line = format!("embedder  {}: failed: {error}", chosen.told);
            (json!({ "embedder": chosen.told, "failure": error.to_string() }), line, true)
        }
    })
}

async fn test_reranker(settings: &Settings) -> anyhow::Result<(Value, String, bool)> {
    let chosen = reranking::open(settings).await?;
    let told = &chosen.told;
    let Some(reranker) = &chosen.current else {
        return Ok((json!({ "reranker": null, "about": told }), format!("reranker  {told}"), false));
    };
    let texts = ["My cat is called Miso.", "The trains were late again."].map(str::to_owned);
    let begun = Instant::now();
    let ranked = reranker.rank("What is the name of my cat?", &texts).await;
    let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
    Ok(match ranked {
        Ok(scores) => {
            let (answer, other) = (scores[0], scores[1]);
            let line = format!(
                "reranker  {told}: two texts in {milliseconds:.1} ms; the answer {answer:.2}, another {other:.2}"
            );
            let value = json!({
                "reranker": told, "milliseconds": milliseconds, "answer": answer, "unrelated": other,
            });
            (value, line, false)
        }
        Err(error) => {
            let line = format!("reranker  {told}: failed: {error}");
            (json!({ "reranker": told, "failure": error.to_string() }), line, true)
        }
    })
}

async fn pull(settings: &Settings, output: Output, name: &str, revision: &str) -> anyhow::Result<ExitCode> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let endpoint = variable("HF_ENDPOINT").unwrap_or_else(|| HUB.to_owned());
    let endpoint = Request::url(endpoint.trim()).context("HF_ENDPOINT")?;
    let hub = Hub::new(Client::new(Policy::Any), endpoint, variable("HF_TOKEN").map(SecretString::from));
    let bar = output.progress(0, "{msg} [{bar:40}] {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left");
    let folder = embedding::folder(settings);
    let pulled = hub.pull(name, revision, &folder, |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        if bar.message() != progress.file {
            bar.set_message(progress.file.to_owned());
        }
    });
    let ready = tokio::select! {
        ready = pulled => ready?,
        _ = tokio::signal::ctrl_c() => anyhow::bail!("stopped; the same command goes on where this one stopped"),
    };
    bar.finish_and_clear();
    let model = ready.file_name().and_then(|name| name.to_str()).unwrap_or(name).to_owned();
    // What cannot be loaded should be known now and not at the next start.
    let (chosen, use_it) = if reranking::is_reranker(&ready) {
        let used = format!("`memoir serve --set reranker.kind=local --set reranker.model={model}` uses it.");
        (reranking::check(settings, &model).await?, used)
    } else {
        (
            embedding::check(settings, &model).await?,
            "`memoir serve` uses it from its next start on.".to_owned(),
        )
    };
    output.result(&json!({ "model": model, "folder": ready, "about": chosen }), || {
        format!("{chosen}\n  in {}\n{use_it}", ready.display())
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn calibrate(settings: &Settings, output: Output, tenant: Option<&str>) -> anyhow::Result<ExitCode> {
    let chosen = embedding::open(settings).await?;
    let Some(usual) = chosen.current.as_ref().map(|embedder| embedding::thresholds(embedder.as_ref())) else {
        anyhow::bail!("there is no embedder to calibrate: {}", chosen.told);
    };
    let told = chosen.told.clone();
    let opened = wiring::open_with(settings, chosen.into_embedders()?.into()).await?;
    let measured = opened.engine.calibrate(&wiring::operator(tenant)?).await?;
    let value = json!({
        "embedder": told, "texts": measured.texts, "same_pairs": measured.same_pairs, "usual": shown(usual),
        "measured": measured.thresholds.map(shown),
    });
    output.result(&value, || {
        let found = match measured.thresholds {
            Some(Thresholds { related, same }) => format!("measured: related from {related:.3}, the same from {same:.3}"),
            None => "measured: too little to tell; it takes 200 unrelated pairs and 20 that say the same".to_owned(),
        };
        format!(
            "{told}\n{} texts, {} pairs that say the same\nusual:    related from {:.3}, the same from {:.3}\n{found}",
            measured.texts, measured.same_pairs, usual.related, usual.same
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
