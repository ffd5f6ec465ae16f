//! A model's numbers, from the names that they have in its file.

use super::config::Config;
use super::linear::Linear;
use super::options::Precision;
use super::safetensors::Tensors;
use super::words::Words;
use crate::EmbedError;

/// What comes before the layers.
pub(super) struct Embeddings {
    pub(super) words: Words,
    /// A vector for each position.
    pub(super) positions: Vec<f32>,
    /// A vector for each type of token; of nought where the model has none.
    pub(super) types: Vec<f32>,
    pub(super) norm: Norm,
}

/// Gain and bias of a layer norm.
pub(super) struct Norm {
    pub(super) gain: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// One layer of the encoder.
pub(super) struct Layer {
    /// Query, key and value at once.
    pub(super) attention: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: Norm,
    pub(super) intermediate: Linear,
    pub(super) output: Linear,
    pub(super) output_norm: Norm,
}

impl Embeddings {
    pub(super) fn read(tensors: &Tensors, config: &Config, precision: Precision) -> Result<Self, EmbedError> {
        let hidden = config.hidden;
        let words = tensors.get("embeddings.word_embeddings.weight", &[config.vocabulary, hidden])?;
        let positions = tensors.get("embeddings.position_embeddings.weight", &[config.positions, hidden])?;
        let types = match config.types {
            0 => vec![0.0; hidden],
            count => tensors.get("embeddings.token_type_embeddings.weight", &[count, hidden])?,
        };
        let norm = Norm::read(tensors, "embeddings.LayerNorm", hidden)?;
        Ok(Self { words: Words::new(precision, words, hidden), positions, types, norm })
    }
}

impl Norm {
    fn read(tensors: &Tensors, name: &str, width: usize) -> Result<Self, EmbedError> {
        Ok(Self {
            gain: tensors.get(&format!("{name}.weight"), &[width])?,
            bias: tensors.get(&format!("{name}.bias"), &[width])?,
        })
    }
}

impl Layer {
    pub(super) fn read(
        tensors: &Tensors,
        config: &Config,
        precision: Precision,
        number: usize,
    ) -> Result<Self, EmbedError> {
        let (hidden, wide) = (config.hidden, config.intermediate);
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let numbers = |part: &str, inputs: usize, outputs: usize| {
            let weights = tensors.get(&name(&format!("{part}.weight")), &[outputs, inputs])?;
            Ok::<_, EmbedError>((weights, tensors.get(&name(&format!("{part}.bias")), &[outputs])?))
        };
        let linear = |part: &str, inputs: usize, outputs: usize| {
            let (weights, bias) = numbers(part, inputs, outputs)?;
            Ok::<_, EmbedError>(Linear::new(precision, &weights, &bias, inputs))
        };
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            let more = numbers(&format!("attention.self.{part}"), hidden, hidden)?;
            weights.extend(more.0);
            bias.extend(more.1);
        }
        Ok(Self {
            attention: Linear::new(precision, &weights, &bias, hidden),
            attention_output: linear("attention.output.dense", hidden, hidden)?,
            attention_norm: Norm::read(tensors, &name("attention.output.LayerNorm"), hidden)?,
            intermediate: linear("intermediate.dense", hidden, wide)?,
            output: linear("output.dense", wide, hidden)?,
            output_norm: Norm::read(tensors, &name("output.LayerNorm"), hidden)?,
        })
    }
}
