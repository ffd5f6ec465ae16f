use jiff::ToSpan;
use jiff::civil::DateTime;

use crate::calendar::{self, weekday_from};
use crate::convention::{Convention, Ends, Prefer};
use crate::frame::{Day, Frame, Year};
use crate::piece::{Clock, Edge, Part};
use crate::reading::{Grain, Reading};
use crate::resolve::{leaves_open, readings};

/// Where a stretch ends, as its words say it.
pub(super) struct Last {
    pub(super) frame: Frame,
    /// It ends before that time begins: 2010年之后2018年之前.
    pub(super) before: bool,
}

/// From one time to another. Each takes from the other what it leaves unsaid.
pub(super) fn stretch(mut from: Frame, last: Last, now: DateTime, convention: Convention) -> Vec<Reading> {
    let Last { frame: mut to, before } = last;
    to.english |= from.english;
    from.english |= to.english;
    for side in [&mut from, &mut to] {
        side.onward = false;
        // Noon is a moment where something begins or ends.
        if side.part == Some(Part::Noon) && side.clock.is_none() {
            side.clock = Some(Clock { hour: 12, minute: None, second: None, pm: Some(true) });
        }
    }
    let follows = (to.year == Some(Year::Next), to.day == Some(Day::Next));
    let precedes = to.day == Some(Day::Previous);
    let original = from.clone();
    if from.part.is_none()
        && from.clock.is_some_and(|clock| clock.pm.is_none())
        && let (Some(own), Some(other)) = (&mut from.clock, to.clock)
    {
        // 3-4pm: both in the afternoon, if that keeps them in order.
        if other.pm == Some(true) && own.hour < other.hour {
            own.pm = other.pm;
        }
    }
    if from.english {
        from.inherit(&to);
    }
    to.inherit(&original);
    let borrowed_year = original.year.is_none() && from.year.is_some();
    // Monday to Wednesday: the Wednesday after that Monday, also if it is today.
    let weekday = to.weekday.filter(|weekday| to.is_only_weekday(*weekday));
    let ends = if follows == (false, false) { readings(&to, now, convention.prefer) } else { Vec::new() };
    // 28号到下个月3号, between Monday and now: what the beginning leaves open is settled by an end that cannot lie elsewhere.
    let settles = follows == (false, false) && !precedes && leaves_open(&from) && !leaves_open(&to);
    let starts = match ends.first().and_then(|end| end.start).filter(|_| settles && to.clock.is_none()) {
        Some(end) => readings(&from, end, Prefer::Past).into_iter().take(1).collect(),
        None => readings(&from, now, convention.prefer),
    };
    let before = before || (convention.ends == Ends::Before && to.edge != Some(Edge::End));
    // Neither can lie elsewhere, so that one that is named first may well be the later: yesterday and the day before.
    let is_fixed =
        follows == (false, false) && to.clock.is_none() && !leaves_open(&original) && !leaves_open(&to);
    let mut all = Vec::new();
    for first in &starts {
        let Some(start) = first.start else { continue };
        if precedes {
            // Last Friday and the day before.
            let day_before = start.date().yesterday().ok();
            let both = day_before.zip(first.end).map(|(day, end)| Reading::new(day.into(), end));
            all.extend(both);
            continue;
        }
        if is_fixed
            && let Some(earlier) = ends.first()
            && earlier.end.is_some_and(|end| end <= start)
            && let (Some(start), Some(end)) = (earlier.start, first.end)
        {
            all.push(Reading::new(start, end));
            continue;
        }
        let following = weekday.and_then(|weekday| calendar::day(weekday_from(start.date(), weekday)?));
        // What the end leaves open is settled by the beginning, and so is the day or the year that follows it.
        let settled = follows != (false, false) || leaves_open(&to);
        let ahead = if settled { readings(&to, start, Prefer::Future) } else { Vec::new() };
        let candidates = following.iter().chain(&ends).chain(&ahead).filter_map(|last| {
            if before || ends_where_it_is_named(&to, last) { last.start } else { last.end }
        });
        let after: Vec<DateTime> = candidates.collect();
        // Each beginning has its own end: 13 July of one year does not run to 15 July of the next.
        let end = after.iter().copied().filter(|end| *end > start).min().or_else(|| {
            // It runs over the end of the day or the year.
            let end = *after.first()?;
            if borrowed_year {
                return None;
            }
            let by = if to.clock.is_some() { 1.day() } else { 1.year() };
            end.checked_add(by).ok().filter(|end| *end > start)
        });
        if let Some(end) = end {
            all.push(Reading::new(start, end));
        } else if let (true, Some(end)) = (borrowed_year, after.first())
            && let Ok(start) = start.checked_sub(1.year())
        {
            // Nov to Feb 2017 begins in 2016.
            all.push(Reading::new(start, *end));
        }
    }
    if convention.prefer == Prefer::Future && from.english {
        // The first that is not over yet: August to October, said in September, is this year's.
        all.sort_by_key(|reading| (reading.end.is_none_or(|end| end <= now), reading.start));
    }
    all.dedup();
    all
}

/// A moment or an hour named is where a stretch ends; a day, or a minute to the minute, is taken in.
fn ends_where_it_is_named(to: &Frame, last: &Reading) -> bool {
    match last.grain() {
        Grain::Hour => to.clock.is_some(),
        Grain::Second => to.now || !to.offsets.is_empty(),
        _ => to.now,
    }
}
