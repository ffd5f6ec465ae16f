use serde::{Deserialize, Serialize};

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What the model is told to do.
    System(String),
    /// What a person said.
    User(Vec<Part>),
    /// What the model said.
    Assistant {
        /// Its words.
        text: String,
        /// The tools it called.
        tool_calls: Vec<ToolCall>,
    },
    /// What a tool answered.
    Tool {
        /// Which call it answers.
        call_id: String,
        /// Its answer.
        text: String,
    },
}

impl Message {
    /// What the model is told to do.
    pub fn system(text: impl Into<String>) -> Self {
        Message::System(text.into())
    }

    /// What a person said.
    pub fn user(text: impl Into<String>) -> Self {
        Message::User(vec![Part::Text(text.into())])
    }

    /// What the model said.
    pub fn assistant(text: impl Into<String>) -> Self {
        Message::Assistant { text: text.into(), tool_calls: Vec::new() }
    }
}

/// A part of what a person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture, as a URL or a data URL.
    Image(String),
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// When to call it.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: serde_json::Value,
}

/// Whether a model must call a tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ToolChoice {
    /// As it likes.
    #[default]
    Auto,
    /// It must not.
    None,
    /// It must call one.
    Required,
    /// It must call this one.
    Named(String),
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// What the tool's answer must repeat.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
}
