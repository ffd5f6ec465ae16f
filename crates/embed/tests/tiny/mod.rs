//! A model that is made up.

use serde_json::{Value, json};
use std::path::Path;

/// A model of one layer and eight numbers, with the words a to z.
pub(crate) struct Tiny {
    pub(crate) config: Value,
    pub(crate) tokenizer: Value,
    /// Name, shape, numbers.
    pub(crate) tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
}

impl Tiny {
    pub(crate) fn new() -> Self {
        let config = json!({
            "model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
            "intermediate_size": 16, "vocab_size": 30, "max_position_embeddings": 12, "type_vocab_size": 2,
            "layer_norm_eps": 1e-12, "hidden_act": "gelu", "pad_token_id": 0,
        });
        let mut words = json!({ "[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3 });
        for (at, letter) in ('a'..='z').enumerate() {
            words[letter.to_string()] = json!(4 + at);
        }
        let special = |id: u32, token: &str| {
            json!({ "id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false,
                    "normalized": false, "special": true })
        };
        let tokenizer = json!({
            "version": "1.0", "truncation": null, "padding": null,
            "added_tokens": [special(0, "[PAD]"), special(1, "[UNK]"), special(2, "[CLS]"), special(3, "[SEP]")],
            "normalizer": null, "pre_tokenizer": { "type": "WhitespaceSplit" },
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [{ "SpecialToken": { "id": "[CLS]", "type_id": 0 } }, { "Sequence": { "id": "A", "type_id": 0 } },
                           { "SpecialToken": { "id": "[SEP]", "type_id": 0 } }],
                "pair": [{ "SpecialToken": { "id": "[CLS]", "type_id": 0 } }, { "Sequence": { "id": "A", "type_id": 0 } },
                         { "SpecialToken": { "id": "[SEP]", "type_id": 0 } }, { "Sequence": { "id": "B", "type_id": 1 } },
                         { "SpecialToken": { "id": "[SEP]", "type_id": 1 } }],
                "special_tokens": { "[CLS]": { "id": "[CLS]", "ids": [2], "tokens": ["[CLS]"] },
                                    "[SEP]": { "id": "[SEP]", "ids": [3], "tokens": ["[SEP]"] } },
            },
            "decoder": null,
            "model": { "type": "WordLevel", "vocab": words, "unk_token": "[UNK]" },
        });
        let mut tiny = Self { config, tokenizer, tensors: Vec::new() };
        let layer = |part: &str| format!("encoder.layer.0.{part}");
        tiny.add("embeddings.word_embeddings.weight", &[30, 8]);
        tiny.add("embeddings.position_embeddings.weight", &[12, 8]);
        tiny.add("embeddings.token_type_embeddings.weight", &[2, 8]);
        for name in ["embeddings.LayerNorm", &layer("attention.output.LayerNorm"), &layer("output.LayerNorm")]
        {
            tiny.add(&format!("{name}.weight"), &[8]);
            tiny.add(&format!("{name}.bias"), &[8]);
        }
        for (part, inputs, outputs) in [
            ("attention.self.query", 8, 8),
            ("attention.self.key", 8, 8),
            ("attention.self.value", 8, 8),
            ("attention.output.dense", 8, 8),
            ("intermediate.dense", 8, 16),
            ("output.dense", 16, 8),
        ] {
            tiny.add(&layer(&format!("{part}.weight")), &[outputs, inputs]);
            tiny.add(&layer(&format!("{part}.bias")), &[outputs]);
        }
        tiny
    }

    /// Adds a tensor of this shape.
    pub(crate) fn add(&mut self, name: &str, shape: &[usize]) {
        let seed = name.bytes().fold(7u32, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        // Quarters, which numbers of 16 bits hold as well.
        let number =
            |at: usize| (seed.wrapping_add(at as u32).wrapping_mul(2_654_435_761) >> 29) as f32 / 4.0 - 1.0;
        self.tensors.push((name.into(), shape.to_vec(), (0..shape.iter().product()).map(number).collect()));
    }

    /// Writes the folder, the numbers as `dtype` and with `prefix` before their names.
    pub(crate) fn write(&self, folder: &Path, dtype: &str, prefix: &str) {
        std::fs::write(folder.join("config.json"), self.config.to_string()).unwrap();
        std::fs::write(folder.join("tokenizer.json"), self.tokenizer.to_string()).unwrap();
        let mut header = json!({ "__metadata__": { "format": "pt" } });
        let mut data: Vec<u8> = Vec::new();
        for (name, shape, numbers) in &self.tensors {
            let from = data.len();
            for number in numbers {
                match dtype {
                    "F32" => data.extend(number.to_le_bytes()),
                    "BF16" => data.extend(&number.to_le_bytes()[2..]),
                    _ => data.extend(half(*number).to_le_bytes()),
                }
            }
            header[format!("{prefix}{name}")] =
                json!({ "dtype": dtype, "shape": shape, "data_offsets": [from, data.len()] });
        }
        let header = header.to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.bytes());
        file.extend(data);
        std::fs::write(folder.join("model.safetensors"), file).unwrap();
    }
}

/// A quarter as a number of 16 bits.
fn half(number: f32) -> u16 {
    if number == 0.0 {
        return 0;
    }
    let bits = number.to_bits();
    let exponent = (bits >> 23 & 0xff) as u16 + 15 - 127;
    (bits >> 31 << 15) as u16 | exponent << 10 | (bits >> 13 & 0x3ff) as u16
}
