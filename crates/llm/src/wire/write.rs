use serde_json::{Map, Value, json};

use crate::accepts::{Accepts, JsonMode, TokenField};
use crate::{CompletionRequest, Message, Part, Shape, Tool, ToolCall, ToolChoice};

/// A request as a server takes it that accepts this.
pub(crate) fn write_request(
    request: &CompletionRequest,
    model: &str,
    accepts: Accepts,
    streaming: bool,
    extra: &Map<String, Value>,
) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), messages(request, accepts.json));
    if let Some(most) = request.max_tokens {
        body.insert(accepts.tokens.as_str().into(), most.into());
    }
    if let Some(temperature) = request.temperature.filter(|_| accepts.temperature) {
        body.insert("temperature".into(), decimal(temperature));
    }
    if let Some(top_p) = request.top_p {
        body.insert("top_p".into(), decimal(top_p));
    }
    if !request.stop.is_empty() {
        body.insert("stop".into(), json!(request.stop));
    }
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
        body.insert("tool_choice".into(), tool_choice(&request.tool_choice));
        if let Some(parallel) = request.parallel_tool_calls.filter(|_| accepts.parallel_tool_calls) {
            body.insert("parallel_tool_calls".into(), parallel.into());
        }
    }
    match (&request.shape, accepts.json) {
        (Some(shape), JsonMode::Schema) => {
            body.insert("response_format".into(), shape.response_format());
        }
        (Some(_), JsonMode::Object) => {
            body.insert("response_format".into(), json!({"type": "json_object"}));
        }
        _ => {}
    }
    if streaming {
        body.insert("stream".into(), true.into());
        if accepts.stream_usage {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
    }
    body.extend(extra.clone());
    Value::Object(body)
}

/// What tells one request from another, whoever is asked.
pub(crate) fn fingerprint(request: &CompletionRequest) -> Value {
    let accepts = Accepts {
        json: JsonMode::Schema,
        tokens: TokenField::MaxTokens,
        temperature: true,
        stream_usage: false,
        parallel_tool_calls: true,
    };
    write_request(request, "", accepts, false, &Map::new())
}

/// A number as it was written, not as its nearest neighbour in twice the precision.
fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn messages(request: &CompletionRequest, json: JsonMode) -> Value {
    let mut messages: Vec<Value> = request.messages.iter().map(message).collect();
    if let Some(shape) = request.shape.as_ref().filter(|_| json != JsonMode::Schema) {
        instruct(&mut messages, shape);
    }
    messages.into()
}

/// Adds to the system message what the answer must look like.
fn instruct(messages: &mut Vec<Value>, shape: &Shape) {
    let instruction = shape.instruction();
    match messages.iter_mut().find(|message| message["role"] == "system") {
        Some(system) => {
            let told = system["content"].as_str().unwrap_or_default();
            system["content"] = format!("{told}\n\n{instruction}").into();
        }
        None => messages.insert(0, json!({"role": "system", "content": instruction})),
    }
}

fn message(message: &Message) -> Value {
    match message {
        Message::System(text) => json!({"role": "system", "content": text}),
        Message::User(parts) => json!({"role": "user", "content": content(parts)}),
        Message::Assistant { text, tool_calls } if tool_calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Message::Assistant { text, tool_calls } => {
            let content = if text.is_empty() { Value::Null } else { text.as_str().into() };
            let calls: Vec<Value> = tool_calls.iter().map(tool_call).collect();
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Message::Tool { call_id, text } => json!({"role": "tool", "tool_call_id": call_id, "content": text}),
    }
}

/// Plain text where that is all, because some servers know nothing else.
fn content(parts: &[Part]) -> Value {
    if let [Part::Text(text)] = parts {
        return text.as_str().into();
    }
    let part = |part: &Part| match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image(url) => json!({"type": "image_url", "image_url": {"url": url}}),
    };
    parts.iter().map(part).collect()
}

