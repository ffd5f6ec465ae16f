//! What stands behind the encoder of a model that judges pairs: from the row of the first token to one number.

use memoir_kernels::{Dense, Finish, Level};
use serde::Deserialize;
use std::collections::HashMap;

use super::config::{self, Config, Family};
use super::files::Files;
use super::safetensors::Tensors;
use crate::EmbedError;

/// Two layers with a hyperbolic tangent between them.
pub(super) struct Classifier {
    level: Level,
    first: Dense,
    last: Dense,
}

/// `config.json`.
#[derive(Deserialize)]
struct Purpose {
    architectures: Option<Vec<String>>,
    id2label: Option<HashMap<String, String>>,
}

impl Classifier {
    pub(super) fn read(
        files: &Files,
        tensors: &Tensors,
        config: &Config,
        level: Level,
    ) -> Result<Self, EmbedError> {
        check_purpose(files)?;
        let hidden = config.hidden;
        let outside = |name: &str, outputs: usize| {
            let weights = tensors.outside(&format!("{name}.weight"), &[outputs, hidden])?;
            let bias = tensors.outside(&format!("{name}.bias"), &[outputs])?;
            Ok::<_, EmbedError>(Dense::new(&weights, &bias, hidden))
        };
        let (first, last) = match config.family {
            Family::Bert => {
                let weights = tensors.get("pooler.dense.weight", &[hidden, hidden])?;
                let bias = tensors.get("pooler.dense.bias", &[hidden])?;
                (Dense::new(&weights, &bias, hidden), outside("classifier", 1)?)
            }
            Family::Roberta => (outside("classifier.dense", hidden)?, outside("classifier.out_proj", 1)?),
        };
        Ok(Self { level, first, last })
    }

    /// The logit of a pair, of the rows of its tokens.
    pub(super) fn logit(&self, rows: &[f32]) -> f32 {
        let mut between = vec![0.0; self.first.outputs()];
        self.first.apply(self.level, &rows[..self.first.inputs()], Finish::Plain, &mut between);
        between.iter_mut().for_each(|number| *number = number.tanh());
        let mut logit = [0.0];
        self.last.apply(self.level, &between, Finish::Plain, &mut logit);
        logit[0]
    }
}

/// Other models than rerankers have their tensors under the same names.
fn check_purpose(files: &Files) -> Result<(), EmbedError> {
    let purpose: Purpose = files.json(config::FILE)?;
    let other = |name: &&String| !name.ends_with("ForSequenceClassification");
    if let Some(name) = purpose.architectures.iter().flatten().find(other) {
        let reason = format!("architectures has {name}; a reranker is a model ForSequenceClassification");
        return Err(files.unfit(config::FILE, reason));
    }
    match purpose.id2label.map_or(1, |labels| labels.len()) {
        1 => Ok(()),
        count => Err(files.unfit(config::FILE, format!("id2label has {count} labels; a reranker has one"))),
    }
}
