//! What a model's folder may hold, what is wrong with it when it cannot be run, and the embedder on its threads.
#![expect(clippy::unwrap_used, reason = "these are tests")]

mod tiny;

use memoir_embed::{EmbedError, Embedder, LocalEmbedder, LocalModel, LocalOptions, Pooling, Purpose};
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;
use tiny::Tiny;

fn folder(tiny: &Tiny) -> TempDir {
    let folder = TempDir::with_prefix("tiny-").unwrap();
    tiny.write(folder.path(), "F32", "");
    folder
}

fn open(folder: &Path) -> Result<LocalModel, EmbedError> {
    LocalModel::open(folder, &LocalOptions::default())
}

fn vectors(folder: &Path) -> Vec<Vec<f32>> {
    open(folder)
        .unwrap()
        .embed(&["a b c", "z", "", "? a", "a b c d e f g h i j k l m n o p q r s t"])
        .unwrap()
}

/// The error of a folder, which names all of these.
fn assert_refused(folder: &Path, names: &[&str]) {
    let error = open(folder).unwrap_err().to_string();
    assert!(error.starts_with("the model cannot be loaded: "), "{error}");
    for name in names {
        assert!(error.contains(name), "{error} does not name {name}");
    }
}

#[test]
fn names_and_numbers_may_be_stored_in_several_ways() {
    let tiny = Tiny::new();
    let plain = vectors(folder(&tiny).path());
    assert!(plain.iter().all(|vector| vector.len() == 8));
    for (dtype, prefix) in
        [("F32", "bert."), ("F32", "roberta."), ("F32", "0.auto_model."), ("F16", ""), ("BF16", "bert.")]
    {
        let folder = TempDir::new().unwrap();
        tiny.write(folder.path(), dtype, prefix);
        assert_eq!(vectors(folder.path()), plain, "{dtype} {prefix}");
    }
}

