//! Two real models give the vectors that `sentence-transformers` gives (`data/reference.py`), at every level and in both
//! precisions.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

mod models;

use memoir_embed::{Level, LocalModel, Pooling, Precision};
use models::{cosine, folder, open};
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    texts: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    text: String,
    /// Ten thousand times the number.
    vector: Vec<f32>,
}

fn reference(json: &str) -> Vec<Expected> {
    let texts = serde_json::from_str::<Reference>(json).unwrap().texts;
    assert_eq!(texts.len(), 50);
    texts
}

fn minilm() -> Vec<Expected> {
    reference(include_str!("data/reference-minilm.json"))
}

fn m3e() -> Vec<Expected> {
    reference(include_str!("data/reference-m3e.json"))
}

fn vectors(model: &LocalModel, expected: &[Expected]) -> Vec<Vec<f32>> {
    let texts: Vec<&str> = expected.iter().map(|expected| expected.text.as_str()).collect();
    model.embed(&texts).unwrap()
}

/// The lowest cosine of two lists of vectors.
fn farthest<'a>(a: impl Iterator<Item = &'a Vec<f32>>, b: impl Iterator<Item = &'a Vec<f32>>) -> f32 {
    a.zip(b).map(|(a, b)| cosine(a, b)).fold(1.0, f32::min)
}

fn check_reference(name: &str, expected: &[Expected]) {
    let folder = folder(name);
    let full = vectors(&open(&folder, Precision::F32, Level::best()), expected);
    let to_reference = farthest(full.iter(), expected.iter().map(|expected| &expected.vector));
    assert!(to_reference >= 0.9999, "a vector has the cosine {to_reference} to its reference");
    for vector in &full {
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "a vector has the length {length}");
    }
    let quantized = vectors(&open(&folder, Precision::Int8, Level::best()), expected);
    let to_full = farthest(quantized.iter(), full.iter());
    assert!(to_full >= 0.99, "a vector of 8 bits has the cosine {to_full} to the full one");
}

#[test]
fn minilm_gives_the_reference_vectors() {
    check_reference("minilm", &minilm());
}

#[test]
fn m3e_gives_the_reference_vectors() {
    check_reference("m3e", &m3e());
}

#[test]
fn a_batch_gives_what_its_texts_give_one_by_one() {
    let expected = minilm();
    for precision in [Precision::F32, Precision::Int8] {
        let model = open(&folder("minilm"), precision, Level::best());
        for (expected, together) in expected.iter().zip(vectors(&model, &expected)) {
            let alone = model.embed(&[&expected.text]).unwrap();
            assert_eq!(alone, [together], "{precision:?}: {}", expected.text);
        }
    }
}

#[test]
fn every_level_gives_the_same_vectors() {
    let short: Vec<Expected> =
        minilm().into_iter().filter(|expected| expected.text.len() < 60).take(12).collect();
    let folder = folder("minilm");
    let best = vectors(&open(&folder, Precision::F32, Level::best()), &short);
    for level in Level::available() {
        let others = vectors(&open(&folder, Precision::F32, level), &short);
        for (a, b) in others.iter().flatten().zip(best.iter().flatten()) {
            assert!((a - b).abs() <= 1e-4, "{level:?}: {a} is not {b}");
        }
    }
}

#[test]
fn a_recipe_tells_models_and_precisions_apart() {
    let folder = folder("minilm");
    let (full, quantized) =
        (open(&folder, Precision::F32, Level::best()), open(&folder, Precision::Int8, Level::best()));
    let recipe = full.recipe();
    assert_eq!(recipe.model, "MiniLM-L6-H384-uncased");
    assert_eq!((recipe.dimension, recipe.pooling, full.longest()), (384, Pooling::Mean, 256));
    assert_eq!((recipe.query_prefix.as_str(), recipe.revision.len()), ("", 16));
    assert_ne!(recipe.revision, quantized.recipe().revision);
    assert!(recipe.generation().is_ok());
}
