use serde::Serialize;
use serde_json::Value;

use crate::completion::Completion;
use crate::{CompletionRequest, Finish, Reason, json};

/// Which answers will do. JSON must have the shape that was asked for, whatever is said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Validate {
    /// How many characters it has at least.
    pub least_chars: usize,
    /// How many it has at most.
    pub most_chars: Option<usize>,
    /// What becomes of one that is longer.
    pub overlong: Overlong,
    /// Whether the model may say that there is nothing worth remembering.
    pub may_be_nothing: bool,
}

/// What becomes of an answer that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Overlong {
    /// It is cut.
    Cut,
    /// The next model is asked.
    Refuse,
}

impl Default for Validate {
    fn default() -> Self {
        Validate { least_chars: 1, most_chars: None, overlong: Overlong::Cut, may_be_nothing: false }
    }
}

/// What a model says that finds nothing worth remembering, as [`memoir_text::normalise`] writes it.
const NOTHING: [&str; 2] = ["无有效记忆", "nothing worth remembering"];
/// How much else such an answer may say; a longer one remembers something after all.
const ASIDE: usize = 12;

/// An answer that was found fit.
#[derive(Debug, PartialEq)]
pub(crate) enum Fit {
    Text(String),
    Json(Value),
    Nothing,
}

impl Validate {
    pub(crate) fn check(&self, request: &CompletionRequest, completion: &Completion) -> Result<Fit, Reason> {
        if completion.refused || completion.finish == Finish::ContentFilter {
            return Err(Reason::Refused);
        }
        let text = completion.text.trim();
        if !completion.tool_calls.is_empty() {
            return Ok(Fit::Text(text.to_owned()));
        }
        let cut_short = completion.finish == Finish::Length;
        let or_truncated = |reason| if cut_short { Reason::Truncated } else { reason };
        if text.is_empty() {
            return Err(or_truncated(Reason::Empty));
        }
        if self.may_be_nothing && is_nothing(text) {
            return Ok(Fit::Nothing);
        }
        if let Some(shape) = &request.shape {
            let found = json::find(text, !cut_short, |value| shape.fits(value));
            return found.map(Fit::Json).ok_or(or_truncated(Reason::Invalid));
        }
        let length = text.chars().count();
        if length < self.least_chars {
            return Err(or_truncated(Reason::TooShort));
        }
        match (self.most_chars, self.overlong) {
            (Some(most), Overlong::Refuse) if length > most => Err(Reason::TooLong),
            (Some(most), _) if length > most => Ok(Fit::Text(text.chars().take(most).collect())),
            _ => Ok(Fit::Text(text.to_owned())),
        }
    }
}

fn is_nothing(text: &str) -> bool {
    // Longer than any such answer, so that a long one is not folded in vain.
    if text.len() > 200 {
        return false;
    }
    let folded = memoir_text::normalise(text);
    NOTHING
        .iter()
        .any(|nothing| folded.contains(nothing) && folded.chars().count() <= nothing.chars().count() + ASIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, Usage};
    use serde_json::json;

    fn said(text: &str) -> Completion {
        Completion {
            text: text.to_owned(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            refused: false,
            usage: Usage::default(),
        }
    }

    fn summary() -> Validate {
        Validate { least_chars: 5, most_chars: Some(10), may_be_nothing: true, ..Validate::default() }
    }

    fn check(completion: &Completion) -> Result<Fit, Reason> {
        summary().check(&CompletionRequest::default(), completion)
    }

    #[test]
    fn a_summary_has_enough_characters_and_not_too_many() {
        assert_eq!(check(&said("  用户喜欢绿茶。\n")), Ok(Fit::Text("用户喜欢绿茶。".into())));
        assert_eq!(check(&said("嗯")), Err(Reason::TooShort));
        assert_eq!(check(&said(" \n ")), Err(Reason::Empty));
        assert_eq!(check(&said("一二三四五六七八九十十一")), Ok(Fit::Text("一二三四五六七八九十".into())));
        let strict = Validate { overlong: Overlong::Refuse, ..summary() };
        let long = strict.check(&CompletionRequest::default(), &said("一二三四五六七八九十十一"));
        assert_eq!(long, Err(Reason::TooLong));
    }

    #[test]
    fn nothing_worth_remembering_is_an_answer() {
        for text in ["无有效记忆", "“無有效記憶”。", "Nothing worth remembering.", "这段对话无有效记忆。"]
        {
            assert_eq!(check(&said(text)), Ok(Fit::Nothing), "{text}");
        }
        let more = "用户对花生过敏，需要随身带药；其余闲聊的部分无有效记忆。";
        assert!(matches!(check(&said(more)), Ok(Fit::Text(_))));
        let not_allowed = Validate::default().check(&CompletionRequest::default(), &said("无有效记忆"));
        assert_eq!(not_allowed, Ok(Fit::Text("无有效记忆".into())));
    }

    #[test]
    fn a_refusal_is_no_answer_and_neither_is_half_of_one() {
        assert_eq!(check(&Completion { refused: true, ..said("") }), Err(Reason::Refused));
        let filtered = Completion { finish: Finish::ContentFilter, ..said("用户喜欢绿茶。") };
        assert_eq!(check(&filtered), Err(Reason::Refused));
        let cut = Completion { finish: Finish::Length, ..said("用") };
        assert_eq!(check(&cut), Err(Reason::Truncated));
        let long_enough = Completion { finish: Finish::Length, ..said("用户喜欢绿茶，") };
        assert!(check(&long_enough).is_ok());
    }

    #[test]
    fn json_that_ran_into_the_limit_is_not_patched_up() {
        let shape = Shape::untyped("x", json!({"type": "object"}));
        let request = CompletionRequest { shape: Some(shape), ..CompletionRequest::default() };
        let half = said("{\"facts\": [\"a\", \"b\"");
        assert_eq!(summary().check(&request, &half), Ok(Fit::Json(json!({"facts": ["a", "b"]}))));
        let cut = Completion { finish: Finish::Length, ..half };
        assert_eq!(summary().check(&request, &cut), Err(Reason::Truncated));
        assert_eq!(summary().check(&request, &said("Certainly!")), Err(Reason::Invalid));
    }
}
