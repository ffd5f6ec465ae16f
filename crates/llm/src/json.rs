//! Finding JSON in what a model said, and reading it although it is not quite JSON.

mod lenient;

use serde_json::{Deserializer, Value};

/// In how many places of a text JSON is looked for.
const MOST_PLACES: usize = 50;

/// The first object or array in `text` that `fits`: as it stands if possible, else with trailing commas, single quotes,
/// bare keys, comments and Python's words read as they were meant. Only if `may_be_open`, what the text leaves open is
/// closed.
pub(crate) fn find(text: &str, may_be_open: bool, fits: impl Fn(&Value) -> bool) -> Option<Value> {
    let text = after_thinking(text);
    let starts = || text.match_indices(['{', '[']).map(|(at, _)| at).take(MOST_PLACES);
    let strictly = |at: usize| {
        let mut values = Deserializer::from_str(text.get(at..)?).into_iter::<Value>();
        values.next()?.ok()
    };
    let leniently = |at: usize| {
        let read = lenient::read(text.get(at..)?)?;
        (read.closed || may_be_open).then_some(read.value)
    };
    let found = starts().filter_map(strictly).find(|value| fits(value));
    found.or_else(|| starts().filter_map(leniently).find(|value| fits(value)))
}

/// What a model said after it had thought aloud.
pub(crate) fn after_thinking(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("<think>").and_then(|thought| thought.split_once("</think>")) {
        Some((_, said)) => said.trim_start(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn found(text: &str) -> Option<Value> {
        find(text, true, Value::is_object)
    }

    #[test]
    fn json_is_found_and_mended() {
        let facts = json!({"facts": ["绿茶", "it's tea"], "sure": true});
        let table = [
            r#"{"facts": ["绿茶", "it's tea"], "sure": true}"#,
            "```json\n{\"facts\": [\"绿茶\", \"it's tea\"], \"sure\": true}\n```",
            "Sure! Here it is:\n\n{\"facts\": [\"绿茶\", \"it's tea\"], \"sure\": true}\nHope this helps {smile}.",
            "好的，见 [1]：{\"facts\": [\"绿茶\", \"it's tea\"], \"sure\": true}",
            r#"{"facts": ["绿茶", "it's tea",], "sure": true,}"#,
            r#"{'facts': ['绿茶', 'it\'s tea'], 'sure': True}"#,
            r#"{facts: ["绿茶", "it's tea"], sure: true}"#,
            r#"{"facts": ["绿茶", "it's tea"], "sure": true"#,
            "{\"facts\": [\"绿茶\", // the first\n \"it's tea\"], /* yes */ \"sure\": true}",
            r#"{“facts”: [“绿茶”, “it's tea”]， “sure”：true}"#,
            "<think>{\"facts\": []} is too little</think>{\"facts\": [\"绿茶\", \"it's tea\"], \"sure\": true}",
        ];
        for text in table {
            assert_eq!(found(text), Some(facts.clone()), "{text}");
        }
    }

    #[test]
    fn what_ends_early_is_closed() {
        let table = [
            (r#"{"a": [1, 2"#, json!({"a": [1, 2]})),
            (r#"{"a": [1, 2,"#, json!({"a": [1, 2]})),
            (r#"{"a": "half a sen"#, json!({"a": "half a sen"})),
            (r#"{"a": 1, "b"#, json!({"a": 1})),
            (r#"{"a": 1, "b":"#, json!({"a": 1})),
            (r#"{"a": {"b": [{"c": tr"#, json!({"a": {"b": [{}]}})),
            (r#"{"a": "x\"#, json!({"a": "x"})),
        ];
        for (text, value) in table {
            assert_eq!(found(text), Some(value), "{text}");
            assert_eq!(find(text, false, Value::is_object), None, "{text}");
        }
    }

    #[test]
    fn line_breaks_in_strings_are_kept() {
        assert_eq!(found("{\"a\": \"one\ntwo\"}"), Some(json!({"a": "one\ntwo"})));
    }

    #[test]
    fn prose_has_none() {
        for text in ["", "Certainly!", "见《三体》[", "{", "{}}"] {
            assert_eq!(find(text, false, |value| value.get("a").is_some()), None, "{text}");
        }
    }

    #[test]
    fn a_flood_of_brackets_ends() {
        assert_eq!(found(&"[".repeat(1 << 20)), None);
        assert_eq!(found(&"{\"a\":".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn whatever_is_json_is_read_as_it_is(keys in prop::collection::vec(("[a-z\"'\\\\,{}\u{4e00}-\u{4e10}]{0,6}", ".{0,8}"), 0..5)) {
            let value = Value::Object(keys.into_iter().map(|(key, text)| (key, Value::from(text))).collect());
            prop_assert_eq!(found(&value.to_string()), Some(value.clone()));
            let read = lenient::read(&value.to_string()).unwrap();
            prop_assert!(read.closed);
            prop_assert_eq!(read.value, value);
        }

        #[test]
        fn nothing_makes_it_stumble(text in "[\\[\\]{}:,\"'\\\\a-z0-9 \n/*.-]{0,80}") {
            found(&text);
        }
    }
}
