use hyper::Response;
use serde_json::{Value, json};

use super::body::{ScriptedBody, Step};
use super::{Act, Recorded, bytes};

pub(super) fn answer(act: Option<Act>, request: &Recorded, dimension: usize) -> Response<ScriptedBody> {
    let asked = request.body["dimensions"].as_u64().and_then(|dimension| usize::try_from(dimension).ok());
    let dimension = match act {
        Some(Act::Dimension(dimension)) => dimension,
        _ => asked.unwrap_or(dimension),
    };
    let mut texts: Vec<&str> = match &request.body["input"] {
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        text => text.as_str().into_iter().collect(),
    };
    if act == Some(Act::TooFew) {
        texts.pop();
    }
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            json!({"object": "embedding", "index": index, "embedding": hashed_vector(text, dimension)})
        })
        .collect();
    let tokens: usize = texts.iter().map(|text| text.chars().count()).sum();
    let usage = json!({"prompt_tokens": tokens, "total_tokens": tokens});
    let body = json!({"object": "list", "model": request.model, "data": data, "usage": usage}).to_string();
    let body = match act {
        // JSON has no such number; servers written in Python send it all the same.
        Some(Act::NotANumber) => body.replacen("\"embedding\":[", "\"embedding\":[NaN,", 1),
        Some(Act::Stall(_) | Act::HangupMidway(_)) => body[..body.len() / 2].to_owned(),
        _ => body,
    };
    let mut steps = vec![Step::Send(bytes(body))];
    match act {
        Some(Act::Stall(_)) => steps.push(Step::Stall),
        Some(Act::HangupMidway(_)) => steps.push(Step::Break),
        _ => {}
    }
    ScriptedBody::of_type(200, "application/json", steps)
}

/// A vector of length 1 made of the words of a text: Latin words, Chinese characters and pairs of them. Texts that share
/// words are near each other.
pub fn hashed_vector(text: &str, dimension: usize) -> Vec<f32> {
    let mut vector = vec![0f32; dimension.max(1)];
    for word in words(text) {
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        let at = (hash % vector.len() as u64) as usize;
        vector[at] += sign;
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length == 0.0 {
        vector[0] = 1.0;
        return vector;
    }
    vector.iter().map(|number| number / length).collect()
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    for c in text.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            before = None;
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        before = c.is_alphanumeric().then(|| {
            words.push(c.to_string());
            if let Some(before) = before {
                words.push(format!("{before}{c}"));
            }
            c
        });
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearness(a: &str, b: &str) -> f32 {
        hashed_vector(a, 256).iter().zip(hashed_vector(b, 256)).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn texts_that_share_words_are_near() {
        assert!(nearness("I love green tea", "green tea is what I love") > 0.7);
        assert!(nearness("我喜欢喝绿茶", "绿茶我很喜欢") > 0.4);
        assert!(nearness("我喜欢喝绿茶", "the weather in Lisbon").abs() < 0.3);
        let length: f32 = hashed_vector("任何 text", 64).iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5);
        assert_eq!(hashed_vector("", 8).len(), 8);
    }
}
