//! Amounts of time: ago, from now, the last so many.

use super::date::{day_number, month_name, weekday_name};
use super::nth::nth;
use super::tables::UNITS;
use super::year::year_number;
use super::{direction, holiday};
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::frame::Frame;
use crate::numeral;
use crate::piece::{Counted, Current, Measure, Piece};

pub(super) fn unit(cursor: Cursor<'_>) -> Option<(Unit, Cursor<'_>)> {
    UNITS.iter().find_map(|(unit, names)| Some((*unit, cursor.any(names)?)))
}

/// What makes a stretch of an amount that lies ahead.
const WITHIN: [&str; 6] =
    ["within", "within the next", "within the coming", "within the upcoming", "less than", "in less than"];

/// three days ago, in two weeks, 5 minutes from now, within an hour.
pub(super) fn amount(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    if let Some((count, unit, _, end)) = cursor.words("for").map(Cursor::blanks).and_then(quantity) {
        let lasting = Piece::Counted(Counted::Lasting { count, unit });
        if begun.says_something() {
            return one(lasting, end);
        }
        let next = end.blanks().maybe(&[","]);
        if let Some(end) = next.any(&["from", "starting from", "starting on", "starting", "since"]) {
            return one(lasting, end);
        }
    }
    let (opening, mut next) = match cursor.any(&[
        "in",
        "in less than",
        "less than",
        "within",
        "for the last",
        "for the past",
        "over the last",
        "over the past",
        "in the last",
        "in the past",
        "during the last",
        "in the next",
        "over the next",
        "within the next",
        "within the coming",
        "within the upcoming",
        "within the last",
        "within the past",
    ]) {
        Some(end) => (cursor.rest()[..end.at - cursor.at].iter().collect::<String>(), end.blanks()),
        None => (String::new(), cursor),
    };
    // In the last two weeks of October: a share of it.
    if let Some(opened) = cursor.any(&["in", "over", "for", "during"]).filter(|_| opening.ends_with("last"))
        && let Some(parsed) = nth(opened.blanks(), begun)
    {
        return Some(parsed);
    }
    next = next.maybe(&[
        "about",
        "around",
        "like",
        "the upcoming",
        "the next",
        "approximately",
        "another",
        "exactly",
    ]);
    if let Some(parsed) = between_amounts(next, &opening).or_else(|| perfect(cursor, next, &opening)) {
        return Some(parsed);
    }
    let (mut amounts, mut guessed): (Vec<(i64, Unit, bool)>, bool) = (Vec::new(), false);
    let mut end = next;
    for _ in 0..5 {
        let Some((count, unit, half, after)) = quantity(next) else { break };
        guessed |= next.any(&["couple", "a couple", "few", "a few", "several"]).is_some();
        amounts.push((count, unit, half));
        end = after;
        next = after.blanks().maybe(&["and", ","]);
    }
    if amounts.is_empty()
        && let Some((count, after)) = next.count()
        && let Some((day, after)) = weekday_name(after.blanks())
    {
        let closed = after.blanks();
        if let Some(end) = closed.any(&["ago", "back"]) {
            return one(Piece::WeekdayAway(-count, day), end);
        }
        return one(
            Piece::WeekdayAway(count, day),
            closed.any(&["from now", "hence", "later", "from today"])?,
        );
    }
    if amounts.is_empty()
        && let Some((count, after)) = next.count()
        && let Some(after) = after.blanks().any(&["weekends", "weekend"])
    {
        let by = i32::try_from(count).ok().filter(|by| *by < 5_000)?;
        let closed = after.blanks();
        if let Some(end) = closed.any(&["ago", "back"]) {
            return one(Piece::Weekend(-by), end);
        }
        return one(Piece::Weekend(by), closed.any(&["from now", "hence", "later"])?);
    }
    let (first, rest) = amounts.split_first()?;
    let offsets = |later: bool, end: Cursor<'_>| {
        let all = std::iter::once(first).chain(rest).map(|(count, unit, half)| Piece::Offset {
            count: *count,
            unit: *unit,
            half: *half,
            later,
        });
        let all = all.chain(Some(Piece::Roughly).filter(|_| guessed));
        Some((all.collect::<Vec<_>>(), end.at))
    };
    let closed = end.blanks();
    if let Some(end) = closed.any(&["ago", "back", "earlier", "before now", "prior"]) {
        return offsets(false, end);
    }
    if let Some(end) = closed.any(&[
        "from now",
        "later",
        "hence",
        "from today",
        "after now",
        "from this moment",
        "in the future",
        "into the future",
    ]) {
        if WITHIN.contains(&opening.as_str()) && rest.is_empty() {
            let (count, unit, half) = *first;
            return one(Piece::Span { count, unit, half, coming: true, measure: Measure::Moment }, end);
        }
        return offsets(true, end);
    }
    // Three days from Tuesday, two weeks before May 13, a week starting tomorrow.
    let (count, unit, _) = *first;
    if rest.is_empty() {
        if let Some(end) = closed.any(&[
            "starting from",
            "starting on",
            "starting",
            "beginning",
            "beginning on",
            "commencing",
        ]) {
            return one(Piece::Counted(Counted::Lasting { count, unit }), end);
        }
        let ahead = closed.any(&["from"]).is_some();
        if let Some(end) = closed.any(&["from", "after", "since"]).filter(|end| {
            !end.blanks().peek().is_none_or(|c| c.is_ascii_digit())
                || year_number(end.blanks()).is_some()
                || day_number(end.blanks())
                    .is_some_and(|(_, end)| month_name(end.blanks().maybe(&["of"])).is_some())
                || end.rest().iter().take(6).any(|c| *c == '/')
        }) {
            return one(Piece::Counted(Counted::Away { count, unit, later: true, ahead }), end);
        }
        // A week on Thursday, two weeks today.
        if unit == Unit::Week || unit == Unit::Fortnight {
            let named = closed.words("on").filter(|end| weekday_name(end.blanks()).is_some());
            if let Some(end) = named.or_else(|| closed.any(&["today", "tomorrow"]).map(|_| closed)) {
                return one(Piece::Counted(Counted::Away { count, unit, later: true, ahead: true }), end);
            }
        }
        // The week ending 29 June, the 12 months to July 2023.
        let year_to =
            closed.words("to").filter(|end| month_name(end.blanks()).is_some() && unit >= Unit::Month);
        if let Some(end) = closed.any(&["ending", "ended", "ending on"]).or(year_to) {
            return one(Piece::Counted(Counted::Ending { count, unit }), end);
        }
        if let Some(end) = closed.any(&["before", "prior to", "b4"]) {
            return one(Piece::Counted(Counted::Away { count, unit, later: false, ahead: false }), end);
        }
    }
    let span = |coming: bool, measure: Measure| {
        if !rest.is_empty() {
            let (mut pieces, end) = offsets(coming, end)?;
            pieces.push(Piece::Reach);
            return Some((pieces, end));
        }
        one(Piece::Span { count: first.0, unit: first.1, half: first.2, coming, measure }, end)
    };
    match opening.as_str() {
        "in" => offsets(true, end.blanks().any(&["time", "' time"]).unwrap_or(end)),
        opening if WITHIN.contains(&opening) => span(true, Measure::Moment),
        "within the last" | "within the past" => span(false, Measure::Moment),
        "in the next" | "over the next" if first.1.is_of_clock() => span(true, Measure::Moment),
        "in the next" | "over the next" => span(true, Measure::Units),
        "" => None,
        _ => span(false, Measure::Units),
    }
}

