use serde::Deserialize;
use serde_json::Value;

use crate::completion::Completion;
use crate::json::after_thinking;
use crate::{CompletionRequest, Finish, ToolCall, Usage};

/// What a server may say, as far as we look at it.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    pub(super) choices: Option<Vec<Choice>>,
    pub(super) usage: Option<WireUsage>,
    pub(super) error: Option<Value>,
}

/// One of the answers.
#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    message: Option<WireMessage>,
    /// In a stream, what is new.
    delta: Option<WireMessage>,
    finish_reason: Option<String>,
}

impl Choice {
    pub(super) fn finish(&self) -> Option<Finish> {
        self.finish_reason.as_deref().filter(|word| !word.is_empty()).map(Finish::read)
    }

    pub(super) fn into_message(self) -> WireMessage {
        self.delta.or(self.message).unwrap_or_default()
    }
}

impl Said {
    /// The answer that counts.
    pub(super) fn first_choice(self) -> Option<Choice> {
        self.choices.unwrap_or_default().into_iter().next()
    }
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct WireMessage {
    #[serde(default)]
    pub(super) content: Content,
    pub(super) refusal: Option<String>,
    pub(super) tool_calls: Option<Vec<WireToolCall>>,
}

/// Text, or parts of which some are text.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
    #[default]
    None,
}

#[derive(Debug, Deserialize)]
pub(super) struct ContentPart {
    #[serde(default)]
    text: String,
}

impl Content {
    pub(super) fn into_text(self) -> String {
        match self {
            Content::Text(text) => text,
            Content::Parts(parts) => parts.into_iter().map(|part| part.text).collect(),
            Content::None => String::new(),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct WireToolCall {
    pub(super) index: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) function: Option<WireFunction>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct WireFunction {
    pub(super) name: Option<String>,
    /// Text that is JSON; some servers send the JSON itself.
    pub(super) arguments: Option<Value>,
}

impl WireFunction {
    pub(super) fn arguments(self) -> String {
        match self.arguments {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        Usage { prompt: usage.prompt_tokens, answer: usage.completion_tokens, estimated: false }
    }
}

/// The completion in an answer; none if it is not in the protocol.
pub(crate) fn read_completion(body: &[u8], request: &CompletionRequest) -> Option<Completion> {
    let said: Said = serde_json::from_slice(body).ok()?;
    let usage = said.usage;
    let choice = said.first_choice()?;
    let finish = choice.finish().unwrap_or(Finish::Unknown);
    let message = choice.into_message();
    let refused = message.refusal.is_some_and(|refusal| !refusal.is_empty());
    let tool_calls: Vec<ToolCall> = message
        .tool_calls
        .unwrap_or_default()
        .into_iter()
        .enumerate()
        .map(|(at, call)| {
            let function = call.function.unwrap_or_default();
            ToolCall {
                id: call.id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call_{at}")),
                name: function.name.clone().unwrap_or_default(),
                arguments: function.arguments(),
            }
        })
        .collect();
    let text = after_thinking(&message.content.into_text()).to_owned();
    let usage = usage.map_or_else(|| Usage::estimate(request, &text, &tool_calls), Usage::from);
    Some(Completion { text, tool_calls, finish, refused, usage })
}

/// The status inside an answer that is an error although its own status says otherwise.
pub(crate) fn error_code(body: &[u8]) -> Option<u16> {
    let said: Said = serde_json::from_slice(body).ok()?;
    code_of(&said.error?)
}

pub(super) fn code_of(error: &Value) -> Option<u16> {
    /// What an error is that does not say.
    const UNSAID: u16 = 502;
    if error.is_null() {
        return None;
    }
    let code = &error["code"];
    let code = code.as_u64().or_else(|| code.as_str()?.parse().ok());
    Some(code.and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400).unwrap_or(UNSAID))
}

/// The names in a list of models.
pub(crate) fn model_ids(body: &[u8]) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Model>,
    }
    #[derive(Deserialize)]
    struct Model {
        id: String,
    }
    let list: List = serde_json::from_slice(body).ok()?;
    Some(list.data.into_iter().map(|model| model.id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Option<Completion> {
        read_completion(body.to_string().as_bytes(), &CompletionRequest::default())
    }

    #[test]
    fn content_comes_in_several_forms() {
        let table = [
            (json!("你好"), "你好"),
            (json!(null), ""),
            (json!([{"type": "text", "text": "你"}, {"type": "text", "text": "好"}]), "你好"),
            (json!("<think>嗯……</think>\n你好"), "你好"),
        ];
        for (content, text) in table {
            let completion = read(json!({"choices": [{"message": {"content": content}}]})).unwrap();
            assert_eq!(completion.text, text);
        }
    }

    #[test]
    fn usage_is_estimated_only_where_it_is_not_said() {
        let choices = json!([{"message": {"content": "我喜欢喝咖啡。"}, "finish_reason": "stop"}]);
        let said = json!({"choices": choices, "usage": {"prompt_tokens": 7, "completion_tokens": 3}});
        assert_eq!(read(said).unwrap().usage, Usage { prompt: 7, answer: 3, estimated: false });
        let unsaid = read(json!({"choices": choices})).unwrap();
        assert_eq!(unsaid.usage, Usage { prompt: 0, answer: 5, estimated: true });
    }

    #[test]
    fn several_tools_may_be_called_at_once() {
        let calls = json!([
            {"id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}},
            {"function": {"name": "g", "arguments": {"y": 2}}},
        ]);
        let completion =
            read(json!({"choices": [{"message": {"content": null, "tool_calls": calls}}]})).unwrap();
        let calls: Vec<(&str, &str, &str)> = completion
            .tool_calls
            .iter()
            .map(|c| (c.id.as_str(), c.name.as_str(), c.arguments.as_str()))
            .collect();
        assert_eq!(calls, [("a", "f", "{\"x\":1}"), ("call_1", "g", "{\"y\":2}")]);
    }

    #[test]
    fn an_error_may_hide_behind_a_good_status() {
        assert_eq!(error_code(br#"{"error": {"code": 429, "message": "slow"}}"#), Some(429));
        assert_eq!(error_code(br#"{"error": {"code": "503"}}"#), Some(503));
        assert_eq!(error_code(br#"{"error": {"code": "model_overloaded"}}"#), Some(502));
        assert_eq!(error_code(br#"{"choices": []}"#), None);
        assert_eq!(read(json!({"choices": []})), None);
    }
}
