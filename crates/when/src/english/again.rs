//! What comes again: summers, Christmases, the same time of another year.

use super::amount::unit;
use super::date::{month_name, weekday_name};
use super::tables::{FIXED, MONTHS};
use super::year::{decade, year_number};
use super::{direction, fixed, holiday};
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed};
use crate::frame::Frame;
use crate::piece::Piece;

/// Something that every year has: a month, a season, a holiday.
fn yearly(cursor: Cursor<'_>) -> Option<(Vec<Piece>, Cursor<'_>)> {
    if let Some((month, end)) = month_name(cursor) {
        return Some((vec![Piece::Month(month)], end));
    }
    if let Some(end) = cursor.words("fall") {
        return Some((vec![Piece::Season(3)], end));
    }
    let season =
        || fixed(cursor, &Frame::default()).filter(|(pieces, _)| matches!(pieces[..], [Piece::Season(_)]));
    let (pieces, end) = holiday(cursor).or_else(season)?;
    Some((pieces, Cursor { at: end, ..cursor }))
}

/// Several of them: summers, Christmases, Januaries.
fn several(cursor: Cursor<'_>) -> Option<(Piece, Cursor<'_>)> {
    let plural = |name: &str| {
        let end = match name.strip_suffix('y') {
            Some(stem) => cursor.eat(stem)?.eat("ies")?,
            None => {
                let end = cursor.eat(name)?;
                end.eat("es").filter(|end| end.ends()).or_else(|| end.eat("s"))?
            }
        };
        end.ends().then_some(end)
    };
    let months = MONTHS
        .iter()
        .enumerate()
        .filter_map(|(month, names)| Some((Piece::Month(month as u8 + 1), plural(names.first()?)?)));
    let seasons = FIXED.iter().filter_map(|(name, pieces)| match pieces {
        [season @ Piece::Season(_)] => Some((*season, plural(name)?)),
        _ => None,
    });
    let feasts = ["christmas", "easter", "thanksgiving", "halloween"].into_iter().filter_map(|name| {
        let end = plural(name)?;
        let first = Cursor { chars: &cursor.chars[..end.at.min(cursor.at + name.len())], at: cursor.at };
        let [feast @ Piece::Holiday(_)] = holiday(first)?.0[..] else { return None };
        Some((feast, end))
    });
    months.chain(seasons).chain(feasts).max_by_key(|(_, end)| end.at)
}

/// two summers ago, the Christmas before last.
pub(super) fn counted_back(cursor: Cursor<'_>) -> Option<Parsed> {
    if let Some((count, next)) = cursor.count().filter(|(count, _)| (2..100).contains(count))
        && let Some((piece, end)) = several(next.blanks())
        && let Some(end) = end.blanks().any(&["ago", "back"])
    {
        return Some((vec![piece, Piece::Toward(-(count as i32))], end.at));
    }
    // Nearly nothing is the one before last, which is seen at a glance.
    const FAR: usize = 40;
    let ahead = &cursor.rest()[..cursor.rest().len().min(FAR)];
    ahead.windows(8).any(|part| part == ['o', 'r', 'e', ' ', 'l', 'a', 's', 't']).then_some(())?;
    let (mut pieces, end) = yearly(cursor.maybe(&["the"]))?;
    let end = end.blanks().any(&["before last"])?;
    pieces.push(Piece::Toward(-2));
    Some((pieces, end.at))
}

/// back in March, way back in 2015.
pub(super) fn looking_back(cursor: Cursor<'_>) -> Option<Parsed> {
    if !matches!(cursor.peek(), Some('b' | 'w')) {
        return None;
    }
    let next = cursor.any(&["back in", "way back in", "back in the", "way back in the"])?.blanks();
    if year_number(next).is_some() || decade(next).is_some() {
        return Some((Vec::new(), next.at));
    }
    let (mut pieces, end) = yearly(next)?;
    pieces.push(Piece::Toward(-1));
    Some((pieces, end.at))
}

/// this time last year, the same time yesterday, this day last month.
pub(super) fn same_time(cursor: Cursor<'_>) -> Option<Parsed> {
    if !matches!(cursor.peek(), Some('a' | 's' | 't')) {
        return None;
    }
    let next = cursor.maybe(&["around", "about", "at"]);
    let end = next.any(&[
        "this time",
        "this same time",
        "same time",
        "the same time",
        "the same day",
        "same day",
        "this day",
    ])?;
    let other = end.blanks().maybe(&["of"]);
    let unit_away = direction(other)
        .filter(|(by, _)| *by != 0)
        .and_then(|(_, end)| unit(end.blanks()))
        .is_some_and(|(unit, _)| unit >= Unit::Week);
    let day_away = other.any(&["yesterday", "tomorrow"]).is_some()
        || direction(other).is_some_and(|(_, end)| weekday_name(end.blanks()).is_some());
    let timed = next.any(&["this day", "the same day", "same day"]).is_none();
    (unit_away || (day_away && timed)).then(|| (vec![Piece::SameTime], other.at))
}
