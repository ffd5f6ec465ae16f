//! Two tiny cross-encoders give the logits that `transformers` gives (`data/rerank.py`), what is wrong with a folder that is
//! none, and the reranker on its threads.
#![expect(clippy::unwrap_used, reason = "these are tests")]

mod tiny;

use memoir_embed::{CrossEncoder, EmbedError, Level, LocalOptions, LocalReranker, Precision, Reranker};
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tiny::Tiny;

const NAMES: [&str; 2] = ["cross-bert", "cross-xlmr"];

#[derive(Deserialize)]
struct Reference {
    pairs: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    question: String,
    text: String,
    tokens: usize,
    logit: f32,
}

impl Expected {
    fn pair(&self) -> (&str, &str) {
        (&self.question, &self.text)
    }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn expected(name: &str) -> Vec<Expected> {
    let json = std::fs::read(fixture(name).join("expected.json")).unwrap();
    serde_json::from_slice::<Reference>(&json).unwrap().pairs
}

fn open(folder: &Path, precision: Precision, level: Level) -> CrossEncoder {
    CrossEncoder::open(folder, &LocalOptions { precision, level, ..LocalOptions::default() }).unwrap()
}

/// The greatest distance of a logit from the one that is expected.
fn farthest(model: &CrossEncoder, expected: &[Expected]) -> f32 {
    let pairs: Vec<_> = expected.iter().map(Expected::pair).collect();
    let logits = model.logits(&pairs).unwrap();
    assert_eq!(logits.len(), expected.len());
    expected.iter().zip(logits).map(|(expected, logit)| (expected.logit - logit).abs()).fold(0.0, f32::max)
}

#[test]
fn both_families_give_the_reference_logits_at_every_level() {
    for name in NAMES {
        let expected = expected(name);
        for level in Level::available() {
            let model = open(&fixture(name), Precision::F32, level);
            assert!(expected.iter().any(|expected| expected.tokens == model.longest()), "nothing is cut");
            let distance = farthest(&model, &expected);
            assert!(distance < 1e-3, "{name} at {level:?}: a logit is off by {distance}");
        }
    }
}

#[test]
fn eight_bits_give_nearly_the_same_logits() {
    for name in NAMES {
        let distance = farthest(&open(&fixture(name), Precision::Int8, Level::best()), &expected(name));
        assert!(distance < 0.3, "{name}: a logit is off by {distance}");
    }
}

#[test]
fn a_batch_gives_what_its_pairs_give_one_by_one() {
    for name in NAMES {
        let (model, expected) = (open(&fixture(name), Precision::F32, Level::best()), expected(name));
        // More tokens than go through the layers together.
        let pairs: Vec<_> = expected.iter().cycle().take(40).map(Expected::pair).collect();
        for (pair, together) in pairs.iter().zip(model.logits(&pairs).unwrap()) {
            assert_eq!(model.logits(&[*pair]).unwrap(), [together], "{pair:?}");
        }
    }
}

#[test]
fn the_order_of_a_pair_matters() {
    let model = open(&fixture("cross-bert"), Precision::F32, Level::best());
    let logits = model.logits(&[("tea", "coffee"), ("coffee", "tea")]).unwrap();
    assert!((logits[0] - logits[1]).abs() > 1e-3, "{logits:?}");
}

#[tokio::test]
async fn a_reranker_keeps_the_order_of_the_texts_and_scores_from_nought_to_one() {
    let folder = fixture("cross-bert");
    let (model, reranker) = (
        open(&folder, Precision::F32, Level::best()),
        LocalReranker::open(&folder, &LocalOptions::default()).unwrap(),
    );
    assert_eq!(reranker.name(), "cross-bert");
    let texts: Vec<String> = (0..30).map(|number| "the dog likes tea ".repeat(number * 7 % 10)).collect();
    let pairs: Vec<(&str, &str)> =
        texts.iter().map(|text| ("what does the dog drink?", text.as_str())).collect();
    let wanted = model.logits(&pairs).unwrap().into_iter().map(|logit| 1.0 / (1.0 + (-logit).exp()));
    let scores = reranker.rank("what does the dog drink?", &texts).await.unwrap();
    assert_eq!(scores, wanted.collect::<Vec<f32>>());
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
    assert!(reranker.rank("?", &[]).await.unwrap().is_empty());
}

/// A model that judges pairs, made up.
fn judge() -> Tiny {
    let mut tiny = Tiny::new();
    tiny.config["architectures"] = json!(["BertForSequenceClassification"]);
    for (name, shape) in [
        ("pooler.dense.weight", &[8, 8][..]),
        ("pooler.dense.bias", &[8]),
        ("classifier.weight", &[1, 8]),
        ("classifier.bias", &[1]),
    ] {
        tiny.add(name, shape);
    }
    tiny
}

fn folder(tiny: &Tiny) -> TempDir {
    let folder = TempDir::with_prefix("judge-").unwrap();
    tiny.write(folder.path(), "F32", "");
    folder
}

/// The error of a folder, which names all of these.
fn assert_refused(tiny: &Tiny, names: &[&str]) {
    let folder = folder(tiny);
    let error = CrossEncoder::open(folder.path(), &LocalOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("the model cannot be loaded: "), "{error}");
    for name in names {
        assert!(error.contains(name), "{error} does not name {name}");
    }
}

#[test]
fn what_is_no_reranker_is_refused() {
    assert!(CrossEncoder::open(folder(&judge()).path(), &LocalOptions::default()).is_ok());
    assert_refused(&Tiny::new(), &["model.safetensors", "pooler.dense.weight"]);
    for (field, value, named) in [
        ("architectures", json!(["BertModel"]), "BertModel"),
        ("id2label", json!({"0": "no", "1": "yes"}), "2 labels"),
        ("model_type", json!("deberta-v2"), "deberta-v2"),
        ("max_position_embeddings", json!(4), "too few"),
    ] {
        let mut tiny = judge();
        tiny.config[field] = value;
        assert_refused(&tiny, &["config.json", named]);
    }
    let mut tiny = judge();
    tiny.config["model_type"] = json!("roberta");
    assert_refused(&tiny, &["model.safetensors", "classifier.dense.weight"]);
    for at in judge().tensors.len() - 4..judge().tensors.len() {
        let mut tiny = judge();
        let name = tiny.tensors.remove(at).0;
        assert_refused(&tiny, &["model.safetensors", &name]);
        let mut tiny = judge();
        tiny.tensors[at].1.insert(0, 2);
        assert_refused(&tiny, &["model.safetensors", &name, "shape"]);
    }
}

#[test]
fn a_type_of_tokens_that_the_model_lacks_is_an_error() {
    let mut tiny = judge();
    tiny.tokenizer["post_processor"]["pair"][3]["Sequence"]["type_id"] = json!(2);
    let model = CrossEncoder::open(folder(&tiny).path(), &LocalOptions::default()).unwrap();
    assert!(matches!(model.logits(&[("a", "b")]), Err(EmbedError::Unfit(_))));
}
