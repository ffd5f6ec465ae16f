use super::side::Side;
use super::{Word, word};
use crate::cursor::Cursor;
use crate::frame::{Day, Frame, Within, Year};
use crate::numeral;
use crate::piece::{Clock, Counted, Piece};
use crate::{english, zhong};

/// How many pieces one time has at most, so that a text of nothing but times costs no more than another.
const MOST_PIECES: usize = 16;

/// One time without its sides: its frame, where it begins and ends.
pub(super) struct Part {
    pub(super) frame: Frame,
    pub(super) end: usize,
    /// A word inside it that says before or after.
    pub(super) side: Option<Side>,
}

/// The time that begins at a place.
pub(super) fn part(chars: &[char], from: usize) -> Option<Part> {
    let mut frame = Frame::default();
    let (mut at, mut end, mut pieces) = (from, from, 0);
    let mut side = None;
    while pieces < MOST_PIECES {
        if let Some((inner, after)) = bracketed(chars, at, &frame) {
            (frame, at, end) = (inner, after, after);
            pieces += 1;
            continue;
        }
        let Some((word, len, english)) = word(chars, at, &frame) else { break };
        match word {
            Word::Pieces(new) => {
                let mut next = frame.clone();
                next.english |= english;
                if !new.into_iter().all(|piece| next.put(piece)) {
                    break;
                }
                frame = next;
                pieces += 1;
                at += len;
                end = at;
            }
            Word::Glue => at += len,
            // Sunday from last week.
            Word::From
                if frame.clock.is_none()
                    && frame.weekday.is_some() != frame.week.is_some()
                    && frame.within.is_none() =>
            {
                at += len;
            }
            Word::To if dash_joins(chars, at, &frame) => at += len,
            Word::From if days_follow(chars, at + len, &frame) => at += len,
            // 14 February for 7 hours from 9:30.
            Word::From if matches!(frame.counted, Some(Counted::Lasting { .. })) && frame.clock.is_none() => {
                at += len;
            }
            // In English what stands after these words is meant: tomorrow before I leave.
            Word::Before | Word::After if english => break,
            Word::Before if frame.says_something() => {
                side = Some(Side::Before);
                end = at + len;
                break;
            }
            Word::After if frame.says_something() => {
                side = Some(Side::After);
                end = at + len;
                break;
            }
            Word::Since if frame.says_something() => {
                side = Some(Side::Since);
                end = at + len;
                break;
            }
            _ => break,
        }
        if at - end > 12 {
            break;
        }
    }
    frame.says_something().then_some(Part { frame, end, side })
}

/// A bracket that holds nothing but the rest of the time: last Friday (June 15), Saturday (evening).
fn bracketed(chars: &[char], at: usize, frame: &Frame) -> Option<(Frame, usize)> {
    if chars.get(at) != Some(&'(') || !frame.says_something() {
        return None;
    }
    // 2023年10月1日（农历八月十七） and 5/8(三) say the same day twice.
    if frame.day.is_some()
        && let Some(end) = zhong::lunar_gloss(chars, at).or_else(|| zhong::weekday_gloss(chars, at))
    {
        return Some((frame.clone(), end));
    }
    let (mut frame, mut at, mut pieces) = (frame.clone(), at + 1, 0);
    for _ in 0..MOST_PIECES {
        if chars.get(at) == Some(&')') {
            return (pieces > 0).then(|| (frame, at + 1));
        }
        match word(chars, at, &frame)? {
            (Word::Pieces(new), len, english) => {
                frame.english |= english;
                if !new.into_iter().all(|piece| frame.put(piece)) {
                    return None;
                }
                pieces += 1;
                at += len;
            }
            (Word::Glue, len, _) => at += len,
            _ => return None,
        }
    }
    None
}

