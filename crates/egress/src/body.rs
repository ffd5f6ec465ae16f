use bytes::{Bytes, BytesMut};
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

use crate::EgressError;

/// What an answer may still take.
#[derive(Debug, Clone)]
pub(crate) struct Allowance {
    pub(crate) host: String,
    pub(crate) until: Instant,
    pub(crate) idle: Duration,
    pub(crate) limit: usize,
}

/// The pieces of a body. It ends after the first error.
pub struct BodyStream {
    pieces: BoxStream<'static, Result<Bytes, EgressError>>,
}

impl BodyStream {
    pub(crate) fn new(response: reqwest::Response, allowance: Allowance) -> Self {
        let state = Some((response, allowance, 0));
        let pieces = futures::stream::unfold(state, |state| async move {
            let (mut response, allowance, before) = state?;
            match next(&mut response, &allowance, before).await {
                Ok(None) => None,
                Ok(Some(piece)) => {
                    let taken = before + piece.len();
                    Some((Ok(piece), Some((response, allowance, taken))))
                }
                Err(error) => Some((Err(error), None)),
            }
        });
        BodyStream { pieces: pieces.boxed() }
    }

    /// The whole body.
    pub async fn collect(mut self) -> Result<Bytes, EgressError> {
        let mut whole = BytesMut::new();
        while let Some(piece) = self.pieces.next().await {
            whole.extend_from_slice(&piece?);
        }
        Ok(whole.freeze())
    }
}

async fn next(
    response: &mut reqwest::Response,
    allowance: &Allowance,
    before: usize,
) -> Result<Option<Bytes>, EgressError> {
    let host = || allowance.host.clone();
    let until = allowance.until.min(Instant::now() + allowance.idle);
    let piece = match timeout_at(until, response.chunk()).await {
        Err(_) => return Err(EgressError::Deadline { host: host() }),
        Ok(Err(error)) if error.is_timeout() => return Err(EgressError::Deadline { host: host() }),
        Ok(Err(_)) => return Err(EgressError::Broken { host: host() }),
        Ok(Ok(piece)) => piece,
    };
    match piece {
        Some(piece) if before + piece.len() > allowance.limit => {
            Err(EgressError::TooLarge { host: host(), limit: allowance.limit })
        }
        piece => Ok(piece),
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, EgressError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pieces.poll_next_unpin(context)
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyStream")
    }
}
