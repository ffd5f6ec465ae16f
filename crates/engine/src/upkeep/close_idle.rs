use async_trait::async_trait;
use jiff::Timestamp;
use memoir_model::{EndReason, ErrorCode, GeneratedId, Lane, NewJob, Result, SessionId};
use memoir_store::WriteSet;
use serde_json::json;

use super::work::{Completion, JobContext, Work};
use crate::sessions::Ending;

const KIND: &str = "close_idle";

/// Ends sessions in which nothing has been said for a while (A10). One job per open session, due when the session
/// could first be idle; it moves itself along while people talk, so that nothing scans for idle sessions.
pub(crate) struct CloseIdle;

pub(crate) fn job(id: GeneratedId, session: &SessionId, due: Timestamp) -> NewJob {
    NewJob {
        id,
        kind: KIND.into(),
        key: session.to_string(),
        payload: json!({ "session": session }),
        lane: Lane::Free,
        run_at: due,
    }
}

#[async_trait]
impl Work for CloseIdle {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn lane(&self) -> Lane {
        Lane::Free
    }

    fn concurrency(&self) -> usize {
        4
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let session = SessionId::new(context.job.key.clone())?;
        let ending =
            Ending { reason: EndReason::Idle, at: None, lease: Some(context.job.lease()), caller: None };
        let space = &context.space;
        match context.engine.end(&space.tenant, &space.id, &session, ending).await {
            Ok(_) => Ok(Completion::Committed),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(Completion::Effect(WriteSet::default())),
            Err(error) => Err(error),
        }
    }
}
