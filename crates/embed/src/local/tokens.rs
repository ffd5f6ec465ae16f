//! From texts to tokens.

use tokenizers::{Tokenizer, TruncationParams};

use super::config::Config;
use super::files::Files;
use crate::EmbedError;

pub(super) const FILE: &str = "tokenizer.json";

/// A model's tokenizer.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    lower_case: bool,
    padding: u32,
}

impl Tokens {
    pub(super) fn read(files: &Files, bytes: &[u8], config: &Config) -> Result<Self, EmbedError> {
        let unfit = |error: tokenizers::Error| files.unfit(FILE, error);
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(unfit)?;
        let truncation = TruncationParams { max_length: config.longest, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(unfit)?;
        tokenizer.with_padding(None);
        Ok(Self { tokenizer, lower_case: config.lower_case, padding: config.padding })
    }

    /// At least one token, and no more than the model can read.
    pub(super) fn of(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let encoding = match self.lower_case {
            true => self.tokenizer.encode_fast(text.to_lowercase(), true),
            false => self.tokenizer.encode_fast(text, true),
        };
        let encoding =
            encoding.map_err(|_| EmbedError::Unfit("a text cannot be divided into tokens".into()))?;
        match encoding.get_ids() {
            [] => Ok(vec![self.padding]),
            ids => Ok(ids.to_vec()),
        }
    }
}
