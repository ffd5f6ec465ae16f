//! From texts to tokens.

use tokenizers::{EncodeInput, Encoding, PostProcessor, Tokenizer, TruncationParams};

use super::config::Config;
use super::files::Files;
use super::input::Input;
use crate::EmbedError;

pub(super) const FILE: &str = "tokenizer.json";

/// A model's tokenizer.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    lower_case: bool,
    padding: u32,
    /// How many types of tokens the model tells apart.
    types: usize,
}

impl Tokens {
    pub(super) fn read(files: &Files, bytes: &[u8], config: &Config) -> Result<Self, EmbedError> {
        let unfit = |error: tokenizers::Error| files.unfit(FILE, error);
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(unfit)?;
        let truncation = TruncationParams { max_length: config.longest, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(unfit)?;
        tokenizer.with_padding(None);
        let Config { lower_case, padding, types, .. } = *config;
        Ok(Self { tokenizer, lower_case, padding, types })
    }

    /// At least one token, and no more than the model can read.
    pub(super) fn of(&self, text: &str) -> Result<Input, EmbedError> {
        let encoding = match self.lower_case {
            true => self.encode(text.to_lowercase())?,
            false => self.encode(text)?,
        };
        Ok(match encoding.get_ids() {
            [] => Input::single(vec![self.padding]),
            tokens => Input::single(tokens.to_vec()),
        })
    }

    /// A question and a text in one. Where they are more than the model can read, the longer of them is cut.
    pub(super) fn of_pair(&self, question: &str, text: &str) -> Result<Input, EmbedError> {
        let encoding = match self.lower_case {
            true => self.encode((question.to_lowercase(), text.to_lowercase()))?,
            false => self.encode((question, text))?,
        };
        Ok(match (encoding.get_ids(), self.types) {
            ([], _) => Input::single(vec![self.padding]),
            (tokens, 0 | 1) => Input::single(tokens.to_vec()),
            (tokens, _) => Input { tokens: tokens.to_vec(), types: encoding.get_type_ids().to_vec() },
        })
    }

    /// How many tokens a pair has besides those of its texts.
    pub(super) fn around_pair(&self) -> usize {
        self.tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(true))
    }

    fn encode<'a>(&self, input: impl Into<EncodeInput<'a>>) -> Result<Encoding, EmbedError> {
        let encoding = self.tokenizer.encode_fast(input, true);
        encoding.map_err(|_| EmbedError::Unfit("a text cannot be divided into tokens".into()))
    }
}
