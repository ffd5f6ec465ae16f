use futures::StreamExt;
use memoir_egress::BodyStream;
use std::collections::VecDeque;

use crate::completion::Completion;
use crate::wire::{Assembled, Assembly, Delta, EventReader};
use crate::{CompletionRequest, Reason};

/// An answer that is coming in.
#[derive(Debug)]
pub(crate) struct Incoming {
    /// None when it has come whole.
    body: Option<BodyStream>,
    events: EventReader,
    waiting: VecDeque<String>,
    assembly: Assembly,
}

impl Incoming {
    pub(crate) fn events(body: BodyStream) -> Self {
        Incoming {
            body: Some(body),
            events: EventReader::default(),
            waiting: VecDeque::new(),
            assembly: Assembly::default(),
        }
    }

    /// An answer that came whole although a stream was asked for.
    pub(crate) fn whole(completion: Completion) -> Self {
        Incoming {
            body: None,
            events: EventReader::default(),
            waiting: VecDeque::new(),
            assembly: Assembly::whole(completion),
        }
    }

    /// What comes next; [`Delta::Done`] at the end.
    pub(crate) async fn next(&mut self) -> Result<Delta, Reason> {
        loop {
            if let Some(data) = self.waiting.pop_front() {
                return self.assembly.push(&data);
            }
            let Some(body) = &mut self.body else { return Ok(self.assembly.take_whole()) };
            match body.next().await {
                Some(piece) => self.waiting.extend(self.events.push(&piece?)),
                None => {
                    self.body = None;
                    let last = std::mem::take(&mut self.events).finish();
                    if let Some(data) = last {
                        self.waiting.push_back(data);
                    } else if !self.assembly.has_finished() {
                        return Err(Reason::Broken);
                    }
                }
            }
        }
    }

    pub(crate) fn end(self, request: &CompletionRequest) -> Assembled {
        self.assembly.end(request)
    }
}
