//! Times on the clock.

use super::amount::unit;
use super::date::{day_number, month_name};
use super::otherwise::{follows, is_measured, is_oven};
use super::part::part_follows;
use super::timely::{is_morning, is_timely, names_a_day, names_a_part, on_a_part, on_a_weekday};
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::{Frame, Within};
use crate::numeral;
use crate::piece::{Clock, Piece};

pub(super) const NOON: Clock = Clock { hour: 12, minute: None, second: None, pm: Some(true) };

/// An hour in a word: seven, seven pm, seven o'clock.
pub(super) fn spelled_hour(cursor: Cursor<'_>) -> Option<(Clock, Cursor<'_>)> {
    let (hour, end) = cursor.spelled().filter(|(hour, _)| (1..=12).contains(hour))?;
    let (minute, end) = match spelled_minute(end) {
        Some((minute, end)) => (Some(minute), end),
        None => (None, end.blanks().any(&["o'clock", "oclock"]).unwrap_or(end)),
    };
    let half = half_of_day(end);
    let clock = Clock { hour: hour as i8, minute, second: None, pm: half.map(|(pm, _)| pm) };
    Some((clock, half.map_or(end, |(_, end)| end)))
}

/// Minutes in words after an hour: thirty in nine thirty.
fn spelled_minute(hour: Cursor<'_>) -> Option<(i8, Cursor<'_>)> {
    let next = if hour.peek() == Some('-') { hour.skip(1) } else { hour.blanks() };
    let (minute, end) = next.spelled().filter(|(minute, _)| (1..60).contains(minute))?;
    Some((minute as i8, end))
}

/// A time on the clock in digits: 7, 7:30, 7pm.
pub(super) fn bare_clock(cursor: Cursor<'_>) -> Option<(Clock, Cursor<'_>)> {
    let number = numeral::arabic(cursor.rest()).filter(|n| n.len <= 2 && n.value <= 24)?;
    let after = cursor.skip(number.len);
    let minute = after
        .eat(":")
        .and_then(|next| Some((numeral::arabic(next.rest()).filter(|m| m.len == 2 && m.value < 60)?, next)));
    let (minute, after) =
        minute.map_or((None, after), |(minute, next)| (Some(minute.value as i8), next.skip(minute.len)));
    let second = after
        .eat(":")
        .and_then(|next| Some((numeral::arabic(next.rest()).filter(|s| s.len == 2 && s.value < 60)?, next)))
        .filter(|_| minute.is_some());
    let (second, after) =
        second.map_or((None, after), |(second, next)| (Some(second.value as i8), next.skip(second.len)));
    let half = half_of_day(after);
    let end = half.map_or(after, |(_, end)| end);
    if !end.ends() || end.peek() == Some('/') || end.peek() == Some(':') {
        return None;
    }
    let hour = number.value as i8;
    if half.is_some() && !(1..=12).contains(&hour) {
        return None;
    }
    Some((Clock { hour, minute, second, pm: half.map(|(pm, _)| pm) }, end))
}

pub(super) fn half_of_day(cursor: Cursor<'_>) -> Option<(bool, Cursor<'_>)> {
    let next = cursor.blanks();
    for (texts, pm) in [(["a.m.", "a.m", "am", "a m", "a"], false), (["p.m.", "p.m", "pm", "p m", "p"], true)]
    {
        for text in texts {
            if let Some(end) = next.eat(text).filter(|end| end.ends()) {
                // A lone letter must touch the number.
                if text.len() == 1 && next.at != cursor.at {
                    continue;
                }
                return Some((pm, end));
            }
        }
    }
    None
}

/// Zones that people name after a time. It is left on the clock on which it was said.
const ZONES: &[&str] = &[
    "utc",
    "gmt",
    "est",
    "edt",
    "et",
    "cst",
    "cdt",
    "ct",
    "mst",
    "mdt",
    "mt",
    "pst",
    "pdt",
    "pt",
    "bst",
    "cet",
    "cest",
    "ist",
    "jst",
    "sgt",
    "hkt",
    "local time",
    "beijing time",
];

/// 3pm, 3:15, 15h30, half past three, quarter to noon, at 7, 8 o'clock, 3pm UTC.
pub(super) fn clock(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let (pieces, end) = time_of_day(cursor, begun)?;
    let end = Cursor { at: end, ..cursor };
    Some((pieces, zoned(end).at))
}

