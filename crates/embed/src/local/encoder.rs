//! The encoder: from the tokens of several texts to a row of numbers for each token.

use memoir_kernels::{AttentionScratch, Finish, Level, QuantizedRows};
use parking_lot::Mutex;

use super::config::Config;
use super::input::Input;
use super::options::Precision;
use super::safetensors::Tensors;
use super::weights::{Embeddings, Layer, Norm};
use crate::EmbedError;

/// How many tokens go through the layers together: enough to use every weight many times, and few enough that what is
/// computed stays near the processor. A longer input goes alone.
const TOGETHER: usize = 256;

/// The numbers of a model and what is done with them.
pub(super) struct Encoder {
    config: Config,
    level: Level,
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// One for each thread that has asked at the same time.
    scratches: Mutex<Vec<Scratch>>,
}

/// The memory of one run, used again by the next.
#[derive(Default)]
struct Scratch {
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
        let layers = layers.collect::<Result<_, _>>()?;
        Ok(Self { config, level, embeddings, layers, scratches: Mutex::default() })
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    /// What `read` makes of the rows of each input's tokens, in their order. It does not depend on the other inputs.
    pub(super) fn run<O>(&self, inputs: &[Input], read: impl Fn(&[f32]) -> O) -> Result<Vec<O>, EmbedError> {
        let mut scratch = self.scratches.lock().pop().unwrap_or_default();
        let mut outputs = Vec::with_capacity(inputs.len());
        let mut rest = inputs;
        while !rest.is_empty() {
            let (group, after) = rest.split_at(together(rest));
            self.run_group(group, &mut scratch)?;
            let mut state = scratch.hidden.as_slice();
            for input in group {
                let (rows, others) = state.split_at(input.len() * self.config.hidden);
                outputs.push(read(rows));
                state = others;
            }
            rest = after;
        }
        self.scratches.lock().push(scratch);
        Ok(outputs)
    }

    /// Leaves a row for each token in the scratch. The inputs lie one after another without padding: only attention looks
    /// at them one by one.
    fn run_group(&self, inputs: &[Input], scratch: &mut Scratch) -> Result<(), EmbedError> {
        let (level, hidden) = (self.level, self.config.hidden);
        self.embed(inputs, &mut scratch.hidden)?;
        let tokens = scratch.hidden.len() / hidden;
        scratch.attention.resize(tokens * 3 * hidden, 0.0);
        scratch.context.resize(tokens * hidden, 0.0);
        scratch.wide.resize(tokens * self.config.intermediate, 0.0);
        let Scratch { hidden: state, attention, context, wide, bytes, heads } = scratch;
        for layer in &self.layers {
            layer.attention.apply(level, state, Finish::Plain, bytes, attention);
            let mut at = 0;
            for input in inputs {
                let (from, to) = (at * hidden, (at + input.len()) * hidden);
                level.attention(
                    &attention[3 * from..3 * to],
                    self.config.heads,
                    heads,
                    &mut context[from..to],
                );
                at += input.len();
            }
            // What attention read is no longer needed: the next state is made there.
            let next = &mut attention[..tokens * hidden];
            layer.attention_output.apply(level, context, Finish::Residual(state), bytes, next);
            self.norm(next, &layer.attention_norm);
            layer.intermediate.apply(level, next, Finish::Gelu, bytes, wide);
            layer.output.apply(level, wide, Finish::Residual(next), bytes, state);
            self.norm(state, &layer.output_norm);
        }
        Ok(())
    }

    /// Each token's position, type and word.
    fn embed(&self, inputs: &[Input], state: &mut Vec<f32>) -> Result<(), EmbedError> {
        let hidden = self.config.hidden;
        let Embeddings { words, positions, types, norm } = &self.embeddings;
        state.clear();
        for input in inputs {
            let from = self.config.first_position * hidden;
            let positions = positions.get(from..from + input.len() * hidden);
            let positions =
                positions.ok_or_else(|| EmbedError::Unfit("a text has too many tokens".into()))?;
            let start = state.len();
            state.extend_from_slice(positions);
            let tokens = input.tokens.iter().zip(&input.types);
            for ((&token, &kind), row) in tokens.zip(state[start..].chunks_exact_mut(hidden)) {
                let Some(kind) = types.chunks_exact(hidden).nth(kind as usize) else {
                    return Err(EmbedError::Unfit(format!("the model has no type {kind} of tokens")));
                };
                row.iter_mut().zip(kind).for_each(|(number, kind)| *number += kind);
                if !words.add_to(token as usize, row) {
                    return Err(EmbedError::Unfit(format!("the model has no token {token}")));
                }
                self.norm(row, norm);
            }
        }
        Ok(())
    }

    fn norm(&self, rows: &mut [f32], norm: &Norm) {
        self.level.layer_norm(rows, &norm.gain, &norm.bias, self.config.epsilon);
    }
}

/// How many of the first inputs go together.
fn together(inputs: &[Input]) -> usize {
    let mut tokens = 0;
    let fits = inputs.iter().take_while(|input| {
        tokens += input.len();
        tokens <= TOGETHER
    });
    fits.count().max(1)
}
