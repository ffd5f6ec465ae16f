use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a model is asked to do. Each role has a chain of models of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Talks with people; the only role whose models are shown to them.
    Chat,
    /// Summarises; also known as `memory-summary-model`.
    #[serde(alias = "memory-summary-model")]
    Summary,
    /// Finds memories in messages.
    Extract,
    /// Decides whether two statements agree.
    Judge,
    /// Decides how a question is to be answered.
    Route,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 5] = [Role::Chat, Role::Summary, Role::Extract, Role::Judge, Role::Route];

    /// Its name in settings, logs and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Chat => "chat",
            Role::Summary => "summary",
            Role::Extract => "extract",
            Role::Judge => "judge",
            Role::Route => "route",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the source calls the role that summarises.
const SUMMARY_ALIAS: &str = "memory-summary-model";

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let role = Role::ALL.into_iter().find(|role| role.as_str() == text);
        role.or((text == SUMMARY_ALIAS).then_some(Role::Summary)).ok_or(UnknownRole)
    }
}

/// No role has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such role; there are chat, summary, extract, judge and route")]
pub struct UnknownRole;
