use serde::{Deserialize, Serialize};

use crate::CompletionRequest;
use crate::kind::Quirks;

/// How a model is asked for JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonMode {
    /// The server holds the answer to the schema.
    Schema,
    /// The server holds the answer to be JSON; the schema stands in the prompt.
    Object,
    /// The schema stands in the prompt, and the JSON is looked for in the answer.
    Text,
}

/// The field by which an answer is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenField {
    /// What most servers know.
    MaxTokens,
    /// What OpenAI wants since its models think before they answer.
    MaxCompletionTokens,
}

impl TokenField {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            TokenField::MaxTokens => "max_tokens",
            TokenField::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

/// What one model of one provider takes, as far as we know. Begins as a guess and learns from what is turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accepts {
    pub(crate) json: JsonMode,
    pub(crate) tokens: TokenField,
    pub(crate) temperature: bool,
    pub(crate) stream_usage: bool,
    pub(crate) parallel_tool_calls: bool,
}

impl Accepts {
    pub(crate) fn guess(quirks: &Quirks) -> Self {
        Accepts {
            json: quirks.json,
            tokens: quirks.tokens,
            temperature: true,
            stream_usage: quirks.stream_usage,
            parallel_tool_calls: quirks.parallel_tool_calls,
        }
    }

    /// What to send instead after the server turned a request down with this message, if the message names something
    /// that was sent and that the request can do without.
    pub(crate) fn after(self, message: &str, request: &CompletionRequest, streaming: bool) -> Option<Self> {
        let names = |word: &str| message.contains(word);
        let names_format = names("response_format") || names("json_schema") || names("json_object");
        if request.shape.is_some() && names_format && self.json != JsonMode::Text {
            return Some(Accepts { json: self.json.lower(), ..self });
        }
        if request.max_tokens.is_some() && names(self.tokens.as_str()) {
            let other = match self.tokens {
                TokenField::MaxTokens if names("max_completion_tokens") => TokenField::MaxCompletionTokens,
                TokenField::MaxCompletionTokens => TokenField::MaxTokens,
                TokenField::MaxTokens => return None,
            };
            return Some(Accepts { tokens: other, ..self });
        }
        if streaming && self.stream_usage && names("stream_options") {
            return Some(Accepts { stream_usage: false, ..self });
        }
        if !request.tools.is_empty() && self.parallel_tool_calls && names("parallel_tool_calls") {
            return Some(Accepts { parallel_tool_calls: false, ..self });
        }
        if request.temperature.is_some() && self.temperature && names("temperature") {
            return Some(Accepts { temperature: false, ..self });
        }
        None
    }
}

impl JsonMode {
    fn lower(self) -> Self {
        match self {
            JsonMode::Schema => JsonMode::Object,
            JsonMode::Object | JsonMode::Text => JsonMode::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProviderKind, Shape};

    fn request() -> CompletionRequest {
        CompletionRequest {
            max_tokens: Some(10),
            temperature: Some(0.0),
            shape: Some(Shape::untyped("x", serde_json::json!({"type": "object"}))),
            ..CompletionRequest::default()
        }
    }

    #[test]
    fn what_is_turned_down_is_left_out_next_time() {
        let first = Accepts::guess(ProviderKind::OpenAi.quirks());
        let table = [
            ("response_format json_schema is unknown", Accepts { json: JsonMode::Object, ..first }),
            ("unknown field max_completion_tokens", Accepts { tokens: TokenField::MaxTokens, ..first }),
            ("'temperature' does not support 0", Accepts { temperature: false, ..first }),
            ("stream_options: extra inputs", Accepts { stream_usage: false, ..first }),
        ];
        for (message, then) in table {
            assert_eq!(first.after(message, &request(), true), Some(then), "{message}");
        }
        assert_eq!(first.after("the prompt is too long", &request(), true), None);
        let lowest = Accepts { json: JsonMode::Text, ..first };
        assert_eq!(lowest.after("response_format", &request(), false), None);
    }

    #[test]
    fn a_limit_that_is_too_high_is_no_reason_to_rename_it() {
        let first = Accepts::guess(ProviderKind::DeepSeek.quirks());
        assert_eq!(first.after("max_tokens must be at most 8192", &request(), false), None);
        let renamed = first.after("use max_completion_tokens, not max_tokens", &request(), false);
        assert_eq!(renamed.map(|accepts| accepts.tokens), Some(TokenField::MaxCompletionTokens));
    }
}
