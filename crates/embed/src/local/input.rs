/// What the encoder reads at once: the tokens of a text, or of a pair of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) tokens: Vec<u32>,
    /// Of which part of a pair each token is. As many as there are tokens.
    pub(super) types: Vec<u32>,
}

impl Input {
    /// Tokens that are all of one text.
    pub(super) fn single(tokens: Vec<u32>) -> Self {
        Self { types: vec![0; tokens.len()], tokens }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
}
