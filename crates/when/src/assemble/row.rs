use jiff::civil::DateTime;

use super::part::{Part, part};
use crate::convention::{Convention, Prefer};
use crate::frame::Frame;
use crate::reading::{Grain, Reading};
use crate::resolve::readings;
use crate::zhong;

/// How many times of a row are taken together.
const MOST: usize = 10;

/// The last of a row that a time begins: 5月1、2、3日, 周六、周日, 今天明天.
pub(super) fn row(chars: &[char], first: &Part, now: DateTime, convention: Convention) -> Option<Part> {
    let mut before = first.frame.clone();
    let mut last: Option<Part> = None;
    for _ in 0..MOST {
        let end = last.as_ref().map_or(first.end, |last| last.end);
        let Some(other) = following(chars, end, &before, now, convention) else { break };
        let mut frame = other.frame.clone();
        frame.inherit(&before);
        before = frame;
        last = Some(other);
    }
    last
}

/// The time that follows on another with hardly a mark between them: 周六、周日, 今天明天, 3月5、6日.
fn following(
    chars: &[char],
    end: usize,
    first: &Frame,
    now: DateTime,
    convention: Convention,
) -> Option<Part> {
    let next = zhong::listed(chars, end)?;
    let other = part(chars, next).filter(|other| other.side.is_none())?;
    let mut inheriting = other.frame.clone();
    inheriting.inherit(first);
    let (one, two) = (readings(first, now, convention.prefer), readings(&inheriting, now, convention.prefer));
    // The other may be read of another week than the first; a row has them side by side.
    let follows = |one: &Reading| {
        two.iter().any(|two| one.grain() == two.grain() && one.end == two.start)
            || one.end.is_some_and(|end| {
                readings(&inheriting, end, Prefer::Future)
                    .first()
                    .is_some_and(|two| one.grain() == two.grain() && two.start == Some(end))
            })
    };
    let row = one.first().is_some_and(follows);
    (row && matches!(one.first()?.grain(), Grain::Day | Grain::Month | Grain::Quarter | Grain::Year))
        .then_some(other)
}
