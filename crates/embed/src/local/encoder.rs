//! The encoder: from the tokens of several texts to a vector for each text.

use memoir_kernels::{AttentionScratch, Finish, Level, QuantizedRows};

use super::config::Config;
use super::options::Precision;
use super::safetensors::Tensors;
use super::weights::{Embeddings, Layer, Norm};
use crate::{EmbedError, Pooling};

/// The numbers of a model and what is done with them.
pub(super) struct Encoder {
    config: Config,
    level: Level,
    embeddings: Embeddings,
    layers: Vec<Layer>,
}

/// The memory of one run, used again by the next.
#[derive(Default)]
pub(super) struct Scratch {
    hidden: Vec<f32>,
    attention: Vec<f32>,
    context: Vec<f32>,
    wide: Vec<f32>,
    bytes: QuantizedRows,
    heads: AttentionScratch,
}

impl Encoder {
    pub(super) fn read(
        tensors: &Tensors,
        config: Config,
        precision: Precision,
        level: Level,
    ) -> Result<Self, EmbedError> {
        let embeddings = Embeddings::read(tensors, &config, precision)?;
        let layers = (0..config.layers).map(|number| Layer::read(tensors, &config, precision, number));
        Ok(Self { layers: layers.collect::<Result<_, _>>()?, embeddings, level, config })
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    /// One vector of length 1 for each text. The texts lie one after another without padding: only attention looks at them
    /// one by one.
    pub(super) fn run(&self, texts: &[Vec<u32>], scratch: &mut Scratch) -> Result<Vec<Vec<f32>>, EmbedError> {
        let (level, hidden) = (self.level, self.config.hidden);
        self.embed(texts, &mut scratch.hidden)?;
        let tokens = scratch.hidden.len() / hidden;
        scratch.attention.resize(tokens * 3 * hidden, 0.0);
        scratch.context.resize(tokens * hidden, 0.0);
        scratch.wide.resize(tokens * self.config.intermediate, 0.0);
        let Scratch { hidden: state, attention, context, wide, bytes, heads } = scratch;
        for layer in &self.layers {
            layer.attention.apply(level, state, Finish::Plain, bytes, attention);
            let mut at = 0;
            for text in texts {
                let (from, to) = (at * hidden, (at + text.len()) * hidden);
                level.attention(
                    &attention[3 * from..3 * to],
                    self.config.heads,
                    heads,
                    &mut context[from..to],
                );
                at += text.len();
            }
            // What attention read is no longer needed: the next state is made there.
            let next = &mut attention[..tokens * hidden];
            layer.attention_output.apply(level, context, Finish::Residual(state), bytes, next);
            self.norm(next, &layer.attention_norm);
            layer.intermediate.apply(level, next, Finish::Gelu, bytes, wide);
            layer.output.apply(level, wide, Finish::Residual(next), bytes, state);
            self.norm(state, &layer.output_norm);
        }
        let mut at = 0;
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            vectors.push(self.pool(&state[at * hidden..(at + text.len()) * hidden]));
            at += text.len();
        }
        Ok(vectors)
    }

    /// Each token's word and position.
    fn embed(&self, texts: &[Vec<u32>], state: &mut Vec<f32>) -> Result<(), EmbedError> {
        let hidden = self.config.hidden;
        state.clear();
        for text in texts {
            let from = self.config.first_position * hidden;
            let positions = self.embeddings.positions.get(from..from + text.len() * hidden);
            let positions =
                positions.ok_or_else(|| EmbedError::Unfit("a text has too many tokens".into()))?;
            let start = state.len();
            state.extend_from_slice(positions);
            for (&token, row) in text.iter().zip(state[start..].chunks_exact_mut(hidden)) {
                if !self.embeddings.words.add_to(token as usize, row) {
                    return Err(EmbedError::Unfit(format!("the model has no token {token}")));
                }
                self.norm(row, &self.embeddings.norm);
            }
        }
        Ok(())
    }

    fn norm(&self, rows: &mut [f32], norm: &Norm) {
        self.level.layer_norm(rows, &norm.gain, &norm.bias, self.config.epsilon);
    }

    /// One vector of the rows of a text's tokens.
    fn pool(&self, rows: &[f32]) -> Vec<f32> {
        let mut rows = rows.chunks_exact(self.config.hidden);
        let mut vector = rows.next().map(<[f32]>::to_vec).unwrap_or_default();
        let fold: fn(f32, f32) -> f32 = match self.config.pooling {
            Pooling::Max => f32::max,
            Pooling::Mean => |sum, number| sum + number,
            Pooling::Cls | Pooling::Remote => |first, _| first,
        };
        for row in rows {
            vector.iter_mut().zip(row).for_each(|(number, &other)| *number = fold(*number, other));
        }
        self.level.normalize(&mut vector);
        vector
    }
}