fn tool(tool: &Tool) -> Value {
    let Tool { name, description, parameters } = tool;
    json!({
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    })
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Named(name) => json!({"type": "function", "function": {"name": name}}),
    }
}

fn tool_call(call: &ToolCall) -> Value {
    let ToolCall { id, name, arguments } = call;
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProviderKind;

    fn written(request: &CompletionRequest, kind: ProviderKind, streaming: bool) -> Value {
        write_request(request, "m", Accepts::guess(kind.quirks()), streaming, &Map::new())
    }

    #[test]
    fn words_and_pictures() {
        let request = CompletionRequest {
            max_tokens: Some(200),
            temperature: Some(0.2),
            ..CompletionRequest::new(vec![
                Message::system("Be brief."),
                Message::User(vec![
                    Part::Text("这是什么？".into()),
                    Part::Image("data:image/png;base64,AAAA".into()),
                ]),
            ])
        };
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [
                    {"type": "text", "text": "这是什么？"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                ]},
            ],
            "max_tokens": 200,
            "temperature": 0.2,
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        assert_eq!(written(&request, ProviderKind::OpenRouter, true), expected);
        assert_eq!(written(&request, ProviderKind::OpenAi, false)["max_completion_tokens"], 200);
    }

    #[test]
    fn tools_and_their_answers() {
        let call =
            ToolCall { id: "c1".into(), name: "weather".into(), arguments: "{\"city\":\"厦门\"}".into() };
        let request = CompletionRequest {
            tools: vec![Tool {
                name: "weather".into(),
                description: "The weather in a city.".into(),
                parameters: json!({"type": "object", "properties": {"city": {"type": "string"}}}),
            }],
            tool_choice: ToolChoice::Named("weather".into()),
            parallel_tool_calls: Some(true),
            ..CompletionRequest::new(vec![
                Message::user("厦门天气？"),
                Message::Assistant { text: String::new(), tool_calls: vec![call] },
                Message::Tool { call_id: "c1".into(), text: "晴".into() },
            ])
        };
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "user", "content": "厦门天气？"},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"厦门\"}"}},
                ]},
                {"role": "tool", "tool_call_id": "c1", "content": "晴"},
            ],
            "tools": [{"type": "function", "function": {
                "name": "weather",
                "description": "The weather in a city.",
                "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
            }}],
            "tool_choice": {"type": "function", "function": {"name": "weather"}},
            "parallel_tool_calls": true,
        });
        assert_eq!(written(&request, ProviderKind::OpenAi, false), expected);
        assert_eq!(written(&request, ProviderKind::Ollama, false).get("parallel_tool_calls"), None);
    }

    #[test]
    fn a_schema_stands_in_the_prompt_where_the_server_takes_none() {
        let shape = Shape::untyped("facts", json!({"type": "object", "properties": {}}));
        let request = CompletionRequest {
            shape: Some(shape),
            ..CompletionRequest::new(vec![Message::system("Extract."), Message::user("…")])
        };
        let strict = written(&request, ProviderKind::OpenAi, false);
        assert_eq!(strict["response_format"]["json_schema"]["name"], "facts");
        assert_eq!(strict["messages"][0]["content"], "Extract.");
        let object = written(&request, ProviderKind::DeepSeek, false);
        assert_eq!(object["response_format"], json!({"type": "json_object"}));
        let told = object["messages"][0]["content"].as_str().unwrap();
        assert!(
            told.starts_with("Extract.\n\nAnswer with one JSON value") && told.contains("\"properties\"")
        );
    }

    #[test]
    fn further_fields_go_along() {
        let extra = json!({"enable_thinking": false}).as_object().cloned().unwrap();
        let accepts = Accepts::guess(ProviderKind::DashScope.quirks());
        let body = write_request(&CompletionRequest::default(), "m", accepts, false, &extra);
        assert_eq!(body["enable_thinking"], false);
    }
}
