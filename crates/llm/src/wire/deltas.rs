use crate::completion::Completion;
use crate::{CompletionRequest, Finish, Reason, ToolCall, Usage};

use super::read::{Said, WireToolCall, code_of};

/// What an event brings that can be passed on at once.
#[derive(Debug, PartialEq)]
pub(crate) enum Delta {
    /// More words.
    Text(String),
    /// Nothing yet.
    None,
    /// The end.
    Done,
}

/// Puts an answer together from the events of a stream.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    calls: Vec<(Option<u64>, ToolCall)>,
    text: String,
    refused: bool,
    finish: Option<Finish>,
    usage: Option<Usage>,
    /// Text that came whole and was not passed on yet.
    unsaid: Option<String>,
}

/// What is known when a stream has ended.
#[derive(Debug, PartialEq)]
pub(crate) struct Assembled {
    pub(crate) tool_calls: Vec<ToolCall>,
    pub(crate) refused: bool,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    pub(crate) has_text: bool,
}

impl Assembly {
    /// An answer that came whole.
    pub(crate) fn whole(completion: Completion) -> Self {
        let Completion { text, tool_calls, finish, refused, usage } = completion;
        Assembly {
            calls: tool_calls.into_iter().map(|call| (None, call)).collect(),
            text: text.clone(),
            refused,
            finish: Some(finish),
            usage: Some(usage),
            unsaid: Some(text).filter(|text| !text.is_empty()),
        }
    }

    /// What there is to pass on when no more events come.
    pub(crate) fn take_whole(&mut self) -> Delta {
        self.unsaid.take().map_or(Delta::Done, Delta::Text)
    }

    /// Takes the data of one event.
    pub(crate) fn push(&mut self, data: &str) -> Result<Delta, Reason> {
        if data.trim() == "[DONE]" {
            return Ok(Delta::Done);
        }
        let said: Said = serde_json::from_str(data).map_err(|_| Reason::Broken)?;
        if let Some(code) = said.error.as_ref().and_then(code_of) {
            return Err(Reason::of_status(code, None));
        }
        if let Some(usage) = said.usage {
            self.usage = Some(usage.into());
        }
        let Some(choice) = said.first_choice() else { return Ok(Delta::None) };
        self.finish = choice.finish().or(self.finish);
        let message = choice.into_message();
        self.refused |= message.refusal.is_some_and(|refusal| !refusal.is_empty());
        for call in message.tool_calls.unwrap_or_default() {
            self.add_call(call);
        }
        let text = message.content.into_text();
        if text.is_empty() {
            return Ok(Delta::None);
        }
        self.text.push_str(&text);
        Ok(Delta::Text(text))
    }

    /// A piece belongs to the call of its index. Where servers give none, or give all calls the same, a new id begins a
    /// new call.
    fn add_call(&mut self, piece: WireToolCall) {
        let function = piece.function.unwrap_or_default();
        let id = piece.id.filter(|id| !id.is_empty());
        let known = self.calls.iter().rposition(|(index, call)| {
            let same_index = piece.index.is_none() || *index == piece.index;
            same_index && id.as_ref().is_none_or(|id| *id == call.id)
        });
        let at = match known {
            Some(at) => at,
            None => {
                let id = id.unwrap_or_else(|| format!("call_{}", self.calls.len()));
                let call = ToolCall { id, name: String::new(), arguments: String::new() };
                self.calls.push((piece.index, call));
                self.calls.len() - 1
            }
        };
        let Some((_, call)) = self.calls.get_mut(at) else { return };
        if let Some(name) = function.name.as_ref().filter(|_| call.name.is_empty()) {
            call.name.clone_from(name);
        }
        call.arguments.push_str(&function.arguments());
    }

    /// Whether the server has said that it is done.
    pub(crate) fn has_finished(&self) -> bool {
        self.finish.is_some()
    }

    pub(crate) fn end(self, request: &CompletionRequest) -> Assembled {
        let tool_calls: Vec<ToolCall> = self.calls.into_iter().map(|(_, call)| call).collect();
        let usage = self.usage.unwrap_or_else(|| Usage::estimate(request, &self.text, &tool_calls));
        Assembled {
            tool_calls,
            refused: self.refused,
            finish: self.finish.unwrap_or(Finish::Unknown),
            usage,
            has_text: !self.text.trim().is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn assembled(deltas: &[Value]) -> Assembled {
        let mut assembly = Assembly::default();
        for delta in deltas {
            assembly.push(&json!({"choices": [{"delta": delta}]}).to_string()).unwrap();
        }
        assembly.end(&CompletionRequest::default())
    }

    fn piece(index: Value, id: Value, name: Value, arguments: &str) -> Value {
        json!({"tool_calls": [{"index": index, "id": id, "function": {"name": name, "arguments": arguments}}]})
    }

    #[test]
    fn calls_that_take_turns_are_told_apart() {
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        };
        let by_index = assembled(&[
            piece(json!(0), json!("a"), json!("f"), ""),
            piece(json!(1), json!("b"), json!("g"), ""),
            piece(json!(0), Value::Null, Value::Null, "{\"x\""),
            piece(json!(1), Value::Null, Value::Null, "{}"),
            piece(json!(0), json!(""), Value::Null, ":1}"),
        ]);
        assert_eq!(by_index.tool_calls, [call("a", "f", "{\"x\":1}"), call("b", "g", "{}")]);
        let by_id = assembled(&[
            piece(json!(0), json!("a"), json!("f"), "{}"),
            piece(json!(0), json!("b"), json!("g"), "{}"),
        ]);
        assert_eq!(by_id.tool_calls, [call("a", "f", "{}"), call("b", "g", "{}")]);
        let by_order = assembled(&[
            piece(Value::Null, json!("a"), json!("f"), "{"),
            piece(Value::Null, Value::Null, Value::Null, "}"),
        ]);
        assert_eq!(by_order.tool_calls, [call("a", "f", "{}")]);
    }

    #[test]
    fn an_error_in_the_middle_is_one() {
        let mut assembly = Assembly::default();
        let error = assembly.push(r#"{"error": {"code": 503, "message": "overloaded"}}"#);
        assert_eq!(error, Err(Reason::ServerError(503)));
        assert_eq!(assembly.push("not JSON"), Err(Reason::Broken));
        assert_eq!(assembly.push("[DONE]"), Ok(Delta::Done));
    }
}
