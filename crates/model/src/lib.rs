//! The words of Memoir as types: tenants, spaces, messages, sessions, summaries, memories, jobs and the errors
//! they can meet. No I/O, no clock, no randomness: whoever needs the time passes it in.

mod audit;
mod context;
mod error;
mod event;
mod generated;
mod generation;
mod item;
mod job;
mod key;
mod kind;
mod memory;
mod message;
mod name;
mod outcome;
mod profile;
mod score;
mod session;
mod space;
mod summary;
mod tenant;
mod zone;

pub use audit::{AuditAction, AuditEntry};
pub use context::{Block, BlockKind, Context, Line};
pub use error::{Error, ErrorCode, Result};
pub use event::Event;
pub use generated::GeneratedId;
pub use generation::{Generation, GenerationId};
pub use item::{Item, ItemId, Shelved, Stance};
pub use job::{Job, JobKind, JobState, Lane, Lease, NewJob};
pub use key::{ApiKey, KeyId, Role};
pub use kind::{DecayPolicy, Kind, KindName, LoadPolicy, Taxonomy, TaxonomyName};
pub use memory::{Memory, MemoryId, MemoryStatus, Slot};
pub use message::{Attachment, Author, Message, MessageId, MessageState, MessageVersion, Speaker, limits};
pub use name::Name;
pub use outcome::{Difficulty, Mood, Outcome};
pub use profile::{Portrait, Profile, ProfileSlot};
pub use score::{Confidence, Importance};
pub use session::{EndReason, Session, SessionId, Thread};
pub use space::{Preset, Space, SpaceId, SpaceKey, SpaceKind, SpaceNo};
pub use summary::{Period, SessionLine, Summary, SummaryLevel, SummaryLine, SummaryPart};
pub use tenant::{Tenant, TenantId};
pub use zone::{LocalMoment, Zone, ZoneHistory};

/// A JSON object that the caller attached to a thing; kept as it came.
pub type Metadata = serde_json::Map<String, serde_json::Value>;
