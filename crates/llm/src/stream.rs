use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::time::{Instant, sleep, timeout_at};

use crate::chain::{Question, give_up};
use crate::endpoint::Endpoint;
use crate::incoming::Incoming;
use crate::journal::Journal;
use crate::mask::{Sheet, StreamUnmasker};
use crate::patience::Patience;
use crate::provider::Admission;
use crate::wire::Delta;
use crate::{Cause, CompletionRequest, Finish, NoModel, Reason, Registry, Role, Task, ToolCall, Usage};

/// A part of an answer as it comes.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamPart {
    /// More words.
    Text(String),
    /// A call of a tool, whole.
    ToolCall(ToolCall),
    /// The end. Nothing follows.
    End {
        /// Why the model stopped.
        finish: Finish,
        /// What it cost.
        usage: Usage,
    },
}

/// A stream that broke off after a part of it had been passed on, so that no other model could take over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{provider} broke off in the middle of its answer: {reason}")]
pub struct Interrupted {
    /// Who was answering.
    pub provider: String,
    /// What happened.
    pub reason: Reason,
}

/// An answer that is coming. It ends with [`StreamPart::End`] or with an error.
pub struct ReplyStream {
    /// Who gives it.
    pub provider: String,
    /// Which model.
    pub model: String,
    parts: BoxStream<'static, Result<StreamPart, Interrupted>>,
}

impl Stream for ReplyStream {
    type Item = Result<StreamPart, Interrupted>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.parts.poll_next_unpin(context)
    }
}

impl fmt::Debug for ReplyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyStream")
            .field("provider", &self.provider)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// Asks the models of a role for a stream and returns when the first of it is there. Until then another model takes
    /// over when one fails; afterwards the stream ends with an error. Of the task's checks only one is made: that there
    /// is something.
    pub async fn stream(&self, role: Role, task: Task) -> Result<ReplyStream, NoModel> {
        let mut journal = Journal::begin(role);
        let chain = self.open_chain(role, &task, &mut journal)?;
        let question = Question::new(self, &task);
        for endpoint in chain {
            journal.attempt(&endpoint.provider);
            match self.begin(endpoint, &question).await {
                Ok(reply) => return Ok(reply.into_stream(self.clone(), task, journal)),
                Err(reason) => journal.failed(reason),
            }
        }
        Err(give_up(role, Cause::AllFailed, &mut journal))
    }

    /// An answer of which the first part is there.
    async fn begin(&self, endpoint: Arc<Endpoint>, question: &Question<'_>) -> Result<Running, Reason> {
        let until = question.until(&endpoint);
        let provider = &endpoint.provider;
        let admission = provider.enter(question.tokens, until).await?;
        let mut lasts_until = Instant::now() + provider.stream_timeout;
        if let Some(until) = question.until_in_all() {
            lasts_until = lasts_until.min(until);
        }
        let (request, sheet) = question.for_provider(&endpoint);
        let mut patience = Patience::default();
        loop {
            let begun = async {
                let incoming = endpoint.stream(request, lasts_until).await?;
                Answering::new(incoming, request, sheet).begin().await
            };
            match timeout_at(until, begun).await.unwrap_or(Err(Reason::Timeout)) {
                Ok(answering) => return Ok(Running { endpoint, admission, answering }),
                Err(reason) => match patience.after(reason, until) {
                    Some(pause) => sleep(pause).await,
                    None => {
                        provider.ended(Some(reason));
                        return Err(reason);
                    }
                },
            }
        }
    }
}

/// What has come of an answer, and what is to be passed on.
struct Answering {
    /// None when it has ended.
    incoming: Option<Incoming>,
    unmasker: Option<StreamUnmasker>,
    request: CompletionRequest,
    sheet: Sheet,
    ready: VecDeque<StreamPart>,
}

impl Answering {
    fn new(incoming: Incoming, request: &CompletionRequest, sheet: &Sheet) -> Self {
        Answering {
            incoming: Some(incoming),
            unmasker: Some(sheet.in_stream(request.shape.is_some())),
            request: request.clone(),
            sheet: sheet.clone(),
            ready: VecDeque::new(),
        }
    }