#[test]
fn the_other_family_counts_positions_from_behind_the_padding() {
    let mut tiny = Tiny::new();
    tiny.config["model_type"] = json!("xlm-roberta");
    tiny.config["pad_token_id"] = json!(1);
    let shifted = vectors(folder(&tiny).path());
    assert_eq!(open(folder(&tiny).path()).unwrap().longest(), 10);
    // The same model as BERT, with the table of positions moved by two.
    let mut bert = Tiny::new();
    let (_, _, positions) = bert.tensors.iter_mut().find(|(name, ..)| name.contains("position")).unwrap();
    positions.rotate_left(16);
    bert.config["pad_token_id"] = json!(1);
    let folder = folder(&bert);
    std::fs::write(folder.path().join("sentence_bert_config.json"), r#"{"max_seq_length": 10}"#).unwrap();
    assert_eq!(vectors(folder.path()), shifted);
}

#[test]
fn pooling_is_what_the_folder_says() {
    let folder = folder(&Tiny::new());
    std::fs::create_dir(folder.path().join("1_Pooling")).unwrap();
    let mut seen = vec![vectors(folder.path())];
    for (modes, pooling) in [
        (json!({ "pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false }), Pooling::Cls),
        (json!({ "pooling_mode_max_tokens": true }), Pooling::Max),
    ] {
        std::fs::write(folder.path().join("1_Pooling/config.json"), modes.to_string()).unwrap();
        assert_eq!(open(folder.path()).unwrap().recipe().pooling, pooling);
        let vectors = vectors(folder.path());
        assert!(!seen.contains(&vectors));
        seen.push(vectors);
    }
    for (modes, pooling) in
        [(json!({ "pooling_mode": "cls" }), Pooling::Cls), (json!({ "pooling_mode": "mean" }), Pooling::Mean)]
    {
        std::fs::write(folder.path().join("1_Pooling/config.json"), modes.to_string()).unwrap();
        assert_eq!(open(folder.path()).unwrap().recipe().pooling, pooling);
    }
    for modes in [
        json!({ "pooling_mode_cls_token": true, "pooling_mode_max_tokens": true }),
        json!({ "pooling_mode": "lasttoken" }),
    ] {
        std::fs::write(folder.path().join("1_Pooling/config.json"), modes.to_string()).unwrap();
        assert_refused(folder.path(), &["1_Pooling/config.json", "cls"]);
    }
}

#[test]
fn a_missing_file_is_named() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = folder(&Tiny::new());
        std::fs::remove_file(folder.path().join(name)).unwrap();
        assert_refused(folder.path(), &[name]);
    }
    assert_refused(Path::new("/no/such/folder"), &["/no/such/folder"]);
}

#[test]
fn garbage_is_named() {
    for name in [
        "config.json",
        "tokenizer.json",
        "model.safetensors",
        "sentence_bert_config.json",
        "modules.json",
        "memoir.json",
    ] {
        let folder = folder(&Tiny::new());
        std::fs::write(folder.path().join(name), "{ garbage").unwrap();
        assert_refused(folder.path(), &[name]);
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let folder = folder(&Tiny::new());
    let path = folder.path().join("model.safetensors");
    let whole = std::fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(97).chain([7, 8, whole.len() - 1]) {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_refused(folder.path(), &["model.safetensors"]);
    }
    std::fs::write(&path, [&u64::MAX.to_le_bytes(), &whole[8..]].concat()).unwrap();
    assert_refused(folder.path(), &["model.safetensors", "header"]);
}

#[test]
fn a_tensor_of_another_shape_is_named() {
    let names: Vec<String> = Tiny::new().tensors.into_iter().map(|(name, ..)| name).collect();
    for (at, name) in names.iter().enumerate() {
        let mut tiny = Tiny::new();
        tiny.tensors[at].1.push(1);
        assert_refused(folder(&tiny).path(), &["model.safetensors", name, "shape"]);
        let mut tiny = Tiny::new();
        tiny.tensors[at].2.pop();
        assert_refused(folder(&tiny).path(), &["model.safetensors", name]);
        let mut tiny = Tiny::new();
        tiny.tensors[at].2[0] = f32::NAN;
        assert_refused(folder(&tiny).path(), &["model.safetensors", name, "finite"]);
        let mut tiny = Tiny::new();
        tiny.tensors.remove(at);
        assert_refused(folder(&tiny).path(), &["model.safetensors", name]);
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    for (field, value) in [
        ("model_type", json!("mpnet")),
        ("hidden_act", json!("relu")),
        ("position_embedding_type", json!("relative_key")),
        ("num_attention_heads", json!(3)),
        ("num_hidden_layers", json!(0)),
        ("hidden_size", json!(-8)),
    ] {
        let mut tiny = Tiny::new();
        tiny.config[field] = value;
        let named = if field == "hidden_size" { "-8" } else { field };
        assert_refused(folder(&tiny).path(), &["config.json", named]);
    }
    let folder = folder(&Tiny::new());
    let modules = json!([{ "type": "sentence_transformers.models.Transformer" }, { "type": "sentence_transformers.models.Dense" }]);
    std::fs::write(folder.path().join("modules.json"), modules.to_string()).unwrap();
    assert_refused(folder.path(), &["modules.json", "Dense"]);
}

#[test]
fn a_token_that_the_model_lacks_is_an_error() {
    let mut tiny = Tiny::new();
    tiny.tokenizer["model"]["vocab"]["q"] = json!(999);
    let model = open(folder(&tiny).path()).unwrap();
    assert!(matches!(model.embed(&["q"]), Err(EmbedError::Unfit(_))));
    assert!(model.embed(&["a"]).is_ok());
}

#[tokio::test]
async fn an_embedder_puts_prefixes_before_texts_and_keeps_their_order() {
    let folder = folder(&Tiny::new());
    std::fs::write(folder.path().join("memoir.json"), r#"{"query_prefix": "x y ", "document_prefix": "z "}"#)
        .unwrap();
    let embedder = LocalEmbedder::open(folder.path(), &LocalOptions::default()).unwrap();
    let model = open(folder.path()).unwrap();
    assert_eq!(embedder.recipe(), model.recipe());
    assert_eq!((embedder.recipe().query_prefix.as_str(), embedder.recipe().dimension), ("x y ", 8));
    let texts: Vec<String> = ('a'..='z').map(|letter| format!("{letter} {letter}")).collect();
    for (purpose, prefix) in [(Purpose::Query, "x y "), (Purpose::Document, "z ")] {
        let prefixed: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let prefixed: Vec<&str> = prefixed.iter().map(String::as_str).collect();
        assert_eq!(embedder.embed(&texts, purpose).await.unwrap(), model.embed(&prefixed).unwrap());
    }
    assert!(embedder.embed(&[], Purpose::Query).await.unwrap().is_empty());
}
