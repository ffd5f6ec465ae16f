//! How one vector is made of a text's tokens, as `sentence-transformers` says it.

use serde::Deserialize;

use super::files::Files;
use crate::{EmbedError, Pooling};

const POOLING: &str = "1_Pooling/config.json";
const MODULES: &str = "modules.json";

/// One of `modules.json`.
#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

/// `1_Pooling/config.json`.
#[derive(Deserialize)]
struct Modes {
    pooling_mode: Option<String>,
    #[serde(default, rename = "pooling_mode_cls_token")]
    cls: bool,
    #[serde(default, rename = "pooling_mode_max_tokens")]
    max: bool,
    #[serde(default, rename = "pooling_mode_mean_tokens")]
    mean: bool,
    /// The same as the mean, once the vector has the length 1.
    #[serde(default, rename = "pooling_mode_mean_sqrt_len_tokens")]
    root_mean: bool,
}

/// What a folder says about it.
pub(super) fn read(files: &Files) -> Result<Pooling, EmbedError> {
    check_modules(files)?;
    let Some(modes) = files.json_if_there::<Modes>(POOLING)? else { return Ok(Pooling::Mean) };
    if let Some(mode) = &modes.pooling_mode {
        return match mode.as_str() {
            "mean" | "mean_sqrt_len_tokens" => Ok(Pooling::Mean),
            "cls" => Ok(Pooling::Cls),
            "max" => Ok(Pooling::Max),
            other => {
                Err(files.unfit(POOLING, format!("pooling_mode is {other}; mean, cls and max can be run")))
            }
        };
    }
    match (modes.mean || modes.root_mean, modes.cls, modes.max) {
        (true, false, false) => Ok(Pooling::Mean),
        (false, true, false) => Ok(Pooling::Cls),
        (false, false, true) => Ok(Pooling::Max),
        _ => Err(files.unfit(POOLING, "one of mean, cls and max must be chosen, and nothing else")),
    }
}

/// Modules that would change the vectors and cannot be run here. That they are made of length 1 goes without saying.
fn check_modules(files: &Files) -> Result<(), EmbedError> {
    let modules: Vec<Module> = files.json_if_there(MODULES)?.unwrap_or_default();
    let known = |kind: &str| ["Transformer", "Pooling", "Normalize"].iter().any(|name| kind.ends_with(name));
    match modules.iter().find(|module| !known(&module.kind)) {
        Some(module) => Err(files.unfit(MODULES, format!("a module of type {} cannot be run", module.kind))),
        None => Ok(()),
    }
}

/// One vector of the rows of a text's tokens, of any length.
pub(super) fn pool(pooling: Pooling, rows: &[f32], width: usize) -> Vec<f32> {
    let mut rows = rows.chunks_exact(width);
    let mut vector = rows.next().map(<[f32]>::to_vec).unwrap_or_default();
    let fold: fn(f32, f32) -> f32 = match pooling {
        Pooling::Max => f32::max,
        Pooling::Mean => |sum, number| sum + number,
        Pooling::Cls | Pooling::Remote => |first, _| first,
    };
    for row in rows {
        vector.iter_mut().zip(row).for_each(|(number, &other)| *number = fold(*number, other));
    }
    vector
}
