//! `memoir-bench embed`: texts per second of a local model, beside onnxruntime with the same model in 8 bits.

mod onnx;
mod texts;

use anyhow::Result;
use memoir_embed::{Embedder, Level, LocalEmbedder, LocalModel, LocalOptions, Precision, Purpose};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};

use self::onnx::Onnx;
use crate::Common;
use crate::report::{Binding, Report, Table, count};
use crate::stats::median;

/// How many slices each measurement has; those of the contenders take turns.
const SLICES: usize = 7;

/// `memoir-bench embed`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The model's folder.
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// The same model in 8 bits for onnxruntime; without it nothing is compared.
    #[arg(long, value_name = "FILE")]
    onnx: Option<PathBuf>,
    /// A Python that has onnxruntime, tokenizers and numpy.
    #[arg(long, value_name = "PYTHON", default_value = "python3")]
    python: PathBuf,
    /// How long each measurement takes.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
}

/// What is embedded, how many at once, by how many threads.
struct Work {
    size: &'static str,
    texts: Vec<String>,
    together: usize,
    threads: usize,
}

/// Texts per second in each slice.
#[derive(Default)]
struct Speeds {
    full: Vec<f64>,
    quantized: Vec<f64>,
    onnx: Vec<f64>,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let seconds = if args.common.quick { 0.3 } else { args.seconds } / SLICES as f64;
    let folder = args.common.folder()?;
    let runtime = Builder::new_current_thread().build()?;
    let longest = LocalModel::open(&args.model, &LocalOptions::default())?.longest();
    let mut measured = Vec::new();
    let mut version = None;
    for threads in [1, 2] {
        let open = |precision| {
            let threads = NonZeroUsize::MIN.saturating_add(threads - 1);
            LocalEmbedder::open(&args.model, &LocalOptions { precision, threads, ..LocalOptions::default() })
        };
        let (full, quantized) = (open(Precision::F32)?, open(Precision::Int8)?);
        let script = folder.path().join("onnx.py");
        let start = |file| Onnx::start(&args.python, &script, file, &args.model, longest, threads);
        let mut onnx = args.onnx.as_deref().map(start).transpose()?;
        version = onnx.as_ref().map(|onnx| onnx.version.clone());
        for (size, texts, together) in [
            ("short", texts::short(256), 1),
            ("short", texts::short(256), 32),
            ("long", texts::long(64), 1),
            ("long", texts::long(64), 32),
        ] {
            let work = Work { size, texts, together, threads };
            let mut speeds = Speeds::default();
            for _ in 0..SLICES {
                speeds.full.push(speed(&runtime, &full, &work, seconds)?);
                if let Some(onnx) = &mut onnx {
                    speeds.onnx.push(onnx.speed(&work.texts, together, seconds)?);
                }
                speeds.quantized.push(speed(&runtime, &quantized, &work, seconds)?);
            }
            measured.push((work, speeds));
        }
    }
    Ok(report(args, version, &measured))
}

/// Texts per second.
fn speed(runtime: &Runtime, embedder: &LocalEmbedder, work: &Work, seconds: f64) -> Result<f64> {
    let mut groups = work.texts.chunks(work.together).cycle();
    let mut embed = || {
        let group = groups.next().unwrap_or_default();
        runtime.block_on(embedder.embed(group, Purpose::Document)).map(|vectors| vectors.len())
    };
    embed()?;
    let (mut done, started) = (0, Instant::now());
    while started.elapsed().as_secs_f64() < seconds {
        done += embed()?;
    }
    Ok(done as f64 / started.elapsed().as_secs_f64())
}

fn report(args: &Args, version: Option<String>, measured: &[(Work, Speeds)]) -> Report {
    let mut notes = vec![
        format!("{}; {}", processor(), Level::best().name()),
        "short texts have about 10 tokens, long ones about 120; tokenisation, pooling and normalisation are included on both \
         sides; medians of slices that take turns"
            .into(),
    ];
    if let Some(version) = version {
        notes.push(format!("onnxruntime {version} with the file of 8 bits and as many intra-op threads"));
    }
    let head =
        ["texts", "together", "threads", "f32 /s", "int8 /s", "onnxruntime /s", "f32 ratio", "int8 ratio"];
    let mut table = Table::new(&head);
    let (mut figures, mut bindings) = (Vec::new(), Vec::new());
    for (Work { size, together, threads, .. }, speeds) in measured {
        let ratio = |ours: &[f64]| {
            median(&ours.iter().zip(&speeds.onnx).map(|(ours, theirs)| ours / theirs).collect::<Vec<_>>())
        };
        let (full, quantized) = (ratio(&speeds.full), ratio(&speeds.quantized));
        let compared = !speeds.onnx.is_empty();
        let shown = |ratio: f64| if compared { format!("{ratio:.2}") } else { String::new() };
        table.row(vec![
            (*size).into(),
            together.to_string(),
            threads.to_string(),
            count(median(&speeds.full)),
            count(median(&speeds.quantized)),
            if compared { count(median(&speeds.onnx)) } else { String::new() },
            shown(full),
            shown(quantized),
        ]);
        figures.push(json!({
            "texts": size, "together": together, "threads": threads, "f32": median(&speeds.full),
            "int8": median(&speeds.quantized), "onnxruntime": median(&speeds.onnx),
        }));
        if compared {
            let name = |precision: &str| {
                format!("{precision} / onnxruntime int8, {size} x{together}, {threads} threads")
            };
            let wanted = if (*size, *together) == ("short", 1) { 0.9 } else { 0.5 };
            bindings.push(Binding::at_least(name("f32"), full, 0.5));
            bindings.push(Binding::at_least(name("int8"), quantized, wanted));
        }
    }
    Report {
        command: "embed",
        quick: args.common.quick,
        notes,
        tables: vec![table],
        figures: Value::Array(figures),
        bindings,
    }
}

/// The processor's name and those of its instruction sets that matter here.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or("", |(_, value)| value.trim())
    };
    let known = ["avx2", "fma", "avx512f", "avx512bw", "avx512_vnni", "avx_vnni", "amx_int8", "asimd"];
    let sets: Vec<&str> = [field("flags"), field("Features")]
        .iter()
        .flat_map(|flags| flags.split(' '))
        .filter(|flag| known.contains(flag))
        .collect();
    format!("{} ({})", field("model name"), sets.join(" "))
}
