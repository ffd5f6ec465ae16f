//! What the tables of readings share. Each file of tests uses a part of it.
#![allow(dead_code)]

use jiff::civil::{DateTime, datetime};
use memoir_when::{Convention, Prefer, Reading, find};

/// A Wednesday noon.
pub(crate) const NOW: DateTime = datetime(2026, 1, 7, 12, 0, 0, 0);

pub(crate) fn show(reading: &Reading) -> String {
    let side =
        |at: Option<DateTime>| at.map_or("…".to_owned(), |at| at.to_string().replace("T00:00:00", ""));
    format!("{}/{}", side(reading.start), side(reading.end))
}

/// Holds that the first time in each text is read so.
#[track_caller]
pub(crate) fn check(convention: impl Into<Convention>, table: &[(&str, &str)]) {
    check_at(NOW, convention, table);
}

#[track_caller]
pub(crate) fn check_at(now: DateTime, convention: impl Into<Convention>, table: &[(&str, &str)]) {
    let convention = convention.into();
    for (text, expected) in table {
        let found = find(text, now, convention);
        let first = found.first().map_or("nothing".to_owned(), |found| show(&found.reading));
        assert_eq!(first, *expected, "{text}");
    }
}

/// Holds that no time is found in the texts.
#[track_caller]
pub(crate) fn leaves_alone(texts: &[&str]) {
    for text in texts {
        let found = find(text, NOW, Prefer::Past);
        let spans: Vec<&str> = found.iter().map(|found| &text[found.span.clone()]).collect();
        assert_eq!(spans, [""; 0], "{text}");
    }
}
