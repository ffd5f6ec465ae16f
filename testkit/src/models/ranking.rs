use hyper::Response;
use serde_json::{Value, json};

use super::body::{ScriptedBody, Step};
use super::{Act, Recorded, bytes, hashed_vector};

/// How many numbers the vectors have that are compared.
const DIMENSION: usize = 256;

/// Ranks the documents by the words that they share with the query, the best first, as Jina and Cohere do. An
/// [`Act::Answer`] is the whole body.
pub(super) fn answer(act: Option<Act>, request: &Recorded) -> Response<ScriptedBody> {
    let query = hashed_vector(request.body["query"].as_str().unwrap_or_default(), DIMENSION);
    let documents: Vec<&str> = request.body["documents"].as_array().map_or_else(Vec::new, |documents| {
        documents.iter().map(|document| document.as_str().unwrap_or_default()).collect()
    });
    let mut results: Vec<(usize, f32)> =
        documents.iter().map(|document| nearness(&query, document)).enumerate().collect();
    results.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let wanted = request.body["top_n"].as_u64().and_then(|count| usize::try_from(count).ok());
    results.truncate(wanted.unwrap_or(documents.len()));
    match act {
        Some(Act::TooFew) => results.truncate(results.len().saturating_sub(1)),
        Some(Act::Empty) => results.clear(),
        _ => {}
    }
    let echo = match act {
        Some(Act::Megabyte) => "很长的回答。".repeat((1 << 20) / "很长的回答。".len()),
        _ => String::new(),
    };
    let results: Vec<Value> = results
        .into_iter()
        .map(|(index, score)| {
            let text = if echo.is_empty() { documents[index] } else { echo.as_str() };
            json!({"index": index, "relevance_score": score, "document": {"text": text}})
        })
        .collect();
    let tokens: usize = documents.iter().map(|document| document.chars().count()).sum();
    let usage = json!({"total_tokens": tokens});
    let body = json!({"model": request.model, "results": results, "usage": usage}).to_string();
    let half = body.floor_char_boundary(body.len() / 2);
    let send = |text: &str| Step::Send(bytes(text));
    let steps = match act {
        Some(Act::Answer(text)) => vec![send(&text)],
        Some(Act::WrongSchema) => vec![send(r#"{"unasked":[1,2,3]}"#)],
        Some(Act::NotJson) => vec![send("Certainly! The second one is the best.")],
        // JSON has no such number; servers written in Python send it all the same.
        Some(Act::NotANumber) => {
            vec![send(&body.replacen("\"relevance_score\":", "\"relevance_score\":NaN,\"was\":", 1))]
        }
        Some(Act::Stall(_)) => vec![send(&body[..half]), Step::Stall],
        Some(Act::HangupMidway(_)) => vec![send(&body[..half]), Step::Break],
        _ => vec![send(&body)],
    };
    ScriptedBody::of_type(200, "application/json", steps)
}

/// From 0 to 1.
fn nearness(query: &[f32], document: &str) -> f32 {
    let cosine: f32 = query.iter().zip(hashed_vector(document, DIMENSION)).map(|(a, b)| a * b).sum();
    cosine.clamp(0.0, 1.0)
}
