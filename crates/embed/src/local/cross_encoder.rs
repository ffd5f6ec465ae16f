use std::path::Path;

use super::classifier::Classifier;
use super::config::{self, Config};
use super::encoder::Encoder;
use super::files::Files;
use super::name;
use super::options::LocalOptions;
use super::safetensors::Tensors;
use super::tokens::{self, Tokens};
use crate::EmbedError;

/// A model from a folder that reads a question and a text together. It computes on the thread that asks, and any number of
/// threads may ask at once.
pub struct CrossEncoder {
    name: String,
    tokens: Tokens,
    encoder: Encoder,
    classifier: Classifier,
}

impl CrossEncoder {
    /// Reads `config.json`, `tokenizer.json`, `model.safetensors` and, if it is there, `sentence_bert_config.json`.
    pub fn open(folder: &Path, options: &LocalOptions) -> Result<Self, EmbedError> {
        let files = Files::new(folder)?;
        let config = Config::read(&files)?;
        let tokens = Tokens::read(&files, &files.bytes(tokens::FILE)?, &config)?;
        let (longest, around) = (config.longest, tokens.around_pair());
        if longest < around + 2 {
            let reason = format!("{longest} tokens are too few for a pair, which has {around} of its own");
            return Err(files.unfit(config::FILE, reason));
        }
        let tensors = Tensors::read(&files)?;
        let classifier = Classifier::read(&files, &tensors, &config, options.level)?;
        let name = name::of(files.folder(), config.origin.as_deref());
        let encoder = Encoder::read(&tensors, config, options.precision, options.level)?;
        Ok(Self { name, tokens, encoder, classifier })
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The most tokens that it reads of a question and a text together. Of a longer pair, the longer of the two is cut.
    pub fn longest(&self) -> usize {
        self.encoder.config().longest
    }

    /// How well the text of each pair answers its question, in the order of the pairs: any number, more is better. It does
    /// not depend on the other pairs.
    pub fn logits(&self, pairs: &[(&str, &str)]) -> Result<Vec<f32>, EmbedError> {
        let inputs = pairs.iter().map(|(question, text)| self.tokens.of_pair(question, text));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let logits = self.encoder.run(&inputs, |rows| self.classifier.logit(rows))?;
        match logits.iter().all(|logit| logit.is_finite()) {
            true => Ok(logits),
            false => Err(EmbedError::Unfit("the model computed something that is no number".into())),
        }
    }
}

impl std::fmt::Debug for CrossEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CrossEncoder").field("name", &self.name).finish_non_exhaustive()
    }
}
