//! What is counted from another time.

use jiff::ToSpan;
use jiff::civil::Weekday;

use super::share::few_beside;
use crate::calendar::{self, Unit, monday, weekday_before, weekday_from};
use crate::holiday;
use crate::piece::{Counted, Near};
use crate::reading::{Grain, Reading};

pub(super) fn counted(what: Counted, anchor: Reading, english: bool) -> Option<Reading> {
    let start = anchor.start?;
    match what {
        Counted::Lasting { count, unit } => {
            Some(Reading::new(start, start.checked_add(unit.span(count)?).ok()?))
        }
        Counted::Ending { count, unit } => {
            let end = anchor.end?;
            Some(Reading::new(end.checked_sub(unit.span(count)?).ok()?, end))
        }
        Counted::Away { count, unit, later, .. } => {
            let at = start.checked_add(unit.span(if later { count } else { -count })?).ok()?;
            match anchor.grain() {
                _ if unit.is_of_clock() => Unit::Second.around(at, 0),
                // A week on Friday at 3pm.
                Grain::Hour | Grain::Minute => {
                    Some(Reading::new(at, at.checked_add(start.duration_until(anchor.end?)).ok()?))
                }
                _ => Unit::Day.around(at, 0),
            }
        }
        Counted::Weekday(number, weekday) => nth_weekday_beside(anchor, number, weekday),
        Counted::Closest(number, near) => closest(anchor, number, near),
        Counted::Weekend(by) => {
            let saturday = match by {
                0 => monday(start.date())?.checked_add(5.days()).ok()?,
                by if by > 0 => weekday_from(anchor.end?.date(), 5)?,
                _ => weekday_before(start.date(), 5)?,
            };
            Some(Reading::days(saturday, saturday.checked_add(2.days()).ok()?))
        }
        Counted::Beside { count, unit, later } => few_beside(later, count, unit, anchor),
        Counted::Week => {
            // Who names a week by its first day may begin it on a Sunday; its Monday is then the next.
            let opens = english && start.weekday() == Weekday::Sunday;
            Unit::Week.around(start, i64::from(opens))
        }
    }
}

/// The so-manieth nearest weekday or holiday to a time, on either side of it.
fn closest(anchor: Reading, number: i64, near: Near) -> Option<Reading> {
    let start = anchor.start?;
    let reach = number.clamp(1, 50);
    let mut days: Vec<Reading> = match near {
        Near::Weekday(weekday) => {
            let first = weekday_from(start.date(), weekday)?;
            let week = |by: i64| calendar::day(first.checked_add(by.weeks()).ok()?);
            (-reach..=reach).filter_map(week).collect()
        }
        Near::Holiday(holiday) => {
            let year = |by: i64| holiday::days(holiday, start.year().checked_add(i16::try_from(by).ok()?)?);
            // Some come every fourth year only.
            (-4 * reach..=4 * reach).filter_map(year).collect()
        }
    };
    days.sort_by_key(|day| day.start.map(|day| start.duration_until(day).abs()));
    days.get(usize::try_from(reach - 1).ok()?).copied()
}

/// The so-manieth such weekday after a time, or before it if the number is negative.
fn nth_weekday_beside(anchor: Reading, number: i64, weekday: i8) -> Option<Reading> {
    let first = if number > 0 {
        weekday_from(anchor.end?.date(), weekday)?
    } else {
        weekday_before(anchor.start?.date(), weekday)?
    };
    let more = number - number.signum();
    calendar::day(first.checked_add(more.clamp(-5_000, 5_000).weeks()).ok()?)
}
