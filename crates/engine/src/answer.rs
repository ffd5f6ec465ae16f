use futures::StreamExt;
use memoir_llm::{Interrupted, ReplyStream, StreamPart};
use memoir_model::{BlockKind, Error, Result, Summary};

use crate::access::Caller;
use crate::engine::Engine;
use crate::recall::{ContextReply, ContextRequest, Tongue};

/// An answer on its way.
#[derive(Debug)]
pub struct Answering {
    /// What it is made from.
    pub context: ContextReply,
    /// The answer.
    pub words: Words,
    tongue: Tongue,
}

/// An answer that is whole.
#[derive(Debug)]
pub struct Answer {
    /// What it is made from.
    pub context: ContextReply,
    /// The answer.
    pub text: String,
    /// The name of the model that gave it, or [`Summary::RULES`].
    pub by: String,
}

/// The words of an answer.
#[derive(Debug)]
pub enum Words {
    /// A model gives them, bit by bit.
    Coming(ReplyStream),
    /// Put together by rules: there is no model, or none of use.
    ByRules(String),
}

impl Engine {
    /// Answers a message from memory with one call of a model (A7). Without a model the lines that were found are the answer.
    pub async fn answer(&self, caller: &Caller, request: ContextRequest) -> Result<Answering> {
        if request.message.trim().is_empty() {
            return Err(Error::invalid("message", "must say what is asked"));
        }
        let message = request.message.clone();
        let tongue = request.tongue.unwrap_or_else(|| Tongue::of(memoir_text::language(&message)));
        let context = self.context(caller, request).await?;
        let coming = self.answer_by_model(&caller.tenant, &context.text, &message, tongue).await;
        let words = match coming {
            Some(stream) => Words::Coming(stream),
            None => Words::ByRules(by_rules(&context, tongue)),
        };
        Ok(Answering { context, words, tongue })
    }
}

impl Answering {
    /// The name of the model that answers, or [`Summary::RULES`].
    pub fn by(&self) -> &str {
        match &self.words {
            Words::Coming(stream) => &stream.model,
            Words::ByRules(_) => Summary::RULES,
        }
    }

    /// Waits for the whole answer. Where a model breaks off, the rules answer: nobody has seen its words yet.
    pub async fn whole(self) -> Answer {
        let by = self.by().to_owned();
        let Answering { context, words, tongue } = self;
        let text = match words {
            Words::ByRules(text) => return Answer { context, text, by },
            Words::Coming(stream) => whole_text(stream).await,
        };
        match text {
            Ok(text) => Answer { context, text, by },
            Err(_) => Answer { text: by_rules(&context, tongue), context, by: Summary::RULES.to_owned() },
        }
    }
}

async fn whole_text(mut stream: ReplyStream) -> Result<String, Interrupted> {
    let mut text = String::new();
    while let Some(part) = stream.next().await {
        if let StreamPart::Text(more) = part? {
            text.push_str(&more);
        }
    }
    Ok(text)
}

/// The lines of a context as an answer.
fn by_rules(context: &ContextReply, tongue: Tongue) -> String {
    let of = |kind: BlockKind| {
        let blocks = context.context.blocks.iter().filter(move |block| block.kind == kind);
        blocks.flat_map(|block| block.lines.iter().map(|line| line.text.as_str())).collect::<Vec<_>>()
    };
    let mut lines = of(BlockKind::Summaries);
    let needs_detail = context.history.as_ref().is_none_or(|history| history.needs_detail.is_some());
    if lines.is_empty() || needs_detail {
        lines.extend(of(BlockKind::Messages));
    }
    // A particular that was said in the talk that goes on stands in its window, and nowhere else.
    if context.history.as_ref().is_some_and(|history| history.needs_detail.is_some()) {
        lines.extend(of(BlockKind::Window));
    }
    if lines.is_empty() {
        return match tongue {
            Tongue::Zh => "我没有找到相关的记录。".to_owned(),
            Tongue::En => "I found nothing about that.".to_owned(),
        };
    }
    lines.join("\n")
}