/// 3 to 4 days ago, in 2 or 3 weeks, 4-6 weeks from now.
fn between_amounts(cursor: Cursor<'_>, opening: &str) -> Option<Parsed> {
    let (least, next) = cursor.count().filter(|_| cursor.any(&["a", "an"]).is_none())?;
    let joint = next.blanks();
    let next = joint.any(&["to", "or"]).or_else(|| joint.eat("-"))?.blanks();
    let (most, next) = next.count().filter(|(most, _)| least < *most && *most < least + 100)?;
    let (unit, end) = unit(next.blanks())?;
    let closed = end.blanks();
    let (later, end) = match closed.any(&["ago", "back"]) {
        Some(end) => (false, end),
        None => (
            true,
            closed.any(&["from now", "from today", "later"]).or(Some(end).filter(|_| opening == "in"))?,
        ),
    };
    Some((
        vec![Piece::Offset { count: least, unit, half: false, later }, Piece::OrMore(most - least)],
        end.at,
    ))
}

/// What has gone on for so long, or has not been in so long: been ill for ten days, haven't slept in three days.
fn perfect(cursor: Cursor<'_>, amount: Cursor<'_>, opening: &str) -> Option<Parsed> {
    const FAR: usize = 40;
    let before: String = cursor.chars[cursor.at.saturating_sub(FAR)..cursor.at].iter().collect();
    let clause = before.rsplit(['.', '!', '?', ';', ',']).next().unwrap_or(&before);
    let lasting = cursor.words("for").map(Cursor::blanks);
    let been = [" been ", "haven't ", "hasn't ", "havent ", "hasnt ", "have not ", "has not "];
    let never = ["haven't ", "hasn't ", "havent ", "hasnt ", "have not ", "has not ", "not had ", "no "];
    let amount = match lasting {
        Some(next) if been.iter().any(|word| format!(" {clause}").contains(word)) => {
            next.maybe(&["about", "over", "almost", "nearly", "around", "more than", "like", "at least"])
        }
        None if opening == "in" && never.iter().any(|word| clause.contains(word)) => amount,
        _ => return None,
    };
    let (count, unit, half, end) = quantity(amount)?;
    let end = end.blanks().words("now").unwrap_or(end);
    one(Piece::Span { count, unit, half, coming: false, measure: Measure::Moment }, end)
}

