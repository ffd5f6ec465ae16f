//! Finds the times that people speak of, in Chinese and English, and says which stretch of the calendar they mean.
//!
//! The crate is pure: it takes the wall clock of whoever speaks and returns wall-clock intervals, half-open. A memory looks
//! back: where words could mean a past or a coming time, [`Prefer::Past`] puts the past first and keeps the other as an
//! alternative.
//!
//! ```
//! use jiff::civil::{date, datetime};
//! use memoir_when::{Prefer, find};
//!
//! let found = find("昨天下午我们聊了什么", datetime(2026, 1, 7, 12, 0, 0, 0), Prefer::Past);
//! let first = &found[0];
//! assert_eq!(first.reading.start, Some(date(2026, 1, 6).at(12, 0, 0, 0)));
//! assert_eq!(&"昨天下午我们聊了什么"[first.span.clone()], "昨天下午");
//! ```

mod assemble;
mod calendar;
mod calendars;
mod clock;
mod convention;
mod cursor;
mod english;
mod fold;
mod frame;
mod holiday;
mod intent;
mod lunar;
mod numeral;
mod piece;
mod reading;
mod resolve;
mod zhong;

pub use assemble::{Found, find};
pub use convention::{Convention, Ends, Prefer};
pub use intent::{Intent, Reason, intent};
pub use reading::{Grain, Reading};
