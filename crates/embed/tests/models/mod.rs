//! The real models that the tests run.

use memoir_embed::{Level, LocalModel, LocalOptions, Precision};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of a real model: from the environment, else fetched.
pub(crate) fn folder(name: &str) -> PathBuf {
    let variable = format!("TEST_MODEL_{}", name.to_uppercase());
    if let Some(folder) = std::env::var_os(&variable) {
        return folder.into();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models");
    let output = Command::new(script).args(["fetch", name]).output().expect("tests/models runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tests/models fetch {name} failed (or set {variable}): {error}");
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

pub(crate) fn open(folder: &Path, precision: Precision, level: Level) -> LocalModel {
    LocalModel::open(folder, &LocalOptions { precision, level, ..LocalOptions::default() }).unwrap()
}

pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
