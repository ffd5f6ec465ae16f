use memoir_text::estimate_tokens;
use serde::Serialize;

use crate::{CompletionRequest, ToolCall};

/// What a model answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Completion {
    /// Its words.
    pub(crate) text: String,
    /// The tools it calls.
    pub(crate) tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub(crate) finish: Finish,
    /// Whether it declined to answer.
    pub(crate) refused: bool,
    /// What it cost.
    pub(crate) usage: Usage,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    Stop,
    /// It ran into the limit.
    Length,
    /// It waits for tools.
    ToolCalls,
    /// A filter stopped it.
    ContentFilter,
    /// It did not say.
    Unknown,
}

impl Finish {
    pub(crate) fn read(word: &str) -> Self {
        match word {
            "stop" | "end_turn" | "eos" => Finish::Stop,
            "length" | "max_tokens" => Finish::Length,
            "tool_calls" | "function_call" => Finish::ToolCalls,
            // The last is Zhipu's.
            "content_filter" | "sensitive" => Finish::ContentFilter,
            _ => Finish::Unknown,
        }
    }
}

/// What a call cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Usage {
    /// The prompt.
    pub prompt: u64,
    /// The answer.
    pub answer: u64,
    /// Whether the server did not say and these are estimates.
    pub estimated: bool,
}

impl Usage {
    /// Prompt and answer.
    pub fn total(self) -> u64 {
        self.prompt + self.answer
    }

    pub(crate) fn estimate(request: &CompletionRequest, text: &str, tool_calls: &[ToolCall]) -> Self {
        let calls = tool_calls.iter().map(|call| estimate_tokens(&call.arguments));
        let answer = (estimate_tokens(text) + calls.sum::<usize>()) as u64;
        Usage { prompt: request.prompt_tokens(), answer, estimated: true }
    }
}
