use hyper::Response;
use serde_json::{Value, json};

use super::body::{ScriptedBody, Step};
use super::{Act, Recorded, bytes};

/// How many characters of a tool's arguments go into one event.
const ARGUMENT_PIECE: usize = 7;

/// What a model says and how it ends.
struct Speech {
    parts: Vec<String>,
    tool_calls: Vec<(String, String)>,
    refusal: Option<&'static str>,
    finish: &'static str,
    metered: bool,
    end: End,
}

/// How the transport ends.
#[derive(PartialEq)]
enum End {
    Well,
    Stall,
    Break,
}

impl Speech {
    fn text(parts: Vec<String>) -> Self {
        Speech { parts, tool_calls: Vec::new(), refusal: None, finish: "stop", metered: true, end: End::Well }
    }

    fn of(act: Option<Act>) -> Self {
        let one = |text: &str| Speech::text(vec![text.to_owned()]);
        match act {
            Some(Act::Answer(text) | Act::Rejecting(_, text)) => one(&text),
            Some(Act::Unmetered(text)) => Speech { metered: false, ..one(&text) },
            Some(Act::Parts(parts)) => Speech::text(parts),
            Some(Act::Stall(parts)) => Speech { end: End::Stall, ..Speech::text(parts) },
            Some(Act::HangupMidway(parts)) => Speech { end: End::Break, ..Speech::text(parts) },
            Some(Act::Empty) => Speech::text(Vec::new()),
            Some(Act::Truncated(text)) => Speech { finish: "length", ..one(&text) },
            Some(Act::WrongSchema) => one(r#"{"unasked":[1,2,3]}"#),
            Some(Act::NotJson) => one("Certainly! Here is what I think about that."),
            Some(Act::Refusal) => Speech { refusal: Some("I cannot help with that."), ..one("") },
            Some(Act::ContentFilter) => Speech { finish: "content_filter", ..one("") },
            Some(Act::ToolCalls(tool_calls)) => {
                Speech { tool_calls, finish: "tool_calls", ..Speech::text(Vec::new()) }
            }
            Some(Act::Megabyte) => one(&"很长的回答。".repeat((1 << 20) / "很长的回答。".len())),
            _ => one("ok"),
        }
    }

    fn usage(&self, request: &Recorded) -> Value {
        let prompt = request.body["messages"].to_string().chars().count();
        let completion: usize = self.parts.iter().map(|part| part.chars().count()).sum();
        json!({"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion})
    }
}

pub(super) fn answer(act: Option<Act>, request: &Recorded) -> Response<ScriptedBody> {
    let speech = match act {
        Some(Act::SumsUp) => Speech::text(vec![summed_up(request)]),
        act => Speech::of(act),
    };
    match request.body["stream"].as_bool() {
        Some(true) => ScriptedBody::events(events(&speech, request)),
        _ => whole(&speech, request),
    }
}

/// A summary that tells what was read: two texts that differ at the beginning of a line have two.
fn summed_up(request: &Recorded) -> String {
    let messages = request.body["messages"].as_array().cloned().unwrap_or_default();
    let content = &messages.last().map(|message| message["content"].clone()).unwrap_or_default();
    let text = content.as_str().or_else(|| content[0]["text"].as_str()).unwrap_or_default();
    // Between the rails of its fence.
    let mut lines = text.lines().skip_while(|line| !line.starts_with("===")).skip(1).collect::<Vec<_>>();
    lines.pop();
    let beginning = |line: &&str| line.chars().take(24).collect::<String>();
    let read = lines.iter().map(beginning).collect::<Vec<_>>().join(" / ");
    json!({"summary": format!("{read}."), "key_topics": ["one", "two", "three"]}).to_string()
}

fn whole(speech: &Speech, request: &Recorded) -> Response<ScriptedBody> {
    let mut message = json!({"role": "assistant", "content": speech.parts.concat()});
    if let Some(refusal) = speech.refusal {
        message["refusal"] = refusal.into();
        message["content"] = Value::Null;
    }
    if !speech.tool_calls.is_empty() {
        message["content"] = Value::Null;
        let calls = speech.tool_calls.iter().enumerate();
        message["tool_calls"] = calls.map(|(at, call)| tool_call(at, &call.0, &call.1)).collect();
    }
    let choice = json!({"index": 0, "message": message, "finish_reason": speech.finish});
    let mut body = json!({"object": "chat.completion", "model": request.model, "choices": [choice]});
    if speech.metered {
        body["usage"] = speech.usage(request);
    }
    let text = body.to_string();
    let half = text.floor_char_boundary(text.len() / 2);
    let steps = match speech.end {
        End::Well => vec![Step::Send(bytes(text))],
        End::Stall => vec![Step::Send(bytes(&text[..half])), Step::Stall],
        End::Break => vec![Step::Send(bytes(&text[..half])), Step::Break],
    };
    ScriptedBody::of_type(200, "application/json", steps)
}

fn events(speech: &Speech, request: &Recorded) -> Vec<Step> {
    let mut steps = vec![event(request, json!({"role": "assistant", "content": ""}), None)];
    steps.extend(speech.parts.iter().map(|part| event(request, json!({"content": part}), None)));
    if let Some(refusal) = speech.refusal {
        steps.push(event(request, json!({"refusal": refusal}), None));
    }
    // The calls take turns, so that a reader must tell them apart by their index.
    for (at, (name, _)) in speech.tool_calls.iter().enumerate() {
        let mut call = tool_call(at, name, "");
        call["index"] = at.into();
        steps.push(event(request, json!({"tool_calls": [call]}), None));
    }
    let longest = speech.tool_calls.iter().map(|(_, arguments)| arguments.chars().count()).max().unwrap_or(0);
    for from in (0..longest).step_by(ARGUMENT_PIECE) {
        for (at, (_, arguments)) in speech.tool_calls.iter().enumerate() {
            let piece: String = arguments.chars().skip(from).take(ARGUMENT_PIECE).collect();
            let call = json!({"index": at, "function": {"arguments": piece}});
            steps.push(event(request, json!({"tool_calls": [call]}), None));
        }
    }
    match speech.end {
        End::Stall => steps.push(Step::Stall),
        End::Break => steps.push(Step::Break),
        End::Well => {
            steps.push(event(request, json!({}), Some(speech.finish)));
            if speech.metered && request.body["stream_options"]["include_usage"] == true {
                steps.push(data(&json!({"choices": [], "usage": speech.usage(request)}).to_string()));
            }
            steps.push(data("[DONE]"));
        }
    }
    steps
}

fn event(request: &Recorded, delta: Value, finish: Option<&str>) -> Step {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    let chunk = json!({"object": "chat.completion.chunk", "model": request.model, "choices": [choice]});
    data(&chunk.to_string())
}

fn data(text: &str) -> Step {
    Step::Send(bytes(format!("data: {text}\n\n")))
}

fn tool_call(at: usize, name: &str, arguments: &str) -> Value {
    json!({"id": format!("call_{at}"), "type": "function", "function": {"name": name, "arguments": arguments}})
}
