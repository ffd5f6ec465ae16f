//! Puts the pieces of a text together into times.

mod part;
mod row;
mod side;
mod stretch;

use jiff::civil::DateTime;
use std::ops::Range;

use crate::convention::{Convention, Prefer};
use crate::fold::Folded;
use crate::frame::Frame;
use crate::piece::Piece;
use crate::reading::Reading;
use crate::resolve::readings;
use crate::{english, numeral, zhong};
use part::{bare_end, dated_end, part};
use row::row;
use side::{Side, beside};
use stretch::{Last, stretch};

/// How many times are found in one text.
const MOST_FOUND: usize = 256;

/// A time that a text speaks of.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// What it means.
    pub reading: Reading,
    /// What else it could mean, the likeliest first.
    pub alternatives: Vec<Reading>,
}

/// What a language makes of the characters at a place.
pub(crate) enum Word {
    /// Parts of a time.
    Pieces(Vec<Piece>),
    /// Nothing by itself, but it holds parts together (的, of, at).
    Glue,
    /// From one time to another.
    To,
    /// Opens a stretch: from, since, between.
    From,
    /// Everything before the time.
    Before,
    /// Everything from the time on.
    After,
    /// From the time until now.
    Since,
    /// From now up to the time.
    By,
    /// Closes a stretch (之间, 止) and means nothing else.
    Close,
}

/// Every time that a text speaks of, in order, as somebody means it whose clock shows `now`.
pub fn find(text: &str, now: DateTime, convention: impl Into<Convention>) -> Vec<Found> {
    let convention = convention.into();
    let folded = Folded::of(text);
    let mut found = Vec::new();
    let (mut at, mut read) = (0, 0);
    // Where what comes again and again was last spoken of.
    let mut again = None;
    while at < folded.chars.len() && found.len() < MOST_FOUND {
        // A time begins with the whole of a number: 三十八点 is none.
        let inside = at > read && numeral::goes_on(&folded.chars, at);
        if let Some(end) = zhong::title(&folded.chars, at) {
            at = end;
            continue;
        }
        match time_at(&folded, at, now, convention).filter(|_| !inside) {
            Some((time, end)) => {
                // What comes again and again is no time.
                let listed = again.is_some_and(|after| is_joint(&folded.chars[after..at]));
                if listed || is_recurring(&folded.chars, at, end) {
                    again = Some(end);
                } else {
                    found.push(time);
                }
                (at, read) = (end, end);
            }
            None => at = next_start(&folded.chars, at),
        }
    }
    found
}

/// Whether nothing but what joins a row stands there: every Monday, Wednesday and Friday.
fn is_joint(chars: &[char]) -> bool {
    const LONGEST: usize = 8;
    chars.len() <= LONGEST && chars.iter().all(|c| matches!(c, ' ' | ',' | '、' | 'a' | 'n' | 'd' | '和'))
}

/// Whether a time stands for many: 每周一, every Monday, on Mondays and Thursdays.
fn is_recurring(chars: &[char], start: usize, end: usize) -> bool {
    zhong::is_recurring(chars, start) || english::is_recurring(chars, start, end)
}

/// The next place at which a time may begin: never inside an English word or a number.
fn next_start(chars: &[char], at: usize) -> usize {
    let wordy = |c: char| c.is_ascii_alphanumeric();
    let mut next = at + 1;
    for kind in [wordy, |c: char| c == ' '] {
        if chars.get(next - 1).copied().is_some_and(kind) {
            while chars.get(next).copied().is_some_and(kind) {
                next += 1;
            }
        }
    }
    next
}

/// What stands at a place, how long it is, and whether it is English.
fn word(chars: &[char], at: usize, begun: &Frame) -> Option<(Word, usize, bool)> {
    let chinese = || zhong::word(chars, at, begun).map(|(word, len)| (word, len, false));
    let english = || english::word(chars, at, begun).map(|(word, len)| (word, len, true));
    if chars.get(at).is_some_and(char::is_ascii) && (begun.english || !begun.says_something()) {
        // Digits are read by whichever makes more of them.
        let (first, second) = (chinese(), english());
        return match (&first, &second) {
            (Some((Word::Pieces(_), a, _)), Some((Word::Pieces(_), b, _))) => {
                let english = begun.english || chars[at].is_ascii_alphabetic();
                if b > a || (english && a == b) { second } else { first }
            }
            (Some((Word::Pieces(_), ..)), _) => first,
            (Some((_, a, _)), Some((_, b, _))) => {
                if a > b {
                    first
                } else {
                    second
                }
            }
            (_, Some(_)) => second,
            _ => first,
        };
    }
    chinese().or_else(english)
}

