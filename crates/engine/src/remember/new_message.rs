use jiff::Timestamp;
use memoir_index::Terms;
use memoir_model::{
    Attachment, Author, Error, Message, MessageId, Metadata, Result, SessionId, SpaceId, Speaker, Thread,
};
use sha2::{Digest, Sha256};

/// A message as a product sends it.
#[derive(Debug, Clone)]
pub struct NewMessage {
    /// In which space it was said.
    pub space: SpaceId,
    /// The product's own id; one is made when absent.
    pub id: Option<MessageId>,
    /// The product's own session; without it messages are put into sessions by the flow of talk.
    pub session: Option<SessionId>,
    /// The strand of talk.
    pub thread: Thread,
    /// Who said it; without it the space's owner, or the assistant.
    pub author: Option<Author>,
    /// In which part.
    pub role: Speaker,
    /// Word for word.
    pub content: String,
    /// When it was said; without it, now.
    pub said_at: Option<Timestamp>,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// Who is addressed in it.
    pub mentions: Vec<Author>,
    /// What was sent along.
    pub attachments: Vec<Attachment>,
    /// What the product attached.
    pub metadata: Metadata,
}

impl NewMessage {
    /// A message of a person with nothing but words.
    pub fn text(space: SpaceId, content: impl Into<String>) -> Self {
        NewMessage {
            space,
            id: None,
            session: None,
            thread: Thread::default(),
            author: None,
            role: Speaker::User,
            content: content.into(),
            said_at: None,
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            metadata: Metadata::new(),
        }
    }

    /// Checks every limit and analyses the text. This is the expensive part, done before anything waits for it.
    pub(crate) fn prepare(mut self) -> Result<Prepared> {
        Message::check_limits(&self.content, &self.attachments, &self.mentions, &self.metadata)?;
        self.said_at = self.said_at.map(checked_said_at).transpose()?;
        let captions = self.attachments.iter().filter_map(|a| a.caption.as_deref());
        let texts: Vec<&str> = std::iter::once(self.content.as_str()).chain(captions).collect();
        let terms = Terms::of(&texts).into_blob();
        let author = match self.author.clone() {
            Some(author) => author,
            None => Author::new(default_author(&self.space, self.role))?,
        };
        Ok(Prepared { digest: digest(&self, &author), terms, author, message: self })
    }
}

/// A time in a year that every local calendar can write, whatever its offset, as fine as a store keeps it: what is in
/// memory must not differ from what is read back.
fn checked_said_at(said_at: Timestamp) -> Result<Timestamp> {
    const FIRST: i64 = -62_135_510_400; // 0001-01-02
    const LAST: i64 = 253_370_764_800; // 9999-01-01
    let refused = || Error::invalid("said_at", "must lie between the years 1 and 9998");
    if !(FIRST..LAST).contains(&said_at.as_second()) {
        return Err(refused());
    }
    Timestamp::from_microsecond(said_at.as_microsecond()).map_err(|_| refused())
}

fn default_author(space: &SpaceId, role: Speaker) -> &str {
    match role {
        Speaker::User => space.name(),
        Speaker::Assistant => "assistant",
        Speaker::System => "system",
        Speaker::Tool => "tool",
    }
}

/// Tells whether two messages with the same id are the same message. The time is left out: a product that repeats a
/// request without one would otherwise conflict with itself.
fn digest(message: &NewMessage, author: &Author) -> u64 {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part(message.role.as_str());
    part(author.as_str());
    part(&message.content);
    part(message.reply_to.as_ref().map_or("", MessageId::as_str));
    for attachment in &message.attachments {
        part(&attachment.reference);
        part(attachment.caption.as_deref().unwrap_or_default());
    }
    let bytes: [u8; 32] = hash.finalize().into();
    u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
}

/// A message that has passed every check, with its analysed text.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) message: NewMessage,
    pub(crate) author: Author,
    pub(crate) terms: Vec<u8>,
    pub(crate) digest: u64,
}

impl Prepared {
    pub(crate) fn bytes(&self) -> usize {
        self.message.content.len() + self.terms.len() + 512
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(content: &str) -> NewMessage {
        NewMessage::text("user:a".parse().unwrap(), content)
    }

    #[test]
    fn a_repeated_message_has_the_same_digest_whenever_it_comes() {
        let first = message("hello").prepare().unwrap();
        let later =
            NewMessage { said_at: Some(Timestamp::UNIX_EPOCH), ..message("hello") }.prepare().unwrap();
        let other = message("hello!").prepare().unwrap();
        assert_eq!(first.digest, later.digest);
        assert_ne!(first.digest, other.digest);
    }

    #[test]
    fn years_that_no_calendar_can_write_are_refused() {
        for (text, fine) in [
            ("0000-06-01T00:00:00Z", false),
            ("0001-06-01T00:00:00Z", true),
            ("1815-12-10T00:00:00Z", true),
            ("9998-12-31T00:00:00Z", true),
            ("9999-12-30T00:00:00Z", false),
        ] {
            let said_at = Some(text.parse().unwrap());
            assert_eq!(NewMessage { said_at, ..message("x") }.prepare().is_ok(), fine, "{text}");
        }
    }
}