    /// Waits for something that is worth passing on.
    async fn begin(mut self) -> Result<Self, Reason> {
        let mut blank = String::new();
        loop {
            match self.next().await? {
                Some(StreamPart::Text(text)) if text.trim().is_empty() => blank.push_str(&text),
                Some(StreamPart::Text(text)) => {
                    self.ready.push_front(StreamPart::Text(blank + &text));
                    return Ok(self);
                }
                Some(call @ StreamPart::ToolCall(_)) => {
                    self.ready.push_front(call);
                    return Ok(self);
                }
                Some(StreamPart::End { finish: Finish::ContentFilter, .. }) => return Err(Reason::Refused),
                Some(StreamPart::End { finish: Finish::Length, .. }) => return Err(Reason::Truncated),
                Some(StreamPart::End { .. }) | None => return Err(Reason::Empty),
            }
        }
    }

    async fn next(&mut self) -> Result<Option<StreamPart>, Reason> {
        loop {
            if let Some(part) = self.ready.pop_front() {
                return Ok(Some(part));
            }
            let Some(incoming) = &mut self.incoming else { return Ok(None) };
            match incoming.next().await? {
                Delta::None => {}
                Delta::Text(text) => {
                    let text = self.unmasker.as_mut().map_or(String::new(), |unmasker| unmasker.push(&text));
                    if !text.is_empty() {
                        return Ok(Some(StreamPart::Text(text)));
                    }
                }
                Delta::Done => self.end()?,
            }
        }
    }

    fn end(&mut self) -> Result<(), Reason> {
        let Some(incoming) = self.incoming.take() else { return Ok(()) };
        let ended = incoming.end(&self.request);
        if ended.refused && !ended.has_text {
            return Err(Reason::Refused);
        }
        let rest = self.unmasker.take().map(StreamUnmasker::finish).unwrap_or_default();
        if !rest.is_empty() {
            self.ready.push_back(StreamPart::Text(rest));
        }
        for mut call in ended.tool_calls {
            self.sheet.unmask_call(&mut call);
            self.ready.push_back(StreamPart::ToolCall(call));
        }
        self.ready.push_back(StreamPart::End { finish: ended.finish, usage: ended.usage });
        Ok(())
    }
}

/// An answer that has begun, with its place at the provider.
struct Running {
    endpoint: Arc<Endpoint>,
    admission: Admission,
    answering: Answering,
}

/// An answer that is being passed on, and everything that must know how it ends.
struct Passing {
    running: Running,
    registry: Registry,
    task: Task,
    journal: Journal,
}

impl Passing {
    async fn next(&mut self) -> Option<Result<StreamPart, Interrupted>> {
        let provider = self.running.endpoint.provider.clone();
        match self.running.answering.next().await {
            Ok(Some(part @ StreamPart::End { usage, .. })) => {
                provider.ended(None);
                self.spend(usage);
                self.journal.succeeded("ok");
                Some(Ok(part))
            }
            Ok(part) => part.map(Ok),
            Err(reason) => {
                provider.ended(Some(reason));
                self.journal.failed(reason);
                self.journal.gave_up("interrupted");
                Some(Err(Interrupted { provider: provider.name.clone(), reason }))
            }
        }
    }

    fn spend(&mut self, usage: Usage) {
        self.registry.spend(&self.task, usage, &mut self.running.admission, &self.journal);
    }
}

impl Drop for Passing {
    /// What came of an answer was paid for, also when nobody waits for the rest.
    fn drop(&mut self) {
        if let Some(incoming) = self.running.answering.incoming.take() {
            self.spend(incoming.end(&self.running.answering.request).usage);
        }
    }
}

impl Running {
    fn into_stream(self, registry: Registry, task: Task, journal: Journal) -> ReplyStream {
        let (provider, model) = (self.endpoint.provider.name.clone(), self.endpoint.model.clone());
        let passing = Passing { running: self, registry, task, journal };
        let parts = futures::stream::unfold(Some(passing), |passing| async move {
            let mut passing = passing?;
            let part = passing.next().await?;
            let more = !matches!(part, Err(_) | Ok(StreamPart::End { .. }));
            Some((part, more.then_some(passing)))
        });
        ReplyStream { provider, model, parts: parts.boxed() }
    }
}
