use thiserror::Error;

/// Why a request has no answer. Names at most the host: never a body, a query string or a credential.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EgressError {
    /// The time allowed for connecting, for the whole, or between two pieces of the answer is over.
    #[error("{host} did not answer in time")]
    Deadline {
        /// Whom it was sent to.
        host: String,
    },
    /// No connection came about: no such name, nobody listens, or TLS failed.
    #[error("{host} cannot be reached")]
    Unreachable {
        /// Whom it was sent to.
        host: String,
    },
    /// The policy does not allow this address.
    #[error("{host} is not a public address; requests to it are not allowed")]
    Forbidden {
        /// Whom it was to be sent to.
        host: String,
    },
    /// The answer is larger than allowed.
    #[error("{host} answered with more than {limit} bytes")]
    TooLarge {
        /// Whom it was sent to.
        host: String,
        /// How many bytes were allowed.
        limit: usize,
    },
    /// The connection broke, or what came over it is not HTTP.
    #[error("the connection to {host} broke")]
    Broken {
        /// Whom it was sent to.
        host: String,
    },
    /// The URL cannot be used.
    #[error("the URL cannot be used: {0}")]
    BadUrl(&'static str),
}
