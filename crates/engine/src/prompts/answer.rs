use memoir_llm::{CompletionRequest, Message, ReplyStream, Role, Task};
use memoir_model::TenantId;

use crate::engine::Engine;
use crate::recall::Tongue;

/// How long an answer may be, in tokens (A15).
const LONGEST: u32 = 500;

impl Engine {
    /// What a model answers to a message, knowing a context; `None` when there is no model, or none of use.
    pub(crate) async fn answer_by_model(
        &self,
        tenant: &TenantId,
        context: &str,
        message: &str,
        tongue: Tongue,
    ) -> Option<ReplyStream> {
        let registry = self.inner.registry.as_ref().filter(|registry| registry.has(Role::Chat))?;
        let rule = match tongue {
            Tongue::Zh => {
                "请根据上面的资料，用亲切自然的语气回答用户。资料里没有的内容不要编造；如果只有概要而用户问的是细节，就说明大概聊了什么。"
            }
            Tongue::En => {
                "Answer the user from what is above, in a warm and natural tone. Make nothing up: where only the outline is \
                 known and the question is about a detail, say what was talked about."
            }
        };
        let system = if context.is_empty() { rule.to_owned() } else { format!("{context}\n\n{rule}") };
        let request = CompletionRequest {
            max_tokens: Some(LONGEST),
            temperature: Some(0.3),
            ..CompletionRequest::new(vec![Message::system(system), Message::user(message)])
        };
        // Whoever was asked has said why, in the log.
        registry.stream(Role::Chat, Task::new(tenant.clone(), request)).await.ok()
    }
}
