//! No text makes the reading of times panic, and no reading runs backwards.
#![no_main]

use jiff::civil::{Date, DateTime};
use libfuzzer_sys::fuzz_target;
use memoir_when::{Prefer, find, intent};

fuzz_target!(|input: (i16, u16, &str)| {
    let (year, day, text) = input;
    let date = Date::new(year.clamp(1, 9_990), 1, 1).unwrap_or(Date::ZERO);
    let now: DateTime = date.saturating_add(jiff::ToSpan::days(i64::from(day % 365))).at(12, 0, 0, 0);
    for prefer in [Prefer::Past, Prefer::Future] {
        for found in find(text, now, prefer) {
            assert!(text.is_char_boundary(found.span.start) && text.is_char_boundary(found.span.end));
            if let (Some(start), Some(end)) = (found.reading.start, found.reading.end) {
                assert!(start < end, "{text:?}");
            }
        }
    }
    let _ = intent(text);
});
