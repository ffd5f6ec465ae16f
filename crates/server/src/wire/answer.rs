use memoir_engine::{Answer, ContextReply};
use memoir_model::{Error, ErrorCode, Result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::context::ContextBody;
use super::history::HistoryView;
use crate::body::part;
use crate::failure::ErrorView;

/// A message to answer: what a context takes, and how the answer shall come.
#[derive(Debug, JsonSchema)]
pub(crate) struct AnswerBody {
    #[schemars(flatten)]
    pub(crate) context: ContextBody,
    /// Whether the words shall come as they are found, as server-sent events: `{"data": "…"}` each, `{"done": true}` at the
    /// end, `{"error": {…}}` instead of it when the model breaks off.
    #[schemars(default)]
    pub(crate) stream: bool,
}

impl AnswerBody {
    /// Takes it apart: a body that is one thing inside another could not refuse what neither of them knows.
    pub(crate) fn from_json(mut body: Value) -> Result<Self> {
        let stream = match body.as_object_mut().and_then(|fields| fields.remove("stream")) {
            None => false,
            Some(Value::Bool(stream)) => stream,
            Some(_) => return Err(Error::invalid("stream", "must be true or false")),
        };
        Ok(AnswerBody { context: part(body)?, stream })
    }
}

/// An answer from memory.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AnswerView {
    /// The answer.
    answer: String,
    /// What it rests on.
    #[serde(flatten)]
    basis: Basis,
}

impl From<Answer> for AnswerView {
    fn from(answer: Answer) -> Self {
        AnswerView { answer: answer.text, basis: Basis::new(answer.by, answer.context) }
    }
}

/// What an answer rests on.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Basis {
    /// Who gave it: the name of a model, or `rules`.
    by: String,
    /// The id of the context it was made from.
    context_id: String,
    /// The ids of what the context was taken from.
    sources: Vec<String>,
    /// What came of a question about past talk; absent when the message is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<HistoryView>,
}

impl Basis {
    pub(crate) fn new(by: String, reply: ContextReply) -> Self {
        let mut sources: Vec<String> = Vec::new();
        for source in reply.context.blocks.into_iter().flat_map(|b| b.lines).flat_map(|l| l.sources) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        Basis {
            by,
            context_id: reply.context.id.to_string(),
            sources,
            history: reply.history.map(HistoryView::from),
        }
    }
}

/// What comes of an answer that is streamed.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum AnswerEvent {
    /// More words.
    Words {
        /// The words.
        data: String,
    },
    /// The end.
    Done {
        /// Always `true`.
        done: bool,
        /// What the answer rests on.
        #[serde(flatten)]
        basis: Basis,
    },
    /// The end of an answer that is not whole.
    Broken {
        /// Why.
        error: ErrorView,
    },
}

impl AnswerEvent {
    /// The model broke off. Whoever asked it has said why, in the log.
    pub(crate) fn broken() -> Self {
        let message = "the model broke off in the middle of its answer";
        AnswerEvent::Broken { error: ErrorView::from(&Error::new(ErrorCode::ModelInterrupted, message)) }
    }
}
