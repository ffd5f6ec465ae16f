use memoir_engine::{NearHit, SearchHit, snippet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

use super::MessageView;
use crate::params::number;

/// How many characters a snippet has.
const SNIPPET: usize = 160;

/// What to look for, and where.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchQuery {
    /// Words, in any language; what stands in quotation marks must occur as it is.
    pub(crate) q: String,
    /// What to compare: `words` (usually), or `meaning`, which finds what says the same in other words.
    #[serde(default)]
    pub(crate) by: By,
    /// Said at or after; RFC 3339.
    pub(crate) from: Option<String>,
    /// Said before; RFC 3339.
    pub(crate) until: Option<String>,
    /// Only by this author.
    pub(crate) author: Option<String>,
    /// Only in this part.
    pub(crate) role: Option<String>,
    /// Only in this session.
    pub(crate) session: Option<String>,
    /// How many at most; 1 to 500, usually 50.
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}

/// What a search compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum By {
    /// The words.
    #[default]
    Words,
    /// The vectors that an embedder made of them.
    Meaning,
}

/// A part of a ranked list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchReply {
    /// The hits, the best first.
    pub(crate) items: Vec<HitView>,
    /// How many there are in all.
    pub(crate) total: usize,
    /// Where the list goes on; null at its end.
    pub(crate) next: Option<String>,
    /// The query was so long that a part of it was left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
    /// The space is so large that only its newest messages were searched (`index.max_rows`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) partial: bool,
    /// Why nothing can be found by meaning just now: `no_embedder`, `no_vectors`, `other_model`, `embedder_failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unavailable: Option<&'static str>,
}

/// A message that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HitView {
    /// The message.
    message: MessageView,
    /// How well it fits; comparable within one search only.
    score: f32,
    /// What matches, as places in the content counted in characters.
    highlights: Vec<Place>,
    /// The part of the message that shows best why it was found.
    snippet: Vec<Piece>,
    /// The matching captions of attachments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    captions: Vec<CaptionView>,
}

/// A stretch of text, counted in characters.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Place {
    /// The first character.
    start: usize,
    /// The character after the last.
    end: usize,
}

/// A piece of a snippet.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Piece {
    /// The text.
    text: String,
    /// Whether it matches the query.
    #[serde(rename = "match")]
    hit: bool,
}

/// A caption that matches.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CaptionView {
    /// Which attachment, counted from 0.
    attachment: usize,
    /// Its caption, in pieces.
    snippet: Vec<Piece>,
}

impl From<NearHit> for HitView {
    fn from(hit: NearHit) -> Self {
        let NearHit { message, score } = hit;
        SearchHit { message, score, highlights: Vec::new(), captions: Vec::new() }.into()
    }
}

impl From<SearchHit> for HitView {
    fn from(hit: SearchHit) -> Self {
        let content = hit.message.content.as_str();
        let captions = hit.captions.iter().map(|(attachment, ranges)| {
            let caption = hit.message.attachments.get(*attachment).and_then(|a| a.caption.as_deref());
            CaptionView { attachment: *attachment, snippet: pieces(caption.unwrap_or_default(), ranges) }
        });
        HitView {
            score: hit.score,
            highlights: hit.highlights.iter().map(|range| place(content, range)).collect(),
            snippet: pieces(content, &hit.highlights),
            captions: captions.collect(),
            message: hit.message.into(),
        }
    }
}

fn place(text: &str, range: &Range<usize>) -> Place {
    let start = text[..range.start].chars().count();
    Place { start, end: start + text[range.clone()].chars().count() }
}

fn pieces(text: &str, ranges: &[Range<usize>]) -> Vec<Piece> {
    let cut = snippet(text, ranges, SNIPPET);
    let mut pieces = Vec::new();
    let mut push = |text: &str, hit: bool| {
        if !text.is_empty() {
            pieces.push(Piece { text: text.to_owned(), hit });
        }
    };
    if cut.cut_before {
        push("…", false);
    }
    let mut at = 0;
    for range in &cut.ranges {
        push(&cut.text[at..range.start], false);
        push(&cut.text[range.clone()], true);
        at = range.end;
    }
    push(&cut.text[at..], false);
    if cut.cut_after {
        push("…", false);
    }
    pieces
}
