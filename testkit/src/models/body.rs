use hyper::Response;
use hyper::body::{Body, Bytes, Frame, Incoming};
use serde_json::Value;
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::bytes;

/// What happens next in a body.
#[derive(Debug)]
pub(super) enum Step {
    /// These bytes are sent.
    Send(Bytes),
    /// What was sent so far goes out before what follows.
    Flush,
    /// Nothing more comes, and the connection stays open.
    Stall,
    /// The connection breaks.
    Break,
}

/// A body that does one step after another.
#[derive(Debug, Default)]
pub(super) struct ScriptedBody {
    steps: VecDeque<Step>,
}

impl ScriptedBody {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        // Each piece travels alone, so that a reader sees them as they were sent.
        let apart = |step| match step {
            Step::Send(_) => vec![step, Step::Flush],
            other => vec![other],
        };
        ScriptedBody { steps: steps.into_iter().flat_map(apart).collect() }
    }

    pub(super) fn json(status: u16, value: &Value) -> Response<Self> {
        Self::of_type(status, "application/json", vec![Step::Send(bytes(value.to_string()))])
    }

    pub(super) fn text(status: u16, text: &str) -> Response<Self> {
        Self::of_type(status, "text/html", vec![Step::Send(bytes(text))])
    }

    pub(super) fn events(steps: Vec<Step>) -> Response<Self> {
        Self::of_type(200, "text/event-stream", steps)
    }

    pub(super) fn of_type(status: u16, content_type: &'static str, steps: Vec<Step>) -> Response<Self> {
        let response = Response::builder().status(status).header("content-type", content_type);
        response.body(ScriptedBody::new(steps)).expect("a response")
    }
}

impl Body for ScriptedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match self.steps.pop_front() {
            None => Poll::Ready(None),
            Some(Step::Send(bytes)) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Some(Step::Flush) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Some(Step::Stall) => {
                self.steps.push_front(Step::Stall);
                Poll::Pending
            }
            Some(Step::Break) => Poll::Ready(Some(Err(io::Error::other("broken on purpose")))),
        }
    }
}

/// The whole of a request's body; what came of it if it breaks.
pub(super) async fn collect(mut body: Incoming) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(Ok(frame)) = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await
    {
        if let Ok(data) = frame.into_data() {
            whole.extend_from_slice(&data);
        }
    }
    whole
}
