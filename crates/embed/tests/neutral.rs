//! Vectors of 8 bits find what full ones find: six hundred facts about forty people, and a question for each.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

mod models;

use memoir_embed::{Level, LocalModel, Precision};
use models::{cosine, folder, open};
use std::collections::HashSet;

const PEOPLE: [&str; 40] = [
    "Anna", "Ben", "Carla", "David", "Elena", "Felix", "Grace", "Hassan", "Ivy", "Jonas", "Katya", "Liam",
    "Mei", "Nora", "Omar", "Paula", "Quentin", "Rosa", "Samir", "Tara", "Uma", "Victor", "Wendy", "Xavier",
    "Yuki", "Zoe", "Aaron", "Bianca", "Cyril", "Dora", "Emil", "Fatima", "Georg", "Hanna", "Igor", "Julia",
    "Karim", "Lena", "Marco", "Nina",
];

/// What is said of somebody and how it is asked for; `#` is the name and `*` one of the words.
const FACTS: [(&str, &str, [&str; 4]); 15] = [
    (
        "# cannot eat * because of an allergy.",
        "Which food must I keep away from #?",
        ["peanuts", "shrimp", "wheat", "milk"],
    ),
    (
        "# works as a * at a small company.",
        "What is #'s job?",
        ["nurse", "carpenter", "lawyer", "programmer"],
    ),
    ("Last year # moved to *.", "Which city does # live in now?", ["Lisbon", "Chicago", "Kyoto", "Warsaw"]),
    (
        "#'s daughter plays the *.",
        "What instrument does #'s child play?",
        ["violin", "drums", "flute", "cello"],
    ),
    (
        "# drives an old * to work.",
        "How does # get to the office?",
        ["van", "scooter", "pickup truck", "bicycle"],
    ),
    ("The birthday of # is in *.", "When was # born?", ["April", "October", "July", "December"]),
    (
        "# is reading a long book about *.",
        "What is # reading about?",
        ["whales", "the Romans", "chess", "volcanoes"],
    ),
    (
        "# hurt a * while skiing.",
        "What injury did # have on the slopes?",
        ["knee", "wrist", "shoulder", "thumb"],
    ),
    ("# has two * at home.", "Does # keep any pets?", ["cats", "rabbits", "parrots", "turtles"]),
    (
        "# wants to learn * next winter.",
        "Which language would # like to study?",
        ["Greek", "Korean", "Dutch", "Arabic"],
    ),
    (
        "# always orders * at the restaurant.",
        "What should I order for # at dinner?",
        ["lamb", "dumplings", "soup", "risotto"],
    ),
    ("# broke the * in the kitchen.", "What did # damage in the flat?", ["oven", "window", "fridge", "lamp"]),
    (
        "On Fridays # meets friends to play *.",
        "What does # do on Friday evenings?",
        ["poker", "football", "darts", "badminton"],
    ),
    ("# is afraid of *.", "What frightens #?", ["heights", "spiders", "thunder", "flying"]),
    ("# saves money for a new *.", "What big purchase is # planning?", ["camera", "roof", "boat", "piano"]),
];

/// The texts and the questions; the question at a place is about the text at the same place.
fn facts() -> (Vec<String>, Vec<String>) {
    let each = PEOPLE.iter().enumerate().flat_map(|(person, name)| {
        FACTS.iter().enumerate().map(move |(fact, (text, question, words))| {
            let word = words[(person * 7 + fact * 3 + person / 4) % words.len()];
            (text.replace('#', name).replace('*', word), question.replace('#', name))
        })
    });
    each.unzip()
}

fn vectors(model: &LocalModel, texts: &[String]) -> Vec<Vec<f32>> {
    model.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
}

/// For each question, the ten nearest texts.
fn nearest(precision: Precision) -> Vec<HashSet<usize>> {
    let model = open(&folder("minilm"), precision, Level::best());
    let (texts, questions) = facts();
    let (texts, questions) = (vectors(&model, &texts), vectors(&model, &questions));
    let ten = |question: &Vec<f32>| {
        let mut ranked: Vec<(usize, f32)> =
            texts.iter().map(|text| cosine(question, text)).enumerate().collect();
        ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        ranked.into_iter().take(10).map(|(place, _)| place).collect()
    };
    questions.iter().map(ten).collect()
}

#[test]
fn eight_bits_find_what_full_precision_finds() {
    let (full, quantized) = (nearest(Precision::F32), nearest(Precision::Int8));
    let recall = |found: &[HashSet<usize>]| {
        let hits = found.iter().enumerate().filter(|(place, ten)| ten.contains(place)).count();
        hits as f64 / found.len() as f64
    };
    let common: usize = full.iter().zip(&quantized).map(|(a, b)| a.intersection(b).count()).sum();
    let common = common as f64 / (10 * full.len()) as f64;
    let (full, quantized) = (recall(&full), recall(&quantized));
    println!("recall@10: f32 {full:.4}, int8 {quantized:.4}; {common:.3} of the nearest ten are the same");
    assert!(full > 0.7, "the questions do not find their texts: {full}");
    assert!((full - quantized).abs() <= 0.005, "recall@10 is {quantized}, not {full}");
    assert!(common >= 0.9, "only {common} of the nearest ten are the same");
}