fn time_at(folded: &Folded, start: usize, now: DateTime, convention: Convention) -> Option<(Found, usize)> {
    let chars = &folded.chars;
    if start > 0 && chars[start].is_ascii_alphanumeric() && chars[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    // Nor does one begin after a decimal point.
    if start > 1
        && chars[start].is_ascii_digit()
        && chars[start - 1] == '.'
        && chars[start - 2].is_ascii_digit()
    {
        return None;
    }
    // 138 0512 2024 is a telephone's.
    if start > 3
        && chars[start].is_ascii_digit()
        && chars[start - 1] == ' '
        && chars[start - 4..start - 1].iter().all(char::is_ascii_digit)
    {
        return None;
    }
    // What holds times together begins none, nor does a score.
    if !english::may_begin(chars, start) || (chars[start].is_ascii_digit() && zhong::is_ratio(chars, start)) {
        return None;
    }
    let opening = word(chars, start, &Frame::default());
    let closing = zhong::closes_later(chars, start);
    let until = closing || english::is_until(chars, start) || zhong::is_until(chars, start);
    if matches!(opening, Some((Word::Glue | Word::Close, ..)) | None)
        || (matches!(opening, Some((Word::To, ..))) && !until)
    {
        return None;
    }
    let mut at = start;
    let mut opened = None;
    // What opens a stretch may stand before it: 从, since.
    let mut in_english = false;
    while let Some((word, len, english)) = word(chars, at, &Frame::default()) {
        if !matches!(word, Word::Pieces(_) | Word::Glue) {
            in_english |= english;
        }
        match word {
            Word::From => opened = Some(None),
            Word::Since => opened = Some(Some(Side::Since)),
            Word::By => opened = Some(Some(Side::By)),
            Word::To if until && at == start => opened = Some(Some(Side::Until)),
            Word::Before if english::is_word(chars, at) => opened = Some(Some(Side::Before)),
            Word::After if english::is_word(chars, at) => opened = Some(Some(Side::After)),
            Word::Glue if at > start => {}
            _ => break,
        }
        at += len;
    }
    let begin = if opened.is_some() { at } else { start };
    let mut first = part(chars, begin)?;
    first.frame.english |= in_english && opened.is_some();
    let mut end = first.end;
    let mut side = first.side.or(opened.flatten());
    if closing {
        // 到上周五为止.
        end = zhong::closed(chars, end)?;
    }
    let mut second = None;
    if side.is_none() || side == Some(Side::After) || side == Some(Side::Since) {
        let mut next = end;
        let mut joined = false;
        for _ in 0..4 {
            match word(chars, next, &Frame::default()) {
                Some((Word::Glue, len, _)) => next += len,
                Some((Word::To, len, _)) if !joined => {
                    joined = true;
                    next += len;
                }
                Some((Word::From, len, _)) if joined => next += len,
                _ => break,
            }
        }
        if !joined
            && side.is_none()
            && let Some(last) = row(chars, &first, now, convention)
        {
            end = last.end;
            second = Some(Last { frame: last.frame, before: false });
        }
        // 从上周五就开始咳嗽.
        if opened == Some(None)
            && !joined
            && side.is_none()
            && second.is_none()
            && zhong::goes_on_since(chars, end)
        {
            side = Some(Side::Since);
        }
        let joins_by_itself = side == Some(Side::After);
        if (joined || joins_by_itself)
            && second.is_none()
            && let Some(other) = dated_end(chars, next, &first.frame)
                .or_else(|| part(chars, next))
                .or_else(|| bare_end(chars, next, &first.frame).filter(|_| joined))
            && (!joins_by_itself || joined || other.side == Some(Side::Before))
        {
            end = other.end;
            side = None;
            second = Some(Last { frame: other.frame, before: other.side == Some(Side::Before) });
            if let Some((Word::Close, len, _)) = word(chars, end, &Frame::default()) {
                end += len;
            }
        }
    }
    // What has gone on since some time began before now.
    let prefer = if side == Some(Side::Since) { Prefer::Past } else { convention.prefer };
    let all = match second {
        Some(last) => stretch(first.frame, last, now, convention),
        None => readings(&first.frame, now, prefer)
            .into_iter()
            .map(|reading| beside(reading, side, &first.frame, now))
            .collect(),
    };
    // The last 0 days are no time.
    let mut all = all
        .into_iter()
        .filter(|reading| reading.start.zip(reading.end).is_none_or(|(start, end)| start < end));
    let reading = all.next()?;
    let span = folded.offsets[start]..folded.offsets[end];
    Some((Found { span, reading, alternatives: all.collect() }, end))
}