/// Passes the name of a zone.
pub(super) fn zoned(end: Cursor<'_>) -> Cursor<'_> {
    end.blanks().any(ZONES).unwrap_or(end)
}

fn time_of_day(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let hedge = cursor.any(&["around", "about", "by around", "approximately"]);
    let at = hedge.or_else(|| cursor.any(&["at", "@"])).or_else(|| cursor.eat("@"));
    // Around 7 is a time, around 7 miles is not.
    let said_at = |end: Cursor<'_>| {
        at.is_some()
            && (cursor.peek() != Some('@') || begun.says_something())
            && (hedge.is_none() || is_timely(end))
            && !is_measured(end)
            && !is_oven(cursor)
    };
    let next = at.map_or(cursor, Cursor::blanks).maybe(&["about", "around"]);
    if let Some(end) = next.any(&["noon", "midday", "noonish", "12 noon", "twelve noon"]) {
        return one(Piece::Clock(NOON), end);
    }
    if let Some(end) = next.any(&["midnight"]) {
        return one(Piece::Clock(Clock { hour: 24, minute: None, second: None, pm: None }), end);
    }
    if let Some(parsed) = past_or_to(next) {
        return Some(parsed);
    }
    if let Some((hour, end)) = next
        .words("half")
        .map(Cursor::blanks)
        .and_then(|next| next.spelled().or_else(|| small_number(next)))
        .filter(|(hour, _)| (1..=12).contains(hour))
    {
        return one(
            Piece::Clock(Clock {
                hour: hour as i8,
                minute: Some(30),
                second: None,
                pm: Some(true).filter(|_| hour < 5 && !is_morning(end)),
            }),
            end,
        );
    }
    if let Some(number) = numeral::arabic(next.rest()) {
        let after = next.skip(number.len);
        let about = after.eat("ish").or_else(|| after.eat("-ish")).filter(|end| end.ends());
        let after = about.unwrap_or(after);
        let make = |minute: Option<i64>, second: Option<i64>, pm: Option<bool>, end: Cursor<'_>| {
            let hour = i8::try_from(number.value).ok().filter(|hour| (0..=24).contains(hour))?;
            if minute.is_some_and(|minute| minute > 59)
                || second.is_some_and(|second| second > 59)
                || (pm.is_some() && hour > 12)
            {
                return None;
            }
            let clock = Clock { hour, minute: minute.map(|m| m as i8), second: second.map(|s| s as i8), pm };
            one(Piece::Clock(clock), end)
        };
        for separator in [":", ".", "h"] {
            let Some((minute, end)) = after
                .eat(separator)
                .and_then(|next| Some((numeral::arabic(next.rest()).filter(|m| m.len == 2)?, next)))
                .map(|(m, next)| (m, next.skip(m.len)))
            else {
                continue;
            };
            let second = end
                .eat(":")
                .and_then(|next| Some((numeral::arabic(next.rest()).filter(|s| s.len == 2)?, next)));
            let (second, end) =
                second.map_or((None, end), |(second, next)| (Some(second.value), next.skip(second.len)));
            let half = half_of_day(end);
            if separator == "." && half.is_none() && !said_at(end) && !names_a_part(end) {
                continue;
            }
            if !half.map_or(end, |(_, end)| end).ends() {
                continue;
            }
            // 3h18 is by the clock of 24 hours.
            let early = separator == "h" && number.value < 12 && part_follows(end).is_none();
            return make(
                Some(minute.value),
                second,
                half.map(|(pm, _)| pm).or(Some(false).filter(|_| early)),
                half.map_or(end, |(_, end)| end),
            );
        }
        if let Some(end) = after.eat("h").filter(|end| end.ends()) {
            return make(Some(0), None, None, end);
        }
        if number.len == 3 || number.len == 4 {
            // 730 in the evening.
            let (hour, minute) = (number.value / 100, number.value % 100);
            let half = half_of_day(after);
            let evening = after
                .blanks()
                .any(&["in the morning", "in the evening", "at night", "in the afternoon"])
                .is_some();
            // At 1030; around 1990 is a year. 0800 and 2300 hours are a soldier's.
            let marched = after.blanks().any(&["hours", "hrs"]).filter(|_| number.len == 4);
            if let Some(end) = marched.filter(|_| hour < 24 && minute < 60) {
                return make_minute(hour, minute, end);
            }
            let zero = cursor.peek() == Some('0') && number.len == 4 && names_a_day(after);
            let said = (said_at(after) && !(1900..=2100).contains(&number.value) || zero) && after.ends();
            if hour <= 24
                && minute < 60
                && (half.is_some() || evening || said)
                && unit(after.blanks()).is_none()
            {
                let clock = Clock {
                    hour: hour as i8,
                    minute: Some(minute as i8),
                    second: None,
                    pm: half.map(|(pm, _)| pm),
                };
                return one(Piece::Clock(clock), half.map_or(after, |(_, end)| end));
            }
        }
        if let Some((pm, end)) = half_of_day(after) {
            return make(None, None, Some(pm), end);
        }
        if let Some(end) = after.blanks().any(&["o'clock", "oclock", "o clock"]) {
            let half = half_of_day(end);
            return make(None, None, half.map(|(pm, _)| pm), half.map_or(end, |(_, end)| end));
        }
        let on_a_day = begun.day.is_some()
            || begun.weekday.is_some()
            || begun.part.is_some()
            || matches!(begun.within, Some(Within::Holiday(_)));
        let before_a_day = names_a_day(after) || on_a_part(after);
        if number.len <= 2
            && after.ends()
            && (1..=24).contains(&number.value)
            && after.peek() != Some('/')
            && month_name(after.blanks()).is_none()
            && (said_at(after)
                || before_a_day
                || about.is_some()
                || (follows(cursor, &["since "]) && after.ends_clause())
                || (on_a_day && begun.part.is_some() && begun.clock.is_none()))
            && unit(after.blanks()).is_none()
        {
            return make(None, None, None, after);
        }
        return None;
    }
    let (hour, after) = next.spelled().filter(|(hour, _)| (1..=12).contains(hour))?;
    let minute = spelled_minute(after);
    let (minute, end) = minute.map_or((None, after), |(minute, end)| (Some(minute), end));
    let half = half_of_day(end);
    let oclock = end.blanks().any(&["o'clock", "oclock"]);
    // March eighteenth, nine thirty.
    let on_a_day = begun.day.is_some() && minute.is_some_and(|minute| minute >= 10);
    let about = end.eat("-ish").or_else(|| end.eat("ish")).filter(|end| end.ends() && minute.is_none());
    let end = about.unwrap_or(end);
    // Seven on the 15th; seven on Friday may be guests. Three thirty tomorrow is no number of anything.
    let before_a_day = end
        .blanks()
        .words("on")
        .and_then(|next| day_number(next.blanks()))
        .is_some_and(|(_, end)| end.ends_clause())
        || (minute.is_some_and(|minute| minute >= 10) && (names_a_day(end) || on_a_weekday(end)))
        || names_a_part(end)
        || on_a_part(end)
        || about.is_some();
    if half.is_some() || oclock.is_some() || said_at(end) || on_a_day || before_a_day {
        let end = oclock.unwrap_or(end);
        let half = half.or_else(|| half_of_day(end));
        return one(
            Piece::Clock(Clock { hour: hour as i8, minute, second: None, pm: half.map(|(pm, _)| pm) }),
            half.map_or(end, |(_, end)| end),
        );
    }
    None
}

