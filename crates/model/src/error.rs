use std::fmt;

/// What any part of Memoir returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request was not carried out. The code is stable and public, the sentence is for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    code: ErrorCode,
    message: String,
    field: Option<String>,
    retry_after_secs: Option<u32>,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:literal, $remedy:literal;)*) => {
        /// Every reason for which Memoir refuses or fails, with its HTTP status and what to do about it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode { $($(#[$doc])* $variant,)* }

        impl ErrorCode {
            /// All codes, in the order in which the documentation lists them.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// The stable name on the wire.
            pub const fn as_str(self) -> &'static str { match self { $(ErrorCode::$variant => $code,)* } }

            /// The HTTP status that goes with it.
            pub const fn status(self) -> u16 { match self { $(ErrorCode::$variant => $status,)* } }

            /// What the caller can do about it.
            pub const fn remedy(self) -> &'static str { match self { $(ErrorCode::$variant => $remedy,)* } }
        }
    };
}

codes! {
    /// A field has a value that is not allowed.
    Invalid = "invalid", 422, "Correct the named field and send the request again; nothing was stored.";
    /// The body is not JSON or not of the documented shape.
    MalformedBody = "malformed_body", 400, "Send a JSON body of the documented shape with content-type application/json.";
    /// A list position that this server did not hand out for this list.
    InvalidCursor = "invalid_cursor", 400, "Start the list again without a cursor.";
    /// No usable key.
    Unauthenticated = "unauthenticated", 401, "Send `Authorization: Bearer KEY` with a key made by `memoir keys create`.";
    /// The key may not do this.
    Forbidden = "forbidden", 403, "Use a key whose role and space allow this call.";
    /// There is no such thing, or not in this tenant.
    NotFound = "not_found", 404, "Check the id and the space; ids are case-sensitive.";
    /// The path exists, the method does not.
    MethodNotAllowed = "method_not_allowed", 405, "See /docs for the methods of this path.";
    /// An id was used again with other content.
    IdConflict = "id_conflict", 409, "Use a new id, or PATCH the message to edit it.";
    /// The state does not allow the call.
    Conflict = "conflict", 409, "Read the current state and decide again.";
    /// One message is over the limit.
    MessageTooLarge = "message_too_large", 413, "Split the message or attach the long part by reference.";
    /// The whole body is over the limit.
    BodyTooLarge = "body_too_large", 413, "Send fewer messages per request.";
    /// The content type is not JSON.
    UnsupportedMediaType = "unsupported_media_type", 415, "Send content-type application/json.";
    /// The key's rate limit is used up.
    RateLimited = "rate_limited", 429, "Wait for the time in Retry-After.";
    /// The server has as much waiting work as it may hold.
    Busy = "busy", 503, "Wait for the time in Retry-After and send the same request again; ids make that safe.";
    /// The server is stopping.
    ShuttingDown = "shutting_down", 503, "Send the request again to a running server.";
    /// A model broke off in the middle of its answer.
    ModelInterrupted = "model_interrupted", 502, "Send the request again; what came before is a part of the answer only.";
    /// The request took longer than it may.
    Timeout = "timeout", 504, "Send the same request again; ids make that safe.";
    /// No room is left on the disk or under `store.max_bytes`.
    StorageFull = "storage_full", 507, "Free disk space or raise store.max_bytes; what was acknowledged is safe.";
    /// The store cannot be reached or reports an error.
    StorageUnavailable = "storage_unavailable", 503, "Run `memoir doctor`; the server log names the cause.";
    /// The store has data that does not fit together.
    Corrupt = "corrupt", 500, "Run `memoir doctor` and restore the last good backup if it says so.";
    /// A space has as many messages as one space can hold.
    SpaceFull = "space_full", 507, "Start another space for this conversation.";
    /// The space changed between reading and writing (internal: the writer plans again).
    VersionMoved = "version_moved", 409, "Read the space again and repeat the call.";
    /// Somebody else holds the job now (internal: the worker drops its result).
    LeaseLost = "lease_lost", 409, "Nothing to do; the job runs again elsewhere.";
    /// A fault of ours.
    Internal = "internal", 500, "Report it with the request id.";
}

impl Error {
    /// An error with a code and a sentence that says what happened.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Error { code, message: message.into(), field: None, retry_after_secs: None }
    }

    /// A field whose value is not allowed; `message` says what is.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Error::new(ErrorCode::Invalid, message).at(field)
    }

    /// A thing that is not there.
    pub fn not_found(what: &str, id: impl fmt::Display) -> Self {
        Error::new(ErrorCode::NotFound, format!("there is no {what} {id}"))
    }

    /// Work was refused because a queue is full.
    pub fn busy(message: impl Into<String>, retry_after_secs: u32) -> Self {
        Error { retry_after_secs: Some(retry_after_secs), ..Error::new(ErrorCode::Busy, message) }
    }

    /// Something that cannot happen unless we made a mistake.
    pub fn internal(message: impl Into<String>) -> Self {
        Error::new(ErrorCode::Internal, message)
    }

    /// The same error, naming the field it is about.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same error, its field placed below `prefix` (`messages[3]`).
    #[must_use]
    pub fn inside(mut self, prefix: &str) -> Self {
        self.field = Some(match self.field {
            Some(field) => format!("{prefix}.{field}"),
            None => prefix.to_owned(),
        });
        self
    }

    /// The same error with the time after which a repetition makes sense.
    #[must_use]
    pub fn retry_after(mut self, secs: u32) -> Self {
        self.retry_after_secs = Some(secs);
        self
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The field at fault, as a path into the request.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Seconds to wait before trying again, where that helps.
    pub fn retry_after_secs(&self) -> Option<u32> {
        self.retry_after_secs
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{field}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_statuses_are_http_errors() {
        let mut seen = std::collections::BTreeSet::new();
        for code in ErrorCode::ALL {
            assert!(seen.insert(code.as_str()), "{} is used twice", code.as_str());
            assert!((400..600).contains(&code.status()));
            assert!(code.remedy().ends_with('.'));
        }
    }

    #[test]
    fn a_field_can_be_placed_inside_a_list() {
        let error = Error::invalid("said_at", "not a time").inside("messages[3]");
        assert_eq!(error.to_string(), "messages[3].said_at: not a time");
    }
}
