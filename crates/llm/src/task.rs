use memoir_model::TenantId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

use crate::{CompletionRequest, Finish, Reason, Role, ToolCall, Usage, Validate};

/// A question to the models of a role.
#[derive(Debug, Clone)]
pub struct Task {
    /// For whom it is asked.
    pub tenant: TenantId,
    /// The question.
    pub request: CompletionRequest,
    /// Which answers will do.
    pub validate: Validate,
    /// How long all providers together may take. Without one, each has its own timeout.
    pub budget: Option<Duration>,
    /// Asks only this model of the role's chain.
    pub model: Option<String>,
}

impl Task {
    /// A question whose answer must not be empty.
    pub fn new(tenant: TenantId, request: CompletionRequest) -> Self {
        Task { tenant, request, validate: Validate::default(), budget: None, model: None }
    }
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The model's answer, found fit.
    Given(Reply),
    /// The model says that there is nothing worth remembering.
    Nothing,
}

/// An answer that will do.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Its words; the JSON as text where JSON was asked for.
    pub text: String,
    /// The JSON, where it was asked for.
    pub json: Option<Value>,
    /// The tools it calls.
    pub tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
    /// Who gave it.
    pub provider: String,
    /// Which model.
    pub model: String,
    /// Whether it was remembered and nobody was asked.
    pub cached: bool,
}

impl Reply {
    /// The JSON as a value of this type. None only if the task asked for another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(self.json.as_ref()?).ok()
    }
}

/// Why no model was of use. The caller does without.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no model for {role}: {cause}")]
pub struct NoModel {
    /// What was wanted.
    pub role: Role,
    /// Why there is none.
    pub cause: Cause,
    /// Each provider that was considered, and why it gave no answer.
    pub tried: Vec<(String, Reason)>,
}

/// Why there is no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// None is configured for the role.
    NotConfigured,
    /// The tenant has used up its tokens of the day.
    DailyCap,
    /// All failed.
    AllFailed,
}

impl Cause {
    /// Its name in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::NotConfigured => "not_configured",
            Cause::DailyCap => "daily_cap",
            Cause::AllFailed => "all_failed",
        }
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
