//! What travels over the wire, and how it becomes the engine's types.

mod admin;
mod answer;
mod context;
mod day;
mod history;
mod message;
mod page;
mod portrait;
mod recall;
mod search;
mod session;
mod space;
mod summary;
mod timeline;
mod turn;

pub(crate) use admin::{
    AuditQuery, AuditView, BackfillQuery, BackfillReply, FilledView, JobQuery, JobView, KeyIssued,
    KeyRequest, KeyView, KeysQuery, ModelView, ReembedQuery, ReembedReply, StatsView, TenantRequest,
    TenantView,
};
pub(crate) use answer::{AnswerBody, AnswerEvent, AnswerView, Basis};
pub(crate) use context::{ContextBody, ContextView};
pub(crate) use day::DayReply;
pub use message::message_from_json;
pub(crate) use message::{
    MessageDetailView, MessagePage, MessagePatch, MessageView, MessagesQuery, ReceiptView, RememberReply,
    RememberRequest,
};
pub(crate) use page::{ListQuery, Page};
pub(crate) use portrait::PortraitView;
pub(crate) use recall::{RecallBody, RecallView};
pub(crate) use search::{By, HitView, SearchQuery, SearchReply};
pub(crate) use session::{EndRequest, SessionRequest, SessionView, WindowQuery, WindowReply};
pub(crate) use space::{SpaceRequest, SpaceView};
pub(crate) use summary::{SummarizeReply, SummaryView, sources};
pub(crate) use timeline::TimelineQuery;

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use memoir_engine::{ContextReply, Recall};
use memoir_model::Summary;
use serde::Serialize;

/// A recall in the form in which `POST /v1/recall` answers.
pub fn recall_to_json(recall: Recall, explain: bool) -> impl Serialize {
    RecallView::new(recall, explain)
}

/// A context in the form in which `POST /v1/context` answers.
pub fn context_to_json(reply: ContextReply, explain: bool) -> impl Serialize {
    ContextView::new(reply, explain)
}

/// Summaries in the form in which `GET /v1/spaces/{space}/timeline` answers.
pub fn timeline_to_json(summaries: Vec<Summary>) -> impl Serialize {
    Page { items: summaries.into_iter().map(SummaryView::from).collect(), next: None }
}

/// A moment as RFC 3339 on the wall clock it was seen on. RFC 3339 cannot write the seconds that local times of the
/// nineteenth century were apart from each other, so those are left to the clock.
fn local_time(moment: Timestamp, offset_seconds: i32) -> String {
    let offset = Offset::from_seconds(offset_seconds - offset_seconds % 60).unwrap_or(Offset::UTC);
    let zoned = moment.to_zoned(TimeZone::fixed(offset));
    zoned.strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
}
