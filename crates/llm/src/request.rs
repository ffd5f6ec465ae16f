use memoir_text::estimate_tokens;

use crate::{Message, Part, Shape, Tool, ToolChoice};

/// What a model is asked.
#[derive(Debug, Clone, Default)]
pub struct CompletionRequest {
    /// The prompt.
    pub messages: Vec<Message>,
    /// How long the answer may be.
    pub max_tokens: Option<u32>,
    /// How freely the model chooses its words; 0 makes the call repeatable, and its answer is cached.
    pub temperature: Option<f32>,
    /// The share of likely words it chooses from.
    pub top_p: Option<f32>,
    /// Where the answer ends.
    pub stop: Vec<String>,
    /// The tools it may call.
    pub tools: Vec<Tool>,
    /// Whether it must.
    pub tool_choice: ToolChoice,
    /// Whether it may call several at once.
    pub parallel_tool_calls: Option<bool>,
    /// The JSON that is asked for; prose if there is none.
    pub shape: Option<Shape>,
}

/// What a picture costs, about.
const IMAGE_TOKENS: usize = 800;

impl CompletionRequest {
    /// A prompt of these messages.
    pub fn new(messages: Vec<Message>) -> Self {
        CompletionRequest { messages, ..CompletionRequest::default() }
    }

    /// About how many tokens the prompt has.
    pub fn prompt_tokens(&self) -> u64 {
        let part = |part: &Part| match part {
            Part::Text(text) => estimate_tokens(text),
            Part::Image(_) => IMAGE_TOKENS,
        };
        let messages = self.messages.iter().map(|message| match message {
            Message::System(text) | Message::Tool { text, .. } => estimate_tokens(text),
            Message::User(parts) => parts.iter().map(part).sum(),
            Message::Assistant { text, tool_calls } => {
                let calls = tool_calls.iter().map(|call| estimate_tokens(&call.arguments));
                estimate_tokens(text) + calls.sum::<usize>()
            }
        });
        let tools = self
            .tools
            .iter()
            .map(|tool| estimate_tokens(&tool.description) + estimate_tokens(&tool.parameters.to_string()));
        messages.chain(tools).sum::<usize>() as u64
    }

    /// Whether the same question has the same answer.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.temperature == Some(0.0)
    }
}
