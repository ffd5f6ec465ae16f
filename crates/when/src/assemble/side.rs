use jiff::civil::DateTime;

use crate::frame::Frame;
use crate::piece::Edge;
use crate::reading::Reading;

/// What is meant by what stands beside a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
    Since,
    /// By a time: from now up to it.
    By,
    /// Until a time: the same if that lies ahead, else all that came before it.
    Until,
}

/// What lies before or after a time.
pub(super) fn beside(reading: Reading, side: Option<Side>, frame: &Frame, now: DateTime) -> Reading {
    match side {
        None => reading,
        Some(Side::Since) if reading.start.is_some_and(|start| start < now) => {
            Reading { start: reading.start, end: Some(now) }
        }
        Some(Side::Since | Side::After) => {
            let exact = frame.clock.is_some() || !frame.offsets.is_empty();
            Reading {
                start: if exact {
                    reading.start
                } else {
                    reading.end.filter(|_| side == Some(Side::After)).or(reading.start)
                },
                end: None,
            }
        }
        Some(Side::Until) if frame.now => Reading { start: None, end: Some(now) },
        Some(Side::By | Side::Until) => {
            let end = if frame.clock.is_some() { reading.start } else { reading.end };
            // Who says until today looks back.
            let ahead = end.is_some_and(|end| end > now)
                && (side == Some(Side::By) || reading.start.is_none_or(|start| start > now));
            Reading { start: Some(now).filter(|_| ahead), end }
        }
        Some(Side::Before) => {
            // 六月之前 takes June in, 六点之前 ends at six; before June ends where June begins.
            let inclusive = (!frame.english && frame.clock.is_none() && frame.part.is_none())
                || frame.edge == Some(Edge::End);
            let end = if inclusive { reading.end } else { reading.start };
            // Before 2030 says nothing of where it begins; 2030年之前 is said of what is to come.
            let from_now = !frame.english && end.is_some_and(|end| end > now);
            Reading { start: Some(now).filter(|_| from_now), end }
        }
    }
}
