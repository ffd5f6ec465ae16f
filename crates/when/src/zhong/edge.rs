//! The beginning, the middle and the end of something.

use crate::cursor::{Cursor, Parsed};
use crate::frame::{Frame, Within};
use crate::numeral;
use crate::piece::{Edge, Piece};

/// 上半月, 后半个月: of the month that was named, or of the current one.
pub(super) fn half_month(cursor: Cursor<'_>, begun: &Frame) -> Option<Parsed> {
    let of_a_month = matches!(begun.within, Some(Within::Month(_) | Within::MonthRel(_)));
    let halves = [("上半", 1, true), ("下半", 2, true), ("前半", 1, of_a_month), ("后半", 2, of_a_month)];
    let (half, end) = halves
        .into_iter()
        .filter(|(.., may)| *may)
        .find_map(|(name, half, _)| Some((half, cursor.eat(name)?.maybe_eat(&["个"]).eat("月")?)))?;
    let edge = Piece::Edge(Edge::Half(half));
    Some((if of_a_month { vec![edge] } else { vec![Piece::MonthRel(0), edge] }, end.at))
}

pub(super) fn edge(cursor: Cursor<'_>) -> Option<(Edge, Cursor<'_>)> {
    const EDGES: [(&str, Edge); 28] = [
        ("上中旬", Edge::TwoThirds(1)),
        ("中上旬", Edge::TwoThirds(1)),
        ("中下旬", Edge::TwoThirds(2)),
        ("上半叶", Edge::Half(1)),
        ("前半叶", Edge::Half(1)),
        ("前半期", Edge::Half(1)),
        ("下半叶", Edge::Half(2)),
        ("后半叶", Edge::Half(2)),
        ("后半期", Edge::Half(2)),
        ("中后期", Edge::Half(2)),
        ("伊始", Edge::Outset),
        ("初期", Edge::Begin),
        ("前期", Edge::Begin),
        ("早期", Edge::Begin),
        ("初", Edge::Begin),
        ("中期", Edge::Mid),
        ("中旬", Edge::Third(2)),
        ("中叶", Edge::Mid),
        ("中", Edge::Mid),
        ("上旬", Edge::Third(1)),
        ("下旬", Edge::Third(3)),
        ("末期", Edge::End),
        ("后期", Edge::End),
        ("末", Edge::End),
        ("年底", Edge::End),
        ("底", Edge::End),
        ("尾", Edge::End),
        ("结束", Edge::End),
    ];
    let (name, edge) = EDGES.iter().find(|(name, _)| cursor.eat(name).is_some())?;
    let end = cursor.eat(name)?;
    if *name == "初"
        && end.peek().is_some_and(|c| numeral::any(&[c]).is_some() || matches!(c, '中' | '步' | '级'))
    {
        return None;
    }
    if *name == "中" && end.peek().is_some_and(|c| matches!(c, '午' | '国' | '秋' | '的')) {
        return None;
    }
    Some((*edge, end))
}
