use memoir_kernels::Level;
use sha2::{Digest, Sha256};
use std::path::Path;

use super::config::Config;
use super::encoder::Encoder;
use super::files::Files;
use super::name;
use super::options::{LocalOptions, Precision};
use super::pooling::{self, pool};
use super::prefixes::Prefixes;
use super::safetensors::Tensors;
use super::tokens::{self, Tokens};
use crate::{EmbedError, Recipe};

/// A model from a folder. It computes on the thread that asks, and any number of threads may ask at once.
pub struct LocalModel {
    recipe: Recipe,
    tokens: Tokens,
    encoder: Encoder,
    level: Level,
}

impl LocalModel {
    /// Reads `config.json`, `tokenizer.json`, `model.safetensors` and, if they are there, `sentence_bert_config.json`,
    /// `1_Pooling/config.json`, `modules.json` and `memoir.json`.
    pub fn open(folder: &Path, options: &LocalOptions) -> Result<Self, EmbedError> {
        let files = Files::new(folder)?;
        let config = Config::read(&files)?;
        let tokenizer = files.bytes(tokens::FILE)?;
        let tokens = Tokens::read(&files, &tokenizer, &config)?;
        let tensors = Tensors::read(&files)?;
        let model = name::of(files.folder(), config.origin.as_deref());
        let prefixes = Prefixes::read(&files, options, &model)?;
        let recipe = Recipe {
            model,
            revision: revision(tensors.bytes(), &tokenizer, options.precision),
            query_prefix: prefixes.query,
            document_prefix: prefixes.document,
            pooling: pooling::read(&files)?,
            dimension: config.hidden,
        };
        let encoder = Encoder::read(&tensors, config, options.precision, options.level)?;
        Ok(Self { recipe, tokens, encoder, level: options.level })
    }

    /// How its vectors are made.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The most tokens that it reads of a text.
    pub fn longest(&self) -> usize {
        self.encoder.config().longest
    }

    /// One vector of length 1 for each text, in their order. Nothing is put before them. A text's vector does not depend on
    /// the others.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let inputs = texts.iter().map(|text| self.tokens.of(text)).collect::<Result<Vec<_>, _>>()?;
        let Recipe { pooling, dimension, .. } = self.recipe;
        let vectors = self.encoder.run(&inputs, |rows| {
            let mut vector = pool(pooling, rows, dimension);
            self.level.normalize(&mut vector);
            vector
        })?;
        match vectors.iter().flatten().all(|number| number.is_finite()) {
            true => Ok(vectors),
            false => Err(EmbedError::Unfit("the model computed something that is no number".into())),
        }
    }
}

impl std::fmt::Debug for LocalModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalModel").field("recipe", &self.recipe).finish_non_exhaustive()
    }
}

/// The same weights and tokenizer have the same revision; vectors of another precision differ.
fn revision(weights: &[u8], tokenizer: &[u8], precision: Precision) -> String {
    let mut hash = Sha256::new();
    hash.update(weights);
    hash.update(tokenizer);
    if precision == Precision::Int8 {
        hash.update("int8");
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
