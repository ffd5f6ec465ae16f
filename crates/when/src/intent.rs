//! Whether a message asks about what was said before.

mod cues;
mod english;
mod question;
mod subject;
mod zhong;

use cues::Cue;
use question::{asks_english, asks_zhong};
use subject::Subject;

use crate::fold::Folded;

/// From this score on a message counts as asking for history.
const ENOUGH: f32 = 0.5;
/// Up to how many bytes a message is judged as a whole as well: some 70 characters in Chinese, a sentence or two in English.
const TOGETHER: usize = 210;
/// Nobody asks in more characters than this: the rest of a long message is not looked at.
const LONGEST: usize = 600;

/// Why a message was taken to ask for history, or not to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It asks what was said, told or agreed.
    AsksWhatWasSaid,
    /// It asks whether something is remembered.
    AsksToRemember,
    /// It asks for a summary of past talk.
    AsksForSummary,
    /// It asks for something that its speaker told of themselves.
    AsksForOwnFact,
    /// It asks the listener to keep or do something.
    AsksForAction,
    /// It asks something, but not about past talk.
    AsksOtherwise,
    /// It states something.
    States,
}

impl Reason {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::AsksWhatWasSaid => "asks what was said before",
            Reason::AsksToRemember => "asks whether something is remembered",
            Reason::AsksForSummary => "asks for a summary of past talk",
            Reason::AsksForOwnFact => "asks for something its speaker told before",
            Reason::AsksForAction => "asks to keep or to do something",
            Reason::AsksOtherwise => "asks, but not about past talk",
            Reason::States => "states something",
        }
    }
}

/// Whether a message asks for history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intent {
    /// Whether it does.
    pub history: bool,
    /// How sure that is, 0 to 1.
    pub score: f32,
    /// Whether it asks for particulars: a name, a number, a date, a place, the very words.
    pub detail: bool,
    /// Why.
    pub reason: Reason,
}

/// Judges a message by its words alone.
///
/// ```
/// assert!(memoir_when::intent("昨天我们聊了什么？").history);
/// assert!(memoir_when::intent("What did I tell you about my knee last week?").history);
/// assert!(!memoir_when::intent("昨天我去爬山了").history);
/// ```
pub fn intent(text: &str) -> Intent {
    let folded = Folded::of(text);
    let text: String = folded.chars.iter().take(LONGEST).collect();
    // A question is one sentence among others; in a short message they belong together.
    let whole = (text.len() <= TOGETHER).then_some(text.as_str());
    let each = sentences(&text).filter(|sentence| Some(*sentence) != whole);
    let judged = whole.into_iter().chain(each).map(judge);
    judged.reduce(|best, next| if next.score > best.score { next } else { best }).unwrap_or(Intent {
        history: false,
        score: 0.0,
        detail: false,
        reason: Reason::States,
    })
}

/// The sentences of a message, each with the mark that ends it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['。', '!', '?', '\u{a}', ';']).flat_map(|part| part.split_inclusive(". "))
}

/// Whether somebody asks for a fact of theirs and says no more than that: 我血型?, my 10k pb?
fn asks_for_own_fact_in_short(text: &str) -> bool {
    const SHORT: usize = 14;
    const OTHERWISE: &str = "该能要会怎想去吃做好让帮买用喝办";
    let text = text.trim();
    let asked = || ["?", "多少", "几", "什么", "哪", "谁", "啥"].iter().any(|word| text.contains(word));
    let own = text.starts_with(['我', '俺']) && !text.contains(|c| OTHERWISE.contains(c));
    if own && text.chars().count() <= SHORT && asked() {
        return true;
    }
    text.starts_with("my ") && text.ends_with('?') && text.split_whitespace().count() <= 5
}

/// A word as it is usually spelled.
fn usual_spelling(word: &str) -> &str {
    match word {
        "u" => "you",
        "ur" => "your",
        "r" => "are",
        "y" => "why",
        "wat" | "wht" | "wut" => "what",
        "abt" => "about",
        "whats" => "what s",
        "recomended" | "reccomended" | "recommeded" => "recommended",
        "recomend" | "reccomend" => "recommend",
        "sugested" => "suggested",
        "rember" | "remeber" | "remmeber" | "rmb" => "remember",
        "mentiond" | "mentionned" => "mentioned",
        "yday" | "yest" => "yesterday",
        other => other,
    }
}

/// Judges one sentence.
fn judge(text: &str) -> Intent {
    let chinese = text.chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count() * 3
        > text.chars().filter(char::is_ascii_alphabetic).count();
    let (cues, details) =
        if chinese { (zhong::CUES, zhong::DETAILS) } else { (english::CUES, english::DETAILS) };
    let plain: String = text
        .chars()
        .map(|c| if matches!(c, '\'' | ',' | '.' | '!' | ';' | ':' | '(' | ')' | '-') { ' ' } else { c })
        .collect();
    let words: Vec<&str> = plain.split_whitespace().map(usual_spelling).collect();
    let mut padded = format!(" {} ", words.join(" ").replace('?', " ?"));
    // What'd you say.
    for (short, long) in
        [("what d", "what did"), ("where d", "where did"), ("who d", "who did"), ("how d", "how did")]
    {
        if padded.contains(short) {
            padded = padded.replace(&format!(" {short} "), &format!(" {long} "));
        }
    }
    let subject = Subject::of(if chinese { text } else { &padded });
    let asks = if chinese { asks_zhong(&subject) } else { asks_english(text, &subject) };
    let mut score = 0.0f32;
    let mut reason = if asks { Reason::AsksOtherwise } else { Reason::States };
    let mut strongest = 0.0;
    for Cue { all, none, weight, question, reason: why } in cues {
        let present = all.iter().all(|any| subject.has_any(any));
        let absent = !none.iter().any(|any| subject.has_any(any));
        if present && absent && (!question || asks) {
            score += weight;
            if weight.abs() > strongest {
                strongest = weight.abs();
                reason = *why;
            }
        }
    }
    if asks && (0.0..ENOUGH).contains(&score) && asks_for_own_fact_in_short(text) {
        (score, reason) = (ENOUGH, Reason::AsksForOwnFact);
    }
    let score = score.clamp(0.0, 1.0);
    let history = score >= ENOUGH;
    let detail = history && subject.has_any(details);
    Intent { history, score, detail, reason }
}
