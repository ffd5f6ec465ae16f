use hyper::Response;
use serde_json::{Value, json};
use std::time::Duration;

use super::body::ScriptedBody;

/// What a fake model does with a request. A request for a stream gets the same as a stream.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Answers with this text. For a ranking it is the whole body.
    Answer(String),
    /// Sums up what it is given to read, as JSON: the beginning of each of its lines.
    SumsUp,
    /// Answers with these parts: one event each in a stream, else joined.
    Parts(Vec<String>),
    /// Sends these parts, or half of an answer that is not a stream, and then nothing more.
    Stall(Vec<String>),
    /// Takes the request and never answers.
    Never,
    /// Waits for [`super::FakeModels::release`], then does this.
    Held(Box<Act>),
    /// 429, with this `Retry-After` if there is one.
    RateLimited(Option<String>),
    /// 429 with `Retry-After-Ms`.
    RateLimitedFor(Duration),
    /// An error with this status.
    Status(u16),
    /// 400 with this message.
    BadRequest(String),
    /// Closes the connection instead of answering.
    Hangup,
    /// Closes the connection in the middle of the answer.
    HangupMidway(Vec<String>),
    /// Answers with nothing.
    Empty,
    /// Answers with this text, which ran into the limit.
    Truncated(String),
    /// Answers with JSON of another shape than was asked for.
    WrongSchema,
    /// Answers in prose, whatever was asked for.
    NotJson,
    /// Declines, in the field made for that.
    Refusal,
    /// Is stopped by a filter.
    ContentFilter,
    /// Calls these tools: name and arguments. In a stream the arguments come in pieces.
    ToolCalls(Vec<(String, String)>),
    /// Answers with a mebibyte of text.
    Megabyte,
    /// 400 if the request has a response format of one of these types, else answers with this text.
    Rejecting(Vec<String>, String),
    /// Answers with this text and does not say what it cost.
    Unmetered(String),
    /// 200, but the body is an error with this code.
    ErrorInside(u16),
    /// 200, but the body is no JSON at all.
    Garbage,
    /// Vectors of this dimension, whatever was asked for.
    Dimension(usize),
    /// One vector or score too few.
    TooFew,
    /// A number that is not one.
    NotANumber,
}

impl Act {
    /// Answers with this text.
    pub fn answer(text: impl Into<String>) -> Self {
        Act::Answer(text.into())
    }

    /// Answers with this JSON as its text.
    pub fn json(value: &Value) -> Self {
        Act::Answer(value.to_string())
    }

    /// Answers with these parts.
    pub fn parts(parts: &[&str]) -> Self {
        Act::Parts(owned(parts))
    }

    /// Sends these parts and then nothing more.
    pub fn stall(parts: &[&str]) -> Self {
        Act::Stall(owned(parts))
    }

    /// Closes the connection after these parts.
    pub fn hangup_midway(parts: &[&str]) -> Self {
        Act::HangupMidway(owned(parts))
    }

    /// 400 if the request has a response format of one of these types, else answers with this text.
    pub fn rejecting(formats: &[&str], text: impl Into<String>) -> Self {
        Act::Rejecting(owned(formats), text.into())
    }

    /// Does this once it is released.
    pub fn held(self) -> Self {
        Act::Held(Box::new(self))
    }

    /// Calls these tools.
    pub fn tool_calls(calls: &[(&str, &str)]) -> Self {
        let calls = calls.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned()));
        Act::ToolCalls(calls.collect())
    }

    /// The answer by which the request is turned down, if it is.
    pub(super) fn refusal(&self, request: &Value) -> Option<Response<ScriptedBody>> {
        let error = |status: u16, message: &str| {
            ScriptedBody::json(status, &json!({"error": {"message": message, "type": "fake"}}))
        };
        let with = |mut response: Response<ScriptedBody>, name: &'static str, value: &str| {
            response.headers_mut().insert(name, value.parse().expect("a header"));
            response
        };
        match self {
            Act::RateLimited(None) => Some(error(429, "slow down")),
            Act::RateLimited(Some(after)) => Some(with(error(429, "slow down"), "retry-after", after)),
            Act::RateLimitedFor(wait) => {
                let wait = wait.as_millis().to_string();
                Some(with(error(429, "slow down"), "retry-after-ms", &wait))
            }
            Act::Status(status) => Some(error(*status, "as told")),
            Act::BadRequest(message) => Some(error(400, message)),
            Act::Rejecting(formats, _) => {
                let format = request["response_format"]["type"].as_str()?;
                let rejected = formats.iter().any(|rejected| rejected == format);
                rejected.then(|| error(400, &format!("response_format {format} is not supported")))
            }
            Act::Garbage => Some(ScriptedBody::text(200, "<html>welcome</html>")),
            Act::ErrorInside(code) => {
                Some(ScriptedBody::json(200, &json!({"error": {"code": code, "message": "upstream"}})))
            }
            _ => None,
        }
    }
}

fn owned(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| (*part).to_owned()).collect()
}
