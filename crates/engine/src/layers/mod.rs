//! Summaries of sessions, days, weeks, months, and of everything so far: made in the background on each space's own clock,
//! read when somebody asks what was talked about.

mod backfill;
mod background;
mod clock;
mod condense;
mod cover;
mod digest;
mod draft;
mod evidence;
mod history;
mod jobs;
mod length;
mod make;
mod material;
mod outdate;
mod portrait;
mod question;
mod read;
mod rest;
mod sessions;
mod single;
mod talk;
mod timeline;
mod view;
mod wording;

pub(crate) use backfill::Backfill;
pub use backfill::{BackfillProgress, BackfillRequest};
pub(crate) use clock::due;
pub(crate) use history::{Account, Asked, Past};
pub use history::{DetailReason, History, HistoryFound};
pub(crate) use jobs::{RollUp, SummariseSession};
pub(crate) use length::Length;
pub use make::Made;
pub(crate) use outdate::Change;
pub(crate) use rest::Rests;
pub(crate) use single::SingleFile;
pub(crate) use talk::is_talk;
pub use timeline::{DayView, TimelinePage, TimelinePlace, TimelineRequest};
pub(crate) use view::View;
