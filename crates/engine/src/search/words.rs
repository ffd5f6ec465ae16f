use memoir_model::Message;
use memoir_text::{Form, sentences, tokens};
use xxhash_rust::xxh3::xxh3_64;

/// How much of a message is read.
const READ_BYTES: usize = 8 * 1024;

/// The content words of a message, sentence by sentence. To find them takes far longer than to compare them with the words
/// of a question, so that they are kept beside a message that is read often.
#[derive(Debug)]
pub(crate) struct Words {
    /// A hash of each word, in the order they stand.
    hashes: Box<[u64]>,
    /// In which sentence each stands.
    sentences: Box<[u16]>,
    /// How many sentences there are, at least one.
    count: usize,
}

impl Words {
    /// Those of a message and then those of its captions.
    pub(crate) fn of(message: &Message) -> Self {
        let text = message.searchable().join("\n");
        Self::in_text(&text[..text.floor_char_boundary(READ_BYTES)])
    }

    /// Whether [`Words::of`] a message with that content reads all of it.
    pub(crate) fn hold_all_of(content: &str) -> bool {
        content.len() <= READ_BYTES
    }

    /// All of a text.
    pub(crate) fn in_text(text: &str) -> Self {
        let ends: Vec<usize> = sentences(text).into_iter().map(|sentence| sentence.end).collect();
        let count = ends.len().max(1);
        let (mut hashes, mut places) = (Vec::new(), Vec::new());
        tokens(text, |token| {
            if token.form == Form::Word && !token.stop {
                let nth = ends.partition_point(|end| *end <= token.span.start).min(count - 1);
                hashes.push(word_hash(token.text));
                places.push(u16::try_from(nth).unwrap_or(u16::MAX));
            }
        });
        Words { hashes: hashes.into(), sentences: places.into(), count }
    }

    /// How many sentences there are, at least one.
    pub(crate) fn sentences(&self) -> usize {
        self.count
    }

    /// The hash of each word and the sentence it stands in.
    pub(crate) fn each(&self) -> impl Iterator<Item = (u64, usize)> {
        self.hashes.iter().copied().zip(self.sentences.iter().map(|nth| usize::from(*nth)))
    }

    /// The memory it takes besides itself.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.hashes) + size_of_val(&*self.sentences)
    }
}

/// How a word is told from others.
pub(crate) fn word_hash(word: &str) -> u64 {
    xxh3_64(word.as_bytes())
}
