//! onnxruntime in a Python process of its own, which measures itself.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The process.
pub(super) struct Onnx {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Of onnxruntime.
    pub(super) version: String,
}

#[derive(Deserialize)]
struct Hello {
    version: String,
}

#[derive(Deserialize)]
struct Measured {
    texts: f64,
    seconds: f64,
}

impl Onnx {
    /// Starts it with the model's tokenizer and so many threads.
    pub(super) fn start(
        python: &Path,
        script: &Path,
        onnx: &Path,
        model: &Path,
        longest: usize,
        threads: usize,
    ) -> Result<Self> {
        std::fs::write(script, include_str!("onnx.py"))?;
        let mut child = Command::new(python)
            .args([script, onnx, &model.join("tokenizer.json")])
            .args([longest.to_string(), threads.to_string()])
            .env("RAYON_NUM_THREADS", threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", python.display()))?;
        let asks = child.stdin.take().context("no standard input")?;
        let answers = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut onnx = Onnx { child, asks, answers, version: String::new() };
        onnx.version = onnx.read::<Hello>()?.version;
        Ok(onnx)
    }

    /// Texts per second.
    pub(super) fn speed(&mut self, texts: &[String], together: usize, seconds: f64) -> Result<f64> {
        writeln!(self.asks, "{}", json!({ "texts": texts, "together": together, "seconds": seconds }))?;
        let measured: Measured = self.read()?;
        Ok(measured.texts / measured.seconds)
    }

    fn read<T: for<'a> Deserialize<'a>>(&mut self) -> Result<T> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        serde_json::from_str(&line)
            .context("onnxruntime's process ended; has its Python onnxruntime, tokenizers and numpy?")
    }
}

impl Drop for Onnx {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
