//! What Memoir does, without SQL, HTTP or the wall clock: the write path (`remember`), search inside a space, sessions
//! and their windows, upkeep jobs, keys and erasure. It talks to a [`memoir_store::Store`] and to a [`Clock`].

mod access;
mod admin;
mod answer;
mod cache;
mod clock;
mod doctor;
mod embedding;
mod engine;
mod export;
mod ids;
mod layers;
mod messages;
mod models;
mod prompts;
mod reactions;
mod recall;
mod remember;
mod search;
mod sessions;
mod settings;
mod spaces;
mod upkeep;
mod window;

pub use access::{Access, Caller};
pub use admin::{IssuedKey, NewKey};
pub use answer::{Answer, Answering, Words};
pub use clock::{Clock, SystemClock};
pub use doctor::Examination;
pub use embedding::{Calibration, Embedders, NearHit, NearPage, Unavailable};
pub use engine::Engine;
pub use export::ExportLine;
pub use layers::{
    BackfillProgress, BackfillRequest, DayView, DetailReason, History, HistoryFound, Made, TimelinePage,
    TimelinePlace, TimelineRequest,
};
pub use messages::MessageDetail;
pub use models::Models;
pub use recall::{
    Best, ContextReply, ContextRequest, ExplainedLine, Occasion, QueryRank, Ranking, Recall, RecallHit,
    RecallMode, RecallRequest, Signal, SignalShare, Signals, Stages, Table, Tongue,
};
pub use remember::{Edit, NewMessage, Receipt, ReceiptStatus};
pub use search::{SearchHit, SearchPage, SearchRequest};
pub use sessions::NewSession;
pub use settings::EngineSettings;
pub use spaces::SpacePatch;
pub use upkeep::{Completion, JobContext, Schedule, Work, Workers};

// What the calls above take and return, so that a face needs no other crate to speak to the engine.
pub use memoir_index::{Work as SearchWork, snippet};
pub use memoir_llm::{ModelName, StreamPart};
pub use memoir_store::{Finding, MessageQuery, Order, Severity, SpaceRange, Stats};
pub use memoir_text::{Role as TalkRole, Turn};

/// Loads the dictionaries now rather than with the first message.
pub fn warm_up() {
    memoir_text::warm_up();
}
