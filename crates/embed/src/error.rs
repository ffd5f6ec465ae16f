use thiserror::Error;

/// Why texts have no vectors or scores. Never carries a text.
#[derive(Debug, Error)]
pub enum EmbedError {
    /// The model's folder lacks something or holds something else.
    #[error("the model cannot be loaded: {0}")]
    Model(String),
    /// The server did not answer in time or could not be reached.
    #[error("the model's server cannot be reached: {0}")]
    Unreachable(String),
    /// The server answered with an error.
    #[error("the model's server answered {status}: {reason}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What it said, shortened.
        reason: String,
    },
    /// The answer has other vectors or scores than were asked for: too few, of another dimension, or not numbers.
    #[error("the model's answer is unfit: {0}")]
    Unfit(String),
}
