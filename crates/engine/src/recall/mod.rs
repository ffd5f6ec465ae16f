//! The read path: from a message to what matters for it, with no chat model on the way unless asked.
//!
//! `understand` reads the message, `queries` are the ways of asking for what it needs, `candidates` finds what may matter
//! and weighs it by the `evidence` of words, meaning, speaker and time (`fuse` over several ways of asking), `wording` reads the best of them, `ranking` says what each signal
//! weighs, `rerank` may look again, and `pack` and `render` make a context of it.

mod admitted;
mod candidates;
mod context;
mod evidence;
mod excerpt;
mod explain;
mod fuse;
mod lengths;
mod nearness;
mod occasion;
mod pack;
mod queries;
mod ranking;
mod render;
mod rerank;
mod search;
mod signals;
mod source;
mod sources;
mod spread;
mod stages;
mod understand;
mod wording;

pub(crate) use context::Contexts;
pub use context::{ContextReply, ContextRequest};
pub use explain::{ExplainedLine, QueryRank, SignalShare};
pub use occasion::Occasion;
pub use ranking::{Best, Ranking, Table};
pub use render::Tongue;
pub(crate) use render::{moment, weekday};
pub use search::{Recall, RecallHit, RecallMode, RecallRequest};
pub use signals::{Signal, Signals};
pub use stages::Stages;