/// 5 past years, two upcoming weeks.
pub(super) fn counted(cursor: Cursor<'_>) -> Option<Parsed> {
    let (count, after) = cursor.count().filter(|_| cursor.any(&["a", "an"]).is_none())?;
    let (by, after) = direction(after.blanks()).filter(|(by, _)| *by != 0)?;
    let (unit, end) = unit(after.blanks())?;
    // 4 to 23 next month is no amount, nor is one last week.
    if count < 2 || cursor.chars[end.at - 1] != 's' {
        return None;
    }
    let measure = if unit.is_of_clock() { Measure::Units } else { Measure::Days };
    one(Piece::Span { count, unit, half: false, coming: by > 0, measure }, end)
}

/// the week of april 10th, a week beginning february 4.
pub(super) fn week_of(cursor: Cursor<'_>) -> Option<Parsed> {
    if let Some(end) = cursor.words("w/c") {
        return one(Piece::Counted(Counted::Lasting { count: 1, unit: Unit::Week }), end);
    }
    let (unit, named) = unit(cursor.maybe(&["the", "a", "this"])).filter(|(unit, _)| *unit >= Unit::Week)?;
    let week = named.blanks();
    if let Some(end) = week.any(&["of"]).filter(|_| unit == Unit::Week) {
        let next = end.blanks().maybe(&["the"]);
        let dated = holiday(next).is_some()
            || (next.at != end.blanks().at && next.ordinal().is_some())
            || month_name(next).is_some_and(|(_, end)| day_number(end.blanks()).is_some())
            || day_number(next).is_some_and(|(_, end)| month_name(end.blanks().maybe(&["of"])).is_some());
        return if dated { one(Piece::Counted(Counted::Week), end) } else { None };
    }
    if let Some(end) = week.any(&["ending", "ended", "ending on"]) {
        return one(Piece::Counted(Counted::Ending { count: 1, unit }), end);
    }
    let end =
        week.any(&["beginning on", "beginning", "starting on", "starting from", "starting", "commencing"])?;
    one(Piece::Counted(Counted::Lasting { count: 1, unit }), end)
}