fn make_minute(hour: i64, minute: i64, end: Cursor<'_>) -> Option<Parsed> {
    one(Piece::Clock(Clock { hour: hour as i8, minute: Some(minute as i8), second: None, pm: None }), end)
}

fn small_number(cursor: Cursor<'_>) -> Option<(i64, Cursor<'_>)> {
    let number = numeral::arabic(cursor.rest()).filter(|number| number.len <= 2)?;
    let end = cursor.skip(number.len);
    (end.ends() && end.peek() != Some(':')).then_some((number.value, end))
}

/// quarter past 3pm, 20 to noon.
pub(super) fn past_or_to(cursor: Cursor<'_>) -> Option<Parsed> {
    let (minutes, next) = match cursor.any(&["a quarter", "quarter"]) {
        Some(end) => (15, end),
        None => match cursor.words("half") {
            Some(end) => (30, end),
            None => cursor
                .count()
                .filter(|(minutes, _)| (1..60).contains(minutes) && cursor.any(&["a", "an"]).is_none())?,
        },
    };
    let next = next.blanks().maybe(&["minutes", "minute", "mins", "min"]);
    let (late, next) = match next.any(&["past", "after"]) {
        Some(end) => (true, end.blanks()),
        None => (false, next.any(&["to", "till", "before", "of"])?.blanks()),
    };
    let (hour, pm, end) = if let Some(end) = next.any(&["noon", "midday"]) {
        (12, Some(late), end)
    } else if let Some(end) = next.any(&["midnight"]) {
        (24, None, end)
    } else {
        let (hour, end) = numeral::arabic(next.rest())
            .map(|n| (n.value, next.skip(n.len)))
            .or_else(|| next.spelled())
            .filter(|(hour, _)| (1..=24).contains(hour))?;
        let said_minutes =
            next.at > 0 && cursor.rest()[..next.at - cursor.at].iter().collect::<String>().contains("min");
        if !late && !said_minutes && !matches!(minutes, 10 | 15 | 20 | 25) {
            return None;
        }
        let half = half_of_day(end);
        let end = half.map_or(end, |(_, end)| end);
        if !end.ends() || end.peek() == Some(':') {
            return None;
        }
        (hour, half.map(|(pm, _)| pm), end)
    };
    let (hour, minute) = if late { (hour, minutes) } else { (hour - 1, 60 - minutes) };
    let hour = if hour == 0 { 12 } else { hour };
    one(Piece::Clock(Clock { hour: hour as i8, minute: Some(minute as i8), second: None, pm }), end)
}
