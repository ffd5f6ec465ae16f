use memoir_model::TenantId;
use moka::future::Cache;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::time::Duration;

use crate::{Answer, Role, Task, wire};

/// How long an answer is remembered.
const LASTS: Duration = Duration::from_secs(24 * 60 * 60);
/// What an entry takes beside its text, about.
const OVERHEAD: usize = 256;

/// Which question an answer belongs to. Tenants never share one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct QuestionKey {
    tenant: TenantId,
    digest: [u8; 32],
}

impl QuestionKey {
    pub(crate) fn of(role: Role, task: &Task) -> Self {
        let Task { tenant, request, validate, model, budget: _ } = task;
        let question = json!([role, model, validate, wire::fingerprint(request)]);
        QuestionKey { tenant: tenant.clone(), digest: Sha256::digest(question.to_string()).into() }
    }
}

/// Remembers the answers to questions that always have the same one, up to so many bytes.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    answers: Cache<QuestionKey, Answer>,
}

impl AnswerCache {
    pub(crate) fn new(bytes: u64) -> Self {
        let weigh = |_: &QuestionKey, answer: &Answer| {
            let text = match answer {
                Answer::Given(reply) => reply.text.len() * 2,
                Answer::Nothing => 0,
            };
            u32::try_from(text + OVERHEAD).unwrap_or(u32::MAX)
        };
        AnswerCache {
            answers: Cache::builder().max_capacity(bytes).weigher(weigh).time_to_live(LASTS).build(),
        }
    }

    pub(crate) async fn get(&self, key: &QuestionKey) -> Option<Answer> {
        let answer = self.answers.get(key).await?;
        Some(match answer {
            Answer::Given(reply) => Answer::Given(crate::Reply { cached: true, ..reply }),
            Answer::Nothing => Answer::Nothing,
        })
    }

    pub(crate) async fn put(&self, key: QuestionKey, answer: Answer) {
        self.answers.insert(key, answer).await;
    }
}