/// rest of the week, later this month, earlier this week.
pub(super) fn rest(cursor: Cursor<'_>) -> Option<Parsed> {
    if let Some(next) = cursor.any(&["earlier in the", "earlier this", "so far this"]) {
        let (unit, end) = unit(next.blanks()).filter(|(unit, _)| *unit > Unit::Day)?;
        return one(Piece::Current(Current::SoFar, unit), end);
    }
    let later = cursor.any(&["later", "later in"]);
    let next =
        later.or_else(|| cursor.any(&["the rest of", "rest of", "the remainder of", "rest"]))?.blanks();
    // A rest day is a day of rest.
    if cursor.words("rest").is_some_and(|end| end.blanks().any(&["of", "this", "the"]).is_none()) {
        return None;
    }
    let next = next.maybe(&["the current", "this", "the", "my", "current"]);
    let (unit, end) = unit(next).filter(|(unit, _)| *unit >= Unit::Day)?;
    let share = if later.is_some() && unit > Unit::Day { Current::Later } else { Current::Rest };
    one(Piece::Current(share, unit), end)
}

pub(super) fn quantity(cursor: Cursor<'_>) -> Option<(i64, Unit, bool, Cursor<'_>)> {
    for (words, count, unit) in [
        ("half an hour", 30, Unit::Minute),
        ("half an hr", 30, Unit::Minute),
        ("half hr", 30, Unit::Minute),
        ("half hour", 30, Unit::Minute),
        ("a half hour", 30, Unit::Minute),
        ("a quarter of an hour", 15, Unit::Minute),
        ("quarter of an hour", 15, Unit::Minute),
        ("three quarters of an hour", 45, Unit::Minute),
        ("half a year", 6, Unit::Month),
        ("half a day", 12, Unit::Hour),
    ] {
        if let Some(end) = cursor.words(words) {
            return Some((count, unit, false, end));
        }
    }
    if let Some((minutes, end)) = fraction(cursor) {
        return Some((minutes, Unit::Minute, false, end));
    }
    let (count, end) = cursor.count()?;
    // 2.5 hours.
    if let Some((unit, end)) = end.eat(".5").map(Cursor::blanks).and_then(unit) {
        return Some((count, unit, true, end));
    }
    if let Some(end) = end.eat("\"") {
        return Some((count, Unit::Second, false, end));
    }
    if let Some(end) = end.eat("'").filter(|end| end.ends()) {
        return Some((count, Unit::Minute, false, end));
    }
    let next = end.blanks().maybe(&["more"]);
    if let Some(end) = next.any(&["and a half", "and an half", "and half"]) {
        let (unit, end) = unit(end.blanks())?;
        return Some((count, unit, true, end));
    }
    let (unit, end) = unit(next)?;
    match end.blanks().any(&["and a half", "and half"]) {
        Some(end) => Some((count, unit, true, end)),
        None => Some((count, unit, false, end)),
    }
}

/// 3/4 of an hour, 1/2h: minutes.
fn fraction(cursor: Cursor<'_>) -> Option<(i64, Cursor<'_>)> {
    let above = numeral::arabic(cursor.rest()).filter(|n| n.len == 1)?;
    let next = cursor.skip(above.len).eat("/")?;
    let below = numeral::arabic(next.rest()).filter(|n| (2..=4).contains(&n.value))?;
    let (unit, end) = unit(next.skip(below.len).blanks().maybe(&["of an", "an"]))?;
    (unit == Unit::Hour).then_some((60 * above.value / below.value, end))
}
