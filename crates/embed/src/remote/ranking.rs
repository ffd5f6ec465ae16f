//! What a server answers when it is asked to rank texts.

use serde::Deserialize;

use crate::EmbedError;

/// The answers that servers give: a list under one of two names, or the list itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Results { results: Vec<Entry> },
    Data { data: Vec<Entry> },
    Bare(Vec<Entry>),
}

/// A text's place and its score, under one of two names.
#[derive(Deserialize)]
struct Entry {
    index: usize,
    relevance_score: Option<f32>,
    score: Option<f32>,
}

/// The scores of an answer in the order of the texts, as the server gave them; `None` for a text that it left out.
pub(super) fn read(body: &[u8], count: usize) -> Result<Vec<Option<f32>>, EmbedError> {
    let unfit = |reason: &str| EmbedError::Unfit(reason.into());
    let entries = match serde_json::from_slice(body).map_err(|_| unfit("not the JSON of a ranking"))? {
        Answer::Results { results: entries } | Answer::Data { data: entries } | Answer::Bare(entries) => {
            entries
        }
    };
    if entries.is_empty() && count > 0 {
        return Err(unfit("a ranking of no texts"));
    }
    let mut scores = vec![None; count];
    for Entry { index, relevance_score, score } in entries {
        let score = relevance_score.or(score).filter(|score| score.is_finite());
        let score = score.ok_or_else(|| unfit("a score that is no number"))?;
        let slot = scores.get_mut(index).ok_or_else(|| unfit("a score of no text"))?;
        if slot.replace(score).is_some() {
            return Err(unfit("two scores of one text"));
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_is_read() {
        let lists = [
            r#"[{"index": 2, "relevance_score": 0.5}, {"index": 0, "relevance_score": 1}]"#,
            r#"[{"index": 2, "score": 0.5}, {"index": 0, "score": 1, "text": "tea"}]"#,
            r#"[{"index": 2, "relevance_score": 0.5, "score": 7}, {"index": 0, "relevance_score": 1.0, "score": null}]"#,
        ];
        for list in lists {
            let wrapped = [
                format!(r#"{{"id": "x", "results": {list}, "meta": {{"tokens": 3}}}}"#),
                format!(r#"{{"object": "list", "data": {list}, "usage": {{"total_tokens": 3}}}}"#),
                list.to_owned(),
            ];
            for body in wrapped {
                let scores = read(body.as_bytes(), 3).unwrap();
                assert_eq!(scores, [Some(1.0), None, Some(0.5)], "{body}");
            }
        }
        assert!(read(b"[]", 0).unwrap().is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_unfit() {
        let bodies = [
            "",
            "null",
            "{}",
            "[]",
            r#"{"results": []}"#,
            r#"{"results": null}"#,
            r#"{"results": [{"relevance_score": 0.5}]}"#,
            r#"{"results": [{"index": 0}]}"#,
            r#"{"results": [{"index": 2, "score": 0.5}]}"#,
            r#"{"results": [{"index": -1, "score": 0.5}]}"#,
            r#"{"results": [{"index": 0.5, "score": 0.5}]}"#,
            r#"{"results": [{"index": 0, "score": 0.5}, {"index": 0, "score": 0.5}]}"#,
            r#"{"results": [{"index": 0, "score": null}]}"#,
            r#"{"results": [{"index": 0, "score": NaN}]}"#,
            r#"{"results": [{"index": 0, "score": 1e39}]}"#,
            r#"{"results": [{"index": 0, "score": "0.5"}]}"#,
        ];
        for body in bodies {
            let error = read(body.as_bytes(), 2).unwrap_err();
            assert!(matches!(error, EmbedError::Unfit(_)), "{body}: {error}");
        }
    }
}
