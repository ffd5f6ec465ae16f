//! What a model's folder says about the model's shape.

use memoir_kernels::Heads;
use serde::Deserialize;

use super::files::Files;
use crate::EmbedError;

pub(super) const FILE: &str = "config.json";

/// The two ways of writing the same encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Bert,
    /// Counts positions from behind the padding's, and has a classifier of its own making.
    Roberta,
}

/// A model's shape.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub(super) family: Family,
    pub(super) hidden: usize,
    pub(super) layers: usize,
    pub(super) heads: Heads,
    pub(super) intermediate: usize,
    pub(super) vocabulary: usize,
    /// The rows of the table of positions.
    pub(super) positions: usize,
    /// The row of the first token.
    pub(super) first_position: usize,
    pub(super) types: usize,
    pub(super) epsilon: f32,
    /// The token of nothing.
    pub(super) padding: u32,
    /// The most tokens of a text.
    pub(super) longest: usize,
    /// Whether texts are put into lower case before they are divided.
    pub(super) lower_case: bool,
    /// The model that it was made of, or itself.
    pub(super) origin: Option<String>,
}

/// `config.json`.
#[derive(Deserialize)]
struct Model {
    model_type: String,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: Option<usize>,
    layer_norm_eps: Option<f32>,
    hidden_act: Option<String>,
    pad_token_id: Option<u32>,
    position_embedding_type: Option<String>,
    #[serde(rename = "_name_or_path")]
    origin: Option<String>,
}

/// `sentence_bert_config.json`.
#[derive(Deserialize, Default)]
struct Sentence {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

impl Config {
    pub(super) fn read(files: &Files) -> Result<Self, EmbedError> {
        let model: Model = files.json(FILE)?;
        let sentence: Sentence = files.json_if_there("sentence_bert_config.json")?.unwrap_or_default();
        let unfit = |reason: String| Err(files.unfit(FILE, reason));
        let padding = model.pad_token_id.unwrap_or_default();
        let family = match model.model_type.as_str() {
            "bert" => Family::Bert,
            "roberta" | "xlm-roberta" | "camembert" => Family::Roberta,
            other => {
                return unfit(format!("model_type is {other}; bert, roberta and xlm-roberta can be run"));
            }
        };
        let first_position = match family {
            Family::Bert => 0,
            Family::Roberta => padding as usize + 1,
        };
        let position_type = model.position_embedding_type.as_deref().unwrap_or("absolute");
        if position_type != "absolute" {
            return unfit(format!("position_embedding_type is {position_type}; only absolute can be run"));
        }
        let activation = model.hidden_act.as_deref().unwrap_or("gelu");
        if activation != "gelu" {
            return unfit(format!("hidden_act is {activation}; only gelu can be run"));
        }
        let sizes = [
            ("hidden_size", model.hidden_size),
            ("num_hidden_layers", model.num_hidden_layers),
            ("num_attention_heads", model.num_attention_heads),
            ("intermediate_size", model.intermediate_size),
            ("vocab_size", model.vocab_size),
            ("max_position_embeddings", model.max_position_embeddings),
        ];
        if let Some((name, size)) = sizes.into_iter().find(|&(_, size)| size == 0 || size > 1 << 24) {
            return unfit(format!("{name} is {size}"));
        }
        if !model.hidden_size.is_multiple_of(model.num_attention_heads) {
            return unfit("hidden_size is no multiple of num_attention_heads".into());
        }
        let longest = model.max_position_embeddings.saturating_sub(first_position);
        let longest = sentence.max_seq_length.unwrap_or(longest).min(longest);
        if longest < 3 {
            return unfit(format!("a text of {longest} tokens is too short for anything"));
        }
        Ok(Self {
            family,
            hidden: model.hidden_size,
            layers: model.num_hidden_layers,
            heads: Heads {
                count: model.num_attention_heads,
                width: model.hidden_size / model.num_attention_heads,
            },
            intermediate: model.intermediate_size,
            vocabulary: model.vocab_size,
            positions: model.max_position_embeddings,
            first_position,
            types: model.type_vocab_size.unwrap_or(2),
            epsilon: model.layer_norm_eps.unwrap_or(1e-12),
            padding,
            longest,
            lower_case: sentence.do_lower_case,
            origin: model.origin,
        })
    }
}
