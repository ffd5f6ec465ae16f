//! Language models behind one door: roles with ordered chains of models, one client for every server that speaks
//! OpenAI's protocol, and what makes them bearable: time limits, checks, fallback, budgets, masking.
//!
//! **Nobody needs a model.** [`Registry::ask`] either gives an answer that was found fit, or says [`NoModel`], and the
//! caller does the work by rules.
//!
//! No log line, metric, error or `Debug` output holds a key, a prompt or an answer; [`CompletionRequest`], [`Reply`] and
//! their parts are the only exceptions, because they are the texts.

mod accepts;
mod breaker;
mod bucket;
mod cache;
mod chain;
mod clock;
mod completion;
mod config;
mod daily;
mod describe;
mod endpoint;
mod incoming;
mod journal;
mod json;
mod key;
mod kind;
mod mask;
mod message;
mod patience;
mod probe;
mod prompt;
mod provider;
mod reason;
mod registry;
mod request;
mod role;
mod shape;
mod stream;
mod task;
mod validate;
mod wire;

pub use accepts::{JsonMode, TokenField};
pub use breaker::BreakerState;
pub use clock::{Now, system_clock};
pub use completion::{Finish, Usage};
pub use config::{ConfigError, ModelName, ProviderConfig, QuirksConfig, RegistryConfig, RolesConfig};
pub use describe::{LinkDescription, RoleDescription};
pub use key::KeyOrigin;
pub use kind::ProviderKind;
pub use mask::{ExtraPattern, MaskConfig, MaskKind, Masker, Sheet, StreamUnmasker};
pub use message::{Message, Part, Tool, ToolCall, ToolChoice};
pub use probe::{Probe, ProbeTarget};
pub use prompt::fence;
pub use reason::Reason;
pub use registry::{Registry, Surroundings};
pub use request::CompletionRequest;
pub use role::{Role, UnknownRole};
pub use shape::Shape;
pub use stream::{Interrupted, ReplyStream, StreamPart};
pub use task::{Answer, Cause, NoModel, Reply, Task};
pub use validate::{Overlong, Validate};