/// Whether days of the month that was named come next: in July, from the 3rd to the 7th.
fn days_follow(chars: &[char], at: usize, frame: &Frame) -> bool {
    let months = matches!(frame.within, Some(Within::Month(_) | Within::MonthRel(_)));
    if !months || frame.day.is_some() || frame.weekday.is_some() || frame.clock.is_some() {
        return false;
    }
    let next = Cursor { chars, at }.blanks().at;
    matches!(word(chars, next, frame), Some((Word::Pieces(pieces), ..)) if matches!(pieces[..], [Piece::Day(_)]))
}

/// Whether a dash only joins what was said to the rest of it, because nothing runs from a day to an hour or from a weekday
/// to its own date: Monday - 3pm, Friday-June-15.
fn dash_joins(chars: &[char], at: usize, frame: &Frame) -> bool {
    let on_a_day = frame.day.is_some() || frame.weekday.is_some();
    if chars.get(at) != Some(&'-') || !on_a_day || frame.clock.is_some() || frame.part.is_some() {
        return false;
    }
    let next = Cursor { chars, at: at + 1 }.blanks().at;
    let Some((Word::Pieces(pieces), ..)) = word(chars, next, frame) else { return false };
    match pieces.as_slice() {
        [Piece::Clock(clock)] => clock.minute.is_some() || clock.pm.is_some(),
        [Piece::Month(_), Piece::Day(_), ..] => {
            next == at + 1 && chars.get(at - 1) != Some(&' ') && frame.day.is_none() && frame.within.is_none()
        }
        _ => false,
    }
}

/// The same with the year behind it, which could be taken for a month of that year: 5 2022 in March 3-5 2022.
pub(super) fn dated_end(chars: &[char], at: usize, first: &Frame) -> Option<Part> {
    let of_a_month = matches!((first.within, first.day), (Some(Within::Month(_)), Some(Day::Of(_))));
    bare_end(chars, at, first).filter(|end| of_a_month && first.english && end.frame.year.is_some())
}

/// A bare number that ends a stretch: 15 in July 13-15, 6 in 8am until 6.
pub(super) fn bare_end(chars: &[char], at: usize, first: &Frame) -> Option<Part> {
    if let Some((day, end)) = zhong::lunar_day(chars, at).filter(|_| first.lunar || first.is_new_year()) {
        let mut frame = Frame::default();
        let new_year = Some(Piece::LunarMonth(1)).filter(|_| first.is_new_year());
        new_year.into_iter().chain([Piece::LunarDay(day)]).for_each(|piece| _ = frame.put(piece));
        return Some(Part { frame, end, side: None });
    }
    let len = chars[at..].iter().take(16).take_while(|c| c.is_ascii_alphanumeric()).count();
    let word: String = chars[at..at + len].iter().collect();
    let value = match word.parse::<i64>() {
        Ok(value) if len <= 2 => value,
        _ => numeral::english_ordinal(&word).filter(|_| first.clock.is_none())?,
    };
    let end = at + len;
    if chars.get(end).is_some_and(|c| c.is_alphanumeric() || matches!(c, ':' | '/' | '.' | '-')) {
        return None;
    }
    let mut frame = Frame { english: first.english, ..Frame::default() };
    // 1914-18.
    if let Some(Year::Is(year)) = first.year.filter(|_| !first.is_dated() && len == 2)
        && value > i64::from(year % 100)
    {
        frame.put(Piece::Year(year - year % 100 + value as i16));
        return Some(Part { frame, end, side: None });
    }
    let piece = if first.clock.is_some() && (0..=24).contains(&value) {
        Piece::Clock(Clock { hour: value as i8, minute: None, second: None, pm: None })
    } else if matches!(first.day, Some(Day::Of(_))) && (1..=31).contains(&value) {
        Piece::Day(value as u8)
    } else {
        return None;
    };
    frame.put(piece);
    // March 3-5, 2024.
    if matches!(piece, Piece::Day(_))
        && let Some((year, after)) = english::year_after(chars, end)
    {
        frame.put(Piece::Year(year));
        frame.within = first.within;
        return Some(Part { frame, end: after, side: None });
    }
    Some(Part { frame, end, side: None })
}
