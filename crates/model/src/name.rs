use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{Error, Result};

/// The longest caller id or name, in bytes of UTF-8.
const LONGEST: usize = 256;

/// A string that a caller chose as an id or a name: 1 to 256 bytes, no control characters, no surrounding white
/// space. Never changed by us.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(Box<str>);

impl Name {
    /// Checks the rules above; the error says which one was broken.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        let problem = if text.is_empty() {
            "must not be empty"
        } else if text.len() > LONGEST {
            "must be at most 256 bytes"
        } else if text.chars().any(char::is_control) {
            "must not contain control characters"
        } else if text.trim() != text {
            "must not begin or end with white space"
        } else {
            return Ok(Name(text.into_boxed_str()));
        };
        Err(Error::new(crate::ErrorCode::Invalid, problem))
    }

    /// The text as the caller wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        Name::new(text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.0.into()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Declares an id type over [`Name`], so that a session's id cannot be passed for a message's.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $type($crate::Name);

        impl $type {
            /// Checks that the text may be an id.
            pub fn new(text: impl Into<String>) -> $crate::Result<Self> {
                $crate::Name::new(text).map(Self)
            }

            /// The text as the caller wrote it.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl From<$crate::GeneratedId> for $type {
            fn from(id: $crate::GeneratedId) -> Self {
                Self(id.into())
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use named;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_confuse_people_or_logs_are_refused() {
        for bad in ["", " a", "a\n", "a\0b", "\u{7f}", &"x".repeat(257)] {
            assert!(Name::new(bad).is_err(), "{bad:?}");
        }
        for good in ["a", "张三", "a b", "a:b/c", "😀", &"x".repeat(256)] {
            assert_eq!(Name::new(good).unwrap().as_str(), good);
        }
    }
}
