//! Days, weeks and weekends that lie before or after a day that is named.

use super::amount::unit;
use super::date::{day_number, month_name, weekday_name};
use super::{direction, holiday};
use crate::calendar::Unit;
use crate::cursor::{Cursor, Parsed, one};
use crate::piece::{Counted, Piece};

/// Whether a weekday is counted from a day that follows: after Christmas, before May 5. After next is no such day.
pub(super) fn beside(cursor: Cursor<'_>) -> Option<(bool, Cursor<'_>)> {
    let next = cursor.blanks();
    let (later, end) = match next.any(&["after", "following"]) {
        Some(end) => (true, end),
        None => (false, next.any(&["before", "preceding"])?),
    };
    is_dated(end.blanks()).then_some((later, end))
}

/// Whether a holiday or a day of a month is named there.
pub(super) fn is_dated(cursor: Cursor<'_>) -> bool {
    let named = cursor.maybe(&["the"]);
    holiday(named).is_some()
        || month_name(named).is_some()
        || day_number(named).is_some_and(|(_, end)| month_name(end.blanks().maybe(&["of"])).is_some())
}

/// the day after Christmas, the two weeks before May 5, the weekend of March 8.
pub(super) fn unit_beside(cursor: Cursor<'_>) -> Option<Parsed> {
    let next = cursor.maybe(&["the"]);
    if let Some(end) = next.any(&["weekend", "week end", "long weekend"]) {
        if let Some(end) = end.blanks().any(&["of"]).filter(|end| is_day(end.blanks())) {
            return one(Piece::Counted(Counted::Weekend(0)), end);
        }
        let (later, end) = beside(end)?;
        return one(Piece::Counted(Counted::Weekend(if later { 1 } else { -1 })), end);
    }
    let counted = next.count().filter(|_| next.at != cursor.at && next.any(&["a", "an"]).is_none());
    let (count, named) = counted.map_or((1, next), |(count, end)| (count, end.blanks()));
    let (unit, end) = unit(named).filter(|(unit, _)| *unit >= Unit::Day)?;
    let (later, end) = beside(end).or_else(|| beside_weekday(end).filter(|_| unit == Unit::Day))?;
    one(
        Piece::Counted(if counted.is_none() && unit == Unit::Day {
            Counted::Away { count, unit, later, ahead: false }
        } else {
            Counted::Beside { count, unit, later }
        }),
        end,
    )
}

/// Whether a day of a month follows.
fn is_day(cursor: Cursor<'_>) -> bool {
    let named = cursor.maybe(&["the"]);
    month_name(named).is_some_and(|(_, end)| day_number(end.blanks()).is_some())
        || day_number(named).is_some_and(|(_, end)| month_name(end.blanks().maybe(&["of"])).is_some())
}

/// The day after Monday, the day before last Friday.
fn beside_weekday(cursor: Cursor<'_>) -> Option<(bool, Cursor<'_>)> {
    let next = cursor.blanks();
    let (later, end) = match next.any(&["after"]) {
        Some(end) => (true, end),
        None => (false, next.any(&["before"])?),
    };
    let named = direction(end.blanks()).map_or(end, |(_, end)| end).blanks();
    weekday_name(named).map(|_| (later, end))
}
